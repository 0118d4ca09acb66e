import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import type { DoctorReport } from "../../cli/commands/doctor/report.ts";
import { repository } from "../../tools/steps/repository.mjs";
import { secretsToken } from "../support/documented-policy.ts";
import { deadOrigin, serve } from "../support/loopback-server.ts";
import { inspected, onlySecrets, open } from "./doctor-harness.ts";
import { openStack, role, run } from "./drift-harness.ts";

const granted = (policy: Record<string, string[]>) =>
  Object.entries(policy)
    .map(([path, words]) => `path "${path}" { capabilities = ${JSON.stringify(words)} }`)
    .join("\n");
const whole = { "auth/jwt/role/ci": ["create", "read", "update", "delete"], "sys/auth": ["read"] };

/** The report on a stack with one role, asked with a token of this policy. */
async function diagnosed(policy: string, ...words: string[]) {
  const { env, raw, resources } = await openStack([role("ci")]);
  const token = await secretsToken(
    raw("secrets"),
    `${policy}\npath "sys/capabilities-self" { capabilities = ["update"] }`,
  );
  const state = JSON.stringify({ version: 3, deployment: { resources } });
  const { out, code } = await run(
    ["doctor", "--state", "-", ...words],
    { ...onlySecrets(env), VAULT_TOKEN: token },
    state,
  );
  return { out, code, token };
}

it("a report is what the published schema says", async () => {
  const schema = JSON.parse(readFileSync(join(repository, "docs/doctor-report.schema.json"), "utf8"));
  const { out } = await diagnosed(granted(whole), "--json");
  const published = z.fromJSONSchema(schema);
  expect(published.parse(JSON.parse(out))).toEqual(JSON.parse(out));
  expect(published.safeParse({ ...JSON.parse(out), result: "perhaps" }).success).toBe(false);
});

describe("what the token may do with the stack's resources", () => {
  it("is fine with a policy that has every capability", async () => {
    const { out, code } = await diagnosed(granted(whole));
    expect(out).toMatch(/ok +resource +jwt\.Role ci: the token may read, create, update, delete it/);
    expect(code).toBe(0);
  });

  it("names what is missing, and the line that grants it", async () => {
    const { out, code } = await diagnosed(granted({ ...whole, "auth/jwt/role/ci": ["read", "update"] }));
    expect(out).toContain("jwt.Role ci: the token lacks create, delete on auth/jwt/role/ci");
    expect(out).toContain('fix: path "auth/jwt/role/ci" { capabilities = ["create", "read", "update", "delete"] }');
    expect(code).toBe(2);
  });

  it("is only to read with --read-only", async () => {
    const { out, code } = await diagnosed(granted({ ...whole, "auth/jwt/role/ci": ["read"] }), "--read-only");
    expect(out).toMatch(/jwt\.Role ci: the token may read it/);
    expect(code).toBe(0);
  });

  it("is asked in one request for all of them", async () => {
    const { env, server, resources } = await openStack([role("ci"), role("nightly"), role("weekly")]);
    const state = JSON.stringify({ version: 3, deployment: { resources } });
    const before = server.log.all().length;
    const { out } = await run(["doctor", "--state", "-"], onlySecrets(env), state);
    expect(out).toMatch(/3 resources: the token may read, create, update, delete it/);
    const asked = server.log
      .all()
      .slice(before)
      .map(({ method, path }) => `${method} ${path}`);
    expect(asked.filter((line) => line.startsWith("POST"))).toEqual(["POST /v1/sys/capabilities-self"]);
  });

  it("is left open where the token may not ask", async () => {
    const { env, raw, resources } = await openStack([role("ci")]);
    const token = await secretsToken(raw("secrets"), granted(whole));
    const state = JSON.stringify({ version: 3, deployment: { resources } });
    const { out, code } = await run(["doctor", "--state", "-", "--json"], { ...env, VAULT_TOKEN: token }, state);
    const checks = (JSON.parse(out) as DoctorReport).connections.flatMap((each) => each.checks);
    expect(checks.find(({ check }) => check === "resource")).toMatchObject({
      resource: "jwt.Role ci",
      status: "not asked",
      finding: expect.stringMatching(/403 .*permission denied/),
    });
    expect(code).toBe(0);
  });
});

describe("what other products say of a token", () => {
  const consul = (self: unknown) =>
    serve(({ url = "" }, response) => {
      const answers: Record<string, unknown> = { "/v1/status/leader": "127.0.0.1:8300", "/v1/acl/token/self": self };
      response.end(JSON.stringify(answers[url] ?? {}));
    });

  it("Consul names its policies and its end", async () => {
    const ExpirationTime = new Date(Date.now() + 3_600_000).toISOString();
    const { origin } = await consul({
      AccessorID: "a",
      Policies: [{ Name: "peering" }],
      Roles: [{ Name: "ci" }],
      ExpirationTime,
    });
    const { checks } = await inspected({ CONSUL_HTTP_ADDR: origin, CONSUL_HTTP_TOKEN: "t-o-k-e-n" });
    const finding = /from CONSUL_HTTP_TOKEN; policies peering, ci; (1h0m0s|59m\d+s|60m|1h) left/;
    expect(checks.at(-1)).toMatchObject({ check: "token", status: "ok", finding: expect.stringMatching(finding) });
  });

  it("Consul without ACLs needs none", async () => {
    const { checks, code } = await inspected({ CONSUL_HTTP_ADDR: (await consul({})).origin });
    expect(checks.at(-1)).toMatchObject({
      check: "token",
      status: "warning",
      finding: expect.stringMatching(/anonymous/),
    });
    expect(code).toBe(0);
  });

  it("HCP Terraform names its user", async () => {
    const { origin } = await serve((_, response) => {
      response.setHeader("tfp-api-version", "2.6");
      response.end(JSON.stringify({ data: { id: "user-1", type: "users", attributes: { username: "ci-bot" } } }));
    });
    const { checks } = await inspected({ TFE_ADDRESS: origin, TFE_TOKEN: "t-o-k-e-n" });
    expect(checks.at(-1)).toMatchObject({ check: "token", status: "ok", finding: "from TFE_TOKEN; of ci-bot" });
  });
});

describe("trustplane doctor", () => {
  it("inspects what the environment names, and nothing else", async () => {
    const { env } = await open();
    const { report, code } = await inspected(env);
    expect(report).toMatchObject({ format: "trustplane-doctor/1", result: "ok" });
    expect(report.connections.map(({ name }) => name)).toEqual(["secrets", "cluster", "policy"]);
    expect((await inspected(onlySecrets(env))).report.connections.map(({ name }) => name)).toEqual(["secrets"]);
    expect(code).toBe(0);
  });

  it("inspects a connection of the command line, with the token that it names", async () => {
    const { env, server } = await open();
    const flag = `east=${server.cluster.address},service=cluster,tokenEnv=EAST`;
    const { report } = await inspected({ EAST: env["CONSUL_HTTP_TOKEN"] ?? "" }, "--connection", flag);
    expect(report.connections.map(({ name }) => name)).toEqual(["east"]);
    expect(report.connections[0]?.checks.at(-1)).toMatchObject({
      status: "ok",
      finding: expect.stringMatching(/from EAST/),
    });
  });

  it("sends nothing to an address that only the state has", async () => {
    const config = { secrets: JSON.stringify({ address: "https://vault.attacker.example" }) };
    const { resources } = await openStack([role("ci")]);
    const [provider, ...rest] = resources;
    const own = { ...provider, inputs: { "trustplane:secrets": config.secrets } };
    const state = JSON.stringify({ deployment: { resources: [own, ...rest] } });
    const { out, code } = await run(["doctor", "--state", "-"], { VAULT_TOKEN: "hvs.a-token-of-ours" }, state);
    expect(out).toMatch(/failed +address +only the state has the address of secrets .*nothing is sent there/);
    expect(code).toBe(2);
  });

  it("says of config entries of Consul whether they may be read, also of one that is not there, and which rule is missing", async () => {
    const { env, raw, resources } = await openStack([
      {
        resource: "clusterIntention",
        name: "web",
        args: { destination: "web", sources: [{ name: "a", action: "deny" }] },
      },
      { resource: "clusterExportedServices", name: "exported", args: { services: [] } },
    ]);
    await raw("cluster").call("DELETE config/service-intentions/web");
    const Rules = 'service "web" { policy = "read" }';
    await raw("cluster").call("PUT acl/policy", { Name: "web", Rules });
    const made = await raw("cluster").call("PUT acl/token", { Policies: [{ Name: "web" }] });
    const { SecretID } = made as { SecretID: string };
    const state = JSON.stringify({ deployment: { resources } });
    const cluster = { CONSUL_HTTP_ADDR: env["CONSUL_HTTP_ADDR"] ?? "", CONSUL_HTTP_TOKEN: SecretID };
    const { out } = await run(["doctor", "--json", "--state", "-"], cluster, state);
    const { connections }: DoctorReport = JSON.parse(out);
    const checks = connections.flatMap((each) => each.checks).filter(({ check }) => check === "resource");
    expect(checks).toMatchObject([
      { resource: "cluster.Intention web", status: "ok", finding: expect.stringMatching(/^may be read/) },
      {
        resource: "cluster.ExportedServices exported",
        status: "failed",
        finding: expect.stringMatching(/lacks permission 'mesh:read'/),
        fix: 'mesh = "write"',
      },
    ]);
  });

  it("shows no token, in any report", async () => {
    const { env } = await open();
    for (const words of [[], ["--json"]]) {
      const { out, err } = await run(["doctor", ...words], { ...env, VAULT_TOKEN: "hvs.secret-secret-secret" });
      for (const token of ["hvs.secret-secret-secret", env["CONSUL_HTTP_TOKEN"], env["TFE_TOKEN"]])
        expect(out + err).not.toContain(token);
    }
  });

  it.each([
    ["a wrong flag", ["--nonsense"], {}, /unknown option/],
    ["no connection", [], {}, /nothing names a connection\. Set VAULT_ADDR/],
    ["no state", ["--state", "/nowhere"], {}, /the file \/nowhere cannot be read/],
    [
      "a connection that the stack does not have",
      ["--connection", "wets=http://127.0.0.1:1"],
      {},
      /no such connection/,
    ],
  ] as const)("ends with 1 for %s", async (_, words, env, reason) => {
    const { code, err, out } = await run(["doctor", ...words], env);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toMatch(reason);
  });

  it("is what an error of a connection points at", async () => {
    const { resources, env } = await openStack([role("ci")]);
    const nowhere = { ...env, VAULT_ADDR: await deadOrigin(), VAULT_MAX_RETRIES: "0" };
    const { out } = await run(["drift", "--state", "-"], nowhere, JSON.stringify({ deployment: { resources } }));
    expect(out).toMatch(/is the address right\? `trustplane doctor` says why\./);
  });
});
