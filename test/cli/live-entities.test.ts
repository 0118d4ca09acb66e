import { describe, expect, it } from "vitest";
import { runTrustTests } from "../../cli/facts/trust/run-tests.ts";
import { checkedTests } from "../../cli/facts/trust/trust-file.ts";
import { definitions } from "../../provider/resources/index.ts";
import { faultScript } from "../../server/faults/fault-script.ts";
import { passOn, serve } from "../support/loopback-server.ts";
import { fileOfTest } from "../support/temporary-folder.ts";
import { publicKeyPem } from "../support/valid-inputs.ts";
import { openStack, run, type Wanted } from "./drift-harness.ts";

const role = { roleType: "jwt", userClaim: "sub", boundAudiences: ["vault"], boundClaims: { ref: "main" } };
const wanted: readonly Wanted[] = [
  { resource: "sysAuthMount", name: "jobs", args: { path: "jobs", type: "jwt" } },
  { resource: "sysPolicy", name: "admin", args: { name: "admin", policy: 'path "*" { capabilities = ["sudo"] }' } },
  { resource: "sysPolicy", name: "deploy", args: { name: "deploy", policy: 'path "x" { capabilities = ["read"] }' } },
  { resource: "jwtRole", name: "ci", args: { mount: "jobs", name: "ci", tokenPolicies: ["deploy"], ...role } },
];

const tests = `tests:
  - name: nobody is admin
    never: { mount: jobs, policy: admin }
  - name: nobody but alice is admin
    never: { mount: jobs, policy: admin, unless: { sub: alice } }
  - name: main deploys
    login: { mount: jobs, role: ci, claims: { sub: alice, ref: main } }
    expect: { policies: [deploy], mayNot: { "sys/policies/*": [sudo] } }
  - name: another branch does not
    login: { mount: jobs, role: ci, claims: { sub: alice, ref: dev } }
    expect: refused
`;

const jwt = (claims: object) =>
  ["eyJhbGciOiJFUzI1NiJ9", Buffer.from(JSON.stringify(claims)).toString("base64url"), "c2ln"].join(".");

/** Servers with those who have logged in: alice, and people without policies. */
async function opened() {
  const { env, raw, server } = await openStack(wanted);
  const { call } = raw("secrets");
  const { data: mounts } = (await call("GET sys/auth")) as { data: Record<string, { accessor: string }> };
  const entity = async (name: string, policies: readonly string[], mount = "jobs/") => {
    const { data } = (await call("POST identity/entity", { name: `of ${name}`, policies })) as { data: { id: string } };
    const accessor = mounts[mount]?.accessor;
    await call("POST identity/entity-alias", { name, canonical_id: data.id, mount_accessor: accessor });
    return data.id;
  };
  const id = await entity("alice", []);
  await entity("elsewhere", ["admin"], "token/");
  await entity("a person", []);
  const file = fileOfTest("trust.yml", tests);
  const tested = async (address = env["VAULT_ADDR"] ?? "") => {
    const { code, out, err } = await run(["test", file, "--live", "--json"], { ...env, VAULT_ADDR: address });
    const report = JSON.parse(out) as { tests: readonly { problems: readonly string[] }[] };
    return { code, err, problems: report.tests.map(({ problems }) => problems) };
  };
  const explained = async (claims: object) => {
    const of = ["--mount", "jobs", "--role", "ci", "--token", fileOfTest("jwt", jwt(claims))];
    return (await run(["explain", "token", ...of, "--live"], env)).out;
  };
  return { id, call, env, tested, explained, server };
}

describe("policies of entities on live servers", () => {
  it("are those of the logins whose alias the entity has", async () => {
    const { id, call, env, tested, explained } = await opened();
    expect(await tested()).toEqual({ code: 0, err: "", problems: [[], [], [], []] });
    await call(`POST identity/entity/id/${id}`, { policies: ["Admin"] });
    const given = 'role ci gives policy admin to a token with the claims {"sub":"alice","ref":"main"}';
    expect(await tested()).toEqual({
      code: 2,
      err: "",
      problems: [
        [`${given}, by the entity of alice (identity/entity/id/${id})`],
        [],
        ["the token also has policy admin", expect.stringMatching("^the token may sudo sys/policies/")],
        [],
      ],
    });
    const role = await run(["explain", "role", "ci", "--live"], env);
    expect(role.out).toContain("  Whose user is alice, by the entity on the server\n    policy admin\n      *: sudo\n");
    const times = { iat: Math.floor(Date.now() / 1000), exp: Math.floor(Date.now() / 1000) + 300 };
    expect(await explained({ sub: "alice", ref: "main", aud: "vault", ...times })).toContain(
      "The login would get policies admin, default, deploy",
    );
  });

  // Vault 1.21 answers its login with 403.
  it("are nobody's where the entity is disabled: its logins are refused", async () => {
    const { id, call, env, tested, explained } = await opened();
    await call(`POST identity/entity/id/${id}`, { policies: ["admin"], disabled: true });
    const { code, problems } = await tested();
    expect({ code, problems }).toEqual({
      code: 2,
      problems: [[], [], ["the login is refused: permission denied"], []],
    });
    const times = { iat: Math.floor(Date.now() / 1000), exp: Math.floor(Date.now() / 1000) + 300 };
    expect(await explained({ sub: "alice", ref: "main", aud: "vault", ...times })).toContain("permission denied");
    const who = await run(["explain", "who", "--policy", "admin", "--live"], env);
    expect(who.out).toContain("Entity of elsewhere");
    expect(who.out).not.toContain("Entity of alice");
    expect((await run(["explain", "role", "ci", "--live"], env)).out).not.toContain("alice");
  });

  it("cannot be told where they cannot be read, or are too many", async () => {
    const { env, tested, server } = await opened();
    const verdict = async (why: string, address?: string) => {
      const unread = `the policies of the servers' entities were not read: ${why}`;
      const { code, err, problems } = await tested(address);
      const role = await run(["explain", "role", "ci", "--live"], {
        ...env,
        ...(address ? { VAULT_ADDR: address } : {}),
      });
      expect(role.out).toMatch(new RegExp(`  It may get other policies, too: ${unread}`));
      expect(err).toMatch(new RegExp(`^trustplane: not looked at: .*entities: ${why}.*\n$`));
      expect({ code, problems }).toEqual({
        code: 2,
        problems: [
          [expect.stringMatching(`^it cannot be told whether a login at auth/jobs gets policy admin: ${unread}`)],
          [expect.stringMatching(unread)],
          [expect.stringMatching(`^it cannot be told whether the token has other policies, too: ${unread}`)],
          [],
        ],
      });
    };
    const { origin } = await serve((request, response) => {
      if (!request.url?.startsWith("/v1/identity/entity/id?"))
        return void passOn(env["VAULT_ADDR"] ?? "", request, response);
      const data = { keys: Array.from({ length: 10_001 }, (_, each) => `id-${each}`) };
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ data }));
    });
    await verdict("no more than 10000 are read", origin);
    server.faults.add(faultScript.parse("GET identity/entity/id/* 403"));
    await verdict(".*403");
    server.faults.add(faultScript.parse("LIST identity/entity/id 403"));
    await verdict(".*403");
  });
});

describe("of two servers", () => {
  /** The same role on both, which gives another policy, and a person who is an administrator on the other one. */
  async function both() {
    const here = await opened();
    const there = await openStack([
      ...wanted.slice(0, 2),
      {
        resource: "sysPolicy",
        name: "deploy",
        args: { name: "deploy", policy: 'path "y" { capabilities = ["read"] }' },
      },
      {
        resource: "jwtRole",
        name: "ci",
        args: { mount: "jobs", name: "ci", tokenPolicies: ["deploy", "admin"], ...role },
      },
      { resource: "jwtRole", name: "own", args: { mount: "jobs", name: "own", tokenPolicies: ["deploy"], ...role } },
    ]);
    await here.call(`POST identity/entity/id/${here.id}`, { policies: ["admin"] });
    await here.call("POST auth/jobs/role/here", {
      ...{ role_type: "jwt", user_claim: "sub", bound_audiences: "vault" },
      bound_claims: { ref: "main" },
    });
    const env = { ...here.env, EAST: there.env["VAULT_TOKEN"] ?? "" };
    const flags = ["--live", `--connection=east=${there.env["VAULT_ADDR"]},service=secrets,tokenEnv=EAST`];
    const asked = async (tests: readonly object[]) => {
      const named = tests.map((each, at) => ({ name: `test ${at}`, ...each }));
      const file = fileOfTest("trust.json", JSON.stringify({ tests: named }));
      const { out, err } = await run(["test", file, "--json", ...flags], env);
      expect(err).toBe("");
      const report = JSON.parse(out) as { tests: readonly { problems: readonly string[] }[] };
      return report.tests.map(({ problems }) => problems);
    };
    const explained = (...words: string[]) => run(["explain", ...words, ...flags], env);
    const tokenFor = (role: string) => {
      const iat = Math.floor(Date.now() / 1000);
      const file = fileOfTest("jwt", jwt({ sub: "alice", ref: "main", aud: "vault", iat, exp: iat + 300 }));
      return explained("token", "--mount", "jobs", "--role", role, "--token", file);
    };
    return { asked, explained, tokenFor, call: here.call };
  }

  it("each role has the policies, groups and entities of its own", async () => {
    const { explained, tokenFor, call } = await both();
    const { code, out } = await explained("role", "ci");
    expect(code).toBe(0);
    expect(out).toBe(
      [
        'Role ci of auth/jobs: Every token whose aud is "vault", and whose ref is "main".',
        "  policy deploy",
        "    x: read",
        "  Whose user is alice, by the entity on the server",
        "    policy admin",
        "      *: sudo",
        'Role ci of auth/jobs of east: Every token whose aud is "vault", and whose ref is "main".',
        "  policy deploy",
        "    y: read",
        "  policy admin",
        "    *: sudo",
        "",
      ].join("\n"),
    );
    expect((await explained("role", "own")).out).not.toContain("alice");
    const who = await explained("who", "--policy", "admin");
    expect(who.out).toMatch(/^Role ci of auth\/jobs of east: .*\n(?!Role)/);
    expect(await tokenFor("ci")).toMatchObject({
      code: 1,
      err: expect.stringContaining("several servers have a role ci at auth/jobs: name only"),
    });
    expect((await tokenFor("own")).out).toMatch(/get policies default, deploy /);
    expect((await tokenFor("here")).out).toMatch(/get policies admin, default /);
    // The method of another server says nothing of its issuer.
    await call("POST auth/jobs/config", {
      jwt_validation_pubkeys: [publicKeyPem()],
      bound_issuer: "https://here.example",
    });
    expect((await explained("who", "--policy", "admin")).out).toBe(who.out);
    expect((await explained("who", "--policy", "deploy")).out).toContain("/jobs: Every token of https://here.example ");
  });

  it("a test is of the server that has its role, and of none where both have", async () => {
    const { asked } = await both();
    const claims = { sub: "alice", ref: "main" };
    const login = (role: string, more = {}) => ({ mount: "jobs", role, claims, ...more });
    const problems = await asked([
      { login: login("own"), expect: { policies: ["deploy"] } },
      { login: login("here"), expect: { policies: ["admin"] } },
      { login: login("ci"), expect: { policies: ["deploy"] } },
      { login: login("ci", { connection: "" }), expect: { policies: ["deploy", "admin"] } },
      { login: login("ci", { connection: "east" }), expect: { policies: ["deploy", "admin"] } },
      { never: { mount: "jobs", policy: "admin", connection: "east", unless: { ref: "main" } } },
    ]);
    expect(problems).toEqual([[], [], [expect.stringMatching(/more than one .*which one it means/)], [], [], []]);
  });
});

// Groups of LDAP may be called so, and the embedded server has none: its roles stand for them. Vault lists a name with a slash as a folder, and nothing below it.
it("has the policies of names with any characters, or says which it could not look at", async () => {
  const groups = ["Domain Admins", "50% off", "\u00c4rzte?#", "a\nRole b", "old"];
  const { env, raw } = await openStack(wanted);
  await raw("secrets").call("POST sys/auth/people", { type: "approle" });
  const { VAULT_ADDR = "" } = env;
  const { origin } = await serve((request, response) => {
    const [, path] = /^\/v1\/auth\/people\/([^?]*)/.exec(request.url ?? "") ?? [];
    if (path === undefined) return void passOn(VAULT_ADDR, request, response);
    const name = decodeURIComponent(path.replace(/^role\/?/, ""));
    const found = path.startsWith("role") && name !== "old";
    const data = name === "" ? { keys: [...groups, "team/", ".."] } : { policies: ["deploy"] };
    response.writeHead(found ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify(found ? { data } : { errors: [] }));
  });
  const who = await run(["explain", "who", "--policy", "deploy", "--live"], { ...env, VAULT_ADDR: origin });
  const titles = ["Domain Admins", "50% off", "\u00c4rzte?#"].map(
    (name) => `Role ${name} of auth/people (approle): Who`,
  );
  for (const title of titles) expect(who.out).toContain(title);
  expect(who.out).not.toContain("\nRole b");
  expect(who.out.match(/Role .* of auth\/people/g)).toHaveLength(4);
  for (const name of ["old", "team/", ".."])
    expect(who.err).toContain(`not looked at: Role ${name} of auth/people (approle): `);
});

it.each([
  ["a pattern", { boundClaims: { sub: ["x", "al*"] }, boundClaimsType: "glob" }, "failed"],
  ["another pattern", { boundClaims: { sub: ["x", "bo*"] }, boundClaimsType: "glob" }, "passed"],
  ["a value", { boundClaims: { sub: ["x", "alice"] } }, "failed"],
  ["another value", { boundSubject: "x" }, "passed"],
])("never tries those users whom the role lets in by %s", async (_, bound, result) => {
  const values = { mount: "jobs", name: "ci", roleType: "jwt", userClaim: "sub", ...bound };
  const policy = { name: "admin", policy: 'path "x" { capabilities = ["read"] }' };
  const records = [
    { definition: definitions.jwtRole, values },
    { definition: definitions.sysPolicy, values: policy },
  ];
  const aliases = [{ mount: "auth/jobs/", name: "alice" }];
  const alice = { id: "id", name: "alice", policies: ["admin"], isDisabled: false, aliases };
  const tests = checkedTests({ tests: [{ name: "it", never: { mount: "jobs", policy: "admin" } }] }, "it");
  const report = await runTrustTests(records, tests, { entities: { known: [alice], unread: [] } });
  expect(report.result).toBe(result);
});
