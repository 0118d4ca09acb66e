// @without-terraform: it asks the engine or Pulumi's hosts

import { describe, expect, it, onTestFinished } from "vitest";
import type { Values } from "../../provider/core/definition.ts";
import type { FunctionDefinition } from "../../provider/core/function.ts";
import { functions } from "../../provider/functions/index.ts";
import { startServers } from "../../server/serve.ts";
import { engineWithLog } from "../support/contract-host-engine.ts";
import type { ServiceName } from "../support/contract-raw.ts";
import { closeServersAfterwards, servicesUnderTest } from "../support/contract-servers.ts";
import { type ConnectionSettings, openWorld, type World } from "../support/contract-world.ts";
import { deadOrigin } from "../support/loopback-server.ts";
import { answeredBy, cliRedirect } from "../support/oidc-bench.ts";

closeServersAfterwards();

type FunctionName = keyof typeof functions;

/** Calls functions as one process does. */
function caller(world: World, settings?: ConnectionSettings) {
  const engine = engineWithLog(world.config(settings), []);
  return (name: FunctionName, args: Values) => engine.call(functions[name] as FunctionDefinition, args);
}

async function openCalls(settings?: ConnectionSettings) {
  const world = await openWorld();
  return { world, call: caller(world, settings), raw: world.raw };
}

/** Beside a real server the tests of the others would be about the embedded one: they are not defined there. */
function describeWhere(service: ServiceName, title: string, define: () => void): void {
  if (servicesUnderTest.includes(service)) describe(title, define);
}

describeWhere("secrets", "a function of the secrets server", () => {
  async function openMount(type: "jwt" | "aws") {
    const opened = await openCalls();
    const mount = opened.world.fresh("m");
    await opened.raw("secrets").call(`POST sys/${type === "jwt" ? "auth" : "mounts"}/${mount}`, { type });
    return { ...opened, mount, secrets: opened.raw("secrets") };
  }

  it("reads a role as the server has it, its defaults included", async () => {
    const { call, mount, secrets } = await openMount("jwt");
    const role = { role_type: "jwt", user_claim: "sub", bound_audiences: ["a"], token_ttl: "15m" };
    await secrets.call(`POST auth/${mount}/role/ci`, role);

    const { results } = await call("jwtGetRole", { mount: `/${mount}/`, name: "CI" });
    const written = { roleType: "jwt", userClaim: "sub", boundAudiences: ["a"], tokenTtl: "15m" };
    expect(results).toMatchObject({ mount, name: "ci", ...written, tokenMaxTtl: "0s", boundClaimsType: "string" });
  });

  it("says which role is not there", async () => {
    const { call, mount } = await openMount("jwt");
    await expect(call("jwtGetRole", { mount, name: "nobody" })).rejects.toMatchObject({
      code: "ApiError",
      status: 404,
      message: `calling jwt.getRole "nobody": it is not there (GET auth/${mount}/role/nobody).`,
    });
  });

  // @covers jwt: Endpoints > GET auth/{mount}/role?list=true
  // @covers cloud: Endpoints > GET {mount}/roles?list=true
  // @covers beyond: Lists of names > keys
  it.each([
    [
      "jwtGetRoles",
      "jwt",
      (mount: string) => `auth/${mount}/role`,
      { role_type: "jwt", user_claim: "s", bound_subject: "x" },
    ],
    ["cloudGetRoles", "aws", (mount: string) => `${mount}/roles`, { credential_type: "session_token" }],
  ] as const)("%s lists the names, none where there are none", async (name, type, path, role) => {
    const { call, mount, secrets } = await openMount(type);
    expect((await call(name, { mount })).results).toEqual({ mount, names: [] });

    await secrets.call(`POST ${path(mount)}/b`, role);
    await secrets.call(`POST ${path(mount)}/a`, role);

    expect((await call(name, { mount })).results).toEqual({ mount, names: ["a", "b"] });
  });

  it.each([
    ["jwtGetRoles", "nowhere", /"nowhere": it is not there \(GET .*nowhere.*\)\. Nothing is mounted there: check/],
    ["cloudGetRoles", "nowhere", /Nothing is mounted there: check/],
    ["jwtGetRoles", "auth/jwt", /Nothing is mounted there: write the mount without `auth\/`/],
  ] as const)("%s of %s, which is not mounted, is no empty list", async (name, mount, reason) => {
    await expect((await openCalls()).call(name, { mount })).rejects.toThrow(reason);
  });

  it("refuses all wrong arguments at once, before anything is sent", async () => {
    const { world, call } = await openCalls({ offline: true });
    const args = { name: "a b", endpoint: "x", ttl: "soon", mfaCode: "123456", rolearn: "x" };

    await expect(call("cloudGetCredentials", args)).rejects.toMatchObject({
      code: "InputError",
      failures: expect.arrayContaining(
        ["name", "endpoint", "ttl", "rolearn"].map((property) => expect.objectContaining({ property })),
      ),
    });
    await expect(call("cloudGetCredentials", { name: "a", mfaCode: "123456" })).rejects.toThrow(
      'calling cloud.getCredentials "a": mfaCode only valid when endpoint is sts.',
    );
    await expect(call("jwtLogin", { mount: "a" })).rejects.toThrow("calling jwt.login: jwt is required.");
    expect(world.traffic.seen()).toEqual([]);
  });

  // @covers beyond: Lists of names > keys
  it.each([
    ["403", /403/],
    ["500", /500/],
    ["an HTML page with status 502", /502/],
    ["a cut connection", /no answer from/],
  ] as const)("passes %s on as an error, not as an empty list", async (fault, says) => {
    const { world, call, mount } = await openMount("jwt");
    world.traffic.strikeAll(({ url }) => url.includes("/role"), fault);
    await expect(call("jwtGetRoles", { mount })).rejects.toThrow(says);
    expect(world.traffic.struck()).toBeDefined();
  });
});

describeWhere("secrets", "a function that has the server issue something", () => {
  // @covers jwt: Request of an authorization URL > client_nonce
  // @covers beyond: Answer of an authorization URL > auth_url
  it("jwt.authUrl begins a login in the browser, which gives a token to whoever has its client nonce", async () => {
    const { world, call, raw } = await openCalls();
    const [mount, { ask, call: must }] = [world.fresh("people"), raw("secrets")];
    const { issuer, close } = await startServers({ issuer: true });
    onTestFinished(close);
    const client = { oidc_client_id: issuer?.clientId, oidc_client_secret: issuer?.clientSecret };
    await must(`POST sys/auth/${mount}`, { type: "oidc" });
    await must(`POST auth/${mount}/config`, { oidc_discovery_url: issuer?.address, ...client });
    await must(`POST auth/${mount}/role/team`, { user_claim: "sub", allowed_redirect_uris: [cliRedirect] });

    const begin = { mount, role: "Team", redirectUri: cliRedirect };
    const { results } = await call("jwtAuthUrl", { ...begin, clientNonce: "mine" });
    const answer = await answeredBy(String(results["authUrl"]));
    const query = new URLSearchParams({ ...answer, client_nonce: "mine" });
    expect(await ask(`GET auth/${mount}/oidc/callback?${query}`)).toMatchObject({
      status: 200,
      body: { auth: { metadata: { role: "team" }, token_policies: ["default"] } },
    });

    await expect(call("jwtAuthUrl", { ...begin, redirectUri: "http://localhost/other" })).rejects.toThrow(
      'calling jwt.authUrl "team": the server gives no address: the role does not allow this redirectUri',
    );
  });

  it.each([
    ["cloudGetCredentials", { name: "a" }, /\/creds\//],
    ["cloudGetCredentials", { name: "a", endpoint: "sts" }, /\/sts\//],
    ["jwtLogin", { role: "a", jwt: "x" }, /\/login$/],
    ["jwtAuthUrl", { role: "a", redirectUri: "http://localhost" }, /\/auth_url$/],
  ] as const)("%s %j asks once, also when it is told to come back or cut off", async (name, args, path) => {
    const { world, call } = await openCalls({ maxRetries: 3 });
    for (const fault of ["503", "a cut connection"] as const) {
      world.traffic.forget();
      world.traffic.strikeAll(({ url }) => path.test(url), fault);
      await expect(call(name, args)).rejects.toThrow(/^calling /);
      expect(world.traffic.seen().filter(({ url }) => path.test(url))).toHaveLength(1);
    }
  });
});

describeWhere("secrets", "credentials that are waited for", () => {
  async function openRole() {
    const opened = await openCalls();
    const { world } = opened;
    const [mount, secrets] = [world.fresh("m"), world.raw("secrets")];
    await secrets.call(`POST sys/mounts/${mount}`, { type: "aws" });
    await secrets.call(`POST ${mount}/config/root`, await world.servers.cloudUser(world.fresh("root")));
    await secrets.call(`POST ${mount}/roles/user`, { credential_type: "iam_user" });
    const args = { mount, name: "user", waitUntilValid: true, stsEndpoint: world.servers.tokenService };
    const isRevoked = () => world.traffic.seen().some(({ url }) => url === "/v1/sys/leases/revoke");
    return { ...opened, args, isRevoked };
  }

  it("are answered when the cloud takes them", async () => {
    const { call, args, isRevoked } = await openRole();
    const { results } = await call("cloudGetCredentials", args);
    expect(results).toMatchObject({ accessKey: expect.stringMatching(/^A/), secretKey: expect.stringMatching(/./) });
    expect(isRevoked()).toBe(false);
  });

  it("are revoked when the cloud does not say so", async () => {
    const { call, args, isRevoked } = await openRole();
    const stsEndpoint = await deadOrigin();
    await expect(call("cloudGetCredentials", { ...args, stsEndpoint })).rejects.toThrow(
      /^calling cloud.getCredentials "user": no answer from .*: the connection was refused/,
    );
    expect(isRevoked()).toBe(true);
  });

  it("are asked of no address that is none", async () => {
    const { call, args, isRevoked } = await openRole();
    await expect(call("cloudGetCredentials", { ...args, stsEndpoint: "sts.example" })).rejects.toThrow(
      'calling cloud.getCredentials "user": stsEndpoint must be an http or https address.',
    );
    expect(isRevoked()).toBe(false);
  });
});

describeWhere("cluster", "a function of the cluster", () => {
  // @covers peering: Fields of the stored record > PeerCAPems
  it("reads one peering, and lists all", async () => {
    const { world, call, raw } = await openCalls();
    const name = world.fresh("peer");
    await raw("cluster").call("POST peering/token", { PeerName: name, Meta: { team: "a" } });

    const { results } = await call("clusterGetPeering", { peerName: name, partition: "default" });
    expect(results).toMatchObject({ peerName: name, state: "PENDING", meta: { team: "a" } });
    expect(results["peeringId"]).toMatch(/^[0-9a-f-]{36}$/);
    expect(Object.keys(results)).not.toContain("lastHeartbeat");

    const { peerings } = (await call("clusterGetPeerings", { connection: "east" })).results;
    expect(peerings).toContainEqual(results);
  });

  it("says which peering is not there", async () => {
    const { call } = await openCalls();
    await expect(call("clusterGetPeering", { peerName: "nobody" })).rejects.toThrow(
      'calling cluster.getPeering "nobody": it is not there (GET v1/peering/nobody).',
    );
  });

  // @covers peering: Endpoints > peerings
  it("lists nothing as an empty list, of another cluster", async () => {
    const { call } = await openCalls();
    expect((await call("clusterGetPeerings", { connection: "west" })).results).toEqual({ peerings: [] });
  });
});

describeWhere("policy", "a function of the policy service", () => {
  // @covers beyond: List of parameters > parameters
  it("lists the parameters of a set, anew each time, without the values that are never shown", async () => {
    const { world, call, raw } = await openCalls();
    const { policySet: policySetId } = world.servers.policy;
    const write = (key: string, sensitive: boolean) =>
      raw("policy").call(`POST policy-sets/${policySetId}/parameters`, {
        data: { type: "vars", attributes: { key, value: "v", category: "policy-set", sensitive } },
      });
    const [open, hidden] = [world.fresh("open"), world.fresh("hidden")];
    await write(open, false);
    const listed = async () => (await call("policyGetParameters", { policySetId })).results["parameters"];
    const parameterId = expect.stringMatching(/^var-/);

    expect(await listed()).toContainEqual({
      parameterId,
      key: open,
      value: "v",
      sensitive: false,
      category: "policy-set",
    });
    await write(hidden, true);

    expect(await listed()).toContainEqual({ parameterId, key: hidden, sensitive: true, category: "policy-set" });
  });

  // @covers policy: Authentication, errors, limits, versions > free edition
  it("names the set that cannot be read", async () => {
    const { call } = await openCalls();
    const policySetId = "polset-0000000000000000";
    await expect(call("policyGetParameters", { policySetId })).rejects.toThrow(
      new RegExp(`^calling policy.getParameters "${policySetId}": 404 .*cannot read the parameters`),
    );
  });

  it("finds a policy set by its whole name, anew each time", async () => {
    const { world, call, raw } = await openCalls();
    const name = world.fresh("set");
    const make = (name: string) =>
      raw("policy").call("POST organizations/demo/policy-sets", {
        data: { type: "policy-sets", attributes: { name } },
      });
    await make(`${name}-2`); // the server's search also finds this one
    await expect(call("policyGetPolicySet", { organization: "demo", name })).rejects.toThrow(
      new RegExp(`^calling policy.getPolicySet "${name}": it is not there \\(GET organizations/demo/policy-sets`),
    );
    await make(name);

    expect((await call("policyGetPolicySet", { organization: "demo", name })).results).toEqual({
      policySetId: expect.stringMatching(/^polset-/),
      organization: "demo",
      name,
      kind: "sentinel",
      global: false,
      agentEnabled: false,
      workspaceIds: [],
      projectIds: [],
      workspaceExclusionIds: [],
    });
  });

  it("names the organization that cannot be read", async () => {
    const { call } = await openCalls();
    await expect(call("policyGetPolicySet", { organization: "nowhere", name: "a" })).rejects.toThrow(
      /^calling policy.getPolicySet "a": 404 .*cannot read the policy sets of organizations\/nowhere/,
    );
  });
});
