import { didYouMean, nearest } from "./check";
import { CONFIG_KEYS } from "./config-keys";
import { ProviderError } from "./errors";

/** Throws for keys that are not read and are like ours: without what they say, a run may write to another server. */
export function assertKeysAreRead(keys: readonly string[]): void {
  const unread = keys.flatMap((key) => unreadKey(key) ?? []);
  if (unread.length > 0) throw new ProviderError("ConfigError", unread.join("; "));
}

/**
 * What to say of a key that is not read, and is like one of ours; undefined of any other: a program of this name may have keys
 * of its own. The Pulumi CLI makes one key of `secrets.address` where `--path` is missing.
 */
export function unreadKey(key: string): string | undefined {
  const known: readonly string[] = CONFIG_KEYS;
  if (known.includes(key)) return undefined;
  const [head = "", ...path] = key.split(".");
  const near = known.includes(head) ? head : nearest(head, known);
  if (near === undefined) return undefined;
  const name = `the configuration trustplane:${key} is not read`;
  return path.length === 0
    ? `${name}${didYouMean(near)}`
    : `${name}: a field of trustplane:${near} is set by \`pulumi config set --plaintext --path trustplane:${[near, ...path].join(".")} …\``;
}
