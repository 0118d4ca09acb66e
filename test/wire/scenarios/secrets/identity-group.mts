import { defineScenario, refused, type Step } from "../../scenario.mts";

const group = "identity/group/name/engineers";
const alias = { name: "eng", mount_accessor: "{people}", canonical_id: "{group}" };

function refusedWrite(title: string, request: string, body: unknown, says: RegExp): Step {
  return { title, request: `POST ${request}`, body, outcome: refused(says) };
}

/** A group by its name, and its members. */
const byName: readonly Step[] = [
  { title: "no group", request: `GET ${group}`, outcome: "absent" },
  { title: "list no groups", request: "GET identity/group/name?list=true", outcome: "absent" },
  // @covers beyond: Endpoints of groups > POST identity/group/name/{name}
  {
    title: "make an external group",
    request: "POST identity/group/name/Engineers",
    body: { type: "external", policies: ["write", "Read", " write ", ""], metadata: { owner: "platform" } },
    keep: { group: "/data/id" },
    outcome: "ok",
  },
  // @covers beyond: Endpoints of groups > GET identity/group/name/{name}
  { title: "read it in another letter case", request: `GET ${group}`, outcome: "ok" },
  { title: "list its name", request: "GET identity/group/name?list=true", outcome: "ok" },
  { title: "list its id", request: "GET identity/group/id?list=true", outcome: "ok" },
  {
    title: "write everything",
    request: `POST ${group}`,
    body: { type: "external", policies: [], metadata: {} },
    outcome: "ok",
  },
  { title: "it is renamed to that letter case, and empty", request: "GET identity/group/id/{group}", outcome: "ok" },
  { title: "write nothing", request: `POST ${group}`, body: {}, outcome: "ok" },
  { title: "what was empty is null", request: `GET ${group}`, outcome: "ok" },
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
  { title: "list no aliases", request: "GET identity/group-alias/id?list=true", outcome: "absent" },
  refusedWrite("an alias without a name", "identity/group-alias", {}, /400 missing alias name/),
  refusedWrite("an alias without a mount", "identity/group-alias", { name: "x" }, /400 missing mount_accessor/),
  refusedWrite(
    "an alias of a local mount",
    "identity/group-alias",
    { ...alias, mount_accessor: "{local}" },
    /400 mount accessor .* is a local mount/,
  ),
  {
    title: "give it an alias",
    request: "POST identity/group-alias",
    body: alias,
    keep: { alias: "/data/id" },
    outcome: "ok",
  },
  { title: "the group with its alias", request: `GET ${group}`, outcome: "ok" },
  { title: "the alias", request: "GET identity/group-alias/id/{alias}", outcome: "ok" },
  { title: "list the aliases", request: "GET identity/group-alias/id?list=true", outcome: "ok" },
  { title: "list the group with its alias", request: "GET identity/group/id?list=true", outcome: "ok" },
  refusedWrite("the same alias again", "identity/group-alias", alias, /400 combination of mount and group alias name/),
  {
    title: "the same alias again, by its id",
    request: "POST identity/group-alias",
    body: { ...alias, id: "{alias}" },
    outcome: "ok",
  },
  {
    title: "rename it",
    request: "POST identity/group-alias",
    body: { ...alias, id: "{alias}", name: "Eng" },
    outcome: "ok",
  },
  {
    title: "move it to another mount",
    request: "POST identity/group-alias/id/{alias}",
    body: { ...alias, mount_accessor: "{others}" },
    outcome: "ok",
  },
  { title: "the group with the moved alias", request: `GET ${group}`, outcome: "ok" },
  { title: "write the group", request: `POST ${group}`, body: { policies: ["write"] }, outcome: "ok" },
  { title: "disable the mount", request: "DELETE sys/auth/others", outcome: "ok" },
  { title: "an alias whose mount is gone", request: `GET ${group}`, outcome: "ok" },
  {
    title: "another alias takes its place",
    request: "POST identity/group-alias",
    body: { ...alias, name: "sales" },
    keep: { next: "/data/id" },
    outcome: "ok",
  },
  { title: "the first alias is gone", request: "GET identity/group-alias/id/{alias}", outcome: "absent" },
  {
    title: "make another group",
    request: "POST identity/group/name/sales",
    body: { type: "external" },
    keep: { sales: "/data/id" },
    outcome: "ok",
  },
  refusedWrite(
    "give it the alias of the first",
    "identity/group-alias",
    { ...alias, name: "SALES", canonical_id: "{sales}" },
    /400 combination of mount and group alias name is already in use/,
  ),
  {
    title: "move the alias to it",
    request: "POST identity/group-alias",
    body: { ...alias, id: "{next}", name: "sales", canonical_id: "{sales}" },
    outcome: "ok",
  },
  { title: "the group without its alias", request: `GET ${group}`, outcome: "ok" },
  { title: "delete the alias", request: "DELETE identity/group-alias/id/{next}", outcome: "ok" },
  { title: "delete it once more", request: "DELETE identity/group-alias/id/{next}", outcome: "ok" },
  refusedWrite(
    "change an alias that is gone",
    "identity/group-alias",
    { ...alias, id: "{next}" },
    /400 invalid group alias ID/,
  ),
];

const internal: readonly Step[] = [
  {
    title: "make an internal group",
    request: "POST identity/group/name/on%2Fcall",
    body: { member_entity_ids: [], member_group_ids: ["{group}"] },
    keep: { parent: "/data/id" },
    outcome: "ok",
  },
  { title: "read it with its slash", request: "GET identity/group/name/on/call", outcome: "ok" },
  { title: "its member knows it", request: `GET ${group}`, outcome: "ok" },
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
  {
    title: "make a third",
    request: "POST identity/group",
    body: { name: "third" },
    keep: { third: "/data/id" },
    outcome: "ok",
  },
  {
    title: "put the second into it",
    request: "POST identity/group/name/third",
    body: { member_group_ids: ["{parent}"] },
    outcome: "ok",
  },
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
  {
    title: "take the first out of the second",
    request: "POST identity/group/id/{parent}",
    body: { member_group_ids: [] },
    outcome: "ok",
  },
  { title: "the first without it", request: `GET ${group}`, outcome: "ok" },
];

const deletion: readonly Step[] = [
  // @covers beyond: Endpoints of groups > DELETE identity/group/name/{name}
  { title: "delete by name", request: "DELETE identity/group/name/ENGINEERS", outcome: "ok" },
  { title: "it is gone", request: "GET identity/group/id/{group}", outcome: "absent" },
  { title: "delete it again", request: `DELETE ${group}`, outcome: "ok" },
  { title: "delete by id", request: "DELETE identity/group/id/{third}", outcome: "ok" },
];

/** Who may learn a mount's accessor, which an alias needs. */
const accessors: readonly Step[] = [
  { title: "the mounts, for a token that may read them", request: "GET sys/auth", as: "lister", outcome: "ok" },
  {
    title: "one mount, for the same token",
    request: "GET sys/auth/people",
    as: "lister",
    outcome: refused(/403 permission denied/),
  },
];

/** Groups by name and by id, and their aliases. */
export const identityGroup = defineScenario({
  topic: "identity-group",
  service: "secrets",
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
