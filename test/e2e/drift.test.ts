import { beforeAll, describe, expect, test } from "vitest";
import { rawApi } from "../support/contract-raw.ts";
import { needsPulumi } from "../support/pulumi-sandbox.ts";
import { changesFound, openingMs, openStory, type Story } from "./pulumi-story.ts";

/** Somebody works on the server by hand; each test goes on where the one before it ended. */
describe("drift", needsPulumi(), () => {
  let story: Story;
  // A write that does not name the role's type makes it `oidc` again.
  const byHand = (line: string, fields = {}) =>
    rawApi("secrets", story.ours.secrets).call(line, { role_type: "jwt", ...fields });
  const role = (name: string) => story.ours.records().secrets[`auth/jwt/role/${name}`];

  beforeAll(async () => {
    story = await openStory({ program: { source: program } });
    await story.pulumi("up --yes --skip-preview");
    return story.close;
  }, openingMs);

  test("a refresh of what nobody has touched finds nothing", async () => {
    await story.pulumi("refresh --preview-only --expect-no-changes");
  });

  test("a changed record is found, and shown property by property", async () => {
    await byHand("POST auth/jwt/role/ci", { token_ttl: 43_200, token_policies: ["deploy", "admin"] });

    const { text } = await story.pulumi("refresh --preview-only --diff --expect-no-changes", { code: changesFound });

    expect(text).toMatch(/tokenTtl\s*: "15m" => "12h"/);
    expect(text).toMatch(/tokenPolicies/);
    expect(text).toMatch(/"admin"/);
    expect(text).not.toMatch(/boundAudiences/);
  });

  test("up with a refresh repairs it, and touches nothing else", async () => {
    story.requests();

    const { text } = await story.pulumi("up --refresh --yes --skip-preview");

    expect(text).toMatch(/1 updated/);
    expect(role("ci")).toMatchObject({ token_ttl: 900, token_policies: ["deploy"] });
    expect(story.requests().filter((request) => request.startsWith("POST"))).toEqual(["POST auth/jwt/role/ci"]);
  });

  test("a deleted record is found, and made again by the next up", async () => {
    await byHand("DELETE auth/jwt/role/nightly");

    const { text } = await story.pulumi("refresh --yes --skip-preview");
    expect(text).toMatch(/jwt:Role nightly deleted/);

    await story.pulumi("up --yes --skip-preview");
    expect(role("nightly")).toMatchObject({ token_ttl: 60 });
  });

  test("a field that was set by hand, and that the program never had, is found and reset", async () => {
    await byHand("POST auth/jwt/role/nightly", { bound_subject: "somebody", verbose_oidc_logging: true });

    const { text } = await story.pulumi("up --refresh --yes --skip-preview --diff");

    expect(text).toMatch(/boundSubject/);
    expect(role("nightly")).toMatchObject({ bound_subject: "", verbose_oidc_logging: false });
  });
});

const program = `
const trustplane = require("trustplane");
const common = { roleType: "jwt", userClaim: "sub", boundAudiences: ["https://secrets.example.com"] };
new trustplane.jwt.Role("ci", { ...common, name: "ci", tokenPolicies: ["deploy"], tokenTtl: "15m" });
new trustplane.jwt.Role("nightly", { ...common, name: "nightly", tokenTtl: 60 });
`;
