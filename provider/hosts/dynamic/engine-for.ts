import { createEngine, type Engine } from "../../engine/engine";
import type { Log } from "../../engine/log";
import { atVeryEnd } from "./at-end-of-run";

const engines = new Map<string, Engine>();

/** One engine, and so one set of connections, for all resources or functions of the process. */
export function engineFor(config: Readonly<Record<string, string | undefined>>, log: Log): Engine {
  const key = JSON.stringify(config);
  const known = engines.get(key);
  if (known) return known;
  const engine = createEngine({
    config: (name) => config[name],
    env: process.env,
    log,
    loggingIn: () => atVeryEnd(() => engine.end()),
  });
  engines.set(key, engine);
  return engine;
}
