import type { ConfigRecord } from "./config-record";

/** Makes a value from a configuration once, and again after a new write. A failure is tried again. */
export function perConfiguration<T>(
  create: (config: ConfigRecord) => Promise<T>,
): (config: ConfigRecord) => Promise<T> {
  let kept: { readonly config: ConfigRecord; readonly made: T } | undefined;
  return async (config) => {
    if (kept?.config !== config) kept = { config, made: await create(config) };
    return kept.made;
  };
}
