import { createEngine, type Engine } from "../../engine/engine";
import type { Journal } from "../../engine/journal";
import type { Log } from "../../engine/log";
import { createRun } from "../../engine/run";
import { openJournal } from "../../engine/run-folder";
import { atVeryEnd } from "./at-end-of-run";

const engines = new Map<string, Engine>();

/** Pulumi's engine gives its address to the process that serves dynamic providers; a program's own process has none. */
function ownJournal(): Journal | undefined {
  const address = process.argv.slice(2).find((argument) => /^[^-].*:\d+$/.test(argument));
  return address === undefined ? undefined : openJournal(address);
}

/** One engine, and so one set of connections, for all resources or functions of the process. */
export function engineFor(
  config: Readonly<Record<string, string | undefined>>,
  log: Log,
  journal: Journal | undefined = ownJournal(),
): Engine {
  const key = JSON.stringify(config);
  const known = engines.get(key);
  if (known) return known;
  const engine = createEngine({
    run: createRun(journal),
    config: (name) => config[name],
    env: process.env,
    log,
    loggingIn: () => atVeryEnd(() => engine.end()),
  });
  engines.set(key, engine);
  return engine;
}
