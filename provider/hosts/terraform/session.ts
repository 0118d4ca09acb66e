import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import { ProviderError } from "../../core/errors";
import { createEngine, type Engine } from "../../engine/engine";
import type { Journal } from "../../engine/journal";
import type { Log } from "../../engine/log";
import type { Limits } from "../../engine/operation";
import { createRun, type Declarer } from "../../engine/run";
import type { Configuration, Environment } from "../../engine/settings";
import { type TimeLimit, withinLimit } from "../../engine/time-limit";
import { createLeases, type Leases } from "./leases";
import { createPlanEffects, type PlanEffects } from "./plan-effects";
import type { RawRecord } from "./value";

/** One run of Terraform, from its configuration to its end. */
export interface Session {
  /** Begins a run. */
  configure(config: Configuration): void;
  /** Until the next configuration nobody may ask a server, for this reason. */
  refuse(reason: string): void;
  /** Whether servers may be asked. */
  isReady(): boolean;
  /** Whether the plan is that of a destroy. */
  isDestroying(): boolean;
  /** Throws before the configuration is there. */
  engine(): Engine;
  /** Does the work of an operation until Terraform stops it, or until its limit, if it has one. */
  within<T>(work: (limits: Limits) => Promise<T>, limit?: TimeLimit): Promise<T>;
  /** Does the work once whatever has one of these turns is done. */
  inTurn<T>(turns: readonly string[], work: () => Promise<T>): Promise<T>;
  /** Does the work of a call, and answers what was said meanwhile. */
  listening<T>(work: () => Promise<T>): Promise<{ readonly answer: T; readonly warnings: readonly string[] }>;
  /** Records that a creation of this run is to take over, by their place. */
  readonly leftovers: Map<string, Leftover>;
  /** What the plan makes of records, since the configuration. */
  readonly effects: PlanEffects;
  /** That of all resources of this process: the effects tell them apart, as Terraform does not say which one it asks for. */
  readonly declarer: Declarer;
  /** What ephemeral resources have. */
  readonly leases: Leases;
  /** Whether the CLI knows no write-only attributes: it wants to keep what the program says. */
  keepsSecrets: boolean;
  /** Cancels what is waiting. Requests that were sent get a moment for their answer. */
  stop(): void;
  /** Stops, gives back what ephemeral resources still have, and logs out. */
  end(): Promise<void>;
}

/** What is in the state of such a record. */
export interface Leftover {
  readonly record: RawRecord;
  readonly private: Uint8Array;
}

/** Without the answer nobody knows whether a write was done. */
const GRACE_MS = 2_000;

/** `write` gets the lines that no call answers. Terraform puts what a plugin writes on its error stream into its own log. */
export function createSession(
  env: Environment,
  write: (line: string) => void = (line) => void process.stderr.write(`${line}\n`),
  journal?: Journal,
): Session {
  const known = createRun(journal);
  const listeners = new AsyncLocalStorage<Set<string>>();
  const running = new Set<Promise<unknown>>();
  const last = new Map<string, Promise<unknown>>();
  const engines: Engine[] = [];
  const leases = createLeases();
  const effects = createPlanEffects(journal);
  let run = new AbortController();
  let refusal: string | undefined;
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
      known.start();
      engines.push(createEngine({ config, env, log, run: known }));
      effects.clear();
      refusal = undefined;
    },
    refuse(reason) {
      refusal = reason;
    },
    isReady: () => refusal === undefined && engines.length > 0,
    isDestroying: () => journal?.isDestroying() === true,
    engine() {
      if (refusal !== undefined) throw new ProviderError("ConfigError", refusal);
      const engine = engines.at(-1);
      if (engine === undefined) throw new ProviderError("BugError", "the provider was used before it was configured");
      return engine;
    },
    async within(work, limit = { seconds: 0, setting: "" }) {
      const working = withinLimit(run.signal, limit, work);
      running.add(working);
      try {
        return await working;
      } finally {
        running.delete(working);
      }
    },
    async inTurn(turns, work) {
      const mine = Promise.allSettled(turns.map((turn) => last.get(turn))).then(work);
      for (const turn of turns) last.set(turn, mine);
      try {
        return await mine;
      } finally {
        for (const turn of turns) if (last.get(turn) === mine) last.delete(turn);
      }
    },
    async listening(work) {
      const heard = new Set<string>();
      return { answer: await listeners.run(heard, work), warnings: [...heard] };
    },
    leftovers: new Map(),
    effects,
    declarer: { by: randomUUID() },
    leases,
    keepsSecrets: false,
    stop,
    async end() {
      stop();
      await Promise.allSettled(running);
      for (const reason of await leases.endAll()) log("warning", reason);
      await Promise.all(engines.splice(0).map((engine) => engine.end()));
    },
  };
}
