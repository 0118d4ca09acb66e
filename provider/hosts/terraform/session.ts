import { AsyncLocalStorage } from "node:async_hooks";
import { ProviderError } from "../../core/errors";
import { createEngine, type Engine } from "../../engine/engine";
import type { Log } from "../../engine/log";
import type { Limits } from "../../engine/operation";
import type { Configuration, Environment } from "../../engine/settings";

/** One run of Terraform, from its configuration to its end. */
export interface Session {
  /** Begins a run. */
  configure(config: Configuration): void;
  /** Throws before the configuration is there. */
  engine(): Engine;
  /** Does the work of an operation until Terraform stops it. */
  within<T>(work: (limits: Limits) => Promise<T>): Promise<T>;
  /** Does the work once whatever has the same turn is done. */
  inTurn<T>(turn: string, work: () => Promise<T>): Promise<T>;
  /** Does the work of a call, and answers what was said meanwhile. */
  listening<T>(work: () => Promise<T>): Promise<{ readonly answer: T; readonly warnings: readonly string[] }>;
  /** Cancels what is waiting. Requests that were sent get a moment for their answer. */
  stop(): void;
  /** Stops, and logs out. */
  end(): Promise<void>;
}

/** Without the answer nobody knows whether a write was done. */
const GRACE_MS = 2_000;

/** `write` gets the lines that no call answers. Terraform puts what a plugin writes on its error stream into its own log. */
export function createSession(
  env: Environment,
  write: (line: string) => void = (line) => void process.stderr.write(`${line}\n`),
): Session {
  const listeners = new AsyncLocalStorage<Set<string>>();
  const running = new Set<Promise<unknown>>();
  const turns = new Map<string, Promise<unknown>>();
  const engines: Engine[] = [];
  let run = new AbortController();
  let isStopping = false;

  const log: Log = (level, message) => {
    const heard = listeners.getStore();
    if (level === "warning" && heard) heard.add(message);
    else write(`${level}: ${message}`);
  };

  function stop() {
    const stopped = run;
    isStopping = true;
    setTimeout(() => stopped.abort(), GRACE_MS).unref();
  }

  return {
    configure(config) {
      // A process that somebody has started by hand serves one run after the other.
      if (isStopping) run = new AbortController();
      isStopping = false;
      engines.push(createEngine({ config, env, log }));
    },
    engine() {
      const engine = engines.at(-1);
      if (engine === undefined) throw new ProviderError("BugError", "the provider was used before it was configured");
      return engine;
    },
    async within(work) {
      const working = work({ signal: run.signal });
      running.add(working);
      try {
        return await working;
      } finally {
        running.delete(working);
      }
    },
    async inTurn(turn, work) {
      const before = turns.get(turn) ?? Promise.resolve();
      const mine = before.then(work, work);
      turns.set(turn, mine);
      try {
        return await mine;
      } finally {
        if (turns.get(turn) === mine) turns.delete(turn);
      }
    },
    async listening(work) {
      const heard = new Set<string>();
      return { answer: await listeners.run(heard, work), warnings: [...heard] };
    },
    stop,
    async end() {
      stop();
      await Promise.allSettled(running);
      await Promise.all(engines.splice(0).map((engine) => engine.end()));
    },
  };
}
