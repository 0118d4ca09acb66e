import { lacking, type ServerInfo } from "../../provider/core/availability.ts";
import type { Definition, Values } from "../../provider/core/definition.ts";
import { type CommonName, NAMESPACES } from "../../provider/core/tenant.ts";
import { definitionOf, patched, type ResourceCase, refused, type Treatment } from "./contract-case.ts";
import type { ResourceName } from "./contract-host.ts";

/** A case as it is on one server: a field that the server does not know is refused, and set nowhere else. */
export function caseOn<Name extends ResourceName>(
  server: ServerInfo,
  name: Name,
  of: ResourceCase<Name>,
): ResourceCase<Name> {
  const unknown = Object.entries(definitionOf(name).fields).flatMap(([field, { availability }]) =>
    availability && lacking(availability, server) ? [field] : [],
  );
  const fields: Record<string, Treatment> = { ...placeTreatments(server, definitionOf(name)), ...of.fields };
  const without = Object.fromEntries(unknown.map((field) => [field, undefined]));
  const known = (values: Values) => patched(values, without);
  const isKnown = (values: Values) => unknown.every((field) => !(field in values));
  return {
    ...of,
    async prepare(world) {
      const ground = await of.prepare(world);
      return { ...ground, full: known(ground.full), edit: async (state) => known(await ground.edit(state)) };
    },
    // The same members as before, each with a treatment.
    fields: Object.fromEntries(
      Object.entries(fields).map(([field, treatment]) => [
        field,
        unknown.includes(field) && treatment.means !== "nothing" ? refused(treatment.patch) : treatment,
      ]),
    ) as ResourceCase<Name>["fields"],
    spellings: (of.spellings ?? []).filter(({ one, other }) => isKnown(one) && isKnown(other)),
  };
}

/** What another connection, namespace or partition means: the same for every resource. */
function placeTreatments(server: ServerInfo, { fields }: Definition): Record<string, Treatment> {
  const all: Readonly<Record<CommonName, Treatment>> = {
    connection: { means: "nothing", reason: "another connection is another server; see wrong-server.test.ts" },
    namespace: lacking(NAMESPACES, server)
      ? refused({ namespace: "team" })
      : { means: "nothing", reason: "a namespace has to be made first; see tenants.test.ts" },
    partition: { means: "nothing", reason: "only Enterprise has partitions; see profile-partitions.test.ts" },
    takeOver: { means: "nothing", reason: "it is about the creation only; see taking-over.test.ts" },
  };
  return Object.fromEntries(Object.entries(all).filter(([name]) => name in fields));
}
