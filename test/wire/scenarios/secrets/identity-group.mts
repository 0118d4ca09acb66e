import { defineScenario, refused, type Step, step } from "../../scenario.mts";

const group = "identity/group/name/engineers";
const alias = { name: "eng", mount_accessor: "{people}", canonical_id: "{group}" };

function refusedWrite(title: string, request: string, body: unknown, says: RegExp): Step {
  return { title, request: `POST ${request}`, body, outcome: refused(says) };
}

/** A group by its name, and its members. */
const byName: readonly Step[] = [
  step("no group", `GET ${group}`, "absent"),
  step("list no groups", "GET identity/group/name?list=true", "absent"),
  // @covers beyond: Endpoints of groups > POST identity/group/name/{name}
  step("make an external group", "POST identity/group/name/Engineers", "ok", {
    body: { type: "external", policies: ["write", "Read", " write ", ""], metadata: { owner: "platform" } },
    keep: { group: "/data/id" },
  }),
  // @covers beyond: Endpoints of groups > GET identity/group/name/{name}
  step("read it in another letter case", `GET ${group}`, "ok"),
  step("list its name", "GET identity/group/name?list=true", "ok"),
  step("list its id", "GET identity/group/id?list=true", "ok"),
  step("write everything", `POST ${group}`, "ok", { body: { type: "external", policies: [], metadata: {} } }),
  step("it is renamed to that letter case, and empty", "GET identity/group/id/{group}", "ok"),
  step("write nothing", `POST ${group}`, "ok", { body: {} }),
  step("what was empty is null", `GET ${group}`, "ok"),
  refusedWrite("change its type", group, { type: "internal" }, /400 group type cannot be changed/),
  refusedWrite("give it members", group, { member_entity_ids: ["x"] }, /400 member entities can't be set manually/),
  refusedWrite("give it no members", group, { member_entity_ids: [] }, /400 member entities can't be set manually/),
  refusedWrite("give it member groups", group, { member_group_ids: [] }, /400 member groups can't be set/),
  refusedWrite(
    "give it a policy of the server's own",
    group,
    { policies: ["root"] },
    /400 policies cannot contain root/,
  ),
  refusedWrite("give it metadata without a name", group, { metadata: { "": "x" } }, /500 invalid group metadata/),
  refusedWrite("give it metadata of another name", group, { metadata: { "a b": "x" } }, /500 invalid group metadata/),
  refusedWrite("give it metadata of the server", group, { metadata: { "vault-x": "x" } }, /500 invalid group metadata/),
  refusedWrite("give it long metadata", group, { metadata: { x: "x".repeat(513) } }, /500 invalid group metadata/),
  refusedWrite(
    "make a group of another type",
    "identity/group/name/other",
    { type: "other" },
    /400 invalid group type/,
  ),
];

const aliases: readonly Step[] = [
  step("list no aliases", "GET identity/group-alias/id?list=true", "absent"),
  refusedWrite("an alias without a name", "identity/group-alias", {}, /400 missing alias name/),
  refusedWrite("an alias without a mount", "identity/group-alias", { name: "x" }, /400 missing mount_accessor/),
  refusedWrite(
    "an alias of a local mount",
    "identity/group-alias",
    { ...alias, mount_accessor: "{local}" },
    /400 mount accessor .* is a local mount/,
  ),
  step("give it an alias", "POST identity/group-alias", "ok", { body: alias, keep: { alias: "/data/id" } }),
  step("the group with its alias", `GET ${group}`, "ok"),
  step("the alias", "GET identity/group-alias/id/{alias}", "ok"),
  step("list the aliases", "GET identity/group-alias/id?list=true", "ok"),
  step("list the group with its alias", "GET identity/group/id?list=true", "ok"),
  refusedWrite("the same alias again", "identity/group-alias", alias, /400 combination of mount and group alias name/),
  step("the same alias again, by its id", "POST identity/group-alias", "ok", { body: { ...alias, id: "{alias}" } }),
  step("rename it", "POST identity/group-alias", "ok", { body: { ...alias, id: "{alias}", name: "Eng" } }),
  step("move it to another mount", "POST identity/group-alias/id/{alias}", "ok", {
    body: { ...alias, mount_accessor: "{others}" },
  }),
  step("the group with the moved alias", `GET ${group}`, "ok"),
  step("write the group", `POST ${group}`, "ok", { body: { policies: ["write"] } }),
  step("disable the mount", "DELETE sys/auth/others", "ok"),
  step("an alias whose mount is gone", `GET ${group}`, "ok"),
  step("another alias takes its place", "POST identity/group-alias", "ok", {
    body: { ...alias, name: "sales" },
    keep: { next: "/data/id" },
  }),
  step("the first alias is gone", "GET identity/group-alias/id/{alias}", "absent"),
  step("make another group", "POST identity/group/name/sales", "ok", {
    body: { type: "external" },
    keep: { sales: "/data/id" },
  }),
  refusedWrite(
    "give it the alias of the first",
    "identity/group-alias",
    { ...alias, name: "SALES", canonical_id: "{sales}" },
    /400 combination of mount and group alias name is already in use/,
  ),
  step("move the alias to it", "POST identity/group-alias", "ok", {
    body: { ...alias, id: "{next}", name: "sales", canonical_id: "{sales}" },
  }),
  step("the group without its alias", `GET ${group}`, "ok"),
  step("delete the alias", "DELETE identity/group-alias/id/{next}", "ok"),
  step("delete it once more", "DELETE identity/group-alias/id/{next}", "ok"),
  refusedWrite(
    "change an alias that is gone",
    "identity/group-alias",
    { ...alias, id: "{next}" },
    /400 invalid group alias ID/,
  ),
];

const internal: readonly Step[] = [
  step("make an internal group", "POST identity/group/name/on%2Fcall", "ok", {
    body: { member_entity_ids: [], member_group_ids: ["{group}"] },
    keep: { parent: "/data/id" },
  }),
  step("read it with its slash", "GET identity/group/name/on/call", "ok"),
  step("its member knows it", `GET ${group}`, "ok"),
  refusedWrite(
    "an alias of an internal group",
    "identity/group-alias",
    { ...alias, canonical_id: "{parent}" },
    /400 alias can't be set on an internal group/,
  ),
  refusedWrite(
    "give it an unknown entity",
    "identity/group/id/{parent}",
    { member_entity_ids: ["none"] },
    /500 invalid entity ID "none"/,
  ),
  refusedWrite(
    "give it an unknown group",
    "identity/group/id/{parent}",
    { member_group_ids: ["none"] },
    /500 invalid member group ID "none"/,
  ),
  refusedWrite(
    "give it itself",
    "identity/group/id/{parent}",
    { member_group_ids: ["{parent}"] },
    /500 .* is same as the ID of the group/,
  ),
  step("make a third", "POST identity/group", "ok", { body: { name: "third" }, keep: { third: "/data/id" } }),
  step("put the second into it", "POST identity/group/name/third", "ok", { body: { member_group_ids: ["{parent}"] } }),
  refusedWrite(
    "put it into the second",
    "identity/group/id/{parent}",
    { member_group_ids: ["{third}"] },
    /400 cyclic relationship detected/,
  ),
  refusedWrite(
    "give it the name of another",
    "identity/group/id/{third}",
    { name: "Sales" },
    /400 group name is already in use/,
  ),
  refusedWrite("write an unknown id", "identity/group/id/none", {}, /400 invalid group ID/),
  step("take the first out of the second", "POST identity/group/id/{parent}", "ok", { body: { member_group_ids: [] } }),
  step("the first without it", `GET ${group}`, "ok"),
];

const deletion: readonly Step[] = [
  // @covers beyond: Endpoints of groups > DELETE identity/group/name/{name}
  step("delete by name", "DELETE identity/group/name/ENGINEERS", "ok"),
  step("it is gone", "GET identity/group/id/{group}", "absent"),
  step("delete it again", `DELETE ${group}`, "ok"),
  step("delete by id", "DELETE identity/group/id/{third}", "ok"),
];

/** Who may learn a mount's accessor, which an alias needs. */
const accessors: readonly Step[] = [
  step("the mounts, for a token that may read them", "GET sys/auth", "ok", { as: "lister" }),
  step("one mount, for the same token", "GET sys/auth/people", refused(/403 permission denied/), { as: "lister" }),
];

/** Groups by name and by id, and their aliases. */
export const identityGroup = defineScenario({
  topic: "identity-group",
  servers: ["vault-1.21", "vault-1.19"],
  before: [
    { request: "POST sys/auth/people", body: { type: "jwt" } },
    { request: "POST sys/auth/others", body: { type: "jwt" } },
    { request: "POST sys/auth/local", body: { type: "jwt", local: true } },
    { request: "GET sys/auth/people", keep: { people: "/data/accessor" } },
    { request: "GET sys/auth/others", keep: { others: "/data/accessor" } },
    { request: "GET sys/auth/local", keep: { local: "/data/accessor" } },
    { request: "POST sys/policies/acl/list", body: { policy: 'path "sys/auth" { capabilities = ["read"] }' } },
    {
      request: "POST auth/token/create",
      body: { policies: ["list"], no_default_policy: true },
      keep: { lister: "/auth/client_token" },
    },
  ],
  steps: [...byName, ...aliases, ...internal, ...deletion, ...accessors],
});
