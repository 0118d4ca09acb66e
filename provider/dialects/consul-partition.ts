import { isRecord } from "../core/unknowns";

/**
 * The path with its partition, which is in the query alone, also of a config entry. The community edition refuses a request
 * that names any partition, `default` too.
 */
export function located(path: string, partition: string | undefined): string {
  if (isDefault(partition) || new URLSearchParams(path.split("?")[1]).has("partition")) return path;
  const name = encodeURIComponent(partition ?? "");
  const own = path.replace(NAMED_AFTER_PARTITION, (_, before: string) => before + name);
  return `${own}${own.includes("?") ? "&" : "?"}partition=${name}`;
}

export function isDefault(partition: string | undefined): boolean {
  return ["", "default"].includes((partition ?? "").toLowerCase());
}

/** Exported services are one record a partition, with its name: `default` is that of the connection, too. */
const NAMED_AFTER_PARTITION = /^(v1\/config\/exported-services\/)default(?=\?|$)/;

/** The record of a write with its name, where that is the partition's. */
export function named(members: unknown, path: string): unknown {
  if (!isRecord(members) || members["Kind"] !== "exported-services") return members;
  return { ...members, Name: new URLSearchParams(path.split("?")[1]).get("partition") ?? "default" };
}

/** An intention as one has written it who is in that partition: a source there needs none. */
export function seenFrom(partition: string, record: unknown): unknown {
  if (isDefault(partition) || !isRecord(record) || !Array.isArray(record["Sources"])) return record;
  const isThere = (name: unknown) => typeof name === "string" && name.toLowerCase() === partition.toLowerCase();
  const sources = record["Sources"].map((source: unknown) => {
    if (!isRecord(source) || !isThere(source["Partition"])) return source;
    const { Partition: _here, ...others } = source;
    return others;
  });
  return { ...record, Sources: sources };
}
