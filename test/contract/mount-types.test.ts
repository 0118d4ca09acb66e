// @servers embedded vault

import { describe, expect, it } from "vitest";
import type { Values } from "../../provider/core/definition.ts";
import type { ProviderError } from "../../provider/core/errors.ts";
import type { Engine } from "../../provider/engine/engine.ts";
import { definitions } from "../../provider/resources/index.ts";
import { hostNames, type ResourceName } from "../support/contract-host.ts";
import { engineWithLog } from "../support/contract-host-engine.ts";
import { closeServersAfterwards, isEmbedded, servicesUnderTest } from "../support/contract-servers.ts";
import { createStack } from "../support/contract-stack.ts";
import { lineOf } from "../support/contract-traffic.ts";
import { openWorld, type World } from "../support/contract-world.ts";
import { secretsToken } from "../support/documented-policy.ts";

closeServersAfterwards();

const hasVault = servicesUnderTest.includes("secrets");
const role = { roleType: "jwt", userClaim: "sub", boundAudiences: ["a"] };
const root = { accessKey: "AKIAIOSFODNN7EXAMPLE", secretKey: "wJalrXUtnFEMI" };

/** What would be written into the mount, and what has to be mounted there. */
const kinds: readonly (readonly [ResourceName, "auth" | "mounts", string, (mount: string) => Values])[] = [
  ["jwtRole", "auth", "jwt", (mount) => ({ mount, name: "ci", ...role })],
  ["jwtRoleSet", "auth", "jwt", (mount) => ({ mount, defaults: role, roles: { one: {}, two: {} } })],
  ["jwtConfig", "auth", "jwt", (mount) => ({ mount, oidcDiscoveryUrl: "https://idp.example.com" })],
  ["identityGroup", "auth", "jwt", (mount) => ({ name: mount, type: "external", alias: { mount, name: "people" } })],
  ["cloudRootConfig", "mounts", "aws", (mount) => ({ mount, ...root })],
  ["cloudRootRotation", "mounts", "aws", (mount) => ({ mount })],
  ["cloudLeaseConfig", "mounts", "aws", (mount) => ({ mount, lease: "1h", leaseMax: "2h" })],
  ["cloudRole", "mounts", "aws", (mount) => ({ mount, name: "r", credentialType: "iam_user", policyArns: [] })],
];

describe.each(hasVault ? hostNames : [])("a mount of another type, through the %s host", (host) => {
  it.each(kinds)("gets no %s: its preview and its update name the type and what else is mounted", async (...kind) => {
    const [resource, list, type, argsFor] = kind;
    const world = await openWorld();
    const { foreign } = await mountsIn(world, list, type);
    const stack = createStack(world.host(host, resource));
    const other = list === "auth" ? "an approle" : isEmbedded ? "a cubbyhole" : "a kv";
    const says = new RegExp(`"${foreign}" is ${other} mount; ${type} mounts of this server: .+/`);
    world.traffic.forget();
    await expect(stack.preview(argsFor(foreign))).rejects.toThrow(says);
    await expect(stack.up(argsFor(foreign))).rejects.toThrow(says);
    expect(writes(world)).toEqual([]);
  });

  it("is not written to where only the update can know: its preview could not ask", async () => {
    const world = await openWorld();
    const { foreign } = await mountsIn(world, "auth", "jwt");
    const stack = createStack(world.host(host, "jwtRole"));
    world.traffic.strikeAll(({ url }) => url.endsWith("/sys/auth"), "503");
    world.traffic.forget();
    await expect(stack.up({ mount: foreign, name: "ci", ...role })).rejects.toThrow(/503/);
    expect(writes(world)).toEqual([]);
  });
});

describe.runIf(hasVault)("the type of a mount", () => {
  it("tells a record from what a mount of another type has of that name: the record is gone", async () => {
    const { world, engine, lines } = await openEngine();
    const { fitting: mount } = await mountsIn(world, "auth", "jwt");
    const raw = world.raw("secrets");
    const { id, state } = await make(engine, "jwtRole", { mount, name: "ci", ...role });
    engine.startRun();
    world.traffic.forget();
    expect(await engine.read(definitions.jwtRole, id, state)).toBeDefined();
    // A record that has what each of its kind has raises no question.
    expect(lists(world)).toEqual([]);
    await raw.call(`DELETE sys/auth/${mount}`);
    await raw.call(`POST sys/auth/${mount}`, { type: "approle" });
    await raw.call(`POST auth/${mount}/role/ci`, { token_policies: ["theirs"] });
    engine.startRun();
    expect(await engine.read(definitions.jwtRole, id, state)).toBeUndefined();
    expect(lines).toEqual([
      expect.stringMatching(/^warning: jwt\.Role: mount ".+" is an approle mount now: the record went with the mount/),
    ]);
  });

  it("is asked once a run, for a set of 100 and for single roles, and not where the run has made the mount", async () => {
    const { world, engine } = await openEngine();
    const { fitting } = await mountsIn(world, "auth", "jwt");
    const names = Array.from({ length: 100 }, (_, at) => `r${at}`);
    const roles = Object.fromEntries(names.map((name) => [name, {}]));
    world.traffic.forget();
    await make(engine, "jwtRoleSet", { mount: fitting, defaults: role, roles });
    await Promise.all(["a", "b"].map((name) => make(engine, "jwtRole", { mount: fitting, name, ...role })));
    expect(lists(world)).toEqual(["GET /v1/sys/auth"]);

    engine.startRun();
    world.traffic.forget();
    const own = world.fresh("own");
    await make(engine, "sysAuthMount", { path: own, type: "jwt" });
    const asked = lists(world);
    await make(engine, "jwtRole", { mount: own, name: "ci", ...role });
    expect(lists(world)).toEqual(asked);
  });

  it("is asked of the mount itself where the token may not list them: another type is refused", async () => {
    const world = await openWorld();
    const { fitting, foreign } = await mountsIn(world, "auth", "jwt");
    const { weak, engine, lines } = await withoutLists(world, [fitting, foreign]);
    await make(engine, "jwtRole", { mount: fitting, name: "ci", ...role });
    const refusal = `mount "${foreign}" is an approle mount, and a jwt one is needed; the token may not list the others`;
    const ahead = await engine.check(definitions.jwtRole, { mount: foreign, name: "ci", ...role });
    expect(ahead.failures.map(({ property, reason }) => `${property} ${reason}`)).toEqual([refusal]);
    weak.traffic.forget();
    const { inputs } = ahead;
    await expect(engine.create(definitions.jwtRole, inputs)).rejects.toThrow(refusal);
    expect(writes(weak)).toEqual([]);
    expect(lines.filter((line) => line.startsWith("warning"))).toEqual([]);
  });

  it("that neither shows is warned of once for a mount, and the roles are written", async () => {
    const world = await openWorld();
    const { fitting } = await mountsIn(world, "auth", "jwt");
    const { weak, engine, lines } = await withoutLists(world, [fitting]);
    weak.traffic.strikeAll(({ url }) => url.includes("/sys/internal/ui/mounts/"), "403");
    for (const name of ["a", "b"]) await make(engine, "jwtRole", { mount: fitting, name, ...role });
    const said = lines.filter((line) => line.includes("its type is not known"));
    expect(said).toEqual([expect.stringMatching(new RegExp(`jwt.Role: mount "${fitting}".*403.*sys/auth`))]);
  });

  it("counts as the program says where the program makes the mount anew, or has it", async () => {
    const { world, engine } = await openEngine();
    const { foreign } = await mountsIn(world, "auth", "jwt");
    const args = { mount: foreign, name: "ci", ...role };
    expect((await engine.check(definitions.jwtRole, args)).failures).toHaveLength(1);
    await engine.check(definitions.sysAuthMount, { path: foreign, type: "jwt" });
    expect((await engine.check(definitions.jwtRole, args)).failures).toEqual([]);
    await expect(engine.create(definitions.jwtRole, args)).rejects.toThrow(/is an approle mount/);
  });

  it.each(["oidc", "jwt"])("does not make a %s mount the stack's that another hand has made anew", async (type) => {
    const { world, engine } = await openEngine();
    const { jwtRole, sysAuthMount } = definitions;
    const [raw, path] = [world.raw("secrets"), world.fresh("remade")];
    const mount = await make(engine, "sysAuthMount", { path, type: "jwt" });
    const { id, state } = await make(engine, "jwtRole", { mount: path, name: "ci", ...role });
    await raw.call(`DELETE sys/auth/${path}`);
    await raw.call(`POST sys/auth/${path}`, { type });
    const theirs = { role_type: "jwt", user_claim: "email", bound_audiences: ["b"], token_policies: ["people"] };
    await raw.call(`POST auth/${path}/role/ci`, theirs);
    world.traffic.forget();
    const begin = async () => {
      engine.startRun();
      const { inputs } = await engine.check(sysAuthMount, { path, type: "jwt" }, mount.state);
      await engine.diff(sysAuthMount, mount.state, inputs);
    };
    await begin();
    const { inputs } = await engine.check(jwtRole, { mount: path, name: "ci", ...role, tokenTtl: "1h" }, state);
    await expect(engine.update(jwtRole, id, state, inputs)).rejects.toThrow(
      type === "jwt"
        ? /it exists already with other content: /
        : /is an oidc mount, which somebody else has made since/,
    );
    await begin();
    const create = engine.create(jwtRole, { ...inputs, name: "new" });
    await (type === "jwt" ? create : expect(create).rejects.toThrow(/the program has a jwt one there/));
    engine.startRun();
    await engine.delete(jwtRole, id, state);
    engine.startRun();
    await engine.read(sysAuthMount, mount.id, mount.state);
    expect(await engine.read(jwtRole, id, state)).toBeUndefined();
    // A host that keeps no mark of the mount.
    const { mountMark: _, ...unmarked } = state;
    expect(await engine.read(jwtRole, id, unmarked)).toBeUndefined();
    expect(writes(world)).toEqual(type === "jwt" ? [expect.stringContaining("/role/new")] : []);
  });

  it("leaves another hand's record in such a mount where a set has one of its name, and a set's own there is the set's", async () => {
    const { world, engine } = await openEngine();
    const { jwtRoleSet } = definitions;
    const [raw, path] = [world.raw("secrets"), world.fresh("remade")];
    await make(engine, "sysAuthMount", { path, type: "jwt" });
    const set = await make(engine, "jwtRoleSet", { mount: path, defaults: role, roles: { ci: {} } });
    await raw.call(`DELETE sys/auth/${path}`);
    await raw.call(`POST sys/auth/${path}`, { type: "jwt" });
    const theirs = { role_type: "jwt", user_claim: "email", bound_audiences: ["b"] };
    await raw.call(`POST auth/${path}/role/ci`, theirs);
    const change = async (state: Values, tokenTtl: string) => {
      engine.startRun();
      const args = { mount: path, defaults: role, roles: { ci: { tokenTtl }, own: { tokenTtl } } };
      const { inputs } = await engine.check(jwtRoleSet, args, state);
      await engine.diff(jwtRoleSet, state, inputs);
      return engine.update(jwtRoleSet, set.id, state, inputs).catch((error: unknown) => error as ProviderError);
    };
    const first = await change(set.state, "1h");
    expect(first).toMatchObject({ message: expect.stringMatching(/"ci": it exists already with other content/) });
    const { properties = {} } = first as ProviderError;
    expect(Object.keys(properties["roles"] as object)).toEqual(["own"]);
    expect(await change(properties, "2h")).toMatchObject({ message: expect.stringMatching(/"ci": it exists already/) });
    for (const state of [properties, set.state]) {
      engine.startRun();
      await engine.delete(jwtRoleSet, set.id, state);
    }
    expect(await raw.call(`GET auth/${path}/role/ci`)).toHaveProperty("data.user_claim", "email");
    expect((await raw.ask(`GET auth/${path}/role/own`)).status).toBe(404);
  });

  it("is that of the mount in which the path is", async () => {
    const { world, engine } = await openEngine();
    const { foreign } = await mountsIn(world, "auth", "jwt");
    const args = { mount: `${foreign}/below`, name: "ci", ...role };
    const { failures } = await engine.check(definitions.jwtRole, args);
    expect(failures).toEqual([
      expect.objectContaining({
        property: "mount",
        reason: expect.stringMatching(/ is in ".*", which is an approle mount/),
      }),
    ]);
  });
});

it.runIf(hasVault)("a preview says that a path is another mount's, or in one", async () => {
  const world = await openWorld();
  const lines: string[] = [];
  const engine = engineWithLog(world.config(), lines);
  const [own, theirs] = [world.fresh("own"), world.fresh("theirs")];
  await world.raw("secrets").call(`POST sys/auth/${theirs}`, { type: "jwt" });
  const { state } = await engine.create(definitions.sysAuthMount, { path: own, type: "jwt" });
  const said = () => lines.splice(0).filter((line) => line.startsWith("warning"));
  const isTaken = (path: string) =>
    `warning: sys.AuthMount "${path}": this update will be refused, unless this run takes away the mount "auth/${theirs}/" before: no two mounts have one path, and none is in another`;
  for (const path of [theirs, `${theirs}/inside`]) {
    engine.startRun();
    await engine.diff(definitions.sysAuthMount, state, { path, type: "jwt" });
    expect(said()).toEqual([isTaken(path)]);
  }
  await engine.foresee(definitions.sysAuthMount, { path: `${theirs}/inside`, type: "jwt" });
  expect(said()).toEqual([isTaken(`${theirs}/inside`)]);
  await engine.foresee(definitions.sysAuthMount, { path: theirs, type: "jwt" });
  await engine.diff(definitions.sysAuthMount, state, { path: `${theirs}-too`, type: "jwt" });
  // What is there is the mount itself, which another hand has moved.
  const raw = world.raw("secrets");
  await raw.call("POST sys/remount", { from: `auth/${own}`, to: `auth/${own}-too` });
  await expect.poll(() => raw.call("GET sys/auth")).toHaveProperty(["data", `${own}-too/`]);
  const later = engineWithLog(world.config(), lines);
  await later.diff(definitions.sysAuthMount, state, { path: `${own}-too`, type: "jwt" });
  expect(said()).toEqual([]);
});

async function openEngine() {
  const world = await openWorld();
  const lines: string[] = [];
  return { world, lines, engine: engineWithLog(world.config(), lines) };
}

/** A token that may do everything in these auth mounts, and may not read the list of them. */
async function withoutLists(world: World, mounts: readonly string[]) {
  const rules = mounts.map((mount) => `path "auth/${mount}/*" { capabilities = ["create", "update", "read", "list"] }`);
  const token = await secretsToken(world.raw("secrets"), rules.join(" "));
  const weak = await openWorld({ servers: { ...world.servers, secrets: { ...world.servers.secrets, token } } });
  const lines: string[] = [];
  return { weak, lines, engine: engineWithLog(weak.config(), lines) };
}

async function make(engine: Engine, resource: "jwtRole" | "jwtRoleSet" | "sysAuthMount", args: Values) {
  return engine.create(definitions[resource], (await engine.check(definitions[resource], args)).inputs);
}

/** A mount of another type, and one that fits. */
async function mountsIn(world: World, list: "auth" | "mounts", type: string) {
  const raw = world.raw("secrets");
  const fitting = world.fresh(type);
  await raw.call(`POST sys/${list}/${fitting}`, { type });
  // The embedded server has no other secrets engine than those that are always there.
  if (list === "mounts" && isEmbedded) return { foreign: "cubbyhole", fitting };
  const foreign = world.fresh("jobs");
  await raw.call(`POST sys/${list}/${foreign}`, { type: list === "auth" ? "approle" : "kv" });
  return { foreign, fitting };
}

function writes(world: World): string[] {
  return world.traffic
    .seen()
    .filter(({ method }) => method !== "GET")
    .map(lineOf);
}

function lists(world: World): string[] {
  return world.traffic
    .seen()
    .map(lineOf)
    .filter((line) => /sys\/(auth|mounts)$/.test(line) && line.startsWith("GET"));
}
