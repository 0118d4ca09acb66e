import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { SignJWT } from "jose";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { nearestMiss } from "../../cli/facts/trust/nearest-miss.ts";
import type { Values } from "../../provider/core/definition.ts";
import {
  config,
  deployRole,
  explainCases,
  explainSteps,
  ISSUER,
  policy,
  rightClaims,
} from "../support/explain-cases.ts";
import { serve } from "../support/loopback-server.ts";
import { folderOfTest } from "../support/temporary-folder.ts";
import { create } from "../support/trust-cases.ts";
import { explained, inside, privateKey, explainToken as token } from "./explain-harness.ts";
import { previewJson } from "./preview-text.ts";
import { runCli } from "./run-cli.ts";

const now = Math.floor(Date.now() / 1000);

describe("trustplane explain", () => {
  it("says what a login with a token would get", async () => {
    const { out } = await explained([...token, inside], rightClaims);
    expect(out).toContain("The login would get policies default, deploy for 15m.");
  });

  it.each(explainCases)("$title", async ({ steps, claims, address = inside, misses = [], wouldLogIn }) => {
    const { code, out } = await explained([...token, address], { ...rightClaims, ...claims }, steps);
    const missed = [...out.matchAll(/^MISS {2}(\S+):/gm)].map(([, property]) => property);
    expect(missed).toEqual(misses);
    expect(out).toContain(wouldLogIn ? "The login would get " : "The login would be refused: ");
    expect(code).toBe(wouldLogIn ? 0 : 2);
  });

  it.each([
    [
      "another value",
      { job: { ref: "refs/heads/main" } },
      "`/job/ref` is `refs/heads/main`, the nearest of 2 bounds is `main`",
    ],
    [
      "a value near another one",
      { job: { ref: "released" } },
      "`/job/ref` is `released`, the nearest of 2 bounds is `release`",
    ],
    ["several values", { job: { ref: ["x", "mains"] } }, "`/job/ref` is `mains`, the nearest of 2 bounds is `main`"],
    ["a value of another type", { job: { ref: 7 } }, '`/job/ref` is `7`, the nearest of 2 bounds is `"main"`'],
    ["no value", { project_path: undefined }, "`project_path` is not in the token, bound is `acme/*`"],
    ["another issuer", { iss: "https://x.example" }, `\`iss\` is \`https://x.example\`, bound is \`${ISSUER}\``],
    ["a time that is over", { exp: now - 7200 }, "`exp` was 2h"],
    ["a time to come", { nbf: now + 7200 }, "`nbf` is in "],
  ])("shows the nearest miss of a token with %s", async (_, wrong, miss) => {
    const { out } = await explained([...token, inside], { ...rightClaims, exp: now + 86_400, ...wrong });
    expect(out).toContain(`\n      ${miss}`);
    expect(out.match(/^ {6}`/gm)).toHaveLength(1);
  });

  // https://github.com/hashicorp/vault-plugin-auth-jwt/issues/218, https://github.com/hashicorp/vault-plugin-auth-jwt/issues/382,
  // https://docs.github.com/actions/reference/openid-connect-reference (immutable subjects)
  it.each([
    [
      { boundSubject: "repo:acme/app:*", boundClaims: undefined },
      'bound is `repo:acme/app:*`. The `*` is a plain character there: bind the claim in boundClaims, with boundClaimsType: "glob"',
    ],
    [
      { boundClaims: { sub: "repo:acme/.*" }, boundClaimsType: "glob" },
      "A glob is no regular expression: `*` alone stands for any text",
    ],
    [
      { boundClaims: { sub: "repo:acme/app:ref:refs/heads/*" }, boundClaimsType: "glob" },
      "bind `repo:acme@12/app@34:ref:refs/heads/*`",
      "repo:acme@12/app@34:ref:refs/heads/main",
    ],
    [
      { boundSubject: "repo:acme/app:ref:refs/heads/main", boundClaims: undefined },
      "GitHub puts the numbers of owner and repository into the subject of newer repositories: bind `repo:acme@12/app@34:ref:refs/heads/main`",
      "repo:acme@12/app@34:ref:refs/heads/main",
    ],
    [
      { boundSubject: "repo:acme/app:ref:refs/heads/x", boundClaims: undefined },
      "bound is `repo:acme/app:ref:refs/heads/x`\n",
    ],
  ])(
    "says why a subject only looks as if %j allowed it",
    async (bound, said, sub = "repo:acme/app:ref:refs/heads/main") => {
      const { out } = await explained([...token, inside], { ...rightClaims, sub }, [config, deployRole(bound), policy]);
      expect(out).toContain(said);
    },
  );

  it("takes no time for a bound with many `*` that a token only nearly fits", () => {
    const bound = `${"*a".repeat(5)}*b`;
    const began = performance.now();
    expect(nearestMiss("sub", "a".repeat(100), [bound])).toMatch(/bound is `[*ab]+`$/);
    expect(performance.now() - began).toBeLessThan(500);
  });

  // https://github.com/hashicorp/vault-plugin-auth-jwt/pull/365
  it("says that groups are elsewhere, where the token says so", async () => {
    const claims = {
      ...rightClaims,
      _claim_names: { groups: "src1" },
      _claim_sources: { src1: { endpoint: "https://x" } },
    };
    const { out } = await explained([...token, inside], claims, [
      config,
      deployRole({ groupsClaim: "groups" }),
      policy,
    ]);
    expect(out).toContain("`groups` must be there: the token says by `_claim_names` that it is elsewhere");
  });

  it.each([
    ["JOB_JWT", ["--token-env", "JOB_JWT"]],
    ["VAULT_ID_TOKEN", []],
  ])("takes the token that a job of GitLab has in %s", async (variable, words) => {
    const jwt = await new SignJWT({ ...rightClaims }).setProtectedHeader({ alg: "ES256" }).sign(privateKey);
    vi.stubEnv(variable, jwt);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { code, out, err } = await explained([...token, inside, ...words]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).not.toContain(jwt);
  });

  it.each(["none", "HS256", undefined])("refuses a token whose header has the algorithm %s", async (alg) => {
    const parts = [{ alg }, rightClaims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"));
    vi.stubEnv("JOB_JWT", `${parts.join(".")}.${alg === "none" ? "" : "c2ln"}`);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { code, out } = await explained([...token, inside, "--token-env", "JOB_JWT"]);
    expect({ code, out }).toEqual({
      code: 2,
      out: expect.stringContaining("The login would be refused: the token's header"),
    });
    expect(out).toMatch(/which the server does not take/);
  });

  it("ends with 1 for a variable that is not set, and for two tokens", async () => {
    const named = [...token, inside, "--token-env", "NOT_THERE"];
    expect(await explained(named)).toMatchObject({ code: 1, err: expect.stringContaining("NOT_THERE") });
    const both = await explained(named, rightClaims);
    expect(both).toMatchObject({ code: 1, err: expect.stringContaining("both name a token") });
  });

  it("takes the token of the standard input", async () => {
    const folder = folderOfTest();
    writeFileSync(join(folder, "state"), previewJson({ steps: explainSteps }));
    const jwt = await new SignJWT({ ...rightClaims }).setProtectedHeader({ alg: "ES256" }).sign(privateKey);
    const run = (state: string) => runCli(["explain", ...token, inside, "--state", state, "--token", "-"], `${jwt}\n`);
    expect(await run(join(folder, "state"))).toMatchObject({ code: 0, err: "" });
    expect(await run("-")).toMatchObject({ code: 1, err: expect.stringContaining("both name the standard input") });
  });

  it.each([
    ["gives one", 200, 0],
    ["refuses", 403, 1],
  ])("asks GitHub Actions for the token of the job, which %s, and shows none", async (_, status, code) => {
    const jwt = await new SignJWT({ ...rightClaims }).setProtectedHeader({ alg: "ES256" }).sign(privateKey);
    const asked: (string | undefined)[] = [];
    const { origin } = await serve((request, response) => {
      asked.push(request.url, request.headers.authorization);
      response.writeHead(status).end(JSON.stringify({ value: jwt }));
    });
    vi.stubEnv("ACTIONS_ID_TOKEN_REQUEST_URL", `${origin}/token?api-version=2`);
    vi.stubEnv("ACTIONS_ID_TOKEN_REQUEST_TOKEN", "needle-request");
    onTestFinished(() => void vi.unstubAllEnvs());
    const run = await explained([...token, inside, "--audience", "vault"]);
    expect(asked).toEqual(["/token?api-version=2&audience=vault", "Bearer needle-request"]);
    expect(run.code).toBe(code);
    for (const secret of [jwt, "needle"]) expect(run.out + run.err).not.toContain(secret);
  });

  it("says from which network a token must come", async () => {
    const { out } = await explained([...token, "127.0.0.1"], rightClaims);
    expect(out).toContain('MISS  tokenBoundCidrs: the token has 127.0.0.1, the role wants ["127.2.0.0/16"]');
  });

  it("says who can have a policy", async () => {
    const { code, out } = await explained(["who", "--policy", "deploy"]);
    expect(out).toBe(
      `Role deploy of auth/jobs: Every token of ${ISSUER} from "127.2.0.0/16" whose aud is "vault", and whose project_path is like "acme/*", and whose /job/ref is like "main" or "release".\n`,
    );
    expect(code).toBe(0);
    const unused = create("sys:Policy", "admin", { name: "admin", policy: "" });
    const mount = create("sys:AuthMount", "machines", { path: "machines", type: "approle" });
    expect(await explained(["who", "--policy", "Admin"], undefined, [config, deployRole(), unused, mount])).toEqual({
      code: 0,
      out: "Nobody gets policy Admin from this stack.\n",
      err: "trustplane: not looked at: the roles of auth/machines (approle): only explain who --live reads them.\n",
    });
  });

  it("does not take a policy that nobody knows for one that nobody has", async () => {
    expect(await explained(["who", "--policy", "deplyo"])).toMatchObject({
      code: 1,
      out: "",
      err: "trustplane: the stack has no policy deplyo, and no role or group there names it; did you mean deploy?\n",
    });
  });

  it.each([
    ["nobody says who they are", {}, "Its members, of whom the stack says nothing."],
    [
      "they are entities and groups",
      { memberEntityIds: ["e-1"], memberGroupIds: ["g-1", "g-9"] },
      "Its members: the entity e-1, everybody in the group people, everybody in the group g-9.",
    ],
    ["logins decide, and none can", { type: "external" }, "Nobody, because it has no alias."],
  ])("names the direct members of a group where %s", async (_, members, sentence) => {
    const group = (name: string, id: string, more: Values) => ({
      urn: `urn:pulumi:dev::story::trustplane:identity/group:Group::${name}`,
      type: "trustplane:identity/group:Group",
      custom: true,
      id: `identity/group/name/${name}`,
      inputs: { name, ...more },
      outputs: { name, ...more, groupId: id },
    });
    const resources = [
      group("people", "g-1", { type: "internal" }),
      group("deployers", "g-2", { type: "internal", policies: ["deploy"], ...members }),
    ];
    const state = JSON.stringify({ version: 3, deployment: { resources } });
    const { code, out } = await runCli(["explain", "who", "--policy", "deploy", "--state", "-"], state);
    expect(out).toBe(`Group deployers: ${sentence}\n`);
    expect(code).toBe(0);
  });

  it("says of a claim without a value that no token has it", async () => {
    const { out } = await explained(["role", "deploy"], undefined, [config, deployRole({ boundClaims: { a: [] } })]);
    expect(out).toContain("whose a is one of none, which no token can have.");
  });

  it("says what a role gives", async () => {
    const { code, out } = await explained(["role", "deploy"]);
    expect(out).toContain("  policy deploy\n    secret/*: list, read\n");
    expect(code).toBe(0);
  });

  it("says that every login gets policy default, and which roles give it", async () => {
    const role = (name: string, more: Values) => ({ ...deployRole({ name, ...more }), name });
    const steps = [config, role("a", {}), role("b", { tokenNoDefaultPolicy: true }), policy];
    const { out } = await explained(["who", "--policy", "default"], undefined, steps);
    expect(out).toMatch(/^Every login, and every token that is created: .*\nRole a of auth\/jobs: .*\n$/);
  });

  // Vault keeps the names of policies, and of roles for JWTs, in lower case.
  it("says where a claim may fill in the name of the policy", async () => {
    const role = deployRole({ tokenPolicies: ["{{.team}}"], tokenPoliciesTemplateClaims: true });
    const { code, out } = await explained(["who", "--policy", "admin"], undefined, [config, role]);
    expect(code).toBe(1);
    expect(out).toMatch(
      /^Whether there is such a policy cannot be told: the stack has no policy admin, .*\nRole deploy of .* cannot be told: /,
    );
    expect(out).toContain("Whether it gives admin cannot be told: claims of the token fill in the name of a policy.");
    const other = deployRole({ tokenPolicies: ["team-{{.team}}"], tokenPoliciesTemplateClaims: true });
    const { out: none } = await explained(["who", "--policy", "admin"], undefined, [config, other]);
    expect(none).not.toContain("cannot be told");
  });

  it("compares names of policies and roles as Vault does, in any letter case", async () => {
    const steps = [config, deployRole({ name: "Deploy", tokenPolicies: ["Deploy"] }), policy];
    for (const asked of ["deploy", "Deploy", " DEPLOY "]) {
      const { out } = await explained(["who", "--policy", asked], undefined, steps);
      expect(out, asked).toMatch(/^Role deploy of auth\/jobs: Every token/);
    }
    const { out } = await explained(["role", "DEPLOY", "--mount", "auth/jobs/"], undefined, steps);
    expect(out).toContain("  policy deploy\n    secret/*: list, read\n");
  });

  it.each([
    ["a role that is not there", ["role", "other"], undefined, "the stack has no role other."],
    [
      "a role by its path",
      ["role", "auth/jobs/role/deploy"],
      undefined,
      "the stack has no role auth/jobs/role/deploy. Give the role's name alone, and its mount by --mount.",
    ],
    [
      "a role of another mount",
      ["token", "--mount", "x", "--role", "deploy"],
      rightClaims,
      "the stack has no role deploy at auth/x.",
    ],
  ])("ends with 1 for %s", async (_, words, claims, message) => {
    expect(await explained(words, claims)).toMatchObject({ code: 1, err: `trustplane: ${message}\n` });
  });

  it("does not repeat what is no token", async () => {
    const folder = folderOfTest();
    writeFileSync(join(folder, "jwt"), "hvs.secret");
    const { code, err } = await explained([...token, inside, "--token", join(folder, "jwt")]);
    expect(err).toBe("trustplane: this is no JWT: give the token as the issuer has made it.\n");
    expect(code).toBe(1);
  });
});
