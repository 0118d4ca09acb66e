import { CONFIG_KEYS } from "../../provider/core/config-keys";
import { parseJson } from "../../provider/core/parse-json";
import { isRecord } from "../../provider/core/unknowns";

/** The configuration of this package, by key without the prefix `trustplane:`. */
export interface KeyTexts {
  readonly values: Readonly<Record<string, string>>;
  /** Keys that are encrypted, and so not among the values. */
  readonly encrypted: readonly string[];
}

export type ConfigKey = (typeof CONFIG_KEYS)[number];

/** An entry of a configuration that has not been checked yet. */
export type RawEntry = Readonly<Record<string, unknown>>;

/** The stack's configuration in what `pulumi config --json` prints. */
export function stackConfiguration(text: string): KeyTexts {
  const printed = parseJson(text);
  const found = CONFIG_KEYS.flatMap((key) => {
    const entry = isRecord(printed) ? printed[`trustplane:${key}`] : undefined;
    return isRecord(entry) ? [{ key, ...entry } as { key: ConfigKey; value?: unknown }] : [];
  });
  return {
    values: Object.fromEntries(
      found.flatMap(({ key, value }) => (typeof value === "string" ? [[key, value] as const] : [])),
    ),
    encrypted: found.filter(({ value }) => typeof value !== "string").map(({ key }) => key),
  };
}

/** One entry; undefined where there is none. */
export function entryIn({ values }: KeyTexts, key: ConfigKey): RawEntry | undefined {
  const entry = parseJson(values[key] ?? "");
  return isRecord(entry) ? entry : undefined;
}

/** The connections by name. */
export function connectionsIn(texts: KeyTexts): Readonly<Record<string, RawEntry>> {
  return Object.fromEntries(
    Object.entries(entryIn(texts, "connections") ?? {}).filter((pair): pair is [string, RawEntry] => isRecord(pair[1])),
  );
}
