import type { SimulatedServer } from "../../cli/facts/trust/simulated-server.ts";
import type { Entity } from "../../cli/stack/entities.ts";
import type { EvaluatedRecord } from "../../cli/stack/evaluated-records.ts";
import type { Values } from "../../provider/core/definition.ts";
import { definitions } from "../../provider/resources/index.ts";
import { fc } from "./fast-check.ts";

/** A server that is played on. A real one is used again, so what was written is removed from it. */
export interface PlayServer extends Pick<SimulatedServer, "ask"> {
  remove?(path: string): Promise<void>;
}

/** Roles, people with policies of their own, their groups, and policies whose paths the server fills in. */
export interface PeopleWorld {
  readonly policies: Readonly<Record<string, string>>;
  readonly roles: readonly Values[];
  readonly people: readonly Person[];
  /** Of the group that a claim names, of the one that has people as members, and of the one that has this group. */
  readonly groups: Readonly<Record<"outer" | "inner" | "top", readonly string[]>>;
  readonly members: readonly string[];
}

interface Person {
  readonly user: string;
  readonly policies: readonly string[];
  readonly isDisabled: boolean;
}

export const MOUNT = "jobs";
export const NAMES = ["admin", "deploy", "read"];
const PATTERNS = [
  ...["kv/*", "kv/a/*", "kv/+/x", "kv/a/x", "kv/ann/*", "+/a/x"],
  ...["kv/{{identity.entity.name}}/x", "kv/{{identity.entity.metadata.team}}/*", "{{identity.entity.name}}/a/x"],
];
const rules = fc.dictionary(
  fc.constantFrom(...PATTERNS),
  fc.oneof(
    { weight: 4, arbitrary: fc.subarray(["read", "update"], { minLength: 1 }) },
    { weight: 1, arbitrary: fc.constant(["deny"]) },
  ),
  { minKeys: 1, maxKeys: 2 },
);
const textOf = (written: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(written)
    .map(([path, words]) => `path "${path}" { capabilities = ${JSON.stringify(words)} }`)
    .join("\n");
const some = fc.subarray(NAMES);
const few = fc.oneof(fc.constant<string[]>([]), some);

const role = (name: string) =>
  fc
    .record({
      boundClaims: fc.constantFrom<Values>({}, { ref: ["main"] }, { ref: ["main", "dev"] }, { sub: ["a*", "ci"] }),
      boundClaimsType: fc.constantFrom("string", "glob"),
      boundSubject: fc.constantFrom("", "", "", "ann"),
      groupsClaim: fc.constantFrom("", "groups"),
      tokenPolicies: some,
      tokenNoDefaultPolicy: fc.boolean(),
    })
    .map((own): Values => ({ mount: MOUNT, name, roleType: "jwt", userClaim: "sub", ...own }))
    // The server refuses a role without any demand.
    .map((own) =>
      own["boundSubject"] === "" && Object.keys(own["boundClaims"] as Values).length === 0
        ? { ...own, boundClaims: { ref: ["main"] } }
        : own,
    );

const person = (user: string): fc.Arbitrary<Person> =>
  fc.record({
    user: fc.constant(user),
    policies: few,
    isDisabled: fc.integer({ min: 0, max: 9 }).map((number) => number === 0),
  });

export const arbitraryPeopleWorld: fc.Arbitrary<PeopleWorld> = fc.record({
  policies: fc
    .record({ admin: rules, deploy: rules, read: rules })
    .map((texts): PeopleWorld["policies"] =>
      Object.fromEntries(Object.entries(texts).map(([name, written]) => [name, textOf(written)])),
    ),
  roles: fc.tuple(role("one"), role("two")),
  people: fc.tuple(person("ann"), person("bob")),
  groups: fc.record({ outer: few, inner: few, top: few }),
  members: fc.subarray(["ann", "bob"]),
});

/** The world on a server, and what `--live` reads of it. */
export interface FurnishedServer {
  readonly records: readonly EvaluatedRecord[];
  readonly entities: readonly Entity[];
  clear(): Promise<void>;
}

/** Writes the world as other tools would. @param pem The key of the issuer. */
export async function furnish(world: PeopleWorld, server: PlayServer, pem: string): Promise<FurnishedServer> {
  const written: string[] = [];
  const post = async (path: string, body: object, clearedBy: string = path) => {
    const { status, body: answer } = await server.ask({ method: "POST", path, body: { ...body } });
    if (status >= 300) throw new Error(`${path}: ${JSON.stringify(answer)}`);
    written.unshift(clearedBy);
    return (answer["data"] ?? {}) as Readonly<Record<string, unknown>>;
  };
  await post(`sys/auth/${MOUNT}`, { type: "jwt" });
  await server.ask({ method: "POST", path: `auth/${MOUNT}/config`, body: { jwt_validation_pubkeys: [pem] } });
  for (const [name, policy] of Object.entries(world.policies)) await post(`sys/policies/acl/${name}`, { policy });
  for (const { name, ...own } of world.roles)
    await server.ask({
      method: "POST",
      path: `auth/${MOUNT}/role/${String(name)}`,
      body: {
        role_type: "jwt",
        user_claim: "sub",
        bound_claims: own["boundClaims"],
        bound_claims_type: own["boundClaimsType"],
        bound_subject: own["boundSubject"],
        groups_claim: own["groupsClaim"],
        token_policies: own["tokenPolicies"],
        token_no_default_policy: own["tokenNoDefaultPolicy"],
      },
    });
  const { body: mounts } = await server.ask({ method: "GET", path: "sys/auth" });
  const accessor = (mounts["data"] as Record<string, { accessor: string }>)[`${MOUNT}/`]?.accessor;
  const entities: Entity[] = [];
  for (const { user, policies, isDisabled } of world.people) {
    const name = user;
    const body = { name, policies, disabled: isDisabled, metadata: { team: "a" } };
    const id = String((await post("identity/entity", body, `identity/entity/name/${name}`))["id"]);
    await server.ask({
      method: "POST",
      path: "identity/entity-alias",
      body: { name: user, canonical_id: id, mount_accessor: accessor },
    });
    entities.push({ id, name, policies, isDisabled, aliases: [{ mount: `auth/${MOUNT}/`, name: user }] });
  }
  const idsOf = (users: readonly string[]) => entities.filter(({ name }) => users.includes(name)).map(({ id }) => id);
  const group = async (name: "outer" | "inner" | "top", values: Values, body: object) => {
    const policies = world.groups[name];
    const { id } = await post("identity/group", { name, policies, ...body }, `identity/group/name/${name}`);
    return { id: String(id), record: { definition: definitions.identityGroup, values: { name, policies, ...values } } };
  };
  const outer = await group(
    "outer",
    { type: "external", alias: { mount: MOUNT, name: "platform" } },
    { type: "external" },
  );
  await server.ask({
    method: "POST",
    path: "identity/group-alias",
    body: { name: "platform", canonical_id: outer.id, mount_accessor: accessor },
  });
  const members = idsOf(world.members);
  const inner = await group("inner", { type: "internal", memberEntityIds: members }, { member_entity_ids: members });
  const within = [inner.id];
  const top = await group("top", { type: "internal", memberGroupIds: within }, { member_group_ids: within });
  const made = (definition: EvaluatedRecord["definition"], values: Values) => ({ definition, values });
  return {
    entities,
    records: [
      made(definitions.sysAuthMount, { path: MOUNT, type: "jwt" }),
      made(definitions.jwtConfig, { mount: MOUNT, jwtValidationPubkeys: [pem] }),
      ...world.roles.map((values) => made(definitions.jwtRole, values)),
      ...Object.entries(world.policies).map(([name, policy]) => made(definitions.sysPolicy, { name, policy })),
      ...[outer, inner, top].map(({ record }) => record),
    ],
    async clear() {
      if (server.remove === undefined) return;
      // Logins have made entities of their own.
      const { body } = await server.ask({ method: "GET", path: "identity/entity/name?list=true" });
      const keys = (body["data"] as { keys?: readonly string[] } | undefined)?.keys ?? [];
      for (const path of [...written, ...keys.map((key) => `identity/entity/name/${key}`)]) await server.remove(path);
    },
  };
}
