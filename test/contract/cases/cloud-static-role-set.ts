import { changed, defineCase, replaced, type Skip } from "../../support/contract-case.ts";
import type { World } from "../../support/contract-world.ts";
import { cloudMount, listsStaticRoles } from "./mounts.ts";
import { listSpared, setFields, setSpellings, storedAt } from "./sets.ts";

/** A cloud engine with credentials. */
async function rootedMount(world: World): Promise<string> {
  const mount = await cloudMount(world);
  await world.raw("secrets").call(`POST ${mount}/config/root`, await world.servers.cloudUser(world.fresh("root")));
  return mount;
}

async function freshUser(world: World): Promise<string> {
  const username = world.fresh("user");
  await world.servers.cloudUser(username);
  return username;
}

/** Where the server has no list, it is asked for each role. */
function lookedFor(name: string): readonly string[] {
  return listsStaticRoles ? [] : [`GET {mount}/static-roles/${name}`];
}

function unlisted(name: Skip["case"]): Skip {
  return {
    case: name,
    reason: "this server cannot list static roles",
    fails: /unsupported path|but got 'reading (trustplane_)?cloud/,
  };
}

export const cloudStaticRoleSetCase = defineCase("cloudStaticRoleSet", {
  async prepare(world) {
    const raw = world.raw("secrets");
    const mount = await rootedMount(world);
    const [username, other] = [await freshUser(world), await freshUser(world)];
    return {
      minimal: { mount, parallel: 1, roles: { app: { username, rotationPeriod: "1h" } } },
      full: {
        mount,
        parallel: 1,
        defaults: { rotationPeriod: "1d" },
        roles: { app: { username }, web: { username: other, rotationPeriod: "2h" } },
        exclusive: false,
        ignore: ["team-*"],
        maxDeletes: 5,
      },
      id: `${mount}/static-roles`,
      record: storedAt("roles", (name, state) => ["secrets", `${String(state["mount"])}/static-roles/${name}`]),
      async remove({ mount }) {
        for (const name of ["app", "web"]) await raw.call(`DELETE ${String(mount)}/static-roles/${name}`);
      },
      async edit({ roles }) {
        await raw.call(`POST ${mount}/static-roles/app`, { rotation_period: "3h" });
        return { roles: { ...Object(roles), app: { ...Object(roles).app, rotationPeriod: "3h" } } };
      },
    };
  },
  fields: {
    mount: replaced(async (world) => ({ mount: await rootedMount(world) })),
    // Another user is another role, which the set deletes and makes anew.
    roles: changed(
      async (world, { full }) => ({
        roles: {
          app: { ...Object(full["roles"]).app, rotationPeriod: 7200 },
          web: { username: await freshUser(world) },
        },
      }),
      { without: "required" },
    ),
    defaults: changed(
      { defaults: { rotationPeriod: "12h" } },
      {
        without: (_, { full, minimal }) => ({
          defaults: undefined,
          roles: { ...Object(minimal["roles"]), web: Object(full["roles"]).web },
        }),
      },
    ),
    ...setFields,
    exclusive: listsStaticRoles
      ? setFields.exclusive
      : { means: "nothing", reason: "an exclusive set has to list, which this server cannot" },
  },
  spellings: [
    ...setSpellings,
    {
      title: "days and hours",
      one: { defaults: { rotationPeriod: "1d" } },
      other: { defaults: { rotationPeriod: "24h" } },
    },
  ],
  unseen: ["ignore", "maxDeletes", "parallel"],
  volatile: ["access_key", "secret_key", "expiration", "next_rotation", "last_vault_rotation"],
  spared: listSpared,
  skips: listsStaticRoles ? [] : [unlisted("import"), unlisted("a look-up of what is not there fails and says so")],
  requests: {
    create: [
      "GET {mount}/static-roles?list=true",
      ...lookedFor("app"),
      "POST {mount}/static-roles/app",
      "GET {mount}/static-roles/app",
    ],
    update: [
      "GET {mount}/static-roles?list=true",
      "GET {mount}/static-roles/app",
      "POST {mount}/static-roles/app",
      "GET {mount}/static-roles/app",
      ...lookedFor("web"),
      "POST {mount}/static-roles/web",
      "GET {mount}/static-roles/web",
    ],
    read: ["GET {mount}/static-roles/app", "GET {mount}/static-roles/web"],
    delete: [
      "GET sys/mounts",
      "GET {mount}/static-roles/app",
      "DELETE {mount}/static-roles/app",
      "GET {mount}/static-roles/app",
      "GET {mount}/static-roles/web",
      "DELETE {mount}/static-roles/web",
      "GET {mount}/static-roles/web",
    ],
  },
});
