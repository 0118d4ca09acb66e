import { lacking } from "../core/availability";
import { ProviderError } from "../core/errors";
import { trimSlashes } from "../core/rows";
import type { Dialect } from "../dialects/dialect";
import type { ApiRequest } from "./api-request";
import type { Identification } from "./identification";
import type { Settings } from "./settings";

/** Whether this names no namespace but the server as a whole. */
export function isWhole(namespace = ""): boolean {
  return ["", "root"].includes(trimSlashes(namespace));
}

/**
 * Refuses a request to a namespace of a server that has none, before it is sent: such a server ignores the namespace, and
 * would do it outside. A write is also refused where the server does not say what it is.
 */
export async function assertTenant(
  { tenancy }: Pick<Dialect, "tenancy">,
  { namespace = "", address, offline, configKey }: Pick<Settings, "namespace" | "address" | "offline" | "configKey">,
  { server, whyUnknown }: Identification,
  { method, signal }: ApiRequest,
): Promise<void> {
  if (tenancy?.on === undefined || isWhole(namespace)) return;
  const found = await server(signal);
  const name = `${tenancy.property} ${JSON.stringify(namespace)}`;
  const lack = found && lacking(tenancy.on, found);
  if (lack !== undefined) {
    const what = `the server at ${address.origin} cannot have the ${name}, and would do this outside of it: that ${lack}`;
    throw new ProviderError(
      "ConfigError",
      `${what}. Take the ${tenancy.property} out of the resource, or out of ${configKey} and the environment.`,
    );
  }
  // With `offline` the server is not asked what it is; the connection warns about that.
  if (found || offline || method === "GET") return;
  throw new ProviderError(
    "ResponseError",
    `the server at ${address.origin} did not say whether it has namespaces, such as the ${name}: ${whyUnknown()}`,
  );
}
