// @servers embedded vault

import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Definition, Values } from "../../provider/core/definition.ts";
import { definitions } from "../../provider/resources/index.ts";
import { hostNames, hosts, pulumiHostNames } from "../support/contract-host.ts";
import { engineWithLog } from "../support/contract-host-engine.ts";
import { closeServersAfterwards, servicesUnderTest } from "../support/contract-servers.ts";
import { createStack } from "../support/contract-stack.ts";
import { lineOf } from "../support/contract-traffic.ts";
import { type ConnectionSettings, openWorld, type World } from "../support/contract-world.ts";
import type { ResourceName } from "../support/host-under-test.ts";
import { cloudMount, listsStaticRoles } from "./cases/mounts.ts";

closeServersAfterwards();

const planning = servicesUnderTest.includes("secrets") ? hostNames.filter((name) => name === "terraform") : [];

describe.each(planning)("a plan of %s", (name) => {
  it("that forgets a rotation names the key that would be lost with the mount", async () => {
    const world = await openWorld();
    const mount = await cloudMount(world);
    await world.raw("secrets").call(`POST ${mount}/config/root`, await world.servers.cloudUser(world.fresh("root")));
    const host = world.host(name, "cloudRootRotation");
    const stack = createStack(host);
    await stack.up({ mount });
    const key = stack.entry()?.outputs["accessKey"];
    await stack.destroy();
    const what = `the server has made its root key ${key} itself, and nobody else has the secret`;
    expect(host.log().join()).toContain(`${what}: it is lost where the mount is destroyed, too`);
  });
});

/** One run deletes what is in a mount, and then the mount. */
describe.runIf(servicesUnderTest.includes("secrets"))("a mount whose root key the server has made itself", () => {
  async function open({ rotates = true, root: more = {} as Values } = {}) {
    const world = await openWorld();
    const lines: string[] = [];
    const engine = engineWithLog(world.config(), lines);
    const made: [ResourceName, string, Values][] = [];
    const make = async (resource: ResourceName, args: Values) => {
      const { inputs } = await engine.check(definitions[resource], args);
      const { id, state } = await engine.create(definitions[resource], inputs);
      made.unshift([resource, id, state]);
      return state;
    };
    const mount = world.fresh("cloud");
    const { access_key, secret_key, ...at } = await world.servers.cloudUser(world.fresh("root"));
    const endpoints = at["iam_endpoint"] ? { iamEndpoint: at["iam_endpoint"], stsEndpoint: at["sts_endpoint"] } : {};
    await make("sysSecretsMount", { path: mount, type: "aws", force: !listsStaticRoles });
    const root = { mount, accessKey: access_key, secretKey: secret_key, ...endpoints, rotatedByServer: rotates };
    await make("cloudRootConfig", { ...root, region: "us-east-1", ...more });
    const rotation = rotates ? await make("cloudRootRotation", { mount }) : {};
    engine.startRun();
    lines.splice(0);
    const remove = async (...resources: readonly ResourceName[]) => {
      for (const [resource, id, state] of made.filter(([name]) => resources.includes(name)))
        await engine.delete(definitions[resource], id, state);
    };
    const warnings = () => lines.filter((line) => line.startsWith("warning: "));
    return { world, engine, mount, remove, warnings, key: rotation["accessKey"] };
  }

  it("goes with a word for the key that is lost, and none for the configurations that go with it", async () => {
    const { mount, key, remove, warnings } = await open();
    await remove("cloudRootRotation", "cloudRootConfig", "sysSecretsMount");
    expect(warnings()).toEqual([
      `warning: sys.SecretsMount "${mount}": the server has made its root key ${key} itself, and nobody else has the secret: it is lost with the mount. Delete the key in the cloud, where it stays valid.`,
    ]);
  });

  it("is no other hand's key, where the configuration is blanked after the rotation", async () => {
    const { remove, warnings } = await open({ root: { rotatedByServer: undefined, onDelete: "blank" } });
    await remove("cloudRootRotation", "cloudRootConfig");
    expect(warnings()).toEqual([]);
  });

  it("is not needed to forget what is in it: the server may be away for good", async () => {
    const { world, remove } = await open({ rotates: false });
    world.traffic.strikeAll(() => true, "sealed");
    await remove("cloudRootConfig");
  });

  it("goes without a word where the program has the key", async () => {
    const { remove, warnings } = await open({ rotates: false });
    await remove("cloudRootConfig", "sysSecretsMount");
    expect(warnings()).toEqual([]);
  });

  it("goes with a word for the key that the server may have made, where nobody knows", async () => {
    const { remove, warnings } = await open();
    await remove("cloudRootConfig", "sysSecretsMount");
    expect(warnings()).toEqual([expect.stringContaining("the server may have made its root key itself")]);
  });

  it("that the program keeps has the configuration still, with a warning", async () => {
    const { engine, mount, remove, warnings } = await open({ rotates: false });
    await engine.check(definitions.sysSecretsMount, { path: mount, type: "aws" });
    await remove("cloudRootConfig");
    expect(warnings()).toEqual([
      expect.stringMatching(/cloud\.RootConfig .* stays on the server: the API cannot delete it/),
    ]);
  });
});

const { publicKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
});

describe.runIf(servicesUnderTest.includes("secrets"))("a mount that another hand has made anew", () => {
  const role = { name: "ci", roleType: "jwt", userClaim: "sub", boundAudiences: ["a"] };
  type Resource = keyof typeof theirs;
  const kinds: readonly (readonly ["auth" | "mounts", string, Resource, Values])[] = [
    ["mounts", "aws", "cloudLeaseConfig", { lease: "1h", leaseMax: "2h" }],
    ["auth", "jwt", "jwtConfig", { jwtValidationPubkeys: [publicKey], boundIssuer: "https://ours" }],
    ["auth", "jwt", "jwtRole", role],
  ];
  const theirs = {
    cloudLeaseConfig: ["config/lease", { lease: "5m", lease_max: "6m" }],
    jwtConfig: ["config", { jwt_validation_pubkeys: [publicKey], bound_issuer: "https://theirs" }],
    jwtRole: ["role/ci", { role_type: "jwt", user_claim: "email", bound_audiences: ["b"] }],
  } as const;

  const through = pulumiHostNames
    .filter((name) => hostNames.includes(name))
    .flatMap((name) => kinds.map((kind) => [name, kind[2], kind] as const));

  it.each(kinds)("of %s, type %s: the %s leaves the state, before or after its mount is read", async (...kind) => {
    const { engine, lines, mount, record, remake } = await openRemade(kind);
    await remake();
    for (const order of [
      [record, mount],
      [mount, record],
    ]) {
      engine.startRun();
      for (const { definition, made } of order)
        expect(await engine.read(definition, made.id, made.state)).toBeUndefined();
      const said = lines.splice(0).filter((line) => line.includes("leaves the state"));
      expect(said).toEqual([
        expect.stringMatching(/in the mount that was made anew there since: it exists already with/),
      ]);
    }
  });

  it("is compared with the state's by one list a run, or by itself where the token may not list", async () => {
    const { engine, world, mount, record, remake } = await openRemade(["auth", "jwt", "jwtRole", role]);
    const { inputs } = await engine.check(record.definition, { ...record.args, name: "other" });
    const other = await engine.create(record.definition, inputs);
    const roles = [record.made, other].map((made) => ({ ...record, made }));
    const read = async (...all: typeof roles) => {
      engine.startRun();
      world.traffic.forget();
      const found = await Promise.all(all.map(({ definition, made }) => engine.read(definition, made.id, made.state)));
      const asked = world.traffic.seen().map(lineOf);
      return { found: found.map((one) => one !== undefined), asked: asked.filter((line) => line.includes("/v1/sys/")) };
    };
    const list = "GET /v1/sys/auth";
    expect(await read(...roles, mount)).toEqual({ found: [true, true, true], asked: [list] });
    await remake();
    expect(await read(...roles, mount)).toEqual({ found: [false, false, false], asked: [list] });
    const alone = `GET /v1/sys/internal/ui/mounts/auth/${mount.args["path"]}`;
    world.traffic.strikeAll(({ url }) => url.endsWith("/sys/auth"), "403");
    expect(await read(record)).toEqual({ found: [false], asked: [list, alone] });
    // Nobody can say then in which mount the record is.
    world.traffic.strikeAll(({ url }) => url.includes("/v1/sys/"), "403");
    expect(await read(record)).toEqual({ found: [true], asked: [list, alone] });
  });

  it("is that of a record which a refresh takes over: the apply of that plan makes no other one of it", async () => {
    const { engine, mount, record, remake } = await openRemade(["auth", "jwt", "jwtRole", role], {
      takeOver: "always",
    });
    await remake();
    engine.startRun();
    const { definition, args, made } = record;
    expect(await engine.read(mount.definition, mount.made.id, mount.made.state)).toBeUndefined();
    const found = await engine.read(definition, made.id, made.state);
    const { inputs } = await engine.check(definition, { ...args, boundAudiences: ["a"] }, found?.state);
    const planned = await engine.diff(definition, found?.state ?? {}, inputs);
    expect(planned).toMatchObject({ replaces: [] });
    await engine.create(mount.definition, (await engine.check(mount.definition, mount.args)).inputs);
    expect(await engine.diff(definition, found?.state ?? {}, inputs)).toEqual(planned);
  });

  it.each(kinds)("of %s, type %s: the %s of an older state is not written over", async (...kind) => {
    const { engine, world, mount, record, remake } = await openRemade(kind);
    await remake();
    engine.startRun();
    await engine.create(mount.definition, (await engine.check(mount.definition, mount.args)).inputs);
    const { inputs } = await engine.check(record.definition, record.args, record.made.state);
    expect(await engine.diff(record.definition, record.made.state, inputs)).toMatchObject({ replaces: ["mount"] });
    world.traffic.forget();
    await engine.delete(record.definition, record.made.id, record.made.state);
    await expect(engine.create(record.definition, inputs)).rejects.toThrow(/it exists already with other content/);
    expect(writes(world)).toEqual([]);
  });

  it.each(through)(
    "through the %s host, leaves the state, and is not written over, where nothing else is known: %s",
    async (name, _, kind) => {
      const { world, record, remake } = await openRemade(kind);
      await remake();
      const host = hosts[name]({ resource: kind[2], config: world.config() });
      const { id, state } = record.made;
      world.traffic.forget();
      expect(await host.read(id, state)).toBeUndefined();
      // A user can ask for a replacement of what has not changed.
      const { inputs } = await host.check(record.args, record.args);
      await host.delete(id, state);
      await expect(host.create(inputs)).rejects.toThrow(/it exists already with other content/);
      expect(writes(world)).toEqual([]);
    },
  );

  /** A mount with a record, and what makes both anew as somebody else. */
  async function openRemade([list, type, resource, args]: (typeof kinds)[number], settings: ConnectionSettings = {}) {
    const world = await openWorld();
    const lines: string[] = [];
    const engine = engineWithLog(world.config(settings), lines);
    const make = async (definition: Definition, args: Values) => {
      const { inputs } = await engine.check(definition, args);
      return { definition, args, made: await engine.create(definition, inputs) };
    };
    const path = world.fresh("remade");
    const mount = await make(definitions[list === "auth" ? "sysAuthMount" : "sysSecretsMount"], { path, type });
    const record = await make(definitions[resource], { ...args, mount: path });
    const remake = async () => {
      const raw = world.raw("secrets");
      const [at, body] = theirs[resource];
      await raw.call(`DELETE sys/${list}/${path}`);
      await raw.call(`POST sys/${list}/${path}`, { type });
      await raw.call(`POST ${list === "auth" ? "auth/" : ""}${path}/${at}`, body);
    };
    return { engine, world, lines, mount, record, remake };
  }
});

function writes(world: World) {
  return world.traffic.seen().filter(({ method }) => method !== "GET");
}
