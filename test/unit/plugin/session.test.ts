import { afterEach, describe, expect, it, vi } from "vitest";
import type { Limits } from "../../../provider/engine/operation.ts";
import type { EngineLog } from "../../../provider/hosts/plugin/engine-log";
import { createSession } from "../../../provider/hosts/plugin/session";

function opened() {
  const lines: string[] = [];
  const log: EngineLog = {
    write: (level, message) => lines.push(`${level}: ${message}`),
    attach: () => {},
    about: (_, work) => work(),
    flush: async () => {},
  };
  return { lines, session: createSession(log, {}) };
}

/** Work that ends with its signal, and says why. */
const untilAborted = ({ signal }: Limits) =>
  new Promise<never>((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));

afterEach(() => void vi.useRealTimers());

describe("the work of an operation", () => {
  it("ends with its timeout, and not before", async () => {
    vi.useFakeTimers();
    const { session } = opened();
    let ended: unknown;
    const running = session.within(1.5, untilAborted).catch((error: unknown) => {
      ended = error;
    });

    await vi.advanceTimersByTimeAsync(1_400);
    expect(ended).toBeUndefined();
    await vi.advanceTimersByTimeAsync(200);
    await running;

    expect(ended).toMatchObject({ message: "its timeout of 1.5 s is over (customTimeouts)" });
  });

  it("knows its timeout, so that what it waits for may take as long", async () => {
    const { session } = opened();

    expect(await session.within(90, async ({ timeoutMs }) => timeoutMs)).toBe(90_000);
    expect(await session.within(0, async ({ timeoutMs }) => timeoutMs)).toBe(0);
  });

  it("without a timeout ends with the run, after a grace for what is being sent", async () => {
    vi.useFakeTimers();
    const { session } = opened();
    let ended = false;
    const running = session.within(0, untilAborted).catch(() => {
      ended = true;
    });

    const end = session.end();
    await vi.advanceTimersByTimeAsync(1_999);
    expect(ended).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await Promise.all([running, end]);

    expect(ended).toBe(true);
  });

  it("of the next run is not ended by the end of the one before it", async () => {
    vi.useFakeTimers();
    const { session } = opened();
    await session.end();
    let signal: AbortSignal | undefined;
    const running = session.within(0, (given) => {
      signal = given.signal;
      return Promise.resolve("done");
    });

    await vi.advanceTimersByTimeAsync(60_000);

    expect(await running).toBe("done");
    expect(signal?.aborted).toBe(false);
  });
});

describe("the end of a run", () => {
  it("gives back what was issued, once, and says what could not be given back", async () => {
    const { session, lines } = opened();
    const released: string[] = [];
    session.atEnd(async () => {
      throw new Error("the lease is gone");
    });
    session.atEnd(async () => void released.push("token"));

    await session.end();
    await session.end();

    expect(released).toEqual(["token"]);
    expect(lines).toEqual(["warning: the lease is gone"]);
  });
});

it("nothing can be done before the configuration is there", () => {
  expect(() => opened().session.engine()).toThrow("used before it was configured");
});
