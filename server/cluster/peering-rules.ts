import type { Cluster } from "./cluster";
import { ConsulRefusal } from "./consul-refusal";

/** @throws ConsulRefusal 500, as Consul answers semantic errors. */
export function assertPeerName(name: string): void {
  if (/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(name)) return;
  throw new ConsulRefusal(
    500,
    `${name} is not a valid peer name: a valid peering name must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character`,
  );
}

/** @throws ConsulRefusal 500 for the first pair that breaks a rule. */
export function assertMeta(meta: Readonly<Record<string, string>> | null): void {
  const pairs = Object.entries(meta ?? {});
  const fail = (text: string) => new ConsulRefusal(500, `meta tags failed validation: ${text}`);
  if (pairs.length > 64) throw fail("Node metadata cannot contain more than 64 key/value pairs");
  for (const [key, value] of pairs) {
    const problem = metaProblem(key, value);
    if (problem !== undefined) throw fail(`Couldn't load metadata pair ('${key}', '${value}'): ${problem}`);
  }
}

function metaProblem(key: string, value: string): string | undefined {
  if (key === "") return "Key cannot be blank";
  if (!/^[a-zA-Z0-9_-]+$/.test(key)) return "Key contains invalid characters";
  if (Buffer.byteLength(key) > 128) return "Key is too long (limit: 128 characters)";
  if (key.startsWith("consul-")) return "Key prefix 'consul-' is reserved for internal use";
  if (Buffer.byteLength(value) > 512) return "Value is too long (limit: 512 characters)";
  return undefined;
}

const enterpriseFeature = "Partitions are a Consul Enterprise feature";

/**
 * The partition that a request is about, which its body may name too; `""` where there are none.
 * @throws ConsulRefusal in the Community Edition, for any partition of the header or query, `default` included.
 */
export function partitionOf({ profile }: Pick<Cluster, "profile">, request: Request, named = ""): string {
  const inHeader = request.headers.get("x-consul-partition") ?? "";
  const inQuery = new URL(request.url).searchParams.get("partition") ?? "";
  if (profile.hasPartitions) return (named || inQuery || inHeader || "default").toLowerCase();
  if (inHeader !== "") throw new ConsulRefusal(400, `Invalid header: "X-Consul-Partition" - ${enterpriseFeature}`);
  if (inQuery !== "") throw new ConsulRefusal(400, `Invalid query parameter: "partition" - ${enterpriseFeature}`);
  return "";
}

/** Consul checks this after the required fields and before the rules on their values. */
export function assertPeeringEnabled({ peeringEnabled }: Pick<Cluster, "peeringEnabled">): void {
  if (!peeringEnabled) throw new ConsulRefusal(500, "peering must be enabled to use this endpoint");
}

/** The token endpoint alone looks at the body's partition; establish takes any. */
export function assertPartitionThere({ profile }: Pick<Cluster, "profile">, partition: string): void {
  if (profile.hasPartitions || partition === "" || partition.toLowerCase() === "default") return;
  throw new ConsulRefusal(500, enterpriseFeature);
}
