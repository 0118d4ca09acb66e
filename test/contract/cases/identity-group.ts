import { changed, defineCase, pathOf, replaced } from "../../support/contract-case.ts";
import type { World } from "../../support/contract-world.ts";
import { jwtMount } from "./mounts.ts";

const internal = { type: "internal", alias: undefined };

export const identityGroupCase = defineCase("identityGroup", {
  async prepare(world) {
    const mount = await jwtMount(world);
    const name = world.fresh("Platform");
    const path = `identity/group/name/${name}`;
    const raw = world.raw("secrets");
    const alias = { mount, name: "engineers" };
    return {
      // With the alias, so that a create is one of both records.
      minimal: { name, type: "external", alias },
      full: {
        name,
        type: "external",
        policies: ["writer", "Reader"],
        metadata: { owner: "platform team", "cost/center": "7" },
        alias,
      },
      id: path,
      record: pathOf("identity/group/name/{name}"),
      remove: async () => void (await raw.call(`DELETE ${path}`)),
      async edit() {
        await raw.call(`POST ${path}`, { policies: ["by-hand"], metadata: { owner: "nobody" } });
        const { id } = dataOf(await raw.call(`GET ${path}`));
        const { accessor } = dataOf(await raw.call(`GET sys/auth/${mount}`));
        await raw.call("POST identity/group-alias", { name: "by-hand", mount_accessor: accessor, canonical_id: id });
        return { policies: ["by-hand"], metadata: { owner: "nobody" }, alias: { mount, name: "by-hand" } };
      },
    };
  },
  fields: {
    name: replaced((world) => ({ name: world.fresh("other") }), { without: "required" }),
    // @covers beyond: Groups > type
    type: replaced(internal, { without: { type: undefined, alias: undefined } }),
    // @covers beyond: Groups > policies
    policies: changed({ policies: ["admin"] }),
    // @covers beyond: Groups > metadata
    metadata: changed({ metadata: { owner: "security team" } }),
    // @covers beyond: Groups > member_entity_ids
    memberEntityIds: changed(async (world) => ({ memberEntityIds: [await entityOf(world)] }), { from: internal }),
    // @covers beyond: Groups > member_group_ids
    memberGroupIds: changed(async (world) => ({ memberGroupIds: [await groupOf(world)] }), { from: internal }),
    // @covers beyond: Groups > alias
    alias: changed((_, { full }) => ({ alias: { ...Object(full["alias"]), name: "operators" } })),
  },
  spellings: [
    { title: "the order of sets", one: { policies: ["a", "b"] }, other: { policies: ["b", "a"] } },
    { title: "letter case of policies", one: { policies: ["Reader"] }, other: { policies: ["reader"] } },
    { title: "an empty and an unset list", one: { policies: [] }, other: { policies: undefined } },
    { title: "an empty and an unset map", one: { metadata: {} }, other: { metadata: undefined } },
    { title: "the default and an unset kind", one: internal, other: { type: undefined, alias: undefined } },
  ],
  keepsEmptiness: true,
  own: ["alias.mount"],
  volatile: [
    ...["id", "name", "creation_time", "last_update_time", "modify_index", "createdMs", "updatedMs", "writes"],
    ...["alias.id", "alias.canonical_id", "alias.mount_accessor", "alias.mount_path", "alias.mountAccessor"],
    ...["alias.creation_time", "alias.last_update_time", "alias.createdMs", "alias.updatedMs"],
  ],
  requests: {
    ahead: ["GET identity/group-alias/id?list=true"],
    create: [
      "GET identity/group/name/{name}",
      "GET sys/auth",
      "POST identity/group/name/{name}",
      "GET identity/group/name/{name}",
      "POST identity/group-alias",
      "GET identity/group/name/{name}",
    ],
    update: ["GET identity/group/name/{name}", "POST identity/group/name/{name}", "GET identity/group/name/{name}"],
    read: ["GET identity/group/name/{name}"],
    delete: ["GET identity/group/name/{name}", "DELETE identity/group/name/{name}", "GET identity/group/name/{name}"],
  },
});

/** The id of a group of one's own. */
async function groupOf(world: World): Promise<string> {
  return dataOf(await world.raw("secrets").call("POST identity/group", { name: world.fresh("member") })).id ?? "";
}

/** The id of an entity of one's own, which a login makes. */
async function entityOf(world: World): Promise<string> {
  const raw = world.raw("secrets");
  const mount = world.fresh("approle");
  await raw.call(`POST sys/auth/${mount}`, { type: "approle" });
  await raw.call(`POST auth/${mount}/role/app`, {});
  const { role_id } = dataOf(await raw.call(`GET auth/${mount}/role/app/role-id`));
  const { secret_id } = dataOf(await raw.call(`POST auth/${mount}/role/app/secret-id`, {}));
  const answer = await raw.call(`POST auth/${mount}/login`, { role_id, secret_id });
  // Both servers' answer.
  return (answer as { auth: { entity_id: string } }).auth.entity_id;
}

/** The members that these tests look for, of both servers' answers. */
function dataOf(answer: unknown): Readonly<Partial<Record<"id" | "accessor" | "role_id" | "secret_id", string>>> {
  const { data } = answer as { data?: Record<string, string> };
  return data ?? (answer as Record<string, string>);
}
