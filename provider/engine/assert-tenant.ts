import { lacking, type ServerInfo } from "../core/availability";
import { ProviderError } from "../core/errors";
import { trimSlashes } from "../core/rows";
import type { Dialect, Tenancy } from "../dialects/dialect";
import type { ApiRequest } from "./api-request";
import type { Identification } from "./identification";
import type { Settings } from "./settings";

/** Whether this names no namespace but the server as a whole. */
export function isWhole(namespace = ""): boolean {
  return ["", "root"].includes(trimSlashes(namespace));
}

/** Why this server cannot have the tenant of a connection: it would ignore it, and do all outside of it. */
export function lackOfTenant(
  { on }: Tenancy,
  { namespace = "", address, configKey }: Pick<Settings, "namespace" | "address" | "configKey">,
  server: ServerInfo,
): string | undefined {
  const lack = on === undefined || isWhole(namespace) ? undefined : lacking(on, server);
  if (lack === undefined) return undefined;
  const what = `cannot be ${JSON.stringify(namespace)} at ${address.origin}, which would do this outside of it: that ${lack}`;
  return `${what}. Take it out of the resource, or out of ${configKey} and the environment`;
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
  const lack = found && lackOfTenant(tenancy, { namespace, address, configKey }, found);
  if (lack !== undefined) throw new ProviderError("ConfigError", `${tenancy.property} ${lack}.`);
  // With `offline` the server is not asked what it is; the connection warns about that.
  if (found || offline || method === "GET") return;
  throw new ProviderError(
    "ResponseError",
    `the server at ${address.origin} did not say whether it has namespaces, such as the ${name}: ${whyUnknown()}`,
  );
}
