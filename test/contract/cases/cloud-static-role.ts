import { changed, defineCase, pathOf, replaced } from "../../support/contract-case.ts";
import { cloudMount } from "./mounts.ts";

export const cloudStaticRoleCase = defineCase("cloudStaticRole", {
  async prepare(world) {
    const raw = world.raw("secrets");
    const mount = await cloudMount(world);
    await raw.call(`POST ${mount}/config/root`, await world.servers.cloudUser(world.fresh("root")));
    const username = world.fresh("user");
    await world.servers.cloudUser(username);
    const path = `${mount}/static-roles/app`;
    return {
      minimal: { mount, name: "app", username, rotationPeriod: "1h" },
      full: { mount, name: "app", username, rotationPeriod: "1d" },
      id: path,
      record: pathOf("{mount}/static-roles/{name}"),
      remove: async () => void (await raw.call(`DELETE ${path}`)),
      async edit() {
        await raw.call(`POST ${path}`, { rotation_period: "2h" });
        return { rotationPeriod: "2h" };
      },
    };
  },
  fields: {
    mount: replaced(async (world) => {
      const mount = await cloudMount(world);
      await world.raw("secrets").call(`POST ${mount}/config/root`, await world.servers.cloudUser(world.fresh("root")));
      return { mount };
    }),
    name: replaced({ name: "App" }, { without: "required" }),
    username: replaced(
      async (world) => {
        const username = world.fresh("user");
        await world.servers.cloudUser(username);
        return { username };
      },
      { without: "required" },
    ),
    rotationPeriod: changed({ rotationPeriod: 7200 }, { without: "required" }),
    // @covers beyond: cloud.StaticRole > assume_role_arn
    assumeRoleArn: changed({ assumeRoleArn: "arn:aws:iam::123456789012:role/x" }),
    // @covers beyond: cloud.StaticRole > assume_role_session_name
    assumeRoleSessionName: changed({ assumeRoleSessionName: "x", assumeRoleArn: "arn:aws:iam::123456789012:role/x" }),
    // @covers beyond: cloud.StaticRole > external_id
    externalId: changed({ externalId: "x", assumeRoleArn: "arn:aws:iam::123456789012:role/x" }),
  },
  spellings: [
    { title: "seconds and durations", one: { rotationPeriod: 3600 }, other: { rotationPeriod: "1h0m0s" } },
    // @covers cloud: Static role > rotation_period
    { title: "days and hours", one: { rotationPeriod: "1d" }, other: { rotationPeriod: "24h" } },
  ],
  volatile: [
    "id",
    "name",
    "username",
    "access_key",
    "secret_key",
    "expiration",
    "next_rotation",
    "last_vault_rotation",
  ],
  requests: {
    create: ["GET {mount}/static-roles/app", "POST {mount}/static-roles/app", "GET {mount}/static-roles/app"],
    update: ["GET {mount}/static-roles/app", "POST {mount}/static-roles/app", "GET {mount}/static-roles/app"],
    read: ["GET {mount}/static-roles/app"],
    delete: [
      "GET sys/mounts",
      "GET {mount}/static-roles/app",
      "DELETE {mount}/static-roles/app",
      "GET {mount}/static-roles/app",
    ],
  },
});
