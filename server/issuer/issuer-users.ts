import type { Table } from "../data/tables";

export type Claims = Readonly<Record<string, unknown>>;

export interface IssuerUser {
  /** Identifies the user; the `sub` of its tokens. */
  readonly sub: string;
  /** Of its ID tokens and of the userinfo endpoint. */
  readonly claims: Claims;
  /** Of the userinfo endpoint only. */
  readonly userinfoClaims: Claims;
}

export interface IssuerUsers {
  all(): readonly IssuerUser[];
  get(sub: string): IssuerUser | undefined;
  /** Adds one, or replaces the one with this `sub`. */
  put(user: IssuerUser): void;
  remove(sub: string): void;
}

/** The users that may log in. */
export function createIssuerUsers(users: Table<IssuerUser>): IssuerUsers {
  return {
    all: () => [...users.values()],
    get: (sub) => users.get(sub),
    put: (user) => void users.set(user.sub, user),
    remove: (sub) => void users.delete(sub),
  };
}

/** The users at the first start. */
export const exampleUsers: readonly IssuerUser[] = [
  exampleUser("alice", { name: "Alice Example", groups: ["engineering", "admins"] }),
  exampleUser("bob", { name: "Bob Example", groups: ["support"] }),
];

function exampleUser(sub: string, claims: Claims): IssuerUser {
  const email = { email: `${sub}@example.com`, email_verified: true };
  return { sub, claims: { ...claims, preferred_username: sub, ...email }, userinfoClaims: {} };
}

/** OpenID Connect Core, section 5.4; `groups` as many providers have it. */
const scopeClaims: Readonly<Record<string, readonly string[]>> = {
  profile: [
    ...["name", "family_name", "given_name", "middle_name", "nickname", "preferred_username", "profile", "picture"],
    ...["website", "gender", "birthdate", "zoneinfo", "locale", "updated_at"],
  ],
  email: ["email", "email_verified"],
  address: ["address"],
  phone: ["phone_number", "phone_number_verified"],
  groups: ["groups"],
};

export const scopesSupported = ["openid", ...Object.keys(scopeClaims)];

/** The claims without those of scopes that were not asked for. Claims that belong to no scope are always given. */
export function claimsInScope(claims: Claims, scopes: readonly string[]): Claims {
  const withheld = Object.entries(scopeClaims).flatMap(([scope, names]) => (scopes.includes(scope) ? [] : names));
  return Object.fromEntries(Object.entries(claims).filter(([name]) => !withheld.includes(name)));
}
