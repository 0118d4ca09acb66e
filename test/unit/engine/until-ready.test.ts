// @run test: it waits for clocks

import { afterEach, expect, it, vi } from "vitest";
import { ProviderError } from "../../../provider/core/errors.ts";
import { untilReady } from "../../../provider/engine/confirm.ts";
import type { Connection } from "../../../provider/engine/connection.ts";
import type { Limits, Operation } from "../../../provider/engine/operation.ts";
import { createRun } from "../../../provider/engine/run.ts";
import { clusterPeering } from "../../../provider/resources/cluster/peering.ts";

const values = { peerName: "east" };
const inState = (state: string) => ({ Name: "east", ID: "1", State: state });

afterEach(() => void vi.restoreAllMocks());

/** A peering that is in one state after the other; the last one stays. */
function operationOn(states: readonly string[], limits: Limits = {}) {
  const log: string[] = [];
  let asked = 0;
  const collection: Connection["collection"] = async () => {
    const state = states[Math.min(asked, states.length - 1)] ?? "";
    asked += 1;
    return { kind: "found", record: [inState(state)], filtered: false };
  };
  // What waiting uses of a connection.
  const connection = { collection } as unknown as Connection;
  const operation: Operation = {
    definition: clusterPeering,
    connection,
    run: createRun(),
    log: (_, text) => log.push(text),
    ...limits,
  };
  return { operation, log, asked: () => asked };
}

/** Lets this many seconds pass between two looks at the clock. */
function hurry(seconds: number): void {
  let now = 0;
  vi.spyOn(Date, "now").mockImplementation(() => {
    now += seconds * 1000;
    return now;
  });
}

// @covers peering: Fields of the stored record > State
it("asks until the peering is active", async () => {
  const { operation, asked } = operationOn(["ESTABLISHING", "ESTABLISHING", "ACTIVE"]);
  await untilReady(operation, values, inState("PENDING"));
  expect(asked()).toBe(3);
});

it("does not wait when it is told not to", async () => {
  const { operation, asked } = operationOn(["ACTIVE"]);
  await untilReady(operation, { ...values, waitForActive: false }, inState("PENDING"));
  expect(asked()).toBe(0);
});

it("answers the record as it is in the end, also when it is ended or gone meanwhile", async () => {
  const ended = operationOn(["TERMINATED"]).operation;
  expect(await untilReady(ended, values, inState("ESTABLISHING"))).toMatchObject({ State: "TERMINATED" });
  const elsewhere = { ...values, peerName: "west" };
  expect(await untilReady(ended, elsewhere, inState("ESTABLISHING"))).toBeUndefined();
});

it.each([
  ["PENDING", "The token was not exchanged"],
  ["FAILING", "all servers of this cluster reach the addresses"],
])("says what to look at when it stays %s", async (state, todo) => {
  hurry(61);
  await expect(untilReady(operationOn([state]).operation, values, inState(state))).rejects.toThrow(todo);
});

// @covers peering: Fields of the stored record > State
it.each(["ACTIVE", "TERMINATED", "DELETING"])("does not wait for one that is %s", async (state) => {
  const { operation, asked } = operationOn(["PENDING"]);
  await untilReady(operation, values, inState(state));
  expect(asked()).toBe(0);
});

it("goes on waiting for one that fails for a moment", async () => {
  const { operation, asked } = operationOn(["FAILING", "ACTIVE"]);
  await untilReady(operation, values, inState("ESTABLISHING"));
  expect(asked()).toBe(2);
});

it("gives up after a minute, naming the state and what to do", async () => {
  hurry(20);
  const { operation } = operationOn(["ESTABLISHING"]);
  await expect(untilReady(operation, values, inState("PENDING"))).rejects.toMatchObject({
    code: "ApiError",
    message:
      "it is still ESTABLISHING, not ACTIVE, after 60 s. This cluster has not connected to the other one yet: see the log of its leader. With many peerings, the leader opens a connection only every five seconds. The next run goes on waiting.",
  });
});

it.each([
  [180, "after 180 s"],
  [30, "after 60 s"],
])(
  "with a timeout of %d s gives up %s: never sooner than by itself, when the timeout ends it",
  async (seconds, after) => {
    hurry(20);
    const { operation } = operationOn(["ESTABLISHING"], { timeoutMs: seconds * 1000 });
    await expect(untilReady(operation, values, inState("PENDING"))).rejects.toThrow(after);
  },
);

it("says that a timeout has ended it", async () => {
  const over = new ProviderError("NetworkError", "its timeout of 90 s is over (customTimeouts)");
  const { operation } = operationOn(["ESTABLISHING"], { signal: AbortSignal.abort(over) });
  await expect(untilReady(operation, values, inState("PENDING"))).rejects.toThrow(
    "the wait until it is ACTIVE ended: its timeout of 90 s is over (customTimeouts); it is PENDING",
  );
});

it("says now and then what it waits for", async () => {
  hurry(12);
  const { operation, log } = operationOn(["ESTABLISHING", "ACTIVE"]);
  await untilReady(operation, values, inState("PENDING"));
  expect(log).toEqual([
    'cluster.Peering "east" is PENDING after 12 s; waiting until it is ACTIVE',
    expect.stringMatching(/is ESTABLISHING after \d+ s/),
  ]);
});

it("ends at once when the run is cancelled", async () => {
  const { operation, asked } = operationOn(["ESTABLISHING"], { signal: AbortSignal.abort() });
  await expect(untilReady(operation, values, inState("PENDING"))).rejects.toThrow(
    "the wait until it is ACTIVE was cancelled; it is PENDING",
  );
  expect(asked()).toBe(0);
});
