import { createRequire } from "node:module";
import { join } from "node:path";
import type { StackFrame } from "@pulumi/pulumi/proto/source_pb";
import { MockMonitor } from "@pulumi/pulumi/runtime/mocks";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { jwt } from "../../sdk/native";
import { skipPromiseTraces } from "../../sdk/promise-traces";
import { repository } from "../../tools/steps/repository.mjs";
import { mockPulumi } from "./registrations.ts";

const thisFile = "promise-traces.test.ts";
const args = { name: "ci", userClaim: "sub" };

beforeAll(mockPulumi);
afterEach(() => vi.unstubAllEnvs());

describe.each(["@pulumi/pulumi", "pulumi-sdk-oldest"])("with %s", (sdk) => {
  const { debuggablePromise } = createRequire(join(repository, "package.json"))(`${sdk}/runtime/debuggable`);
  const traceOfPromise = (): string => {
    const promise = Promise.resolve();
    debuggablePromise(promise, "test");
    return Reflect.get(promise, "_debugStackTrace");
  };

  test("a promise of Pulumi has no trace until skipping ends", () => {
    const endSkipping = skipPromiseTraces();
    const skipped = traceOfPromise();
    endSkipping();

    expect(skipped).toBe("Error");
    expect(traceOfPromise()).toContain(thisFile);
  });

  test("a promise of Pulumi keeps its trace where leaks are looked for", () => {
    vi.stubEnv("PULUMI_DEBUG_PROMISE_LEAKS", "true");
    const endSkipping = skipPromiseTraces();
    const trace = traceOfPromise();
    endSkipping();

    expect(trace).toContain(thisFile);
  });
});

test("the registration has the position of the declaration, and of what called for it", async () => {
  const register = vi.spyOn(MockMonitor.prototype, "registerResource");
  const declare = () => [new jwt.Role("positions", args), lineOf(new Error())] as const;
  const call = () => [declare(), lineOf(new Error())] as const;
  const [[role, declaredAt], calledAt] = call();
  await new Promise((resolve) => role.urn.apply(resolve));

  const request = register.mock.calls[0]?.[0];
  const frames: StackFrame[] = request.getStacktrace().getFramesList();
  expect(request.getSourceposition().getUri()).toContain(thisFile);
  expect(request.getSourceposition().getLine()).toBe(declaredAt);
  expect(frames.slice(0, 2).map((frame) => frame.getPc()?.getLine())).toEqual([declaredAt, calledAt]);
});

test("an error of the constructor names the declaration, and leaves Node's hook as it was", () => {
  const before = Error.prepareStackTrace;

  const stack = stackOf(() => new jwt.Role("", args));

  expect(stack).toMatch(/Missing resource name argument/);
  expect(stack).toContain(thisFile);
  expect(Error.prepareStackTrace).toBe(before);
});

test("an error of a program's transformation names the line of the program", () => {
  const transformation = function ofTheProgram(): undefined {
    throw new Error("refused by the program");
  };

  expect(stackOf(() => new jwt.Role("x", args, { transformations: [transformation] }))).toContain("ofTheProgram");
});

/** Where the error was made. */
function lineOf({ stack = "" }: Error): number {
  return Number(/\n +at .*:(\d+):\d+/.exec(stack)?.[1]);
}

function stackOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof Error) return error.stack ?? "";
  }
  throw new Error("nothing was thrown");
}
