import { expect } from "vitest";
import { isProviderError } from "../../provider/core/errors.ts";
import { mountedOf } from "../../provider/engine/mount-type.ts";
import { type Change, definitionOf, type Treatment } from "./contract-case.ts";
import type { FaultName } from "./contract-fault.ts";
import type { Subject } from "./contract-subject.ts";
import type { Pairing } from "./contract-suite.ts";
import { isForeseen, isLookAhead, isMountsList, isProbe, lineOf, type SeenRequest } from "./contract-traffic.ts";

/** One operation of which every call is to fail once. */
export interface Endangered {
  /** Brings the subject to where the operation can begin. */
  before(subject: Subject): Promise<void>;
  operate(subject: Subject): Promise<unknown>;
  /** What must hold although the operation failed. */
  afterFailure(subject: Subject, error: unknown): Promise<void> | void;
  /** What the next run makes of it. */
  recover(subject: Subject): Promise<void>;
}

/**
 * Runs the operation as often as it has requests, and lets the first, the second, … of them fail. Each run is on a new
 * record. Answers the requests that were hit.
 */
export async function failEveryCall(
  pairing: Pairing,
  fault: FaultName,
  endangered: Endangered,
): Promise<readonly SeenRequest[]> {
  const hit: SeenRequest[] = [];
  // Waiting for what never comes takes a second, whatever the timeout: those runs are made side by side, but for the one record of
  // a cluster, which another run would delete meanwhile.
  const atOnce = fault === "silence" && pairing.resource !== "clusterExportedServices" ? 12 : 1;
  for (let first = 1; ; first += atOnce) {
    const numbers = Array.from({ length: atOnce }, (_, at) => first + at);
    const struck = await Promise.all(numbers.map((nth) => failCall(pairing, { nth, fault, endangered })));
    hit.push(...struck.filter((request) => request !== undefined));
    if (struck.includes(undefined)) return hit;
  }
}

interface Failing {
  readonly nth: number;
  readonly fault: FaultName;
  readonly endangered: Endangered;
}

/** Lets one call fail; answers it, or nothing when the operation has fewer. */
async function failCall(
  { open, of, resource, host }: Pairing,
  { nth, fault, endangered }: Failing,
): Promise<SeenRequest | undefined> {
  const subject = await open();
  await endangered.before(subject);
  subject.restart(fault === "silence" ? { timeoutSeconds: 0.5 } : {});
  const { traffic } = subject.world;
  traffic.strike(nth, fault);
  const outcome = await endangered.operate(subject).then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  const struck = traffic.struck();
  traffic.calm();
  if (struck === undefined) return undefined;
  const { fault: sparedFault, request } = of.spared ?? {};
  const isSpared = fault === sparedFault && request?.test(lineOf(struck));
  // What was deleted without an answer is looked for, and is gone. The one record of a cluster is deleted by the runs beside it, too.
  const wasDone = fault === "a connection cut after the server has done it";
  // Ahead of a write the type of its mount need not be known: it is asked again then.
  const isAhead = mountedOf(definitionOf(resource)) !== undefined && isMountsList(struck);
  // So is what the check of the dynamic classes, or Terraform's plan, looks at.
  const isAskedAgain =
    struck.method === "GET" && traffic.seen().filter((each) => lineOf(each) === lineOf(struck)).length > 1;
  // The preview of a change asks whether another hand has renamed the record; the update asks again where it misses it.
  const looksAhead = host === "dynamic" || host === "terraform" || isForeseen(definitionOf(resource));
  const isLook = isLookAhead(of.requests, struck) || (looksAhead && isAskedAgain);
  const isGone =
    struck.method === "DELETE" && outcome === undefined && (wasDone || (await subject.stored()) === undefined);
  // Which server it is could not be found out: that alone need not stop the operation.
  if (outcome === undefined)
    expect(isProbe(struck) || isAhead || isLook || isSpared || isGone, `${lineOf(struck)} failed unnoticed`).toBe(true);
  else {
    expectExplained(outcome.error);
    await endangered.afterFailure(subject, outcome.error);
  }
  subject.restart();
  await endangered.recover(subject);
  return struck;
}

const codes = ["ApiError", "NetworkError", "ResponseError", "PartialError", "ConfigError", "InputError"];

/** A failure says what was done to what, in one line, and is none of our own defects. */
function expectExplained(error: unknown): void {
  expect(error).toBeInstanceOf(Error);
  const { message } = error as Error;
  expect(message).toMatch(/^(creating|reading|updating|deleting) ([a-z]+\.[A-Za-z]+|trustplane_[a-z_]+) "/);
  expect(message).not.toMatch(/[\r\n\t]|defect|undefined|\[object/);
  // The dynamic host has the message alone: Pulumi drops everything else.
  if (isProviderError(error)) expect(codes).toContain(error.code);
}

/** The first property that is changed in place. */
export function firstChange({ of }: Pairing): Change {
  const found = Object.values<Treatment>(of.fields).find((treatment) => treatment.means === "update");
  if (found?.means !== "update") throw new Error("no property is changed in place");
  return found;
}
