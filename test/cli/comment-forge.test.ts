import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { markerOf } from "../../cli/views/comment/fitted.ts";
import { fileOfTest, folderOfTest } from "../support/temporary-folder.ts";
import { opened, post, preview, report, stranger } from "./comment-harness.ts";
import type { ForgeKind } from "./forge-imitation.ts";

const marker = markerOf("preview", "story/dev");

describe.each<ForgeKind>(["github", "gitlab"])("a comment on %s", (kind) => {
  it("is made once, edited when it changes, and left alone when it does not", async () => {
    const { notes, requests } = await opened(kind);

    expect(await post(preview("1h"))).toMatchObject({
      code: 0,
      out: expect.stringMatching(/7 of .*: created/),
      err: "",
    });
    expect(await post(preview("2h"))).toMatchObject({ code: 0, out: expect.stringMatching(/: edited/) });
    const writes = requests.filter((request) => !request.startsWith("GET")).length;
    expect(await post(preview("2h"))).toMatchObject({ code: 0, out: expect.stringMatching(/: unchanged/) });

    expect(requests.filter((request) => !request.startsWith("GET"))).toHaveLength(writes);
    expect(notes.comments).toHaveLength(1);
    expect(notes.comments[0]?.body).toContain('+ tokenTtl: "2h"');
  });

  it("is found on the last of many pages, and no token goes to the address that a page names", async () => {
    const { notes, add, requests } = await opened(kind);
    for (let index = 0; index < 250; index++) add("comments", { body: `${marker}\n\n> quoted, ${index}` });
    add("comments", { body: `old\n\n${marker}` });

    expect((await post(preview("1h"))).code).toBe(0);

    expect(notes.comments).toHaveLength(251);
    expect(notes.comments.at(-1)?.body).toContain("tokenTtl");
    expect(requests.filter((request) => request.startsWith("GET"))).toHaveLength(3);
  });

  it("of another stack, or of somebody else with the same marker, stays as it is", async () => {
    const { notes, add } = await opened(kind);
    add("comments", { body: `mine\n\n${markerOf("preview", "story/prod")}` });
    add("comments", { body: `copied\n\n${marker}`, author: stranger });
    add("comments", { body: `locked\n\n${marker}`, isLocked: true });

    expect((await post(preview("1h"))).code).toBe(0);
    expect((await post(preview("2h"))).code).toBe(0);

    expect(notes.comments.map(({ body }) => body.split("\n")[0])).toEqual([
      "mine",
      "copied",
      "locked",
      "**Preview of `story/dev`**: 1 to update",
    ]);
  });

  it.each([
    ["too many requests", { status: 429, headers: { "retry-after": "0" } }],
    ["a limit said with 403", { status: 403, headers: { "retry-after": "0" } }],
    [
      "a limit that ends at a time",
      { status: 403, headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1" } },
    ],
    ["a bad gateway", { status: 502, headers: { "retry-after": "0" } }],
  ])("waits for %s, when it lists and when it writes", async (_what, answer) => {
    const { notes, answerNext } = await opened(kind);
    for (const method of ["GET", "POST"]) answerNext({ method, ...answer });
    expect((await post(preview("1h"))).code).toBe(0);
    answerNext({ method: kind === "github" ? "PATCH" : "PUT", ...answer });
    expect((await post(preview("2h"))).code).toBe(0);
    expect(notes.comments).toHaveLength(1);
    expect(notes.comments[0]?.body).toContain('"2h"');
  });

  it("that was made although the answer was an error is not made again", async () => {
    const { notes, answerNext } = await opened(kind);
    answerNext({ method: "POST", status: 502, headers: { "retry-after": "0" }, after: true });
    expect((await post(preview("1h"))).code).toBe(0);
    expect(notes.comments).toHaveLength(1);
  });

  it.each([
    ["GET", 401, /not valid, or has expired/],
    ["GET", 403, /may not do this: .*(pull-requests: write|scope `api`)/],
    ["POST", 403, /may not do this/],
    ["GET", 404, /not there, or the token may not see it/],
    ["POST", 422, /does not accept the text/],
    ["GET", 429, /later than this job can wait/],
  ])("that cannot be made (%s: %i) ends the job with the reason, and no token in it", async (method, status, todo) => {
    const { answerNext, token } = await opened(kind);
    answerNext({
      method,
      status,
      message: "because <of> that",
      headers: status === 429 ? { "retry-after": "3600" } : {},
    });
    const { code, err } = await post(preview("1h"));
    expect(code).toBe(1);
    expect(err).toMatch(todo);
    expect(err.trimEnd().split("\n")).toHaveLength(1);
    expect(err).not.toContain(token);
  });

  it("that a token may not write says what to do for a fork", async () => {
    const { answerNext } = await opened(kind);
    answerNext({ method: "POST", status: 403 });
    const { err } = await post(preview("1h"));
    expect(err).toMatch(kind === "github" ? /from a fork .* push it to a branch/ : /project access token/);
  });

  it("with a wrong token says so", async () => {
    await opened(kind);
    vi.stubEnv(kind === "github" ? "GITHUB_TOKEN" : "GITLAB_TOKEN", "wrong");
    expect(await post(preview("1h"))).toMatchObject({ code: 1, err: expect.stringMatching(/401 Bad credentials/) });
  });

  it("is only printed with --dry-run, and written with --output", async () => {
    const { requests } = await opened(kind);
    const folder = folderOfTest();
    const { out } = await post(preview("1h"), "--dry-run", "--output", join(folder, "text.md"));
    expect(out).toContain(marker);
    expect(requests).toEqual([]);
  });

  it("of drift is another one than that of the preview", async () => {
    const { notes } = await opened(kind);
    await post(preview("1h"));
    expect((await post(report("drift", 1))).code).toBe(0);
    expect((await post(report("none", 0))).code).toBe(0);
    expect(notes.comments.map(({ body }) => body.split("\n")[0])).toEqual([
      "**Preview of `story/dev`**: 1 to update",
      expect.stringMatching(/^\*\*No drift in story\/dev/),
    ]);
  });
});

describe.each<ForgeKind>(["github", "gitlab"])("the issue of drift on %s", (kind) => {
  it("is opened, edited, left open while nobody can tell, closed when there is none, and opened anew", async () => {
    const { notes, add } = await opened(kind);
    // To GitHub, a pull request is an issue, too.
    if (kind === "github") add("issues", { body: `text\n\n${markerOf("drift", "story/dev")}`, isPullRequest: true });

    expect((await post(report("none", 0), "--issue")).out).toMatch(/: nothing/);
    expect((await post(report("drift", 1), "--issue")).out).toMatch(/: created/);
    expect((await post(report("drift", 1), "--issue")).out).toMatch(/: unchanged/);
    expect((await post(report("unknown", 0), "--issue")).out).toMatch(/: edited/);
    const ours = () => notes.issues.filter(({ isPullRequest }) => !isPullRequest);
    const [issue] = ours();
    expect(issue).toMatchObject({
      isOpen: true,
      title: "Drift in story/dev",
      body: expect.stringMatching(/^\*\*Incomplete/),
    });

    expect((await post(report("none", 0), "--issue")).out).toMatch(/: closed/);
    expect(issue).toMatchObject({ isOpen: false, body: expect.stringMatching(/^\*\*No drift/) });
    expect((await post(report("drift", 1), "--issue")).out).toMatch(/: created/);
    expect(ours()).toHaveLength(2);
  });

  it("shows what differs, secrets by fingerprint", async () => {
    const { notes } = await opened(kind);
    await post(report("drift", 1), "--issue");
    expect(notes.issues[0]?.body).toContain(
      '- tokenTtl: "15m"\n+ tokenTtl: "12h"\n- value: [secret, fingerprint aaaa]\n+ value: [secret, fingerprint bbbb]',
    );
  });
});

describe("where the comment goes", () => {
  const eventFile = (event: unknown) => {
    return fileOfTest("event.json", JSON.stringify(event));
  };

  it.each([
    ["the event of a pull request", { pull_request: { number: 7 } }],
    ["the event of a comment on one", { issue: { number: 7, pull_request: {} } }],
  ])("is said by %s", async (_what, event) => {
    const { notes } = await opened("github");
    vi.stubEnv("GITHUB_REF", "");
    vi.stubEnv("GITHUB_EVENT_PATH", eventFile(event));
    expect((await post(preview("1h"))).code).toBe(0);
    expect(notes.comments).toHaveLength(1);
  });

  it.each([
    ["a push", { GITHUB_REF: "refs/heads/main" }, /belongs to no pull request/],
    ["no token", { GITHUB_TOKEN: "" }, /GITHUB_TOKEN is not set/],
    ["no CI job", { GITHUB_REPOSITORY: "" }, /no job of GitHub Actions or GitLab CI\. .*--dry-run/],
  ])("is asked for when there is %s", async (_what, env, message) => {
    await opened("github");
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    expect(await post(preview("1h"))).toMatchObject({ code: 1, err: expect.stringMatching(message) });
  });

  it("of GitLab is not tried with a job's token, which cannot write notes", async () => {
    const { requests } = await opened("gitlab");
    vi.stubEnv("GITLAB_TOKEN", "");
    vi.stubEnv("CI_JOB_TOKEN", "job");
    expect(await post(preview("1h"))).toMatchObject({
      code: 1,
      err: expect.stringMatching(/CI_JOB_TOKEN cannot write notes/),
    });
    expect(requests).toEqual([]);
  });
});
