import { afterEach, expect, it, vi } from "vitest";
import { ProviderError } from "../../../provider/core/errors.ts";
import type { Removal } from "../../../provider/core/removal.ts";
import type { Connection } from "../../../provider/engine/connection.ts";
import type { Limits, Operation } from "../../../provider/engine/operation.ts";
import { createRun } from "../../../provider/engine/run.ts";
import { clear } from "../../../provider/engine/write.ts";
import { clusterPeering } from "../../../provider/resources/cluster/peering.ts";
import { jwtRole } from "../../../provider/resources/jwt/role.ts";

const values = { peerName: "east" };
const removal = clusterPeering.delete as Removal;

afterEach(() => void vi.restoreAllMocks());

/** A record that is never gone, as the server shows it. */
function stuck(limits: Limits, record: Readonly<Record<string, unknown>> = { State: "DELETING" }) {
  const requests: string[] = [];
  const ask: Connection["ask"] = async ({ method }) => {
    requests.push(method);
    return { kind: "found", record, filtered: false };
  };
  const collection: Connection["collection"] = async () => ({
    kind: "found",
    record: [{ Name: "east", ...record }],
    filtered: false,
  });
  // What a removal uses of a connection.
  const connection = { ask, collection } as unknown as Connection;
  const operation: Operation = { definition: clusterPeering, connection, run: createRun(), log: () => {}, ...limits };
  return { operation, requests };
}

/** Lets 50 seconds pass between two looks at the clock. */
function hurry() {
  let now = 0;
  vi.spyOn(Date, "now").mockImplementation(() => {
    now += 50_000;
    return now;
  });
}

it.each([
  ["without a timeout", "after 60 s", 0],
  ["with a shorter timeout, which ends it by itself,", "after 60 s", 30_000],
  ["with a longer timeout", "after 180 s", 180_000],
])("%s a deletion is given up %s", async (_, after, timeoutMs) => {
  hurry();

  await expect(clear(stuck({ timeoutMs }).operation, removal, values)).rejects.toThrow(
    `it is still being deleted, not gone, ${after}. Run again later.`,
  );
});

it("deletes a peering again that is stuck as terminated", async () => {
  hurry();
  const { operation, requests } = stuck({}, { State: "TERMINATED", DeletedAt: "2026-11-22T00:00:00Z" });

  await expect(clear(operation, removal, values)).rejects.toThrow("it is still being deleted");
  expect(requests.length).toBeGreaterThan(1);
});

it("says of a record that is there after its deletion that it is", async () => {
  hurry();
  const role = { operation: { ...stuck({}).operation, definition: jwtRole } };

  await expect(
    clear(role.operation, { method: "DELETE", path: "auth/{mount}/role/{name}" }, { mount: "jwt", name: "ci" }),
  ).rejects.toThrow("it is still there, not gone, after 5 s. Run again later.");
});

it("says that a timeout has ended the wait", async () => {
  const over = new ProviderError("NetworkError", "its timeout of 5 s is over (customTimeouts)");
  const { operation } = stuck({ signal: AbortSignal.abort(over) });

  await expect(clear(operation, removal, values)).rejects.toThrow(
    "the wait until it is gone ended: its timeout of 5 s is over (customTimeouts); it is being deleted. Run again later.",
  );
});
