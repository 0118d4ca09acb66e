import { changed, defineCase, pathOf, replaced } from "../../support/contract-case.ts";
import { listsStaticRoles } from "./mounts.ts";
import { mountEdit, mountFields, mountSpellings, mountValues, volatileOfMount } from "./sys-mount.ts";

// What cannot be listed is deleted by force only.
const force = listsStaticRoles ? {} : { force: true };
const lists = listsStaticRoles
  ? ["GET {path}/roles?list=true", "GET {path}/static-roles?list=true", "GET {path}/config/root"]
  : [];

export const sysSecretsMountCase = defineCase("sysSecretsMount", {
  async prepare(world) {
    const path = `team/${world.fresh("cloud")}`;
    const raw = world.raw("secrets");
    return {
      minimal: { path, type: "aws", ...force },
      full: { path, type: "aws", ...mountValues, forceNoCache: true },
      id: `sys/mounts/${path}`,
      record: pathOf("sys/mounts/{path}/"),
      remove: async () => void (await raw.call(`DELETE sys/mounts/${path}`)),
      edit: () => mountEdit(world, `sys/mounts/${path}`),
    };
  },
  fields: {
    ...mountFields,
    path: changed((world) => ({ path: world.fresh("cloud") }), { without: "required" }),
    type: { means: "nothing", reason: "the embedded server has one kind of secrets engine; sys.AuthMount shows it" },
    // @covers beyond: Mounts > force_no_cache
    forceNoCache: replaced({ forceNoCache: false }),
    // @covers beyond: Mounts > allowed_managed_keys
    allowedManagedKeys: changed({ allowedManagedKeys: ["b", "a"] }),
    // @covers beyond: Mounts > delegated_auth_accessors
    delegatedAuthAccessors: changed({ delegatedAuthAccessors: ["auth_jwt_b", "auth_jwt_a"] }),
    ...(listsStaticRoles
      ? {}
      : { force: { means: "nothing", reason: "without it, this server's mount cannot be replaced" } as const }),
  },
  spellings: mountSpellings,
  unseen: ["force"],
  volatile: volatileOfMount,
  requests: {
    create: ["GET sys/mounts", "POST sys/mounts/{path}", "GET sys/mounts"],
    update: ["GET sys/mounts", "POST sys/mounts/{path}/tune", "GET sys/mounts"],
    read: ["GET sys/mounts"],
    delete: ["GET sys/mounts", ...lists, "DELETE sys/mounts/{path}", "GET sys/mounts"],
  },
});
