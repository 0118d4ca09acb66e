import { changed, defineCase, replaced } from "../../support/contract-case.ts";
import { jwtMount } from "./mounts.ts";
import { listSpared, setFields, setSpellings, storedAt } from "./sets.ts";

export const jwtRoleSetCase = defineCase("jwtRoleSet", {
  async prepare(world) {
    const mount = await jwtMount(world);
    const raw = world.raw("secrets");
    const defaults = { roleType: "jwt", userClaim: "sub", boundAudiences: ["https://aud.example"] };
    return {
      minimal: { mount, parallel: 1, roles: { ci: defaults } },
      full: {
        mount,
        parallel: 1,
        defaults: { ...defaults, tokenTtl: "15m", tokenPolicies: ["reader"] },
        roles: {
          ci: { boundClaims: { project: ["one", "two"] }, tokenTtl: "30m" },
          "deploy-web": { tokenPolicies: ["writer", "Reader"], maxAge: "1h" },
        },
        exclusive: false,
        ignore: ["team-*"],
        maxDeletes: 5,
      },
      id: `auth/${mount}/role`,
      record: storedAt("roles", (name, state) => ["secrets", `auth/${String(state["mount"])}/role/${name}`]),
      async remove({ mount }) {
        for (const name of ["ci", "deploy-web"]) await raw.call(`DELETE auth/${String(mount)}/role/${name}`);
      },
      async edit({ roles }) {
        const kind = { role_type: "jwt", token_ttl: 77, token_policies: ["admin"] };
        await raw.call(`POST auth/${mount}/role/ci`, kind);
        const changes = { tokenTtl: "1m17s", tokenPolicies: ["admin"] };
        return { roles: { ...(roles as object), ci: { ...Object(roles).ci, ...changes } } };
      },
    };
  },
  fields: {
    mount: replaced(async (world) => ({ mount: await jwtMount(world) })),
    roles: changed(
      { roles: { ci: { tokenTtl: "45m" }, "deploy-app": { boundSubject: "app" } } },
      { without: "required" },
    ),
    defaults: changed(
      { defaults: { roleType: "jwt", userClaim: "email", boundAudiences: ["b"] } },
      {
        without: {
          defaults: undefined,
          roles: { ci: { roleType: "jwt", userClaim: "sub", boundAudiences: ["https://aud.example"] } },
        },
      },
    ),
    ...setFields,
  },
  spellings: [
    ...setSpellings,
    { title: "letter case of a name", one: { roles: { CI: {} } }, other: { roles: { ci: {} } } },
    {
      title: "a setting and the same default",
      one: { roles: { ci: { tokenTtl: "15m" }, "deploy-web": {} } },
      other: { roles: { ci: { tokenTtl: 900 }, "deploy-web": { tokenPolicies: ["reader"] } } },
    },
  ],
  unseen: ["ignore", "maxDeletes", "parallel"],
  spared: listSpared,
  requests: {
    create: ["GET auth/{mount}/role?list=true", "POST auth/{mount}/role/ci", "GET auth/{mount}/role/ci"],
    update: [
      "GET auth/{mount}/role?list=true",
      "GET auth/{mount}/role/ci",
      "POST auth/{mount}/role/ci",
      "GET auth/{mount}/role/ci",
      "POST auth/{mount}/role/deploy-app",
      "GET auth/{mount}/role/deploy-app",
    ],
    read: ["GET auth/{mount}/role/ci", "GET auth/{mount}/role/deploy-app"],
    delete: [
      "GET sys/auth",
      "GET auth/{mount}/role/ci",
      "DELETE auth/{mount}/role/ci",
      "GET auth/{mount}/role/ci",
      "GET auth/{mount}/role/deploy-app",
      "DELETE auth/{mount}/role/deploy-app",
      "GET auth/{mount}/role/deploy-app",
    ],
  },
});
