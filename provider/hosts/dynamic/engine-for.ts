import { createEngine, type Engine } from "../../engine/engine";
import type { Log } from "../../engine/log";

const engines = new Map<string, Engine>();

/** One engine, and so one set of connections, for all resources or functions of the process. */
export function engineFor(config: Readonly<Record<string, string | undefined>>, log: Log): Engine {
  const key = JSON.stringify(config);
  const known = engines.get(key) ?? createEngine({ config: (name) => config[name], env: process.env, log });
  engines.set(key, known);
  return known;
}
