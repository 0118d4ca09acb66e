import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { rawApi } from "../support/contract-raw.ts";
import { needsPulumi } from "../support/pulumi-sandbox.ts";
import { openingMs, openStory, type Story } from "./pulumi-story.ts";
import { runDrift } from "./run-drift.ts";

/** `npx trustplane drift` of the packed package beside the real CLI; each test goes on where the one before it ended. */
describe("npx trustplane drift", needsPulumi(), () => {
  let story: Story;
  const byHand = (line: string, fields = {}) =>
    rawApi("secrets", story.ours.secrets).call(line, { role_type: "jwt", ...fields });
  const drift = (flags: string, { input = "" } = {}) => runDrift(story, flags, { input });

  beforeAll(async () => {
    story = await openStory({ program: { source: program } });
    await story.pulumi("up --yes --skip-preview");
    return story.close;
  }, openingMs);

  test("finds nothing right after an update, and writes nothing", async () => {
    story.requests();
    const { code, out, err } = await drift("--unmanaged");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(/^No drift in story\/dev: 4 resources/);
    expect(out).toMatch(/unverifiable +policy\.Parameter hidden +value: the server shows neither it nor/);
    expect(story.requests().filter((request) => !/^(GET|LIST) /.test(request))).toEqual([]);
  });

  test("finds what was changed and deleted by hand, as the JSON report and the refresh say, too", async () => {
    await byHand("POST auth/jwt/role/ci", { token_ttl: 43_200 });
    await byHand("DELETE auth/jwt/role/nightly");

    const { code, out } = await drift("--json");

    expect(code).toBe(2);
    const found = JSON.parse(out).resources.filter(({ status }: { status: string }) => status !== "unchanged");
    expect(found).toMatchObject([
      { name: "ci", status: "changed", declaredAt: { file: "index.js", line: 4 } },
      { name: "nightly", status: "missing" },
    ]);
    expect(out).not.toContain("needle");
    const { text } = await story.pulumi("refresh --preview-only --diff");
    expect(text).toMatch(/tokenTtl\s*: "15m" => "12h"/);
  });

  test("compares secrets that the server shows once it may decrypt them, and shows none", async () => {
    await byHand("POST auth/jwt/role/claims", { bound_claims: { project: "needle-2" } });

    expect((await drift("")).out).toMatch(/unverifiable +jwt\.Role claims +boundClaims: it is encrypted in the state/);
    const { code, out } = await drift("--decrypt");

    expect(code).toBe(2);
    expect(out).toMatch(
      /changed +jwt\.Role claims +boundClaims: \[secret, fingerprint \w{8}\] → \[secret, fingerprint \w{8}\]/,
    );
    expect(out).not.toContain("needle");
  });

  test("takes a state from a file and from the standard input", async () => {
    const state = JSON.stringify(await story.sandbox.export());
    writeFileSync(join(story.sandbox.programFolder, "state.json"), state);
    const [fromFile, fromInput] = [await drift("--state state.json"), await drift("--state -", { input: state })];
    expect(fromFile).toMatchObject({ code: 2, err: "" });
    expect(fromInput).toEqual(fromFile);
  });

  test("prints the command that repairs it, and after that there is none", async () => {
    await byHand("POST auth/jwt/role/claims", { bound_claims: { project: "needle-1" } });
    const { commands } = JSON.parse((await drift("--json --decrypt --fix-with up")).out);
    const words = commands[0].replaceAll("\\\n", " ").replaceAll("'", "").split(/\s+/).slice(1);

    await story.pulumi(`${words.join(" ")} --yes --skip-preview`);

    expect(await drift("")).toMatchObject({ code: 0 });
    expect(story.ours.records().secrets["auth/jwt/role/nightly"]).toMatchObject({ token_ttl: 60 });
  });

  test("cannot tell when the server is away, and says so in every report", async () => {
    await story.ours.close();
    const { code, out } = await drift("--html drift.html --sarif drift.sarif");
    expect(code).toBe(1);
    expect(out).toMatch(/^Incomplete, drift cannot be ruled out in story\/dev: 4 resources, 4 could not be read/);
    const read = (file: string) => readFileSync(join(story.sandbox.programFolder, file), "utf8");
    expect(read("drift.html")).toContain("could not tell");
    expect(JSON.parse(read("drift.sarif")).runs[0].invocations[0].executionSuccessful).toBe(false);
  });
});

const program = `const pulumi = require("@pulumi/pulumi");
const trustplane = require("trustplane");
const common = { roleType: "jwt", userClaim: "sub", boundAudiences: ["https://secrets.example.com"] };
new trustplane.jwt.Role("ci", { ...common, name: "ci", tokenTtl: "15m" });
new trustplane.jwt.Role("nightly", { ...common, name: "nightly", tokenTtl: 60 });
new trustplane.jwt.Role("claims", { ...common, name: "claims", boundClaims: { project: pulumi.secret("needle-1") } });
new trustplane.policy.Parameter("hidden", {
  policySetId: "polset-demo000000000001", key: "hidden", value: "needle-3", sensitive: true,
});
`;
