// @servers embedded vault

import { describe, expect, it, onTestFinished } from "vitest";
import type { Values } from "../../provider/core/definition.ts";
import { createEngine } from "../../provider/engine/engine.ts";
import { jwtGetRole } from "../../provider/functions/jwt/get-role.ts";
import { jwtRole } from "../../provider/resources/jwt/role.ts";
import type { ProfileName } from "../../server/profiles/profiles.ts";
import { hostNames } from "../support/contract-host.ts";
import { closeServersAfterwards, isEmbedded, servicesUnderTest } from "../support/contract-servers.ts";
import { startEmbedded } from "../support/contract-servers-embedded.ts";
import { createStack } from "../support/contract-stack.ts";
import { isOtherProfile } from "../support/contract-suite.ts";
import { isProbe } from "../support/contract-traffic.ts";
import { openWorld, type World } from "../support/contract-world.ts";

closeServersAfterwards();

const MOUNT = "tenants";
const ROLE = { mount: MOUNT, name: "ci", roleType: "jwt", userClaim: "sub" };
const PATH = `auth/${MOUNT}/role/ci`;

/** A server with the namespaces `team` and `team/ci`, and in each, as in the root, an auth method at one path. */
async function openNamespaced(profile: ProfileName): Promise<World> {
  const servers = await startEmbedded({ profile });
  onTestFinished(() => servers.close());
  const world = await openWorld({ servers });
  const { call } = world.raw("secrets");
  await call("POST sys/namespaces/team");
  await call("POST team/sys/namespaces/ci");
  for (const within of ["", "team/", "team/ci/"]) await call(`POST ${within}sys/auth/${MOUNT}`, { type: "jwt" });
  return world;
}

/** The subjects of the role of one path, by namespace; undefined where there is none. */
async function subjects(world: World) {
  const { ask } = world.raw("secrets");
  const found = ["", "team/", "team/ci/"].map(async (within) => {
    const { body } = await ask(`GET ${within}${PATH}`);
    return (body as { data?: Values }).data?.["bound_subject"];
  });
  return Promise.all(found);
}

const profilesWithNamespaces = isEmbedded && !isOtherProfile ? (["enterprise", "openbao"] as const) : [];

describe.each(profilesWithNamespaces)("namespaces of the profile %s", (profile) => {
  describe.each(hostNames)("through the %s host", (name) => {
    it("hold records of one path, and none of these is taken for another", async () => {
      const world = await openNamespaced(profile);
      const host = world.host(name, "jwtRole");
      const [own, team, deep] = [createStack(host), createStack(host), createStack(host)];

      expect(await own.up({ ...ROLE, boundSubject: "own" })).toBe("create");
      expect(await team.up({ ...ROLE, boundSubject: "team", namespace: "team" })).toBe("create");
      expect(await deep.up({ ...ROLE, boundSubject: "deep", namespace: "team/ci" })).toBe("create");
      expect(await subjects(world)).toEqual(["own", "team", "deep"]);
      expect(new Set([own, team, deep].map((stack) => stack.entry()?.id))).toEqual(new Set([PATH]));
      expect(await team.refresh()).toBe(true);
      expect(team.entry()?.outputs).toMatchObject({ boundSubject: "team", namespace: "team" });

      expect(await team.up({ ...ROLE, boundSubject: "new", namespace: "team" })).toBe("update");
      expect(await subjects(world)).toEqual(["own", "new", "deep"]);
      await own.destroy();
      expect(await subjects(world)).toEqual([undefined, "new", "deep"]);
    });

    it("replace a record that moves, also when a failure comes between", async () => {
      const world = await openNamespaced(profile);
      const stack = createStack(world.host(name, "jwtRole"));
      const args = { ...ROLE, boundSubject: "s" };
      await stack.up(args);
      expect(await stack.preview({ ...args, namespace: "team" })).toEqual({ step: "replace", replaces: ["namespace"] });
      world.traffic.strikeAll(({ method }) => method === "POST", "503");
      await expect(stack.up({ ...args, namespace: "team" })).rejects.toThrow(/in namespace "team"/);
      expect(await subjects(world)).toEqual([undefined, undefined, undefined]);
      world.traffic.calm();
      await stack.up({ ...args, namespace: "team" });
      expect(await subjects(world)).toEqual([undefined, "s", undefined]);
      await stack.up({ ...args, namespace: "team/ci" });
      expect(await subjects(world)).toEqual([undefined, undefined, "s"]);
      await stack.up(args);
      expect(await subjects(world)).toEqual(["s", undefined, undefined]);
    });

    it("have spellings, are imported by the id with the namespace, and leave a record without one as it is", async () => {
      const world = await openNamespaced(profile);
      const stack = createStack(world.host(name, "jwtRole"));
      const args = { ...ROLE, boundSubject: "s", namespace: "/team/ci/" };
      await stack.up(args);
      // Terraform's state keeps the program's spelling.
      expect(stack.entry()?.inputs["namespace"]).toBe(name === "terraform" ? "/team/ci/" : "team/ci");
      expect(await stack.preview({ ...args, namespace: "team/ci" })).toEqual({ step: "same", replaces: [] });

      const imported = createStack(world.host(name, "jwtRole"));
      expect(await imported.adopt(`${PATH}?namespace=team%2Fci`)).toMatchObject({
        boundSubject: "s",
        namespace: "team/ci",
      });
      await expect(createStack(world.host(name, "jwtRole")).adopt(PATH)).rejects.toThrow(/there is no auth/);

      const plain = createStack(world.host(name, "jwtRole"));
      await plain.up({ ...ROLE, boundSubject: "own" });
      expect(plain.entry()?.outputs).not.toHaveProperty("namespace");
      expect(await plain.preview({ ...ROLE, boundSubject: "own", namespace: "" })).toMatchObject({
        replaces: [],
        step: "same",
      });
    });

    it("are below the connection's own, by whichever of the two the record is named", async () => {
      const world = await openNamespaced(profile);
      const stack = createStack(world.host(name, "jwtRole", { namespace: "team/" }));
      const args = { ...ROLE, boundSubject: "s" };
      await stack.up({ ...args, namespace: "ci" });
      expect(await subjects(world)).toEqual([undefined, undefined, "s"]);
      // The connection now leads to the root, and the record names the whole way: it is the same record.
      stack.restart(world.host(name, "jwtRole"));
      expect(await stack.preview({ ...args, namespace: "team/ci" })).toEqual({ step: "update", replaces: [] });
      expect(await stack.up({ ...args, namespace: "team/ci" })).toBe("update");
      expect(await subjects(world)).toEqual([undefined, undefined, "s"]);
      // What it names alone leads elsewhere, where nothing is declared gone.
      stack.restart(world.host(name, "jwtRole", { namespace: "team" }));
      await expect(stack.refresh()).rejects.toThrow(/another server .*\/team\/ci\) than .*\/team\/team\/ci\)/);
    });

    it("have mounts and sets of their own", async () => {
      const world = await openNamespaced(profile);
      const mounts = world.host(name, "sysAuthMount");
      const [one, other] = [createStack(mounts), createStack(mounts)];
      await Promise.all([
        one.up({ path: "fresh", type: "jwt" }),
        other.up({ path: "fresh", type: "jwt", namespace: "team", description: "of the team" }),
      ]);
      expect(other.entry()?.outputs["accessor"]).not.toBe(one.entry()?.outputs["accessor"]);
      expect(one.entry()?.outputs).not.toHaveProperty("description");
      await one.destroy();
      expect(await other.refresh()).toBe(true);

      await world.raw("secrets").call(`POST ${PATH}`, { role_type: "jwt", user_claim: "sub", bound_subject: "own" });
      const set = createStack(world.host(name, "jwtRoleSet"));
      const shared = {
        mount: MOUNT,
        namespace: "team",
        exclusive: true,
        defaults: { roleType: "jwt", userClaim: "sub" },
      };
      await set.up({ ...shared, roles: { ci: { boundSubject: "a" }, two: { boundSubject: "b" } } });
      await set.up({ ...shared, roles: { two: { boundSubject: "b" } } });
      expect(await subjects(world)).toEqual(["own", undefined, undefined]);
      expect(
        await set.preview({ ...shared, namespace: undefined, roles: { two: { boundSubject: "b" } } }),
      ).toMatchObject({
        step: "replace",
      });
    });
  });

  it("have groups and policies of their own, and an alias is of the mount that is in the group's namespace", async () => {
    const world = await openNamespaced(profile);
    const { call, ask } = world.raw("secrets");
    const groups = world.host("engine", "identityGroup");
    const [own, team] = [createStack(groups), createStack(groups)];
    const args = { name: "devs", type: "external", policies: ["p"], alias: { mount: MOUNT, name: "engineers" } };
    await Promise.all([own.up(args), team.up({ ...args, namespace: "team" })]);
    for (const within of ["", "team/"]) {
      const auth = (await call(`GET ${within}sys/auth`)) as { data: Record<string, { accessor: string }> };
      const accessor = auth.data[`${MOUNT}/`]?.accessor;
      expect(accessor).toMatch(/^auth_jwt_/);
      expect(await call(`GET ${within}identity/group/name/devs`)).toMatchObject({
        data: { alias: { name: "engineers", mount_accessor: accessor } },
      });
    }
    expect(await team.refresh()).toBe(true);
    expect(await team.preview({ ...args, namespace: "team" })).toEqual({ step: "same", replaces: [] });
    await own.destroy();
    expect((await ask("GET team/identity/group/name/devs")).status).toBe(200);

    const text = 'path "auth/x" { capabilities = ["read"] }';
    const policy = createStack(world.host("engine", "sysPolicy"));
    await policy.up({ name: "p", policy: text, namespace: "team/ci" });
    const statuses = ["", "team/", "team/ci/"].map(async (at) => (await ask(`GET ${at}sys/policies/acl/p`)).status);
    expect(await Promise.all(statuses)).toEqual([404, 404, 200]);
    expect(await policy.refresh()).toBe(true);
    await policy.destroy();
    expect((await ask("GET team/ci/sys/policies/acl/p")).status).toBe(404);
  });

  it("that are not there are an error, which names them", async () => {
    const world = await openNamespaced(profile);
    const stack = createStack(world.host("engine", "jwtRole"));
    await expect(stack.up({ ...ROLE, boundSubject: "s", namespace: "nowhere" })).rejects.toThrow(
      /^creating jwt\.Role "ci" in namespace "nowhere": .*[Cc]heck the .*namespace/,
    );
  });

  it("are told apart within a run: a delete of what has moved is done, and a second resource for a record refused", async () => {
    const world = await openNamespaced(profile);
    const { secrets = "{}", ...config } = world.config();
    const teamed = { ...JSON.parse(secrets), service: "secrets", namespace: "/team/" };
    const texts: Record<string, string> = { ...config, secrets, connections: JSON.stringify({ teamed }) };
    const engine = createEngine({ config: (key) => texts[key], env: process.env, log: () => {} });
    onTestFinished(() => engine.end());
    const args = { ...ROLE, boundSubject: "s" };
    const old = await engine.create(jwtRole, args);
    engine.startRun();
    await engine.create(jwtRole, { ...args, namespace: "team" });
    await engine.delete(jwtRole, old.id, old.state);
    expect(await subjects(world)).toEqual([undefined, "s", undefined]);
    const taken = /declare jwt\.Role auth\/tenants\/role\/ci[: ]/;
    await expect(engine.create(jwtRole, { ...args, namespace: "team" })).rejects.toThrow(taken);
    await expect(engine.create(jwtRole, { ...args, connection: "teamed" })).rejects.toThrow(taken);
    expect(await engine.create(jwtRole, { ...args, connection: "teamed", namespace: "ci" })).toBeDefined();
    expect(await subjects(world)).toEqual([undefined, "s", "s"]);
  });

  it("are asked by functions, which find nothing of another namespace", async () => {
    const world = await openNamespaced(profile);
    const texts = world.config();
    const engine = createEngine({ config: (key) => texts[key], env: process.env, log: () => {} });
    onTestFinished(() => engine.end());
    await engine.create(jwtRole, { ...ROLE, boundSubject: "s", namespace: "team" });
    const call = (args: Values) => engine.call(jwtGetRole, { mount: MOUNT, name: "ci", ...args });
    expect((await call({ namespace: "team" })).results).toMatchObject({ boundSubject: "s" });
    await expect(call({})).rejects.toThrow(/^calling jwt\.getRole "ci": it is not there/);
  });
});

describe.runIf(servicesUnderTest.includes("secrets") && !isOtherProfile)("a server without namespaces", () => {
  const args = { ...ROLE, boundSubject: "s" };

  it.each(hostNames)("is asked nothing for one through the %s host: it would do all in the root", async (name) => {
    const world = await openWorld();
    const stack = createStack(world.host(name, "jwtRole"));
    await expect(stack.up({ ...args, namespace: "team" })).rejects.toThrow(
      /namespace needs Vault Enterprise 0\.11\.0 or newer, or OpenBao 2\.3\.0 or newer; the server is Vault \(community edition\)/,
    );
    const own = createStack(world.host(name, "jwtRole", { namespace: "team" }));
    // The preview says it already.
    await expect(own.preview(args)).rejects.toThrow(
      /namespace cannot be "team" at \S+, which would do this outside of it/,
    );
    expect(world.traffic.seen().filter((request) => !isProbe(request))).toEqual([]);
  });

  it("takes `root` for itself", async () => {
    const world = await openWorld();
    const mount = world.fresh("jwt");
    await world.raw("secrets").call(`POST sys/auth/${mount}`, { type: "jwt" });
    const stack = createStack(world.host("engine", "jwtRole", { namespace: "root/" }));
    expect(await stack.up({ ...args, mount })).toBe("create");
  });

  it("that does not say what it is is not written to, unless the configuration says that it never does", async () => {
    const world = await openWorld();
    const mount = world.fresh("jwt");
    await world.raw("secrets").call(`POST sys/auth/${mount}`, { type: "jwt" });
    world.traffic.strikeAll(isProbe, "503");
    const stack = createStack(world.host("engine", "jwtRole"));
    await expect(stack.up({ ...args, mount, namespace: "team" })).rejects.toThrow(
      /did not say whether it has namespaces, such as the namespace "team": .*offline: true/,
    );
    expect(world.traffic.seen().filter(({ method }) => method !== "GET")).toEqual([]);
    const trusting = createStack(world.host("engine", "jwtRole", { offline: true }));
    expect(await trusting.up({ ...args, mount, namespace: "team" })).toBe("create");
  });
});
