export interface ExpiringMap<T> {
  /** Keeps a value for the whole lifetime, counted from now. */
  put(key: string, value: T): void;
  /** `undefined` when it was never set, has expired or was taken. */
  get(key: string): T | undefined;
  /** As `get`, but removes the value. */
  take(key: string): T | undefined;
}

export interface ExpiringMapOptions {
  readonly lifetimeMs: number;
  readonly now: () => Date;
}

/** Values that are forgotten after a time, by the clock of the server. */
export function createExpiringMap<T>({ lifetimeMs, now }: ExpiringMapOptions): ExpiringMap<T> {
  const kept = new Map<string, { readonly value: T; readonly endMs: number }>();
  const forgetEnded = () => {
    const time = now().getTime();
    for (const [key, { endMs }] of kept) if (endMs <= time) kept.delete(key);
  };
  const get = (key: string) => {
    forgetEnded();
    return kept.get(key)?.value;
  };
  return {
    put: (key, value) => {
      forgetEnded();
      kept.set(key, { value, endMs: now().getTime() + lifetimeMs });
    },
    get,
    take: (key) => {
      const value = get(key);
      kept.delete(key);
      return value;
    },
  };
}
