// @servers embedded vault
// @without-terraform: it asks the engine or Pulumi's hosts

import { describe, expect, it } from "vitest";
import type { Values } from "../../provider/core/definition.ts";
import type { FunctionDefinition } from "../../provider/core/function.ts";
import { functions } from "../../provider/functions/index.ts";
import { engineWithLog } from "../support/contract-host-engine.ts";
import { closeServersAfterwards } from "../support/contract-servers.ts";
import { openWorld, type World } from "../support/contract-world.ts";
import { jobToken, openLogins } from "../support/jwt-logins.ts";

closeServersAfterwards();

describe("what a host holds", () => {
  async function hold(world: World, name: keyof typeof functions, args: Values) {
    const engine = engineWithLog(world.config(), []);
    return engine.hold(functions[name] as FunctionDefinition, args);
  }

  // @covers beyond: Endpoints > POST auth/token/revoke-self
  it("is a token that is renewed, and revoked, as itself", async () => {
    const world = await openWorld();
    const { raw } = world;
    const mount = await openLogins(world, { token_ttl: "1h" });
    const { results, seconds, renew, release } = await hold(world, "jwtLogin", {
      mount,
      role: "ci",
      jwt: await jobToken(),
    });
    const known = async () =>
      (await raw("secrets").ask("POST auth/token/lookup", { token: results["clientToken"] })).status;
    expect([seconds, await renew?.(), await known()]).toEqual([3600, 3600, 200]);
    await release?.();
    expect(await known()).toBe(403);
  });

  it("is a lease that is renewed and revoked by its id", async () => {
    const world = await openWorld();
    const { raw } = world;
    const mount = world.fresh("m");
    await raw("secrets").call(`POST sys/mounts/${mount}`, { type: "aws" });
    await raw("secrets").call(`POST ${mount}/config/root`, await world.servers.cloudUser(world.fresh("root")));
    await raw("secrets").call(`POST ${mount}/config/lease`, { lease: "1h", lease_max: "2h" });
    await raw("secrets").call(`POST ${mount}/roles/user`, { credential_type: "iam_user" });
    const { results, seconds, renew, release } = await hold(world, "cloudGetCredentials", { mount, name: "user" });
    expect([seconds, await renew?.()]).toEqual([3600, 3600]);
    await release?.();
    const lookUp = await raw("secrets").ask("PUT sys/leases/lookup", { lease_id: results["leaseId"] });
    expect(lookUp.status).toBe(400);
  });

  it("is nothing where there is nothing to give back: a batch token, and what is only read", async () => {
    const world = await openWorld();
    const mount = await openLogins(world, { token_type: "batch" });
    const login = await hold(world, "jwtLogin", { mount, role: "ci", jwt: await jobToken() });
    expect(Object.keys(login).sort()).toEqual(["results", "seconds"]);
    expect(Object.keys(await hold(world, "jwtGetRoles", { mount }))).toEqual(["results"]);
  });
});
