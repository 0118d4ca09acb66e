import { expect, it } from "vitest";
import { type FaultName, faults } from "./contract-fault.ts";
import { failEveryCall } from "./contract-fault-loop.ts";
import { endangeredOperations, type OperationName } from "./contract-fault-operations.ts";
import { forEveryPairing, type Pairing } from "./contract-suite.ts";
import { testExtent } from "./test-extent.mts";

/** A server that never answers, or not to the end, takes a second for every call; one API's own errors mean something to it alone. */
const special: readonly FaultName[] = [
  "silence",
  "a body that stalls",
  "a JSON:API 404",
  "a rate limit with a number as status",
];

/** A call that was done although it failed. */
const worst: FaultName = "a connection cut after the server has done it";

/** What a host adds to the engine shows in a refusal, too. */
const telling: readonly FaultName[] = [worst, "403"];

/** A kind of each: refused, done, answered by somebody else, and not done, which is a refusal to all but a creation. */
const kinds: readonly FaultName[] = [...telling, "an HTML page with status 404"];
const few: readonly FaultName[] = [...kinds, "503"];

/** The engine meets all of them in a whole run, and a kind of each in the usual one; other hosts fewer. */
function faultsOf({ host }: Pairing, operation: OperationName): readonly FaultName[] {
  if (testExtent === "quick") return [worst];
  const isWhole = testExtent === "whole";
  // What a host adds to a failed operation is the same for each; creating has the most calls.
  if (host === "terraform" && !isWhole) return [worst];
  if (host !== "engine") return isWhole ? few : operation === "create" ? telling : [worst];
  if (!isWhole) return operation === "create" ? few : kinds;
  return (Object.keys(faults) as FaultName[]).filter((fault) => !special.includes(fault));
}

/** Every fault on every call of one operation, for every resource. */
export function faultsIn(operation: OperationName): void {
  const faulty = (pairing: Pairing) => {
    const endangered = endangeredOperations(pairing)[operation];
    // @covers peering: Authentication, errors, limits, versions > rate and size limits
    it.each([...faultsOf(pairing, operation)])(
      "%s on any call is an error, nothing is lost, and the next run completes",
      async (fault) => {
        const hit = await failEveryCall(pairing, fault, endangered);
        expect(hit.length).toBeGreaterThanOrEqual(pairing.of.requests[operation].length);
      },
    );
  };
  forEveryPairing(`faults during ${operation}`, faulty, { writesOften: true });
}
