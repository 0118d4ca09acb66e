import type { Definition, Values } from "../../provider/core/definition";
import { row } from "../../provider/core/field";
import type { FunctionDefinition } from "../../provider/core/function";
import { fill, placeholders } from "../../provider/core/template";
import { isRecord } from "../../provider/core/unknowns";
import { dialects } from "../../provider/dialects";
import type { Dialect } from "../../provider/dialects/dialect";

/** The address of each record of a list, without records that the server itself made or is about to delete. */
export function addressesIn({ token, label, dialect, stage }: Definition, list: unknown): Values[] {
  const records = (Array.isArray(list) ? list.filter(isRecord) : []).filter(
    (record) => stage?.(record, {})?.is !== "leaving",
  );
  if (token === "policy:Parameter") return records.map(({ id, key }) => ({ parameterId: id, key }));
  if (token.startsWith("cluster:"))
    return records.map(({ Name, Partition }) => ({ peerName: Name, partition: Partition }));
  if (token.startsWith("sys:")) return mountsIn(list).map((path) => ({ path }));
  const { names }: Dialect = dialects[dialect];
  return (names?.of(list) ?? []).map((name) => ({ [label]: name }));
}

function mountsIn(list: unknown): string[] {
  return Object.entries(isRecord(list) ? list : {})
    .filter(([, mount]) => isRecord(mount) && !OWN_MOUNTS.includes(String(mount["type"])))
    .map(([path]) => path.replace(/\/$/, ""));
}

/** Types that every server mounts itself, Enterprise (`ns_`) included. */
const OWN_MOUNTS = ["cubbyhole", "identity", "system", "token", "ns_system", "ns_identity", "ns_cubbyhole", "ns_token"];

/** The id as the state has it: without default values, such as the partition `default`. */
export function idIn(definition: Definition, values: Values): string {
  return fill(definition.id, definition.rewrite?.(values) ?? values);
}

/** The list as a function: the engine then fetches it as it fetches any other. */
export function listCall({ token, dialect, fields }: Definition, template: string): FunctionDefinition {
  const names = [...placeholders(template), "connection"];
  return {
    token,
    dialect,
    fields: Object.fromEntries(
      Object.entries(fields)
        .filter(([name]) => names.includes(name))
        .map(([name, field]) => [name, { ...field, place: "path" as const }]),
    ),
    results: { found: row<unknown>({ place: "body", wire: "found", schema: undefined as never }) },
    secrets: {},
    secretResults: [],
    rules: [],
    issues: false,
    unpack: (found) => ({ found }),
    none: { found: [] },
    request: () => ({ method: "GET", path: template, isCollection: true }),
  };
}
