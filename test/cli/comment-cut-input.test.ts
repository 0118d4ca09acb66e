import { describe, expect, it } from "vitest";
import { opened, post, preview, report } from "./comment-harness.ts";
import type { ForgeKind } from "./forge-imitation.ts";
import { runCli } from "./run-cli.ts";

it.each([
  ["", /the input is empty, so the preview may have failed\. Give --stack/],
  [preview("1h").slice(0, -40), /the input is no whole JSON: it ends early, or other text is inside it/],
  ["error: boom", /the input is no preview/],
])("an input that is %j says no stack, and the comment needs one", async (input, message) => {
  const { code, err } = await runCli(["comment", "--dry-run"], input);
  expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(message) });
});

describe.each<ForgeKind>(["github", "gitlab"])("an input of %s that is not whole", (kind) => {
  const whole = report("drift", 1);

  it.each([
    ["a report that was cut", whole.slice(0, -40), /a drift report that was cut/],
    ["a report without its result", whole.replace('"result":"drift",', ""), /a drift report that was cut/],
    ["nothing", "", /no report of trustplane drift --json/],
    ["a preview", preview("1h"), /no report of trustplane drift --json/],
  ])("(%s) neither opens, edits nor closes an issue, and says so", async (_what, input, message) => {
    const { notes, requests } = await opened(kind);
    await post(whole, "--issue");
    const before = structuredClone(notes.issues);
    requests.length = 0;

    expect(await post(input, "--issue", "--stack", "story/dev")).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringMatching(message),
    });

    expect(requests).toEqual([]);
    expect(notes.issues).toEqual(before);
  });

  it("(a report that was cut) is no preview that failed", async () => {
    const { requests } = await opened(kind);
    expect(await post(whole.slice(0, 200), "--stack", "story/dev")).toMatchObject({ code: 1 });
    expect(requests).toEqual([]);
  });
});
