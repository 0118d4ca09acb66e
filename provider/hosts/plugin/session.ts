import { ProviderError } from "../../core/errors";
import { createEngine, type Engine } from "../../engine/engine";
import type { Journal } from "../../engine/journal";
import { type CallLog, callLog } from "../../engine/log";
import type { Limits } from "../../engine/operation";
import { createRun } from "../../engine/run";
import type { Configuration, Environment } from "../../engine/settings";
import { withinLimit } from "../../engine/time-limit";
import type { EngineLog } from "./engine-log";

/** One run of Pulumi, from its configuration to its end. */
export interface Session {
  readonly log: EngineLog;
  /** Hides in what the engine says what a call keeps secret. */
  readonly calls: Pick<CallLog, "during">;
  /** Begins a run. */
  configure(config: Configuration): void;
  /** Throws before the configuration is there. */
  engine(): Engine;
  /** Does the work of an operation until the run is cancelled, or until its timeout, if it has one. */
  within<T>(timeoutSeconds: number, work: (limits: Limits) => Promise<T>): Promise<T>;
  /** To be done when the run ends. */
  atEnd(work: () => Promise<void>): void;
  /** Cancels what is still waiting, does what is to be done at the end, and logs out. */
  end(): Promise<void>;
}

/** Requests that were sent get this time for their answer: without it nobody knows whether a write was done. */
const GRACE_MS = 2_000;

export function createSession(log: EngineLog, env: Environment, journal?: Journal): Session {
  const known = createRun(journal);
  const calls = callLog(log.write);
  let engine: Engine | undefined;
  let run = new AbortController();
  /** Those of earlier configurations, which have logins of their own. */
  const former: Engine[] = [];
  const waiting: (() => Promise<void>)[] = [];
  const running = new Set<Promise<unknown>>();
  /** A plugin that somebody has started by hand serves one run after the other. */
  function begin() {
    run = new AbortController();
    known.start();
  }

  return {
    log,
    calls,
    configure(config) {
      if (engine) former.push(engine);
      engine = createEngine({ config, env, log: calls.write, run: known });
      begin();
    },
    engine() {
      if (engine === undefined) throw new ProviderError("BugError", "the provider was used before it was configured");
      return engine;
    },
    async within(timeoutSeconds, work) {
      const working = withinLimit(run.signal, { seconds: timeoutSeconds, setting: "customTimeouts" }, work);
      running.add(working);
      try {
        return await working;
      } finally {
        running.delete(working);
      }
    },
    atEnd: (work) => void waiting.push(work),
    async end() {
      const ending = run;
      setTimeout(() => ending.abort(), GRACE_MS).unref();
      begin();
      await Promise.allSettled(running);
      for (const work of waiting.splice(0)) {
        await work().catch((error: unknown) =>
          log.write("warning", error instanceof Error ? error.message : String(error)),
        );
      }
      await Promise.all([...former.splice(0), engine].map((each) => each?.end()));
      await log.flush();
    },
  };
}
