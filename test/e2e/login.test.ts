import { beforeAll, describe, expect, test } from "vitest";
import { rawApi } from "../support/contract-raw.ts";
import { jobKeyPem, jobToken } from "../support/jwt-logins.ts";
import { needsPulumi } from "../support/pulumi-sandbox.ts";
import { libraries } from "./libraries.ts";
import { openingMs, openStory, type Story } from "./pulumi-story.ts";
import { runDrift } from "./run-drift.ts";

/** A job of CI: no token anywhere, and an identity token in a variable. */
describe.each(libraries)("a login with a JWT, with %s", needsPulumi(), (library) => {
  let story: Story;
  let jwt: string;
  const raw = () => rawApi("secrets", story.ours.secrets);
  const tokens = async () => {
    const answer = (await raw().call("LIST auth/token/accessors")) as { data: { keys: string[] } };
    return answer.data.keys.length;
  };

  beforeAll(async () => {
    jwt = await jobToken();
    story = await openStory({
      program: { source: programWith(library) },
      env: () => ({ VAULT_TOKEN: "", BAO_TOKEN: "", JOB_TOKEN: jwt }),
      config: ({ ours }) => ({
        "trustplane:secrets": JSON.stringify({
          address: ours.secrets.address,
          login: { method: "jwt", mount: "ci", role: "ci", jwtEnv: "JOB_TOKEN" },
        }),
      }),
    });
    await raw().call("POST sys/auth/ci", { type: "jwt" });
    await raw().call("POST auth/ci/config", { jwt_validation_pubkeys: [jobKeyPem] });
    await raw().call("POST sys/policies/acl/ci", {
      policy: 'path "*" { capabilities = ["create", "read", "update", "delete", "list"] }',
    });
    const role = { role_type: "jwt", user_claim: "sub", bound_audiences: ["trustplane"], token_policies: ["ci"] };
    await raw().call("POST auth/ci/role/ci", role);
    return story.close;
  }, openingMs);

  test("an update, a failed one and drift detection leave no token behind", async () => {
    const before = await tokens();
    await story.pulumi("up --yes --skip-preview");
    expect(Object.keys(story.ours.records().secrets)).toContain("auth/jwt/role/r4");
    expect(await tokens()).toBe(before);

    expect((await runDrift(story, "")).out).toMatch(/^No drift in story\/dev: 5 resources;/);
    expect(await tokens()).toBe(before);

    await raw().call("POST auth/ci/role/ci", { role_type: "jwt", token_policies: ["nobody"] });
    story.rewrite(programWith(library).replaceAll("1h", "2h"));
    const { text } = await story.pulumi("up --yes --skip-preview", { code: 1 });
    expect(text).toContain("403 permission denied");
    expect(await tokens()).toBe(before);
  });

  test("neither the state nor what is printed has the JWT or a token", async () => {
    const { text } = await story.pulumi("preview");
    const state = JSON.stringify(await story.sandbox.export());
    for (const secret of [jwt, "hvs."]) {
      expect(text).not.toContain(secret);
      expect(state).not.toContain(secret);
    }
  });
});

const programWith = (library: string) => `
const trustplane = require("${library}");
for (let index = 0; index < 5; index += 1)
  new trustplane.jwt.Role("r" + index, { name: "r" + index, roleType: "jwt", userClaim: "sub", tokenTtl: "1h", boundSubject: "s" });
`;
