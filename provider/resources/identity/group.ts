import type { Attached } from "../../core/attached";
import { isEmpty } from "../../core/canonical";
import { defineResource, upsert, type Values, type WireRecord } from "../../core/definition";
import type { Failure } from "../../core/errors";
import { required } from "../../core/field";
import { step } from "../../core/property-path";
import { oneOf, string, stringMap } from "../../core/rows";
import { advice, asPolicyNames, rule } from "../../core/rules";
import { hasUnknown, isRecord } from "../../core/unknowns";
import { groupAlias, idOfAlias, namedMembers, nameInAnyCase, policyNames } from "./group-rows";

const MEMBERS = ["memberEntityIds", "memberGroupIds"] as const;
const isExternal = (type: unknown) => type === "external";

const fields = {
  /** Name of the group. The server finds it in any letter case. @source vault/identity-group name */
  name: required(nameInAnyCase("name")),
  /** Where the members come from: from the program (`internal`), or from logins whose group claim has the name of the alias (`external`). @source vault/identity-group name */
  type: oneOf("type", ["internal", "external"], "internal"),
  /** Policies that the tokens of members have in addition. @source vault/identity-group name */
  policies: policyNames("policies"),
  /** Metadata of the group: at most 64 pairs. @source vault/identity-group name */
  metadata: stringMap("metadata"),
  /** Ids of the entities in the group. Only for `internal` groups. @source vault/identity-group name */
  memberEntityIds: namedMembers("member_entity_ids"),
  /** Ids of the groups whose members are in this group, too. Only for `internal` groups. @source vault/identity-group name */
  memberGroupIds: namedMembers("member_group_ids"),
  /** Name of the group at an auth method. Only for `external` groups, each of which has one at most. @source vault/identity-group-alias create */
  alias: groupAlias("alias"),
};

const outputs = {
  /** The server's id of the group, by which other groups have it as a member. @source vault/identity-group name */
  groupId: required(string("id")),
  /** The server's id of the alias. @source vault/identity-group-alias create */
  aliasId: idOfAlias("alias"),
};

const ADDRESS = "identity/group/name/{name}";
const record = upsert(ADDRESS);
const write = { ...record.create, layout: withoutMembersOfLogins };

export const identityGroup = defineResource({
  token: "identity:Group",
  dialect: "vault",
  fields,
  outputs,
  id: ADDRESS,
  label: "name",
  identity: ["name"],
  stable: ["groupId"],
  replaceOn: ["type"],
  // Who came through the old mount would stay in the group: only logins through the alias's mount take anybody out.
  replaceWhen: (olds, news) => (isMoved(mountIn(olds), mountIn(news)) ? ["alias"] : []),
  ...record,
  create: write,
  update: write,
  delete: { method: "DELETE", path: ADDRESS, beside: groupsWithIt },
  adopt: { by: ["type"] },
  trace: {
    property: "name",
    path: "identity/group/id/{groupId}",
    find: (group) => (isRecord(group) && typeof group["name"] === "string" ? group["name"] : undefined),
  },
  // The methods of Vault 1.21 and OpenBao whose logins name groups.
  mounted: {
    property: "alias.mount",
    within: "auth/",
    types: ["jwt", "oidc", "ldap", "github", "okta", "azure", "kerberos", "saml"],
  },
  attached: aliasOfGroup(),
  rules: [
    rule(["policies"], ({ policies }) =>
      Array.isArray(policies) && policies.some((name) => String(name).toLowerCase() === "root")
        ? "must not hold root: the server gives it to no group"
        : undefined,
    ),
    asPolicyNames("policies"),
    ...MEMBERS.map((property) => advice(rule([property], (values) => noIds(property, values[property])))),
    rule(["metadata"], ({ metadata }) => metadataFailures(metadata)),
    rule(["alias", "type"], ({ alias, type }) =>
      !isEmpty(alias) && !isExternal(type) ? 'is only valid when type is "external"' : undefined,
    ),
    ...MEMBERS.map((property) =>
      rule([property, "type"], (values) =>
        !isEmpty(values[property]) && isExternal(values["type"])
          ? "is only valid when type is internal: logins decide who is in an external group"
          : undefined,
      ),
    ),
    advice(
      rule(["type", "alias"], ({ type, alias }) =>
        isExternal(type) && isEmpty(alias)
          ? "is external, and without an alias no login puts anybody in it: set alias, unless something else makes it"
          : undefined,
      ),
    ),
  ],
});

/** The servers make ids as UUIDs, with the namespace's after a dot. */
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(\.\w+)?$/i;

const toGive = (property: string) =>
  property === "memberGroupIds" ? "give the `groupId` of a group, and not its `id` or name" : "a name is none";

function noIds(property: string, ids: unknown): readonly Failure[] {
  return (Array.isArray(ids) ? ids : []).flatMap((id, index) =>
    ID.test(String(id)) || hasUnknown(id)
      ? []
      : [
          {
            property: `${property}[${index}]`,
            reason: `is ${JSON.stringify(id)}, which is no id of the server: ${toGive(property)}`,
          },
        ],
  );
}

/** The server takes a group that is deleted out of these, also out of those that other programs manage. */
function groupsWithIt({ parent_group_ids }: WireRecord): string | undefined {
  if (!Array.isArray(parent_group_ids) || parent_group_ids.length === 0) return undefined;
  const ids = parent_group_ids.join(", ");
  return `the server takes it out of the groups that have it as a member (${ids}): its members no longer get what these give. Add there what takes its place.`;
}

/** The server refuses any members of an external group, also none. */
function withoutMembersOfLogins({ member_entity_ids, member_group_ids, ...body }: WireRecord): WireRecord {
  return isExternal(body["type"]) ? body : { ...body, member_entity_ids, member_group_ids };
}

function mountIn({ alias }: Values): string | undefined {
  return isRecord(alias) && typeof alias["mount"] === "string" ? alias["mount"] : undefined;
}

function isMoved(before: string | undefined, after: string | undefined): boolean {
  return before !== undefined && after !== undefined && !hasUnknown(after) && before !== after;
}

/**
 * The alias has a record of its own, which names the mount by its accessor. It belongs to the group's resource: without it an
 * external group gives nobody anything. The accessor comes from the list of all methods, for which `read` is enough: a single
 * one (`sys/auth/:path`) needs `sudo`, and `sys/internal/ui/mounts` answers 403 for a mount that is missing, and to a token
 * that may do nothing below it (asked of Vault 1.21 and 1.19; OpenBao by its source).
 */
function aliasOfGroup(): Attached<"alias"> {
  return {
    property: "alias",
    boundTo(values) {
      const mount = mountIn(values);
      return mount === undefined ? undefined : `auth/${mount}`;
    },
    named: ({ alias }) => (isRecord(alias) && typeof alias["name"] === "string" ? alias["name"] : undefined),
    needs: {
      path: "sys/auth",
      why: "Finds the accessor of the alias's mount.",
      find(mounts, values) {
        const mount = isRecord(mounts) ? mounts[`${mountIn(values)}/`] : undefined;
        return isRecord(mount) && typeof mount["accessor"] === "string" ? mount : undefined;
      },
      missing(values) {
        const mount = mountIn(values);
        const todo = mount?.startsWith("auth/")
          ? "Write it without `auth/`."
          : "Correct the path, or enable the method first.";
        return `no auth method is mounted at alias.mount, ${JSON.stringify(mount)}. ${todo}`;
      },
    },
    taken: {
      path: "identity/group-alias/id",
      by(list, { groupId, alias }, { accessor }) {
        const infos = isRecord(list) && isRecord(list["key_info"]) ? Object.values(list["key_info"]) : [];
        const name = isRecord(alias) ? alias["name"] : undefined;
        const other = infos
          .filter(isRecord)
          .find((info) => info["mount_accessor"] === accessor && info["name"] === name);
        return other === undefined || other["canonical_id"] === groupId ? undefined : String(other["canonical_id"]);
      },
      noun: "group",
    },
    write: {
      path: "identity/group-alias",
      members: ({ groupId, aliasId, alias }, { accessor }) => ({
        ...(aliasId === undefined ? {} : { id: aliasId }),
        name: isRecord(alias) ? alias["name"] : undefined,
        mount_accessor: accessor,
        canonical_id: groupId,
      }),
    },
    remove: { path: "identity/group-alias/id/{aliasId}" },
  };
}

/** The server's limits, which it reports as an error of its own (500). */
function metadataFailures(metadata: unknown): readonly Failure[] {
  const pairs = Object.entries(isRecord(metadata) ? metadata : {});
  const bytes = (text: string) => new TextEncoder().encode(text).length;
  const reasonFor = (key: string, value: string) => {
    if (!/^[a-zA-Z0-9=/+_-]{1,128}$/.test(key))
      return "has a name that is not 1 to 128 letters, digits and characters of `=/+_-`";
    if (key.startsWith("vault-")) return "has a name that begins with `vault-`, which the server keeps for itself";
    return bytes(value) > 512 ? "must be at most 512 bytes" : undefined;
  };
  const failures = pairs.flatMap(([key, value]) => {
    const reason = reasonFor(key, String(value));
    return reason === undefined ? [] : [{ property: `metadata${step(key)}`, reason }];
  });
  return pairs.length > 64 ? [{ property: "metadata", reason: "must have at most 64 pairs" }, ...failures] : failures;
}
