import { describe, expect, it } from "vitest";
import { during, isProviderError, ProviderError } from "../../../provider/core/errors";

describe("a message", () => {
  it.each([
    ["1 error occurred:\n\t* permission denied\n\n", "1 error occurred: * permission denied"],
    ["a\r\nb\tc", "a b c"],
    ["  a  \n", "a"],
    ["a  b", "a b"],
    ["\u001b[31mred\u001b[0m \u202eb", "red b"],
  ])("%j is one line of plain text", (text, line) => {
    expect(new ProviderError("ApiError", text).message).toBe(line);
  });
});

describe("what was being done", () => {
  const inner = new ProviderError("ApiError", "403 permission denied", {
    status: 403,
    details: ["permission denied"],
    retryAfterMs: 5,
  });

  it("comes before what happened, and the rest is kept", () => {
    const outer = during('creating jwt.Role "ci"', inner);
    expect(outer.message).toBe('creating jwt.Role "ci": 403 permission denied');
    expect(outer).toMatchObject({ code: "ApiError", status: 403, details: ["permission denied"], retryAfterMs: 5 });
    expect(outer.id).toBeUndefined();
  });

  it("keeps what a partial failure recorded", () => {
    const recorded = { id: "x", properties: { a: 1 }, reasons: ["r"] };
    expect(during("x", new ProviderError("PartialError", "m", recorded))).toMatchObject({
      code: "PartialError",
      ...recorded,
    });
  });

  it("keeps refused inputs", () => {
    const failures = [{ property: "a", reason: "b" }];
    expect(during("x", new ProviderError("InputError", "m", { failures })).failures).toEqual(failures);
  });

  it.each([
    [new TypeError("x is not a function"), "x is not a function"],
    ["text", "text"],
    [undefined, "undefined"],
  ])("calls anything else a defect: %s", (error, text) => {
    const bug = during("reading", error);
    expect(bug.cause).toBe(error);
    expect(bug.code).toBe("BugError");
    expect(bug.message).toBe(`reading: ${text}. This is a defect of trustplane; please report it.`);
  });
});

describe("the cause of a defect", () => {
  const cause = new TypeError("x is not a function");
  const bug = during("creating", during("reading", cause));

  it("is kept, whatever is said around it", () => {
    expect(bug).toMatchObject({ code: "BugError", cause });
    expect(new ProviderError("ApiError", "m")).not.toHaveProperty("cause");
  });

  it("is no property that a report or a log of the error would show", () => {
    expect(Object.keys(bug)).not.toContain("cause");
  });
});

describe("a provider error", () => {
  it("is known by its name and code, also when another copy of the package made it", () => {
    const foreign = Object.assign(new Error("m"), { name: "ProviderError", code: "ApiError", status: 404 });
    expect(foreign).not.toBeInstanceOf(ProviderError);
    expect(isProviderError(foreign)).toBe(true);
    expect(during("reading", foreign)).toMatchObject({ code: "ApiError", status: 404, message: "reading: m" });
  });

  it.each([
    [new Error("m")],
    [Object.assign(new Error("m"), { code: "ECONNREFUSED" })],
    [{ name: "ProviderError", code: "ApiError" }],
    [undefined],
  ])("is not %s", (error) => {
    expect(isProviderError(error)).toBe(false);
  });
});
