// @run live: it waits for every call of every operation
// @servers embedded: a proxy is silent, not the server
// @without-terraform: it asks the engine or Pulumi's hosts

import { describe, expect, it } from "vitest";
import { failEveryCall } from "../support/contract-fault-loop.ts";
import { endangeredOperations, operationNames } from "../support/contract-fault-operations.ts";
import { forEveryPairing } from "../support/contract-suite.ts";

// A wait for every call of every operation: tested once, not per host.
forEveryPairing(
  "a server that never answers",
  (pairing) => {
    const endangered = endangeredOperations(pairing);
    describe("any call that gets no answer", () => {
      it.each(operationNames)(
        "ends %s with an error in time, and the next run completes",
        { timeout: 120_000 },
        async (name) => {
          const hit = await failEveryCall(pairing, "silence", endangered[name]);
          expect(hit.length > 0).toBe(pairing.of.requests[name].length > 0);
        },
      );
    });
  },
  { hosts: ["engine"] },
);
