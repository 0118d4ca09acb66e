import { changed, defineCase, replaced } from "../../support/contract-case.ts";
import { cloudMount } from "./mounts.ts";
import { listSpared, setFields, setSpellings, storedAt } from "./sets.ts";

const document = { Version: "2012-10-17", Statement: [{ Effect: "Allow", Action: "s3:*", Resource: "*" }] };
const usual = { credentialType: "iam_user", policyArns: ["arn:aws:iam::aws:policy/B", "arn:aws:iam::aws:policy/A"] };
const assumed = { credentialType: "assumed_role", roleArns: ["arn:aws:iam::123456789012:role/one"] };

export const cloudRoleSetCase = defineCase("cloudRoleSet", {
  async prepare(world) {
    const mount = await cloudMount(world);
    const raw = world.raw("secrets");
    return {
      minimal: { mount, parallel: 1, roles: { deploy: usual } },
      full: {
        mount,
        parallel: 1,
        defaults: { ...usual, userPath: "/ci/" },
        roles: {
          deploy: { policyDocument: JSON.stringify(document, null, 2), iamTags: { team: "infra" } },
          Deploy: { iamGroups: ["ops", "dev"], userPath: "/web/" },
        },
        exclusive: false,
        ignore: ["team-*"],
        maxDeletes: 5,
      },
      id: `${mount}/roles`,
      record: storedAt("roles", (name, state) => ["secrets", `${String(state["mount"])}/roles/${name}`]),
      async remove({ mount }) {
        for (const name of ["deploy", "Deploy"]) await raw.call(`DELETE ${String(mount)}/roles/${name}`);
      },
      async edit({ roles }) {
        await raw.call(`POST ${mount}/roles/deploy`, { iam_tags: { by: "hand" } });
        return { roles: { ...Object(roles), deploy: { ...Object(roles).deploy, iamTags: { by: "hand" } } } };
      },
    };
  },
  fields: {
    mount: replaced(async (world) => ({ mount: await cloudMount(world) })),
    roles: changed(
      { roles: { deploy: { ...assumed, userPath: "", policyArns: [] }, "deploy-app": { iamGroups: ["sec"] } } },
      { without: "required" },
    ),
    defaults: changed(
      { defaults: { ...usual, policyArns: ["arn:aws:iam::aws:policy/C"], userPath: "/all/" } },
      { without: { defaults: undefined, roles: { deploy: usual } } },
    ),
    ...setFields,
  },
  spellings: [
    ...setSpellings,
    {
      title: "a setting and the same default",
      one: { roles: { deploy: { userPath: "/ci/" } } },
      other: { roles: { deploy: { policyArns: ["arn:aws:iam::aws:policy/A", "arn:aws:iam::aws:policy/B"] } } },
    },
    {
      title: "a policy document as text and as object",
      one: { roles: { deploy: { policyDocument: document } } },
      other: { roles: { deploy: { policyDocument: JSON.stringify(document, null, 2) } } },
    },
  ],
  unseen: ["ignore", "maxDeletes", "parallel"],
  spared: listSpared,
  requests: {
    create: ["GET {mount}/roles?list=true", "POST {mount}/roles/deploy", "GET {mount}/roles/deploy"],
    update: [
      "GET {mount}/roles?list=true",
      "GET {mount}/roles/deploy",
      "POST {mount}/roles/deploy",
      "GET {mount}/roles/deploy",
      "POST {mount}/roles/deploy-app",
      "GET {mount}/roles/deploy-app",
    ],
    read: ["GET {mount}/roles/deploy", "GET {mount}/roles/deploy-app"],
    delete: [
      "GET sys/mounts",
      "GET {mount}/roles/deploy",
      "DELETE {mount}/roles/deploy",
      "GET {mount}/roles/deploy",
      "GET {mount}/roles/deploy-app",
      "DELETE {mount}/roles/deploy-app",
      "GET {mount}/roles/deploy-app",
    ],
  },
});
