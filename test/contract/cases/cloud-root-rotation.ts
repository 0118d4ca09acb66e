import { changed, defineCase, pathOf, replaced } from "../../support/contract-case.ts";
import type { World } from "../../support/contract-world.ts";
import { cloudMount, remount } from "./mounts.ts";

async function rootedMount(world: World): Promise<string> {
  const mount = await cloudMount(world);
  await world.raw("secrets").call(`POST ${mount}/config/root`, await world.servers.cloudUser(world.fresh("root")));
  return mount;
}

export const cloudRootRotationCase = defineCase("cloudRootRotation", {
  async prepare(world) {
    const mount = await rootedMount(world);
    return {
      minimal: { mount },
      full: { mount, triggers: { year: "2026", month: "11" } },
      id: `${mount}/config/rotate-root`,
      record: pathOf("{mount}/config/root"),
      remove: () => remount(world, `sys/mounts/${mount}`),
      edit: () => Promise.resolve({}),
    };
  },
  fields: {
    mount: replaced(async (world) => ({ mount: await rootedMount(world) })),
    triggers: changed({ triggers: { year: "2027" } }, { local: true }),
  },
  spellings: [
    // @covers cloud: Endpoints > POST {mount}/config/rotate-root
    {
      title: "the order of triggers",
      one: { triggers: { a: "1", b: "2" } },
      other: { triggers: { b: "2", a: "1" } },
    },
    { title: "an empty and an unset map", one: { triggers: {} }, other: { triggers: undefined } },
  ],
  async again(world, { minimal }) {
    const root = await world.servers.cloudUser(world.fresh("root"));
    await world.raw("secrets").call(`POST ${String(minimal["mount"])}/config/root`, root);
    return {};
  },
  unseen: ["triggers"],
  volatile: ["access_key", "secret_key"],
  skips: [
    {
      case: "delete removes the record",
      reason: "a rotation cannot be taken back: it is forgotten",
      fails: /to be undefined/,
    },
    {
      case: "a look-up of what is not there fails and says so",
      reason: "what is read is the root configuration, which is there",
      fails: /resolved .* instead of rejecting/s,
    },
    {
      case: "a change by another hand is found and repaired",
      reason: "a rotation has no properties on the server but the key that it led to",
      fails: /to not deeply equal/,
    },
    {
      case: "a failed read-back is a partial failure",
      reason: "the answer of a rotation is all there is to read",
      fails: /resolved .* instead of rejecting/s,
    },
  ],
  requests: {
    create: ["GET {mount}/config/root", "POST {mount}/config/rotate-root"],
    update: ["GET {mount}/config/root", "POST {mount}/config/rotate-root"],
    read: ["GET {mount}/config/root"],
    delete: [],
  },
});
