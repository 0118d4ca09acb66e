import { beforeAll, describe, expect, test } from "vitest";
import { faultScript } from "../../server/faults/fault-script.ts";
import { type ExportedResource, needsPulumi } from "../support/pulumi-sandbox.ts";
import { makeSecret, tracesIn } from "./needle.ts";
import { openingMs, openStory, type Story } from "./pulumi-story.ts";

/** Pulumi's mark of a value that is encrypted in the state. */
const encrypted = expect.objectContaining({ ciphertext: expect.any(String) });

/** What users know of resource options holds for the plugin's resources; each test goes on where the one before it ended. */
describe("the options of native resources", needsPulumi(), () => {
  let story: Story;
  const secret = makeSecret();
  const role = (name: string) => story.ours.records().secrets[`auth/jwt/role/${name}`];
  const recorded = async (name: string): Promise<ExportedResource | undefined> =>
    (await story.resources()).find(({ urn }) => urn.endsWith(`::${name}`));
  const writes = () => story.requests().filter((request) => !request.startsWith("GET"));

  beforeAll(async () => {
    story = await openStory({
      program: { source: program() },
      env: () => ({ NEEDLE: secret, VAULT_MAX_RETRIES: "0" }),
    });
    return story.close;
  }, openingMs);

  test("a secret inside a list is the only part of it that is encrypted, before and after a refresh", async () => {
    await story.pulumi("up --yes --skip-preview");
    const claims = { project: [encrypted, "plain"], ref: "main" };
    const first = await recorded("secretive");
    await story.pulumi("refresh --yes --skip-preview");
    const second = await recorded("secretive");

    expect(first?.inputs?.["boundClaims"]).toEqual(claims);
    expect(second?.outputs?.["boundClaims"]).toEqual(claims);
    expect(role("secretive")).toMatchObject({ bound_claims: { project: [secret, "plain"] } });
    expect(tracesIn(JSON.stringify(await story.sandbox.export()), { secret })).toEqual([]);
  });

  test("additionalSecretOutputs hides an output", async () => {
    expect((await recorded("secretive"))?.outputs?.["userClaim"]).toEqual(encrypted);
  });

  test("replaceOnChanges of a nested member replaces, and deletes first", async () => {
    story.rewrite(program("b"));
    writes();

    const { text } = await story.pulumi("up --yes --skip-preview");

    expect(text).toMatch(/1 replaced/);
    expect(writes()).toEqual(["DELETE auth/jwt/role/forced", "POST auth/jwt/role/forced"]);
    expect(role("forced")).toMatchObject({ bound_claims: { team: "b", ref: "main" } });
  });

  test("a forced replacement of a class that does not delete first keeps the record that was just taken over", async () => {
    const raw = await recorded("raw");
    writes();

    const { text } = await story.pulumi(`up --yes --skip-preview --target-replace ${raw?.urn}`);

    expect(text).toMatch(/jwt\.Role "raw" was written by this run, and is not deleted/);
    // The replacement finds its record as it is declared: nothing is written, and nothing may be deleted.
    expect(writes()).toEqual([]);
    expect(role("raw")).toBeDefined();
  });

  test("customTimeouts end an operation, which says so", async () => {
    story.ours.faults.add(faultScript.parse("GET auth/jwt/role/slow slow:20000"));
    story.rewrite(`${program("b")}
new trustplane.jwt.Role("slow", { ...common, name: "slow" }, { customTimeouts: { create: "1s" } });`);

    const { text, durationMs } = await story.pulumi("up --yes --skip-preview", { code: 1 });

    expect(text).toMatch(/creating jwt\.Role "slow": .*its timeout of 1 s is over \(customTimeouts\)/);
    expect(durationMs).toBeLessThan(20_000);
    expect(role("slow")).toBeUndefined();
  });
});

function program(team = "a"): string {
  return `
const pulumi = require("@pulumi/pulumi");
const trustplane = require("trustplane/native");
const common = { roleType: "jwt", userClaim: "sub", boundAudiences: ["https://secrets.example.com"] };
const secret = pulumi.secret(process.env.NEEDLE);
new trustplane.jwt.Role("secretive", { ...common, name: "secretive", boundClaims: { project: [secret, "plain"], ref: "main" } },
  { additionalSecretOutputs: ["userClaim"] });
new trustplane.jwt.Role("forced", { ...common, name: "forced", boundClaims: { team: "${team}", ref: "main" } },
  { replaceOnChanges: ["boundClaims.team"] });
new pulumi.CustomResource("trustplane:jwt/role:Role", "raw", { ...common, name: "raw" });
`;
}
