import { describe, expect, it, onTestFinished, vi } from "vitest";
import { faultScript } from "../../server/faults/fault-script.ts";
import { defaultPolicySet, type Running, startServers } from "../../server/serve.ts";
import { rawApi } from "../support/contract-raw.ts";
import { publicKeyPem } from "../support/valid-inputs.ts";
import { openStack, role, type Wanted } from "./drift-harness.ts";

const body = { role_type: "jwt", user_claim: "sub", bound_audiences: ["https://aud.example"] };
const wanted: Wanted[] = [
  role("ci"),
  { resource: "cloudLeaseConfig", name: "lease", args: { lease: "1h", leaseMax: "2h" } },
  { resource: "policyParameter", name: "limit", args: { policySetId: defaultPolicySet, key: "limit", value: "1" } },
  { resource: "clusterPeeringToken", name: "west", args: { peerName: "west" } },
  { resource: "sysAuthMount", name: "team", args: { path: "team", type: "jwt" } },
  { resource: "identityGroup", name: "platform", args: { name: "Platform" } },
];

const CONFIGURATIONS =
  "the configurations of mounts that the stack does not manage are looked for with --unmanaged only";

describe("trustplane drift --unmanaged", () => {
  it("finds records beside those of the stack, in its mounts, policy sets and clusters only", async () => {
    const { drift, raw } = await openStack(wanted);
    await raw("secrets").call("POST auth/jwt/role/by-hand", body);
    await raw("secrets").call("POST cloud/roles/by-hand", { credential_type: "session_token" });
    await raw("secrets").call("POST sys/auth/elsewhere", { type: "jwt" });
    await raw("secrets").call("POST auth/elsewhere/role/not-ours", body);
    await raw("secrets").call("POST identity/group/name/by-hand", {});
    await raw("cluster").call("POST peering/token", { PeerName: "by-hand" });
    const attributes = { key: "by-hand", value: "1", category: "policy-set" };
    await raw("policy").call(`POST policy-sets/${defaultPolicySet}/parameters`, { data: { type: "vars", attributes } });

    const { code, report } = await drift("--json", "--unmanaged");

    expect(code).toBe(2);
    expect(report().unmanaged?.map(({ type, id }) => [type, id])).toEqual(
      [
        ["cloud.Role", "cloud/roles/by-hand"],
        ["cluster.PeeringToken", "by-hand"],
        ["policy.Parameter", expect.stringMatching(`^${defaultPolicySet}/var-`)],
        ["jwt.Role", "auth/jwt/role/by-hand"],
        ["identity.Group", "identity/group/name/by-hand"],
        ["sys.AuthMount", "sys/auth/elsewhere"],
        ["sys.AuthMount", "sys/auth/jwt"],
      ].sort(),
    );
  });

  it("finds intentions beside those of the stack; of exported services there is one record", async () => {
    const allow = (name: string) => [{ name, action: "allow" }];
    const { drift, raw } = await openStack([
      { resource: "clusterIntention", name: "web", args: { destination: "web", sources: allow("api") } },
      { resource: "clusterExportedServices", name: "exported", args: { services: [] } },
    ]);
    const Sources = [{ Name: "api", Action: "allow" }];
    await raw("cluster").call("PUT config", { Kind: "service-intentions", Name: "db", Sources });
    const { code, report } = await drift("--json", "--unmanaged");
    expect([code, report().unmanaged]).toEqual([2, [{ type: "cluster.Intention", id: "db" }]]);
  });

  it("cannot tell which intentions there are with a token that may see one of them only", async () => {
    const { drift, raw, env } = await openStack([
      {
        resource: "clusterIntention",
        name: "web",
        args: { destination: "web", sources: [{ name: "a", action: "deny" }] },
      },
    ]);
    const Sources = [{ Name: "api", Action: "allow" }];
    await raw("cluster").call("PUT config", { Kind: "service-intentions", Name: "db", Sources });
    await raw("cluster").call("PUT acl/policy", { Name: "web", Rules: 'service "web" { policy = "read" }' });
    const made = await raw("cluster").call("PUT acl/token", { Policies: [{ Name: "web" }] });
    env["CONSUL_HTTP_TOKEN"] = (made as { SecretID: string }).SecretID;
    const { code, report } = await drift("--json", "--unmanaged");
    expect([code, report().unmanaged]).toEqual([1, []]);
    expect(report().unlisted).toMatchObject([
      { path: "v1/config/service-intentions", reason: expect.stringContaining("leaves out") },
    ]);
  });

  it("finds the organization's other policy sets, and parameters by hand in those of the stack", async () => {
    const set: Wanted = { resource: "policyPolicySet", name: "ours", args: { organization: "demo", name: "ours" } };
    const { drift, raw, resources } = await openStack([set]);
    const policySetId = String(resources.find(({ type }) => type.endsWith("PolicySet"))?.outputs?.["policySetId"]);
    const policy = raw("policy");
    await policy.call("POST organizations/demo/policy-sets", {
      data: { type: "policy-sets", attributes: { name: "by-hand" } },
    });
    await policy.call(`POST policy-sets/${policySetId}/parameters`, {
      data: { type: "vars", attributes: { key: "by-hand", category: "policy-set" } },
    });

    const { code, report } = await drift("--json", "--unmanaged");

    expect(code).toBe(2);
    expect(
      report()
        .unmanaged?.map(({ type, id }) => [type, id])
        .sort(),
    ).toEqual([
      ["policy.Parameter", expect.stringMatching(`^${policySetId}/var-`)],
      ["policy.PolicySet", expect.stringMatching(/^demo\/polset-/)],
      ["policy.PolicySet", expect.stringMatching(/^demo\/polset-/)],
    ]);
  });

  it("finds none where all is of the stack, and reads each list once", async () => {
    const { drift, server } = await openStack([role("ci"), role("nightly")]);
    server.log.clear();
    const { code, report } = await drift("--json", "--unmanaged");
    expect([code, report().unmanaged]).toEqual([0, []]);
    const lists = server.log.all().filter(({ path }) => /role$/.test(path));
    expect(lists).toHaveLength(1);
  });

  it("does not look with --no-unmanaged", async () => {
    const { drift, raw } = await openStack([role("ci")]);
    await raw("secrets").call("POST auth/jwt/role/by-hand", body);
    const { code, report } = await drift("--json", "--no-unmanaged");
    expect([code, report().unmanaged]).toEqual([0, undefined]);
  });

  it("names a record once where two kinds of the stack share its list, as one of the first kind", async () => {
    const token: Wanted = { resource: "clusterPeeringToken", name: "west", args: { peerName: "west" } };
    const { drift, raw, resources } = await openStack([token]);
    // The other kind dials: a cluster elsewhere has issued the token.
    const other = await startServers({});
    onTestFinished(() => other.close());
    const issued = await rawApi("cluster", other.cluster).call("POST peering/token", { PeerName: "here" });
    const { PeeringToken } = issued as { PeeringToken: string };
    await raw("cluster").call("POST peering/establish", { PeerName: "east", PeeringToken });
    for (const each of resources.filter(({ type }) => type.endsWith("PeeringToken")))
      resources.push(JSON.parse(JSON.stringify(each).replaceAll("PeeringToken", "Peering").replaceAll("west", "east")));
    await raw("cluster").call("POST peering/token", { PeerName: "by-hand" });
    const { report } = await drift("--json", "--unmanaged");
    expect(report().unmanaged).toEqual([{ type: "cluster.Peering", id: "by-hand" }]);
  });

  it("names the lists that are refused in the order of the stack's resources", async () => {
    const { drift, server } = await openStack(wanted);
    for (const path of ["auth/jwt/role", "cloud/roles"]) server.faults.add(faultScript.parse(`LIST ${path} 403`));
    const { report } = await drift("--json", "--unmanaged");
    expect(report().unlisted?.map(({ path }) => path)).toEqual(["cloud/roles", "auth/jwt/role"]);
  });

  it("cannot tell when a list is refused", async () => {
    const { drift, server } = await openStack([role("ci")]);
    server.faults.add(faultScript.parse("LIST auth/jwt/role 403"));
    const { code, report } = await drift("--json", "--unmanaged");
    expect(code).toBe(1);
    expect(report().unlisted).toMatchObject([{ path: "auth/jwt/role", reason: expect.stringContaining("403") }]);
  });
});

it("all peerings are read with one list, and so are all parameters of a policy set", async () => {
  const parameters = ["a", "b", "c"].map(
    (key): Wanted => ({
      resource: "policyParameter",
      name: key,
      args: { policySetId: defaultPolicySet, key, value: "1" },
    }),
  );
  const tokens = ["x", "y", "z"].map(
    (peerName): Wanted => ({ resource: "clusterPeeringToken", name: peerName, args: { peerName } }),
  );
  const { drift, server } = await openStack([...parameters, ...tokens]);
  server.log.clear();
  expect((await drift()).code).toBe(0);
  const asked = server.log.all().map(({ path }) => path);
  expect(asked.filter((path) => path.includes("/parameters"))).toHaveLength(1);
  expect(asked.filter((path) => path.includes("peering"))).toHaveLength(1);
});

describe("trustplane drift without a flag", () => {
  const intruder = { ...body, bound_claims: { ref: "main" }, token_policies: ["prod"] };

  it("begins with who gets in by a role that the stack does not manage, in a mount of which it has nothing else", async () => {
    const { drift, raw } = await openStack([
      { resource: "sysAuthMount", name: "jobs", args: { path: "jobs", type: "jwt" } },
      {
        resource: "jwtConfig",
        name: "jobs",
        args: { mount: "jobs", jwtValidationPubkeys: [publicKeyPem()], boundIssuer: "https://ci.example" },
      },
    ]);
    await raw("secrets").call("POST auth/jobs/role/x", intruder);
    await raw("secrets").call("POST auth/jobs/role/harmless", body);
    const who =
      "Jobs on `main` get the policy `prod`, and this stack does not say so. By somebody else's role `x` of `auth/jobs`.";
    const { code, out } = await drift();
    expect(code).toBe(2);
    expect(out.split("\n").slice(1, 4)).toEqual(["", who, ""]);
    expect((await drift("--markdown")).out).toContain(`\n\n- ${who}\n\n`);
    expect((await drift("--html")).out).toContain('<ul class="trust"><li class="gains">Jobs on <code>');
    expect((await drift("--json")).report().trust).toHaveLength(1);
    const groups = "groups of others with an alias at its auth methods are looked for with --unmanaged only";
    expect((await drift("--json")).report().notLookedAt).toEqual([groups]);
    expect((await drift("--json", "--no-unmanaged")).report()).not.toHaveProperty("notLookedAt");
  });

  it("finds such a role in a mount that another hand has made anew, of which all that the stack had is gone", async () => {
    const method: Wanted[] = [
      { resource: "sysAuthMount", name: "jobs", args: { path: "jobs", type: "jwt" } },
      {
        resource: "jwtConfig",
        name: "jobs",
        args: { mount: "jobs", jwtValidationPubkeys: [publicKeyPem()], boundIssuer: "https://ci.example" },
      },
      role("r", { mount: "jobs" }),
    ];
    const prepare = (server: Running) => rawApi("secrets", server.secrets).call("POST sys/auth/jobs", { type: "jwt" });
    for (const wanted of [method, method.slice(1)]) {
      const { drift, raw } = await openStack(wanted, wanted === method ? {} : { prepare });
      await raw("secrets").call("DELETE sys/auth/jobs");
      // Nothing is in a mount that is gone, so that nothing is left out.
      expect((await drift("--json")).report().unlisted).toEqual([]);
      await raw("secrets").call("POST sys/auth/jobs", { type: "jwt" });
      await raw("secrets").call("POST auth/jobs/role/x", intruder);
      const { report } = await drift("--json");
      expect(report().unmanaged).toEqual([{ type: "jwt.Role", id: "auth/jobs/role/x" }]);
    }
  });

  it("takes no role of another kind of mount, which another hand has put there, for one that lets a token in", async () => {
    const { drift, raw } = await openStack([
      { resource: "sysAuthMount", name: "jobs", args: { path: "jobs", type: "jwt" } },
      role("r", { mount: "jobs", tokenPolicies: ["deploy"] }),
    ]);
    await raw("secrets").call("DELETE sys/auth/jobs");
    await raw("secrets").call("POST sys/auth/jobs", { type: "approle" });
    for (const name of ["r", "x"])
      await raw("secrets").call(`POST auth/jobs/role/${name}`, { token_policies: ["prod"] });
    const { code, out, err } = await drift();
    expect([code, out.match(/prod|browser/)]).toEqual([2, null]);
    expect(out).toContain("not looked at: auth/jobs/role/x (another type is mounted there now)");
    expect(out).toMatch(/^missing +jwt.Role r/m);
    expect(out).toMatch(/^missing +sys.AuthMount jobs/m);
    expect(err).toContain('mount "jobs" is an approle mount now');
  });

  it("finds a role beside one of the same path on another connection, where another type is mounted", async () => {
    const other = await startServers({ profile: "vault" });
    onTestFinished(() => other.close());
    const { address, token } = other.secrets;
    const east = { service: "secrets", address, token };
    const { driftWith, raw, env } = await openStack([role("r"), role("r2", { connection: "east" })], {
      config: { connections: JSON.stringify({ east }) },
    });
    await raw("secrets").call("POST auth/jwt/role/x", intruder);
    const theirs = rawApi("secrets", other.secrets);
    await theirs.call("DELETE sys/auth/jwt");
    await theirs.call("POST sys/auth/jwt", { type: "approle" });
    await theirs.call("POST auth/jwt/role/x", { token_policies: ["prod"] });
    const words = ["--connection", `east=${address},tokenEnv=EAST`, "--json"];
    const { report } = await driftWith({ ...env, EAST: token }, ...words);
    expect(report().unmanaged).toEqual([{ type: "jwt.Role", id: "auth/jwt/role/x" }]);
    expect(report().notLookedAt).toContain("not looked at: auth/jwt/role/x (another type is mounted there now)");
  });

  it("says nothing of a role that somebody deletes while it looks", async () => {
    const { drift, raw, server } = await openStack([role("r")]);
    await raw("secrets").call("POST auth/jwt/role/x", intruder);
    server.faults.add(faultScript.parse("LIST auth/jwt/role slow:200"));
    server.log.clear();
    const running = drift();
    await vi.waitFor(() => expect(server.log.all().some(({ path }) => path.endsWith("/jwt/role"))).toBe(true));
    await raw("secrets").call("DELETE auth/jwt/role/x");
    expect(await running).toMatchObject({ code: 0, out: `No drift in lab/dev: 1 resource; ${CONFIGURATIONS}\n` });
  });

  it("says what it may not list, and fails only where that was asked for", async () => {
    const { drift, server } = await openStack([role("ci")]);
    server.faults.add(faultScript.parse("LIST auth/jwt/role 403"));
    const { code, out } = await drift();
    expect([code, out]).toEqual([
      0,
      `No drift in lab/dev: 1 resource; not listed: auth/jwt/role (the token may not see all of it); ${CONFIGURATIONS}\n`,
    ]);
  });

  it("does not take a list that failed for an empty one", async () => {
    const { drift, server } = await openStack([role("ci")]);
    server.faults.add(faultScript.parse("LIST auth/jwt/role 500 x9"));
    expect((await drift()).code).toBe(1);
  });

  it("says nothing of the records of a server that is another one than the state's", async () => {
    const { resources } = await openStack([role("ci")]);
    const other = await openStack([role("nightly")]);
    other.resources.splice(0, other.resources.length, ...resources);
    const { code, report } = await other.drift("--json");
    expect([code, report().unmanaged]).toEqual([1, []]);
  });
});
