import { afterEach, expect, it, vi } from "vitest";
import type { Connection } from "../../../provider/engine/connection.ts";
import type { Operation } from "../../../provider/engine/operation.ts";
import { awaitReady } from "../../../provider/engine/readiness.ts";
import { clusterPeering } from "../../../provider/resources/cluster/peering.ts";

const values = { peerName: "east" };
const inState = (state: string) => ({ Name: "east", ID: "1", State: state });

afterEach(() => void vi.restoreAllMocks());

/** A peering that is in one state after the other; the last one stays. */
function operationOn(states: readonly string[], signal?: AbortSignal) {
  const log: string[] = [];
  let asked = 0;
  const collection: Connection["collection"] = async () => {
    const state = states[Math.min(asked, states.length - 1)] ?? "";
    asked += 1;
    return { kind: "found", record: [inState(state)], filtered: false };
  };
  // What waiting uses of a connection.
  const connection = { collection } as unknown as Connection;
  const operation: Operation = { definition: clusterPeering, connection, log: (_, text) => log.push(text), signal };
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

it("asks until the peering is active", async () => {
  const { operation, asked } = operationOn(["ESTABLISHING", "ESTABLISHING", "ACTIVE"]);
  await awaitReady(operation, values, inState("PENDING"));
  expect(asked()).toBe(3);
});

it.each(["ACTIVE", "TERMINATED", "DELETING"])("does not wait for one that is %s", async (state) => {
  const { operation, asked } = operationOn(["PENDING"]);
  await awaitReady(operation, values, inState(state));
  expect(asked()).toBe(0);
});

it("goes on waiting for one that fails for a moment", async () => {
  const { operation, asked } = operationOn(["FAILING", "ACTIVE"]);
  await awaitReady(operation, values, inState("ESTABLISHING"));
  expect(asked()).toBe(2);
});

it("gives up after a minute, naming the state and what to do", async () => {
  hurry(20);
  const { operation } = operationOn(["ESTABLISHING"]);
  await expect(awaitReady(operation, values, inState("PENDING"))).rejects.toMatchObject({
    code: "ApiError",
    message: "it is still ESTABLISHING after 60 s. Find out why on the server; the next run goes on waiting.",
  });
});

it("says now and then what it waits for", async () => {
  hurry(12);
  const { operation, log } = operationOn(["ESTABLISHING", "ACTIVE"]);
  await awaitReady(operation, values, inState("PENDING"));
  expect(log).toEqual([
    'cluster.Peering "east" is PENDING for 12 s, waiting',
    expect.stringMatching(/is ESTABLISHING for \d+ s/),
  ]);
});

it("ends at once when the run is cancelled", async () => {
  const { operation, asked } = operationOn(["ESTABLISHING"], AbortSignal.abort());
  await expect(awaitReady(operation, values, inState("PENDING"))).rejects.toThrow(/abort/i);
  expect(asked()).toBe(0);
});
