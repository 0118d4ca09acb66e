import { ProviderError } from "../../../provider/core/errors";
import type { OfProvider } from "../../sources/old-state";

/** The resources of one server of each kind, and those that may be at others. */
export interface ByProvider<T> {
  readonly here: readonly T[];
  readonly elsewhere: readonly T[];
}

/** The resources of the named providers; of all, where no kind has several. */
export function ofProviders<T extends OfProvider>(resources: readonly T[], named: readonly string[]): ByProvider<T> {
  const counts = new Map(
    [...Map.groupBy(resources, ({ provider }) => provider)].map(([name, of]) => [name, of.length]),
  );
  const unknown = named.find((name) => !counts.has(name));
  if (unknown !== undefined) {
    const known = [...counts.keys()].join(", ");
    throw new ProviderError(
      "ConfigError",
      `--provider ${unknown}: the state has no such provider. There are ${known}.`,
    );
  }
  if (named.length > 0)
    return {
      here: resources.filter(({ provider }) => named.includes(provider)),
      elsewhere: resources.filter(({ provider }) => !named.includes(provider)),
    };
  const byKind = Map.groupBy(counts.keys(), (name) => resources.find(({ provider }) => provider === name)?.kind);
  const several = [...byKind.values()].find((names) => names.length > 1);
  if (several === undefined) return { here: resources, elsewhere: [] };
  const list = several.map((name) => `${name} (${counts.get(name)} resource${counts.get(name) === 1 ? "" : "s"})`);
  const todo = `name those of the server that the environment names, such as --provider ${several.at(-1)}, and those of the other services; then the next server, with an --out of its own`;
  throw new ProviderError(
    "ConfigError",
    `the state has several providers of one kind, and each may be another server: ${list.join(", ")}. Nothing was read: ${todo}.`,
  );
}
