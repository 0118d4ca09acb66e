// @servers embedded vault

import { describe, expect, it } from "vitest";
import type { Values } from "../../provider/core/definition.ts";
import { definitions } from "../../provider/resources/index.ts";
import { hostNames } from "../support/contract-host.ts";
import { engineWithLog } from "../support/contract-host-engine.ts";
import { closeServersAfterwards, servicesUnderTest } from "../support/contract-servers.ts";
import { createStack } from "../support/contract-stack.ts";
import { openWorld } from "../support/contract-world.ts";
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
  async function open({ rotates = true } = {}) {
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
    await make("cloudRootConfig", { ...root, region: "us-east-1" });
    const rotation = rotates ? await make("cloudRootRotation", { mount }) : {};
    engine.startRun();
    lines.splice(0);
    const remove = async (...resources: readonly ResourceName[]) => {
      for (const [resource, id, state] of made.filter(([name]) => resources.includes(name)))
        await engine.delete(definitions[resource], id, state);
    };
    const warnings = () => lines.filter((line) => line.startsWith("warning: "));
    return { engine, mount, remove, warnings, key: rotation["accessKey"] };
  }

  it("goes with a word for the key that is lost, and none for the configurations that go with it", async () => {
    const { mount, key, remove, warnings } = await open();
    await remove("cloudRootRotation", "cloudRootConfig", "sysSecretsMount");
    expect(warnings()).toEqual([
      `warning: sys.SecretsMount "${mount}": the server has made its root key ${key} itself, and nobody else has the secret: it is lost with the mount. Delete the key in the cloud, where it stays valid.`,
    ]);
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
