import { changed, defineCase, pathOf, replaced } from "../../support/contract-case.ts";
import { mountEdit, mountFields, mountSpellings, mountValues, volatileOfMount } from "./sys-mount.ts";

export const sysAuthMountCase = defineCase("sysAuthMount", {
  async prepare(world) {
    const path = `team/${world.fresh("jwt")}`;
    const raw = world.raw("secrets");
    return {
      minimal: { path, type: "jwt" },
      full: { path, type: "jwt", ...mountValues, tokenType: "batch" },
      id: `sys/auth/${path}`,
      record: pathOf("sys/auth/{path}/"),
      remove: async () => void (await raw.call(`DELETE sys/auth/${path}`)),
      edit: () => mountEdit(world, `sys/auth/${path}`),
    };
  },
  fields: {
    ...mountFields,
    path: changed((world) => ({ path: world.fresh("jwt") }), { without: "required" }),
    type: replaced({ type: "oidc" }, { without: "required" }),
    tokenType: changed({ tokenType: "service" }),
    userLockoutConfig: {
      means: "nothing",
      reason: "of other types, and a reset one reads as zeros; see sys-mount-properties.test.ts",
    },
  },
  spellings: [
    ...mountSpellings,
    { title: "the default and an unset kind", one: { tokenType: "default-service" }, other: { tokenType: undefined } },
  ],
  unseen: ["force"],
  volatile: volatileOfMount,
  spared: {
    fault: "403",
    request: /identity\/group-alias/,
    reason: "few tokens may list the aliases of groups: without them the delete goes on with a warning",
  },
  requests: {
    create: ["GET sys/auth", "POST sys/auth/{path}", "GET sys/auth"],
    update: ["GET sys/auth", "POST sys/auth/{path}/tune", "GET sys/auth"],
    read: ["GET sys/auth"],
    delete: [
      "GET sys/auth",
      "GET auth/{path}/role?list=true",
      "GET auth/{path}/config",
      "GET identity/group-alias/id?list=true",
      "DELETE sys/auth/{path}",
      "GET sys/auth",
    ],
  },
});
