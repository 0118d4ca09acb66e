import type { Values } from "../../provider/core/definition";
import { hasUnknown, UNKNOWN } from "../../provider/core/unknowns";
import { definitions } from "../../provider/resources";
import { firstOf } from "../text/lists";
import { visibleLine } from "../text/visible-text";
import type { EvaluatedRecord } from "./evaluated-records";

/** Where an auth method, or the server itself, has records that give policies. */
export interface LoginCollection {
  /** Of the mount; absent for what every server has. */
  readonly type?: string;
  /** What is listed, with the mount's `{path}`. */
  readonly list: string;
  /** Where one of them is, where that is not in the list's path. */
  readonly one?: string;
  readonly kind: string;
  readonly many: string;
  /** Why the policies of one are not known, where its record does not say them. */
  readonly hidden?: string;
  /** Looked for only by who wants the policies: there may be a great many. */
  readonly isMany?: boolean;
}

const role = { kind: "Role", many: "roles" };
const user = { kind: "User", many: "users" };
const group = { kind: "Group", many: "groups" };

// https://github.com/openbao/openbao/pull/869
const cel = {
  list: "auth/{path}/cel/role",
  kind: "CEL role",
  many: "CEL roles",
  hidden: "a program of their own gives the policies",
};

/** Their records give policies in a way of their own. */
export const TOKEN_ROLES = "auth/token/roles";

/** Each has the policies of a person, by whatever login. By their ids: a name may be any text. */
export const ENTITIES = "identity/entity/id";

/** By the APIs of Vault and OpenBao; other roles for JWTs have resources of ours. */
export const LOGIN_COLLECTIONS: readonly LoginCollection[] = [
  { type: "approle", list: "auth/{path}/role", ...role },
  { type: "kubernetes", list: "auth/{path}/role", ...role },
  { type: "azure", list: "auth/{path}/role", ...role },
  { type: "aws", list: "auth/{path}/roles", one: "auth/{path}/role", ...role },
  { type: "gcp", list: "auth/{path}/roles", one: "auth/{path}/role", ...role },
  { type: "cert", list: "auth/{path}/certs", kind: "Certificate", many: "certificates" },
  { type: "userpass", list: "auth/{path}/users", ...user },
  { type: "radius", list: "auth/{path}/users", ...user },
  { type: "ldap", list: "auth/{path}/users", ...user },
  { type: "ldap", list: "auth/{path}/groups", ...group },
  { type: "okta", list: "auth/{path}/users", ...user },
  { type: "okta", list: "auth/{path}/groups", ...group },
  { type: "jwt", ...cel },
  { type: "oidc", ...cel },
  { list: TOKEN_ROLES, kind: "Token role", many: "token roles" },
  {
    list: "auth/token/accessors",
    kind: "Token that exists",
    many: "tokens that exist",
    hidden: "each keeps the policies that it was made with",
    isMany: true,
  },
  { list: ENTITIES, kind: "Entity", many: "entities" },
];

export const listPath = ({ list }: LoginCollection) => `${list}?list=true`;
export const onePath = ({ list, one = list }: LoginCollection) => `${one}/{name}`;

export interface NotLookedAt {
  /** `2 roles of auth/machines (approle)`. */
  readonly what: string;
  /** Absent where nobody wanted to look. */
  readonly reason?: string | undefined;
  readonly isOfEntities?: boolean;
}

/** The same in a sentence. */
export function notLookedAtText({ what, reason }: NotLookedAt): string {
  return `not looked at: ${what}${reason === undefined ? "" : `: ${reason}`}`;
}

/** What a stack does not show of its auth methods, in sentences: who has policies by them. */
export function loginsNotLookedAt(
  records: readonly Pick<EvaluatedRecord, "definition" | "values">[],
): readonly string[] {
  const methods = records.filter(({ definition }) => definition.token === definitions.sysAuthMount.token);
  const all = methods.flatMap(({ values }) => loginsOf(values));
  return [...Map.groupBy(all, ({ reason }) => reason)].map(([reason, those]) =>
    notLookedAtText({ what: firstOf(those.map(({ what }) => what)), reason }),
  );
}

function loginsOf({ path, type }: Values): readonly NotLookedAt[] {
  if (typeof type !== "string" || hasUnknown(type)) return [];
  const where = visibleLine(`auth/${String(path).replaceAll(UNKNOWN, "(not known)")} (${type})`);
  const its = LOGIN_COLLECTIONS.filter((each) => each.type === type);
  // No command reads what such a method has.
  if (its.length === 0) return [{ what: where }];
  return its
    .filter(({ hidden }) => hidden === undefined)
    .map(({ many }) => ({ what: `the ${many} of ${where}`, reason: "only explain who --live reads them" }));
}
