import { createEngine, type Engine } from "../../provider/engine/engine";
import type { Environment } from "../../provider/engine/settings";
import type { Around } from "../../provider/http/transport";
import { paced } from "./paced";
import { readOnly } from "./read-only";
import type { ProviderConfiguration, RecordedStack } from "./recorded-stack";

export interface EngineOptions {
  readonly env: Environment;
  /** Requests at once to one server. */
  readonly parallel: number;
  readonly warn: (message: string) => void;
}

/** The engine of each provider of the state, by its URN: configured as at the last update, and only reading. */
export function enginesOf({ providers }: RecordedStack, { env, parallel, warn }: EngineOptions) {
  const engines = new Map<string, Engine>();
  const said = new Set<string>();
  const once = (message: string) => {
    if (!said.has(message)) warn(message);
    said.add(message);
  };
  const opened = (provider: string) => {
    const { values, encrypted } = providers.get(provider) ?? NOTHING;
    for (const key of encrypted) {
      once(
        `trustplane:${key} is encrypted in the state and not used: set the environment's variables, or --decrypt it`,
      );
    }
    return createEngine({
      config: (key) => values[key],
      env,
      log: (_, message) => once(message),
      around: (settings) => chain(readOnly(settings), paced(parallel)),
    });
  };
  return (provider: string): Engine => {
    const engine = engines.get(provider) ?? opened(provider);
    engines.set(provider, engine);
    return engine;
  };
}

const NOTHING: ProviderConfiguration = { values: {}, encrypted: [] };

function chain(outer: Around, inner: Around): Around {
  return (send) => outer(inner(send));
}
