import type { ConfigRecord } from "./config-record";

/** Makes something of a configuration once, and anew when it has been written again. What fails is tried again. */
export function perConfiguration<T>(
  create: (config: ConfigRecord) => Promise<T>,
): (config: ConfigRecord) => Promise<T> {
  let kept: { readonly config: ConfigRecord; readonly made: T } | undefined;
  return async (config) => {
    if (kept?.config !== config) kept = { config, made: await create(config) };
    return kept.made;
  };
}
