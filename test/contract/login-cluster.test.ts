// @run test: it waits for clocks
// @servers embedded consul
// @without-terraform: it asks the engine or Pulumi's hosts

import { describe, expect, it } from "vitest";
import type { Definition } from "../../provider/core/definition.ts";
import { definitions } from "../../provider/resources/index.ts";
import { rawApi } from "../support/contract-raw.ts";
import { closeServersAfterwards, servicesUnderTest } from "../support/contract-servers.ts";
import { openWorld } from "../support/contract-world.ts";
import { jobKeyPem, jobToken, loggingIn, openEngine, setVariable } from "../support/jwt-logins.ts";

closeServersAfterwards();

const peeringToken: Definition = definitions.clusterPeeringToken;

/** An engine that logs in at a method of the test's own. */
async function openLoggedIn(claims: Readonly<Record<string, unknown>> = {}) {
  const world = await openWorld();
  const raw = world.raw("cluster");
  const mount = world.fresh("ci");
  const Config = { JWTValidationPubKeys: [jobKeyPem], BoundAudiences: ["trustplane"], JWTSupportedAlgs: ["ES256"] };
  await raw.call("PUT acl/auth-method", { Name: mount, Type: "jwt", MaxTokenTTL: "5m", Config });
  await raw.call("PUT acl/policy", { Name: mount, Rules: 'peering = "write"' });
  await raw.call("PUT acl/role", { Name: mount, Policies: [{ Name: mount }] });
  await raw.call("PUT acl/binding-rule", { AuthMethod: mount, BindType: "role", BindName: mount });
  const jwtEnv = setVariable(world.fresh("JOB_"), await jobToken(claims));
  const tokens = async () => {
    const all = (await raw.call("GET acl/tokens")) as { AuthMethod?: string; SecretID: string }[];
    return all.filter(({ AuthMethod }) => AuthMethod === mount).map(({ SecretID }) => SecretID);
  };
  const count = (end: string) => world.traffic.seen().filter(({ url }) => url.endsWith(end)).length;
  return { ...openEngine(loggingIn(world, { method: "jwt", mount, jwtEnv }, "cluster")), world, jwtEnv, tokens, count };
}

describe.runIf(servicesUnderTest.includes("cluster"))("a connection that logs in at Consul with a JWT", () => {
  it("logs in once for everything at once, does its work and logs out", async () => {
    const { world, engine, tokens, count } = await openLoggedIn();
    const names = ["a", "b", "c"].map(world.fresh);
    await Promise.all(names.map((peerName) => engine.create(peeringToken, { peerName })));
    expect(await tokens()).toHaveLength(1);
    await engine.end();
    expect(await tokens()).toEqual([]);
    expect([count("/v1/acl/login"), count("/v1/acl/logout")]).toEqual([1, 1]);
  });

  it("logs in again where the server does not know the token any more, without an error", async () => {
    const { world, engine, tokens, count } = await openLoggedIn();
    await engine.create(peeringToken, { peerName: world.fresh("a") });
    // Somebody else ends it.
    const [token = ""] = await tokens();
    await rawApi("cluster", { ...world.servers.cluster, token }).call("POST acl/logout");
    await engine.create(peeringToken, { peerName: world.fresh("b") });
    await engine.end();
    expect(count("/v1/acl/login")).toBe(2);
  });

  it("says what the JWT says where Consul refuses it, and shows none of it", async () => {
    const { world, engine, lines, jwtEnv } = await openLoggedIn({ aud: "somebody-else" });
    const created = engine.create(peeringToken, { peerName: world.fresh("a") });
    const message = await created.then(String, (error: Error) => error.message);
    expect(message).toMatch(
      /the login of connection "cluster" by jwt: \d+ .*The JWT of JOB_\w+ says issuer .*, audience "somebody-else"/,
    );
    for (const part of String(process.env[jwtEnv]).split(".")) expect(message + lines.join()).not.toContain(part);
  });
});
