/**
 * The later of two positions in Vault's log, so that a read which asks for it sees both writes. Of two clusters, and of what
 * cannot be read, it is the newer answer. `X-Vault-Index` is base64 of `v1:<cluster>:<index>:<replicated index>:<hmac>`.
 * Source: https://developer.hashicorp.com/vault/docs/enterprise/consistency
 */
export function laterIndex(known: string | undefined, next: string): string {
  if (known === undefined) return next;
  const [before = [], after = []] = [known, next].map((index) =>
    Buffer.from(index, "base64").toString("latin1").split(":"),
  );
  const isOfOneCluster = before.length >= 5 && before[0] === "v1" && before[0] === after[0] && before[1] === after[1];
  const isBehind = [2, 3].some((at) => Number(after[at]) < Number(before[at]));
  return isOfOneCluster && isBehind ? known : next;
}
