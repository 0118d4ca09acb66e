import { describe, expect, it } from "vitest";
import { fc } from "../support/fast-check.ts";
import { type LastingServer, prepareCloud, type Shown, startLasting } from "./data-harness";
import { allReads, commands } from "./model-commands";
import { emptyModel } from "./model-world";
import { vars } from "./policy-harness";

describe("a server that starts again on its data", () => {
  it("is the same server, with the same tokens, ids and root certificate", async () => {
    const server = await startLasting({ policySet: "polset-x", datacenter: "dc7" });
    const look = async () => {
      const { secrets, cluster, policy, admin } = server.running();
      const { cluster_id, cluster_name } = await server.ok("secrets", "GET /v1/sys/health");
      return {
        tokens: [secrets.token, cluster.token, policy.token, admin.token],
        vault: [cluster_id, cluster_name],
        policySet: policy.policySet,
        roots: await server.ok("cluster", "GET /v1/connect/ca/roots"),
        agent: await server.ok("cluster", "GET /v1/agent/self"),
        mounts: await server.ok<Shown>("secrets", "GET /v1/sys/mounts").then(({ data }) => data),
        auth: await server.ok<Shown>("secrets", "GET /v1/sys/auth").then(({ data }) => data),
      };
    };
    const before = await look();
    // As nobody says again what the datacenter and the policy set are called.
    await server.restart({ policySet: undefined, datacenter: undefined } as object);
    expect(await look()).toEqual(before);
  });

  it("is what its model says, whatever was done before and after each start", async () => {
    const server = await startLasting({ peeringDeleteDelayMs: 0 });
    const lives = fc.array(fc.commands(commands, { maxCommands: 20 }), { minLength: 2, maxLength: 4 });
    let world = 0;
    const property = fc.asyncProperty(lives, async (all) => {
      world += 1;
      const model = emptyModel(`world${world}-`);
      for (const life of all) {
        await fc.asyncModelRun(() => ({ model, real: server.running() }), life);
        await server.restart();
        for (const read of allReads) await read.run(model, server.running());
      }
    });
    await fc.assert(property, { numRuns: 10 });
  });

  let migration = "";
  /** One of every kind of record, and what shows it. */
  const kinds: readonly {
    readonly kind: string;
    readonly make: (server: LastingServer) => Promise<unknown>;
    readonly show: (server: LastingServer) => Promise<unknown>;
  }[] = [
    {
      kind: "a tuned mount",
      make: ({ ok }) => ok("secrets", "POST /v1/sys/auth/token/tune", { default_lease_ttl: "1h", description: "mine" }),
      show: ({ ok }) => ok<Shown>("secrets", "GET /v1/sys/auth/token").then(({ data }) => data),
    },
    {
      kind: "a mount with its records, numbers as they were written",
      make: async ({ ok }) => {
        await ok("secrets", "POST /v1/sys/auth/other", { type: "jwt" });
        const role = { role_type: "jwt", user_claim: "sub", bound_claims: { level: [1.5, "1.50"], $number: "x" } };
        await ok("secrets", "POST /v1/auth/other/role/r", role);
      },
      show: ({ ok }) => ok<Shown>("secrets", "GET /v1/auth/other/role/r").then(({ data }) => data),
    },
    {
      kind: "a moved mount, and the news of its move",
      make: async ({ ok }) => {
        await ok("secrets", "POST /v1/sys/auth/here", { type: "jwt" });
        const { data } = await ok<Shown>("secrets", "POST /v1/sys/remount", { from: "auth/here", to: "auth/there" });
        migration = data["migration_id"] ?? "";
      },
      show: async ({ ok }) => [
        (await ok<Shown>("secrets", "GET /v1/sys/auth/there")).data,
        (await ok<Shown>("secrets", `GET /v1/sys/remount/status/${migration}`)).data,
      ],
    },
    {
      kind: "a policy",
      make: ({ ok }) =>
        ok("secrets", "POST /v1/sys/policies/acl/p", { policy: 'path "cloud/*" { capabilities = ["read"] }' }),
      show: ({ ok }) => ok<Shown>("secrets", "GET /v1/sys/policies/acl/p").then(({ data }) => data),
    },
    {
      kind: "an external group with its alias",
      make: async ({ ok, running }) => {
        const { data } = await ok<Shown>("secrets", "POST /v1/identity/group", { name: "g", type: "external" });
        const auth = await ok<{ data: Record<string, { accessor: string }> }>("secrets", "GET /v1/sys/auth");
        const alias = { name: "devs", mount_accessor: auth.data["jwt/"]?.accessor, canonical_id: data["id"] };
        await ok("secrets", "POST /v1/identity/group-alias", alias);
        return running();
      },
      show: ({ ok }) => ok<Shown>("secrets", "GET /v1/identity/group/name/g").then(({ data }) => data),
    },
    {
      kind: "a policy set's parameters, in their order",
      make: async ({ ok, running }) => {
        const path = `/api/v2/policy-sets/${running().policy.policySet}/parameters`;
        for (const key of ["z", "a", "m"]) {
          await ok("policy", `POST ${path}`, vars({ key, value: key, category: "policy-set", sensitive: key === "a" }));
        }
      },
      show: ({ ok, running }) => ok("policy", `GET /api/v2/policy-sets/${running().policy.policySet}/parameters`),
    },
    {
      kind: "a peering that was not used yet",
      make: ({ ok }) => ok("cluster", "POST /v1/peering/token", { PeerName: "east", Meta: { a: "b" } }),
      show: ({ ok }) => ok("cluster", "GET /v1/peering/east"),
    },
    {
      kind: "the cloud's users, groups, policies, roles and devices",
      make: async (server) => {
        await prepareCloud(server);
        const { ok } = server;
        const { arn } = await ok<{ arn: string }>("admin", "POST /cloud/policies", { name: "mine" });
        await ok("admin", "POST /cloud/groups", { name: "g", attachedPolicies: [arn] });
        await ok("admin", "PUT /cloud/roles", { arn: "arn:aws:iam::123456789012:role/r", externalId: "ext" });
        await ok("admin", "POST /cloud/mfa-devices", { userName: "root" });
        await ok("admin", "PUT /cloud/assigned-role", { arn: "arn:aws:iam::123456789012:role/machine" });
        const role = { credential_type: "iam_user", iam_groups: "g", policy_arns: arn, iam_tags: { team: "x" } };
        await ok("secrets", "POST /v1/cloud/roles/full", role);
        await ok("secrets", "GET /v1/cloud/creds/full");
      },
      show: async ({ running }) => {
        const { cloud } = running();
        const devices = cloud.mfaDevices().map(({ code: _now, ...device }) => device);
        return [cloud.users(), cloud.groups(), cloud.policies(), cloud.roles(), devices, cloud.assignedRole()];
      },
    },
    {
      kind: "temporary credentials",
      make: async (server) => {
        await prepareCloud(server);
        await server.ok("secrets", "POST /v1/cloud/roles/s", { credential_type: "session_token" });
        await server.ok("secrets", "GET /v1/cloud/creds/s");
      },
      show: async ({ running }) => running().cloud.sessions(),
    },
    {
      kind: "the seal",
      make: ({ ok }) => ok("admin", "POST /seal"),
      show: ({ running }) =>
        fetch(`${running().secrets.address}/v1/sys/seal-status`)
          .then((answer) => answer.text())
          // The document says the time, too.
          .then((text) => /"sealed":(true|false)/.exec(text)?.[1]),
    },
  ];

  it.each(kinds)("still has $kind", async ({ make, show }) => {
    const server = await startLasting();
    const nothing = await show(server).catch(() => "nothing there");
    await make(server);
    const [before, records] = [await show(server), server.running().records()];
    expect(before).not.toEqual(nothing);
    await server.restart();
    expect(await show(server)).toEqual(before);
    // As the admin interface shows them.
    expect(JSON.parse(JSON.stringify(server.running().records()))).toEqual(JSON.parse(JSON.stringify(records)));
  });

  it("does not bring back what was disabled, nor what was below it", async () => {
    const server = await startLasting();
    await server.ok("secrets", "POST /v1/auth/jwt/role/r", {
      role_type: "jwt",
      user_claim: "sub",
      bound_subject: "x",
    });
    await server.ok("secrets", "DELETE /v1/sys/auth/jwt");
    await server.restart();
    const { data } = await server.ok<Shown>("secrets", "GET /v1/sys/auth");
    expect(Object.keys(data)).toEqual(["token/"]);
    expect(JSON.stringify(server.running().records())).not.toContain("user_claim");
  });

  it("takes the users that its command line names where they are not there, and leaves those that are", async () => {
    const server = await startLasting({ cloudUsers: ["a"] });
    const [a] = server.running().cloud.users();
    await server.restart({ cloudUsers: ["a", "b"] });
    expect(server.running().cloud.users()).toEqual([a, expect.objectContaining({ name: "b" })]);
  });

  it("still has the policy sets of earlier starts", async () => {
    const server = await startLasting({ policySet: "polset-a" });
    await server.restart({ policySet: "polset-b" });
    for (const set of ["polset-a", "polset-b"]) await server.ok("policy", `GET /api/v2/policy-sets/${set}`);
    expect(server.running().policy.policySet).toBe("polset-b");
  });

  it("has a cloud that goes on refusing what it refused", async () => {
    const server = await startLasting();
    const { accessKeys } = server.running().cloud.addUser("app", { accessKeys: 1 });
    const device = server.running().cloud.addMfaDevice({ userName: "app" });
    const session = () =>
      server.running().cloud.getSessionToken(accessKeys[0], {
        durationSeconds: 900,
        region: "us-east-1",
        serialNumber: device.serialNumber,
        tokenCode: device.code,
      });
    session();
    server.running().cloud.setKeyDelay(3600);
    await server.restart();
    expect(session).toThrow("invalid MFA one time pass code");
    const late = server.running().cloud.createAccessKey(accessKeys[0], "app");
    expect(() => server.running().cloud.callerIdentity(late)).toThrow("InvalidClientTokenId");
    server.running().cloud.throttle(1);
    await server.restart();
    expect(() => server.running().cloud.callerIdentity(accessKeys[0])).toThrow("Throttling");
    expect(server.running().cloud.callerIdentity(accessKeys[0]).arn).toContain("user/app");
  });

  it("goes on with a clock that was moved", async () => {
    const server = await startLasting();
    await server.ok("admin", "POST /clock", { advanceSeconds: 5000 });
    await server.restart();
    expect(server.running().clock.now() - Date.now()).toBeGreaterThanOrEqual(4_999_000);
  });
});
