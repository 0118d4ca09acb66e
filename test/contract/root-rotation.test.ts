// @servers embedded vault

import { describe, expect, it, onTestFinished } from "vitest";
import type { Values } from "../../provider/core/definition.ts";
import { definitions } from "../../provider/resources/index.ts";
import { hostNames, type ResourceName } from "../support/contract-host.ts";
import { engineWithLog } from "../support/contract-host-engine.ts";
import { closeServersAfterwards } from "../support/contract-servers.ts";
import { openWorld, type World } from "../support/contract-world.ts";
import { openWitnessedStack } from "../support/witness-proxy.ts";

closeServersAfterwards();

const same = { step: "same", replaces: [] };

/** A new user of the cloud, as a root configuration names it. */
async function rootOf(world: World) {
  const { access_key, secret_key, ...at } = await world.servers.cloudUser(world.fresh("root"));
  return {
    accessKey: access_key,
    secretKey: secret_key,
    ...(at["iam_endpoint"] ? { iamEndpoint: at["iam_endpoint"], stsEndpoint: at["sts_endpoint"] } : {}),
  };
}

describe.each(hostNames)("through the %s host", (host) => {
  // @covers cloud: Endpoints > POST {mount}/config/rotate-root
  // @covers cloud: Rules of generation > 4: rotating the root key
  it.each([
    ["is expected, and the program's key stays in the state", true],
    ["may have been, and the new key is in the state once it was read", undefined],
  ])("a rotation %s: it is no difference, and the old key is never sent again", async (_, rotatedByServer) => {
    const world = await openWorld();
    const mount = world.fresh("cloud");
    await world.raw("secrets").call(`POST sys/mounts/${mount}`, { type: "aws" });
    const at = { host, service: "secrets", at: world.servers.secrets } as const;
    const config = await openWitnessedStack({ ...at, resource: "cloudRootConfig" });
    const rotation = await openWitnessedStack({ ...at, resource: "cloudRootRotation" });
    const liveKey = async () => {
      const record = (await world.servers.stored("secrets", `${mount}/config/root`)) as Values;
      return record["access_key"];
    };
    const given = await rootOf(world);
    const args = { mount, ...given, region: "us-east-1", ...(rotatedByServer && { rotatedByServer }) };

    await config.stack.up(args);
    expect(await liveKey()).toBe(given.accessKey);
    const sentBefore = config.requests.length;
    expect(config.requests.some(({ body }) => body.includes(given.secretKey))).toBe(true);

    expect(await rotation.stack.up({ mount })).toBe("create");
    const rotated = await liveKey();
    expect(rotated).not.toBe(given.accessKey);
    expect(rotation.stack.entry()?.outputs).toMatchObject({ accessKey: rotated });

    expect(await config.stack.preview(args)).toEqual(same);
    expect(await config.stack.refresh()).toBe(true);
    expect(config.stack.entry()?.inputs["accessKey"]).toBe(rotatedByServer ? given.accessKey : rotated);
    const doubt = /which is not the program's: it was rotated, or another hand has written it/;
    expect(doubt.test(config.log().join())).toBe(rotatedByServer === undefined);
    expect(await config.stack.preview(args)).toEqual(same);
    expect(await rotation.stack.refresh()).toBe(true);
    expect(await rotation.stack.preview({ mount })).toEqual(same);

    expect(await config.stack.up({ ...args, region: "us-east-2" })).toBe("update");
    expect(await config.stack.refresh()).toBe(true);
    expect(await config.stack.preview({ ...args, region: "us-east-2" })).toEqual(same);
    // A server that had lost half of its key could not rotate it.
    expect(await rotation.stack.up({ mount, triggers: { quarter: "2" } })).toBe("update");
    expect([given.accessKey, rotated]).not.toContain(await liveKey());
    expect(await config.stack.up({ ...args, region: "us-east-1" })).toBe("update");
    // A blank behind the secret, as of a file, is no new key.
    const kept = await liveKey();
    const blank = { ...args, secretKey: `${given.secretKey} ` };
    expect(await config.stack.preview(blank)).toEqual({ step: "update", replaces: [] });
    expect(config.log().join()).toMatch(
      /is not the program's: it stays, .* is not sent again, nor another secret_?[kK]ey/,
    );
    expect(await config.stack.up(blank)).toBe("update");
    expect(await liveKey()).toBe(kept);
    expect(await config.stack.preview(blank)).toEqual(same);
    const sentSince = [...config.requests.slice(sentBefore), ...rotation.requests];
    expect(sentSince.length).toBeGreaterThan(5);
    for (const { line, body } of sentSince) {
      expect(`${line} ${body}`).not.toContain(given.accessKey);
      expect(`${line} ${body}`).not.toContain(given.secretKey);
    }

    const another = await rootOf(world);
    expect(await config.stack.up({ ...args, ...another })).toBe("update");
    const lost = new RegExp(`${kept} by now, which is not the program's: the new key replaces it, .* is lost`);
    expect(config.log().join()).toMatch(lost);
    expect(await liveKey()).toBe(another.accessKey);
    expect(config.requests.some(({ body }) => body.includes(another.secretKey))).toBe(true);
  });

  it("a key of another hand is a difference where the program says that nobody rotates it, and its own is written again", async () => {
    const world = await openWorld();
    const mount = world.fresh("cloud");
    const api = world.raw("secrets");
    await api.call(`POST sys/mounts/${mount}`, { type: "aws" });
    const key = { accessKey: "AKIAMINE", secretKey: world.fresh("secret") };
    const args = { mount, ...key, rotatedByServer: false };
    const { stack, log } = await openWitnessedStack({
      ...({ host, service: "secrets", at: world.servers.secrets } as const),
      resource: "cloudRootConfig",
    });
    const liveKey = async () =>
      ((await world.servers.stored("secrets", `${mount}/config/root`)) as Values)["access_key"];
    await stack.up({ ...args, region: "us-east-1" });
    await api.call(`POST ${mount}/config/root`, {
      access_key: "AKIATHEIRS",
      secret_key: "theirs",
      region: "us-east-1",
    });

    // Without a refresh nobody can tell it from a rotation.
    expect(await stack.up({ ...args, region: "us-east-2" })).toBe("update");
    expect(await liveKey()).toBe("AKIATHEIRS");
    expect(await stack.preview({ ...args, region: "us-east-2" })).toEqual(same);
    expect(await stack.refresh()).toBe(true);
    expect(await stack.preview({ ...args, region: "us-east-2" })).toEqual({ step: "update", replaces: [] });
    expect(log().join()).toMatch(/AKIATHEIRS by now, which is not the program's: an update writes the program's again/);
    expect(await stack.up({ ...args, region: "us-east-2" })).toBe("update");
    expect(await liveKey()).toBe("AKIAMINE");
    expect(await stack.refresh()).toBe(true);
    expect(await stack.preview({ ...args, region: "us-east-2" })).toEqual(same);
  });

  it("an imported configuration keeps the key that was rotated, and asks whose key counts where the program does not say", async () => {
    const world = await openWorld();
    const mount = world.fresh("cloud");
    const api = world.raw("secrets");
    await api.call(`POST sys/mounts/${mount}`, { type: "aws" });
    const given = await rootOf(world);
    const { accessKey: access_key, secretKey: secret_key, iamEndpoint, stsEndpoint } = given;
    const endpoints = iamEndpoint ? { iam_endpoint: iamEndpoint, sts_endpoint: stsEndpoint } : {};
    await api.call(`POST ${mount}/config/root`, { access_key, secret_key, ...endpoints });
    await api.call(`POST ${mount}/config/rotate-root`);
    const { stack, requests } = await openWitnessedStack({
      ...({ host, service: "secrets", at: world.servers.secrets } as const),
      resource: "cloudRootConfig",
    });

    await stack.adopt(`${mount}/config/root`);
    const args = { mount, ...given, region: "us-east-2" };
    await expect(stack.up(args)).rejects.toThrow(
      /set `rotated(ByServer|_by_server): true` to keep it, or `rotated(ByServer|_by_server): false`/,
    );
    expect(await stack.up({ ...args, rotatedByServer: true })).toBe("update");
    for (const { body } of requests) expect(body).not.toContain(given.secretKey);
    expect(await stack.preview({ ...args, rotatedByServer: true })).toEqual(same);
  });
});

// A program without `dependsOn`: both begin at the same time. The stack was lost, and its key is on the server.
it.each([
  ["the rotation", "cloudRootRotation"],
  ["the configuration", "cloudRootConfig"],
] as const)("a run that begins with %s does not write the key again that it has rotated away", async (_, first) => {
  const world = await openWorld();
  const mount = world.fresh("cloud");
  const api = world.raw("secrets");
  await api.call(`POST sys/mounts/${mount}`, { type: "aws" });
  const given = await rootOf(world);
  const engine = engineWithLog(world.config(), []);
  onTestFinished(() => engine.end());
  const checked = async (resource: ResourceName, args: Values) => {
    const { inputs } = await engine.check(definitions[resource], { mount, ...args });
    return () => engine.create(definitions[resource], inputs);
  };
  const configure = { ...given, takeOver: "always" };
  await (await checked("cloudRootConfig", configure))();
  engine.startRun();

  const rotating = await checked("cloudRootRotation", {});
  const configuring = await checked("cloudRootConfig", configure);
  const order = first === "cloudRootRotation" ? [rotating, configuring] : [configuring, rotating];
  const made = await Promise.allSettled(order.map((make) => make()));
  expect(made[0]).toMatchObject({ status: "fulfilled" });
  const problems = made.flatMap((one) => (one.status === "rejected" ? [String(one.reason)] : []));
  for (const problem of problems) expect(problem).toMatch(/set `rotatedByServer: true` to keep it/);
  expect(await world.servers.stored("secrets", `${mount}/config/root`)).not.toMatchObject({
    access_key: given.accessKey,
  });
  // The cloud does not know a dead key.
  await expect(api.call(`POST ${mount}/config/rotate-root`)).resolves.toBeDefined();
});

it("a rotation says which key it ends where the stack has no configuration, and is refused with `never`, and in a mount made anew", async () => {
  const world = await openWorld();
  const mount = world.fresh("cloud");
  const api = world.raw("secrets");
  await api.call(`POST sys/mounts/${mount}`, { type: "aws" });
  const configure = async () =>
    api.call(`POST ${mount}/config/root`, await world.servers.cloudUser(world.fresh("root")));
  await configure();
  const liveKey = async () => Object(await world.servers.stored("secrets", `${mount}/config/root`)).access_key;
  const lines: string[] = [];
  const engine = engineWithLog(world.config(), lines);
  onTestFinished(() => engine.end());
  const { cloudRootConfig, cloudRootRotation, sysSecretsMount } = definitions;
  const key = await liveKey();
  const never = (await engine.check(cloudRootRotation, { mount, takeOver: "never" })).inputs;
  await expect(engine.create(cloudRootRotation, never)).rejects.toThrow(/it exists already, and `takeOver` is `never`/);
  engine.startRun();
  const { inputs } = await engine.check(cloudRootRotation, { mount });
  await engine.foresee(cloudRootRotation, inputs);
  expect(lines.at(-1)).toMatch(`It is taken over; this ends its accessKey ${key}`);
  const own = (await engine.check(cloudRootConfig, { mount, ...(await rootOf(world)), takeOver: "always" })).inputs;
  await engine.update(cloudRootConfig, `${mount}/config/root`, own, { ...own, rotatedByServer: false });
  lines.length = 0;
  const made = await engine.create(cloudRootRotation, inputs);
  expect(lines.join()).not.toContain("this ends");

  engine.startRun();
  const aws = await engine.read(sysSecretsMount, `sys/mounts/${mount}`, {});
  const marked = await engine.read(cloudRootRotation, made.id, made.state);
  await api.call(`DELETE sys/mounts/${mount}`);
  await api.call(`POST sys/mounts/${mount}`, { type: "aws" });
  await configure();
  const later = engineWithLog(world.config(), lines);
  onTestFinished(() => later.end());
  await later.diff(sysSecretsMount, aws?.state ?? {}, aws?.state ?? {});
  const theirs = await liveKey();
  const again = (await later.check(cloudRootRotation, { mount, triggers: { year: "2027" } })).inputs;
  await expect(later.update(cloudRootRotation, made.id, marked?.state ?? {}, again)).rejects.toThrow(
    /somebody else has made, in the place of what the stack has\. Refresh/,
  );
  expect(await liveKey()).toBe(theirs);
});
