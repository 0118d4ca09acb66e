import { describe, expect, it } from "vitest";
import type { Request } from "../../../provider/hosts/terraform/protocol";
import { callFunction } from "../../../provider/hosts/terraform/provider-functions";
import { messageWith, valueIn } from "../../../provider/hosts/terraform/value";
import { hostWith } from "../../support/terraform-host";

async function called(name: string, text: string) {
  const request = { name, arguments: [messageWith(text)] } as Partial<Request> as Request;
  const { answer } = await callFunction(hostWith({}), request);
  const { result, error } = answer as { result?: { msgpack: Uint8Array }; error?: object };
  return result ? valueIn(result.msgpack) : error;
}

describe("a provider function", () => {
  it.each([
    ["duration_seconds", "1h30m", 5400],
    ["duration_seconds", "90", 90],
    ["duration_seconds", "2d", 172_800],
    ["canonical_document", '{"n":1e2,"m":[0.50]}', '{"m":[0.5],"n":100}'],
    ["canonical_document", ' { "b" : 1, "a" : [ ] } ', '{"a":[],"b":1}'],
  ])("%s of %s", async (name, text, expected) => {
    expect(await called(name, text)).toBe(expected);
  });

  it.each([
    ["duration_seconds", "soon", "duration is not a duration"],
    ["canonical_document", "{", "document is not JSON"],
    [
      "canonical_document",
      '{"n":12345678901234567890}',
      "document has the number 12345678901234567890, of which only a rounded value can be kept: write it as a text",
    ],
    ["canonical_document", "[1e400]", "document has the number 1e400, "],
    ["canonical_document", `[${"7".repeat(45)}]`, `document has the number ${"7".repeat(40)}…, `],
  ])("%s refuses %s at its argument", async (name, text, reason) => {
    const error = { text: expect.stringContaining(reason), functionArgument: 0 };
    expect(await called(name, text)).toEqual(error);
  });

  it("is refused by name where there is none", async () => {
    expect(await called("other", "x")).toEqual({ text: "this version of trustplane has no function other" });
  });
});
