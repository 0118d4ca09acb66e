import { ProviderError } from "../../provider/core/errors";
import { createEngine, type Engine } from "../../provider/engine/engine";
import { wordsFor } from "../stack/attribute-words";
import type { RecordedProvider } from "../stack/stack-row";
import type { StackState } from "../stack/state";
import { readOnly } from "./read-only";
import { labelsOf, trustedConfiguration } from "./trusted-configuration";
import type { Trusted } from "./trusted-entry";

export interface EngineOptions {
  readonly trusted: Trusted;
  readonly warn: (message: string) => void;
}

/** The engine of each provider of the state, by its URN. It only reads, and takes no server and no credentials from the state. */
export function enginesOf({ providers }: StackState, { trusted, warn }: EngineOptions) {
  const engines = new Map<string, Engine>();
  const end = async () => {
    await Promise.all([...engines.values()].map((engine) => engine.end()));
  };
  const said = new Set<string>();
  const [first = ""] = providers.keys();
  const { text } = wordsFor(first);
  const once = (message: string) => {
    if (!said.has(message)) warn(text(message));
    said.add(message);
  };
  assertKnown(trusted, providers.values());
  const opened = (provider: string) =>
    createEngine({
      config: trustedConfiguration(providers.get(provider) ?? DEFAULT, trusted, once),
      env: trusted.env,
      log: (_, message) => once(message),
      around: readOnly,
    });
  const engineOf = (provider: string): Engine => {
    const engine = engines.get(provider) ?? opened(provider);
    engines.set(provider, engine);
    return engine;
  };
  /** To be called when all is read: logs out. */
  return { engineOf, end };
}

/** The provider of a stack that records none. */
export const DEFAULT: RecordedProvider = { name: "default", values: {}, encrypted: [] };

/** Refuses a `--connection` with a name that the stack does not have, such as a misspelt one. */
export function assertKnown(trusted: Trusted, providers: Iterable<RecordedProvider>): void {
  const labels = labelsOf([DEFAULT, ...providers], trusted);
  const [unknown] = [...trusted.named.keys()].filter((name) => !labels.has(name));
  if (unknown === undefined) return;
  const todo = `There are ${[...labels].sort().join(", ")}; for one that the state does not describe, add service=<service>`;
  throw new ProviderError("ConfigError", `--connection ${unknown}: the stack has no such connection. ${todo}.`);
}
