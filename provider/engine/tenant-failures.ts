import type { ServerInfo } from "../core/availability";
import type { Definition, Values } from "../core/definition";
import type { Failure } from "../core/errors";
import { tenantIn } from "../core/tenant";
import { hasUnknown } from "../core/unknowns";
import { dialects } from "../dialects";
import type { Dialect } from "../dialects/dialect";
import { partOf } from "../dialects/needs";
import { lackOfTenant } from "./assert-tenant";
import type { Settings } from "./settings";
import { statePlacesOf } from "./state-places";

/** What is wrong with the tenant of a record: with the one that it names, for the connection that it is on, or with that of the connection, for its server. */
export function tenantFailures(
  definition: Definition,
  news: Values,
  settingsOf: (values: Values) => Settings,
  server: ServerInfo | undefined,
): Failure[] {
  const { tenancy }: Dialect = dialects[definition.dialect];
  if (!tenancy) return [];
  const sides = definition.parts ? statePlacesOf(definition, news).map(({ names }) => names) : [undefined];
  return sides.flatMap((names) => {
    const values = names ? partOf(names, news) : news;
    if (hasUnknown(values["connection"])) return [];
    const [property] = Object.entries(names ?? {}).find(([, own]) => own === tenancy.property) ?? [tenancy.property];
    const named = tenantIn(definition.dialect, values);
    if (named === undefined && server === undefined) return [];
    const settings = settingsOf(values);
    const reason =
      named === undefined
        ? server && lackOfTenant(tenancy, settings, server)
        : tenancy.refusal?.(settings.namespace, named);
    return reason === undefined ? [] : [{ property, reason }];
  });
}
