import { generateKeyPairSync } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import type { TrustMap } from "../../cli/facts/map/trust-map.ts";
import { faultScript } from "../../server/faults/fault-script.ts";
import { passOn, serve } from "../support/loopback-server.ts";
import { folderOfTest } from "../support/temporary-folder.ts";
import { openStack, run, type Wanted } from "./drift-harness.ts";

const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const pem = String(publicKey.export({ type: "spki", format: "pem" }));
const wanted: readonly Wanted[] = [
  { resource: "sysAuthMount", name: "jobs", args: { path: "jobs", type: "jwt" } },
  { resource: "sysSecretsMount", name: "aws", args: { path: "aws", type: "aws" } },
  {
    resource: "jwtConfig",
    name: "jobs",
    args: { mount: "jobs", jwtValidationPubkeys: [pem], boundIssuer: "https://git.example.com" },
  },
  {
    resource: "sysPolicy",
    name: "deploy",
    args: { name: "deploy", policy: 'path "aws/creds/admin" { capabilities = ["read"] }' },
  },
  {
    resource: "cloudRole",
    name: "admin",
    args: { mount: "aws", name: "admin", credentialType: "assumed_role", roleArns: ["arn:aws:iam::1:role/x"] },
  },
  {
    resource: "clusterExportedServices",
    name: "exports",
    args: { services: [{ name: "web", consumers: [{ peer: "east" }] }] },
  },
];

const tests = `tests:
  - name: main deploys
    login: { mount: jobs, role: deploy, claims: { sub: ci, ref: main } }
    expect: { policies: [deploy], may: { "aws/creds/admin": [read] } }
  - name: no other branch deploys
    never: { mount: jobs, policy: deploy, unless: { ref: main }, notIn: [outer] }
  - name: deploy gets the cloud role
    cloudRole: { mount: aws, role: admin }
    expect: { roleArns: ["arn:aws:iam::1:role/x"], policies: [deploy] }
  - name: east reaches web
    peer: { name: east }
    expect: { services: [web] }
`;

interface Who {
  readonly holders: readonly string[];
  readonly notLookedAt?: readonly string[];
}

/** Servers with a role that no program has made. */
async function opened() {
  const { env, raw, server } = await openStack(wanted);
  const body = {
    role_type: "jwt",
    user_claim: "sub",
    bound_audiences: ["vault"],
    bound_claims: { ref: "main" },
    token_policies: ["deploy"],
  };
  await raw("secrets").call("POST auth/jobs/role/deploy", body);
  const members = { type: "internal", policies: ["deploy"], member_entity_ids: [] };
  const { data } = (await raw("secrets").call("POST identity/group/name/inner", { type: "internal" })) as {
    data: { id: string };
  };
  await raw("secrets").call("POST identity/group/name/outer", { ...members, member_group_ids: [data.id] });
  const folder = folderOfTest();
  writeFileSync(join(folder, "trust.yml"), tests);
  const jwt = await new SignJWT({ iss: "https://git.example.com", aud: "vault", sub: "ci", ref: "dev" })
    .setProtectedHeader({ alg: "HS256" })
    .setIssuedAt()
    .setExpirationTime("1h")
    .sign(new Uint8Array(32));
  writeFileSync(join(folder, "jwt"), jwt);
  server.log.clear();
  const asked = () => server.log.all().map(({ method }) => method);
  return { env, folder, raw, server, asked, live: (...words: string[]) => run([...words, "--live"], env) };
}

describe("the trust of live servers", () => {
  it("is tested, and the servers are only read", async () => {
    const { folder, asked, live } = await opened();
    const { code, out, err } = await live("test", join(folder, "trust.yml"));
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain("4 tests: 4 passed, 0 failed");
    expect(new Set(asked())).toEqual(new Set(["GET"]));
  });

  it("is explained", async () => {
    const { folder, live } = await opened();
    const token = ["explain", "token", "--mount", "jobs", "--role", "deploy", "--token", join(folder, "jwt")];
    const explained = await live(...token);
    expect(explained).toMatchObject({ code: 2, err: "" });
    expect(explained.out).toContain("`ref` is `dev`, bound is `main`");
    const { out } = await live("explain", "who", "--policy", "deploy");
    expect(out).toContain('Role deploy of auth/jobs: Every token of https://git.example.com whose aud is "vault"');
    expect(out).toContain("Group outer: Its members: everybody in the group inner.");
    expect((await live("explain", "role", "deploy")).out).toContain("aws/creds/admin: read");
  });

  it("has the policies of logins that no resource stands for, or says that they were not looked at", async () => {
    const { live, raw, server } = await opened();
    const { call } = raw("secrets");
    await call("POST sys/auth/machines", { type: "approle" });
    await call("POST auth/machines/role/agent", { token_policies: ["deploy"] });
    await call("POST auth/machines/role/other", { token_policies: ["read"] });
    await call("POST identity/entity", { name: "anna", policies: ["deploy"] });
    const who = await live("explain", "who", "--policy", "deploy", "--json");
    const tokens = expect.stringMatching(/^not looked at: \d+ tokens? that exists?: each keeps the policies/);
    const { holders, notLookedAt } = JSON.parse(who.out) as Who;
    expect({ code: who.code, notLookedAt }).toEqual({ code: 0, notLookedAt: [tokens] });
    expect(who.err).toMatch(/^trustplane: not looked at: \d+ tokens? that exists?: .*\n$/);
    expect(holders.slice(2)).toEqual([
      "Role agent of auth/machines (approle): Whoever logs in by it.",
      "Entity anna: Whoever logs in by it.",
    ]);
    expect(await live("explain", "who", "--policy", "deplyo")).toMatchObject({
      code: 1,
      err: expect.stringContaining(
        ": the servers have no policy deplyo, and no role or group there names it; did you mean",
      ),
    });
    // Named by a role of AppRole alone.
    expect(await live("explain", "who", "--policy", "read")).toMatchObject({ code: 0 });
    expect(await live("explain", "role", "Agent")).toMatchObject({
      code: 1,
      err: expect.stringContaining(
        "the servers have no role Agent for JWTs. There is Role agent of auth/machines (approle), which this command does not explain.",
      ),
    });
    const counted = "not looked at: 2 roles of auth/machines (approle)";
    const map = await live("map", "--json");
    expect(map).toMatchObject({ code: 0, err: expect.stringContaining(`trustplane: ${counted}.\n`) });
    expect((JSON.parse(map.out) as TrustMap).notLookedAt).toEqual([counted, "not looked at: 1 entity"]);

    server.faults.add(faultScript.parse("LIST auth/machines/role 403"));
    const narrow = await live("explain", "who", "--policy", "deploy");
    expect(narrow.code).toBe(0);
    expect(narrow.err).toMatch(/not looked at: the roles of auth\/machines \(approle\): .*403/);
  });

  // The answers are those of Vault 1.21: the embedded server has no roles of tokens.
  it("has the policies that roles of tokens let others have", async () => {
    const lists = {
      allowed_policies: [],
      allowed_policies_glob: [],
      disallowed_policies: [],
      disallowed_policies_glob: [],
    };
    const roles: Readonly<Record<string, object>> = {
      any: { ...lists, disallowed_policies: ["admin"] },
      anyButOps: { ...lists, disallowed_policies_glob: ["Ops*"], token_no_default_policy: true },
      own: { ...lists, token_no_default_policy: true },
      some: { ...lists, allowed_policies: ["Deploy"], allowed_policies_glob: ["ops*"] },
      star: { ...lists, allowed_policies: ["*"], disallowed_policies: ["default"] },
    };
    const { env, raw } = await opened();
    const { call } = raw("secrets");
    await call("POST sys/auth/machines", { type: "approle" });
    await call("POST auth/machines/role/plain", {});
    await call("POST auth/machines/role/bare", { token_no_default_policy: true });
    const { VAULT_ADDR = "" } = env;
    const { origin } = await serve((request, response) => {
      const [, name] = /^\/v1\/auth\/token\/roles\/?([^?]*)/.exec(request.url ?? "") ?? [];
      if (name === undefined) return void passOn(VAULT_ADDR, request, response);
      const data = name === "" ? { keys: Object.keys(roles) } : { token_no_default_policy: false, ...roles[name] };
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ data }));
    });
    const whoHas = async (policy: string) => {
      const { out } = await run(["explain", "who", "--policy", policy, "--live", "--json"], {
        ...env,
        VAULT_ADDR: origin,
      });
      return (JSON.parse(out) as Who).holders.filter((holder) => !/^(Role deploy|Group)/.test(holder));
    };
    const may = "Whoever may create tokens with it";
    const all = `${may}: it lets them have any policy that it does not disallow.`;
    const own = `Token role own: ${may}, where their own token has the policy, or may use sudo on auth/token/create.`;
    expect(await whoHas("ops1")).toEqual([`Token role any: ${all}`, own, `Token role some: ${may}.`]);
    expect(await whoHas("Admin")).toEqual([`Token role anyButOps: ${all}`, own]);
    expect(await whoHas("default")).toEqual([
      expect.stringMatching(/^Every login, and every token that is created: /),
      "Role plain of auth/machines (approle): Whoever logs in by it.",
      `Token role any: ${may}.`,
      `Token role anyButOps: ${all}`,
      own,
      `Token role some: ${may}.`,
    ]);
  });

  it("is drawn", async () => {
    const { live } = await opened();
    const { code, out, err } = await live("map", "--json");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const map = JSON.parse(out) as TrustMap;
    const names = map.nodes.map(({ kind, name }) => `${kind} ${name}`);
    expect(names).toEqual(expect.arrayContaining(["role jobs/deploy", "cloudRole aws/admin", "peer east"]));
  });

  it("is that of the servers that --connection names, and of no others of the environment", async () => {
    const { env, folder, asked } = await opened();
    const { VAULT_ADDR, VAULT_TOKEN = "", CONSUL_HTTP_ADDR, CONSUL_HTTP_TOKEN = "", ...others } = env;
    const own = { ...others, REVIEW: VAULT_TOKEN, EAST: CONSUL_HTTP_TOKEN };
    const secrets = ["--connection", `secrets=${VAULT_ADDR},tokenEnv=REVIEW`];
    const east = ["--connection", `east=${CONSUL_HTTP_ADDR},service=cluster,tokenEnv=EAST`];
    const tested = await run(["test", join(folder, "trust.yml"), "--live", ...secrets, ...east], own);
    expect(tested).toMatchObject({ code: 0, err: "", out: expect.stringContaining("4 tests: 4 passed, 0 failed") });
    expect((await run(["explain", "who", "--policy", "deploy", "--live", ...secrets], own)).out).toContain(
      "Role deploy",
    );
    expect(new Set(asked())).toEqual(new Set(["GET"]));

    const drawn = await run(["map", "--json", "--live", ...secrets], own);
    const kinds = (JSON.parse(drawn.out) as TrustMap).nodes.map(({ kind }) => kind);
    expect(kinds).toContain("role");
    expect(kinds).not.toContain("peer");
  });

  it("has one more server beside those of the environment, which gets none of their tokens", async () => {
    const [here, east] = [await opened(), await opened()];
    const sources = [{ Name: "web", Peer: "south", Action: "allow" }];
    await east.raw("cluster").call("PUT config", { Kind: "service-intentions", Name: "mail", Sources: sources });
    const flag = `--connection=east=${east.env["CONSUL_HTTP_ADDR"]},service=cluster,tokenEnv=EAST`;
    const env = { ...here.env, EAST: east.env["CONSUL_HTTP_TOKEN"] ?? "" };
    const { code, out, err } = await run(["map", "--json", "--live", flag], env);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const services = (JSON.parse(out) as TrustMap).nodes.filter(({ kind }) => kind === "service");
    expect(services.map(({ name, connection }) => [name, connection]).sort()).toEqual([
      ["mail", "east"],
      ["web", undefined],
      ["web", "east"],
    ]);
    const bare = await run(["map", "--live", flag.replace(/,tokenEnv.*/, "")], here.env);
    expect(bare).toMatchObject({ code: 1, err: expect.stringMatching(/of east cannot be read.*No token was found/) });
  });

  it.each([
    ["policy=http://127.0.0.1:1", /policy sets give nobody anything, so --live does not read them/],
    ["east=http://127.0.0.1:1", /--connection east: add service=secrets or service=cluster/],
    ["no address", /--connection/],
  ])("cannot be had of --connection %s", async (text, message) => {
    const { code, err } = await run(["map", "--live", "--connection", text], {});
    expect(err).toMatch(message);
    expect({ code, lines: err.trimEnd().split("\n").length }).toEqual({ code: 1, lines: 1 });
  });

  it("needs --live beside --connection", async () => {
    const { code, err } = await run(["map", "--connection", "secrets=http://127.0.0.1:1"], {});
    expect({ code, err }).toEqual({ code: 1, err: "trustplane: --connection needs --live.\n" });
  });

  it.each([
    [
      "a server refuses a record",
      ["explain", "who", "--policy", "x"],
      { VAULT_TOKEN: "nobody" },
      /cannot be read.*403/,
    ],
    [
      "no server is named",
      ["map"],
      { VAULT_ADDR: "", VAULT_TOKEN: "", CONSUL_HTTP_ADDR: "", CONSUL_HTTP_TOKEN: "" },
      /set VAULT_ADDR or CONSUL_HTTP_ADDR/,
    ],
    ["there is a state, too", ["explain", "who", "--policy", "x", "--state", "-"], {}, /cannot be used with/],
    ["there is a file, too", ["map", "state.json"], {}, /--live takes no file/],
  ])("ends with 1 where %s", async (_, words, changed, message) => {
    const { env } = await opened();
    const { code, err } = await run([...words, "--live"], { ...env, ...changed });
    expect(err).toMatch(message);
    expect(code).toBe(1);
  });

  it("is not looked at without --live: an explanation asks for a stack", async () => {
    const { env } = await opened();
    const { code, err } = await run(["explain", "who", "--policy", "x"], env);
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringMatching(/^trustplane: the standard input is empty, and so no state of a stack/),
    });
  });
});
