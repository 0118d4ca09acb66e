import { Failure } from "../framework/refusal";

type Metadata = Readonly<Record<string, string>> | null;

const byteCount = (text: string) => Buffer.byteLength(text);

/** Refuses metadata as Vault's identity store does. @throws Failure */
export function checkMetadata(of: string, metadata: Metadata): void {
  const pairs = Object.entries(metadata ?? {});
  if (pairs.length > 64)
    throw new Failure(`invalid ${of} metadata: metadata cannot contain more than 64 key/value pairs`);
  for (const [key, value] of pairs) {
    const problem = pairProblem(key, value);
    if (problem === undefined) continue;
    const pair = `(${JSON.stringify(key)}, ${JSON.stringify(value)})`;
    throw new Failure(`invalid ${of} metadata: failed to load metadata pair ${pair}: ${problem}`);
  }
}

function pairProblem(key: string, value: string): string | undefined {
  if (key === "") return "key cannot be blank";
  if (!/^[a-zA-Z0-9=/+_-]+$/.test(key)) return "key contains invalid characters";
  if (byteCount(key) > 128) return "key is too long (limit: 128 characters)";
  if (key.startsWith("vault-")) return 'key prefix "vault-" is reserved for internal use';
  return byteCount(value) > 512 ? "value is too long (limit: 512 characters)" : undefined;
}
