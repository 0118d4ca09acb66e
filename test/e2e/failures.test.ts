import { beforeAll, describe, expect, test, vi } from "vitest";
import { faultScript } from "../../server/faults/fault-script.ts";
import { needsPulumi } from "../support/pulumi-sandbox.ts";
import { libraries } from "./libraries.ts";
import { openingMs, openStory, type Story } from "./pulumi-story.ts";

/** What goes wrong on the way; each test goes on where the one before it ended. */
describe.each(libraries)("a server that fails, with %s", needsPulumi(), (library) => {
  let story: Story;
  const fail = (script: string) => story.ours.faults.add(faultScript.parse(script));
  const role = (name: string) => story.ours.records().secrets[`auth/jwt/role/${name}`];
  const recorded = async () => (await story.sandbox.export()).deployment.resources ?? [];
  const idsRecorded = async () =>
    (await recorded()).flatMap(({ id }) => id ?? []).filter((id) => id.startsWith("auth/"));

  beforeAll(async () => {
    story = await openStory({
      isWatched: true,
      program: { source: program(library, { tokenTtl: 60 }) },
      env: () => ({ VAULT_MAX_RETRIES: "0" }),
    });
    return story.close;
  }, openingMs);

  test("in the middle of an up: what was written is recorded, what was not is not, and the error says why", async () => {
    fail("POST auth/jwt/role/two 503");

    const { text } = await story.pulumi("up --yes --skip-preview", { code: 1 });

    expect(text).toContain('creating jwt.Role "two": 503 service unavailable (POST auth/jwt/role/two)');
    expect(text).not.toMatch(/\n\s+at .*\.js:\d+/);
    expect(await idsRecorded()).toEqual(["auth/jwt/role/one"]);
    expect(role("two")).toBeUndefined();
  });

  test("the next up completes it, past a failure that one retry outlasts", async () => {
    story.ours.faults.clear();
    fail("POST auth/jwt/role/two 503 retry-after=0 x1");

    const { text } = await story.pulumi("up --yes --skip-preview", { env: { VAULT_MAX_RETRIES: "2" } });

    expect(text).toMatch(/2 created/);
    expect(await idsRecorded()).toEqual(["auth/jwt/role/one", "auth/jwt/role/two", "auth/jwt/role/three"]);
  });

  test("a write whose record cannot be read back is recorded as unfinished", async () => {
    story.rewrite(program(library, { tokenTtl: 120 }));
    const allowAgain = story.refuseReadBacks();

    const { text } = await story.pulumi("up --yes --skip-preview", { code: 1 });
    allowAgain();

    expect(text).toContain("it was written, but that could not be confirmed");
    expect(role("one")).toMatchObject({ token_ttl: 120 });
    const [one] = (await recorded()).filter(({ id }) => id === "auth/jwt/role/one");
    expect(one?.initErrors).toEqual([expect.stringContaining("could not be confirmed")]);
  });

  test("the next up repairs what was unfinished", async () => {
    story.ours.faults.clear();

    await story.pulumi("up --yes --skip-preview");

    expect((await recorded()).flatMap(({ initErrors }) => initErrors ?? [])).toEqual([]);
    await story.pulumi("preview --refresh --expect-no-changes");
  });

  test("a server that is down is reported at preview, with its address", async () => {
    const closed = "http://127.0.0.1:9";

    const { text } = await story.pulumi("preview", { env: { VAULT_ADDR: closed } });

    expect(text).toMatch(/warning: the secrets server was not checked/);
    expect(text).toContain("127.0.0.1:9");
  });

  test("a refresh with a server that is down, or that refuses the token, forgets nothing", async () => {
    const down = await story.pulumi("refresh --yes --skip-preview", {
      code: 1,
      env: { VAULT_ADDR: "http://127.0.0.1:9" },
    });
    const refused = await story.pulumi("refresh --yes --skip-preview", { code: 1, env: { VAULT_TOKEN: "hvs.no" } });

    expect(down.text).toMatch(/reading jwt\.Role "one": /);
    expect(refused.text).toMatch(/403 permission denied/);
    expect(await idsRecorded()).toHaveLength(3);
  });

  test("with --continue-on-error a refused update ends the run, and the state is as it was", async () => {
    story.rewrite(program(library, { tokenTtl: 180 }));
    fail("POST auth/jwt/role/one 403");

    const { text } = await story.pulumi("up --yes --skip-preview --continue-on-error", { code: 1 });

    expect(text).toContain('updating jwt.Role "one": 403');
    expect(role("one")).toMatchObject({ token_ttl: 120 });
    const [one] = (await recorded()).filter(({ id }) => id === "auth/jwt/role/one");
    expect(one?.outputs).toMatchObject({ tokenTtl: 120 });
  });

  // Pulumi's engine then waits for the new record until it is cancelled, with any provider: see the README's limits.
  test("with --continue-on-error a replacement whose deletion is refused ends with one Ctrl-C, and nothing is lost", async () => {
    story.ours.faults.clear();
    story.ours.log.clear();
    story.rewrite(program(library, { tokenTtl: 180 }, { replaceOnChanges: ["tokenTtl"] }));
    fail("DELETE auth/jwt/role/one 403");
    const interruption = new AbortController();
    const running = story.pulumi("up --yes --skip-preview --continue-on-error", {
      signal: interruption.signal,
      code: 1,
    });

    const isRefused = () => story.ours.log.all().some(({ method, status }) => method === "DELETE" && status === 403);
    await vi.waitUntil(isRefused, { timeout: 60_000 });
    interruption.abort();
    await running;

    expect(role("one")).toMatchObject({ token_ttl: 120 });
    expect(await idsRecorded()).toHaveLength(3);
  });
});

function program(library: string, args: object, options: object = {}): string {
  return `
const trustplane = require("${library}");
const common = { roleType: "jwt", userClaim: "sub", boundAudiences: ["https://secrets.example.com"] };
const one = new trustplane.jwt.Role("one", { ...common, name: "one", ...${JSON.stringify(args)} }, ${JSON.stringify(options)});
const two = new trustplane.jwt.Role("two", { ...common, name: "two" }, { dependsOn: one });
new trustplane.jwt.Role("three", { ...common, name: "three" }, { dependsOn: two });
`;
}
