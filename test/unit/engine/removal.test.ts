import { afterEach, expect, it, vi } from "vitest";
import { ProviderError } from "../../../provider/core/errors.ts";
import type { Connection } from "../../../provider/engine/connection.ts";
import type { Limits, Operation } from "../../../provider/engine/operation.ts";
import { clear } from "../../../provider/engine/removal.ts";
import { clusterPeering } from "../../../provider/resources/cluster/peering.ts";

const values = { peerName: "east" };
const removal = { method: "DELETE", path: "peering/{peerName}", awaitGone: true } as const;

afterEach(() => void vi.restoreAllMocks());

/** A peering that is never gone. */
function stuck(limits: Limits): Operation {
  const call: Connection["call"] = async () => ({ kind: "found", record: { State: "DELETING" }, filtered: false });
  // What a removal uses of a connection.
  return { definition: clusterPeering, connection: { call } as unknown as Connection, log: () => {}, ...limits };
}

it.each([
  ["without a timeout", "after 60 s", 0],
  ["with a shorter timeout, which ends it by itself,", "after 60 s", 30_000],
  ["with a longer timeout", "after 180 s", 180_000],
])("%s a deletion is given up %s", async (_, after, timeoutMs) => {
  let now = 0;
  vi.spyOn(Date, "now").mockImplementation(() => {
    now += 50_000;
    return now;
  });

  await expect(clear(stuck({ timeoutMs }), removal, values)).rejects.toThrow(`it is still being deleted ${after}`);
});

it("says that a timeout has ended the wait", async () => {
  const over = new ProviderError("NetworkError", "its timeout of 5 s is over (customTimeouts)");

  await expect(clear(stuck({ signal: AbortSignal.abort(over) }), removal, values)).rejects.toThrow(
    "the wait until it is gone ended: its timeout of 5 s is over (customTimeouts). Run again later.",
  );
});
