import type { Values } from "../../../provider/core/definition";
import { step } from "../../../provider/core/property-path";
import { hasUnknown, isRecord } from "../../../provider/core/unknowns";
import { secondsOf } from "./found-texts";
import { idInPlaceOf, isAnywhere, missingProject } from "./issuer-claims";
import type { LintRule, Weakness } from "./rule";
import { bindingOf, claimName, isOpenToAll, nobodysOwn } from "./shared-issuers";

/** Of roles that are bound to somebody: too widely, by what somebody can choose, or for longer than anybody said. */
export const LOGIN_RULES: readonly LintRule[] = [
  {
    name: "any-project",
    of: ["jwt:Role"],
    why: "whoever may make a project of that owner, or change any of them, gets in, and chooses what its jobs do",
    find: (values, { issuerOf }) => {
      const address = issuerOf(values);
      const called = isOwned(values, address) ? missingProject(values, address) : undefined;
      return called === undefined ? [] : [{ property: bindingOf(values), what: `names an owner, and no ${called}` }];
    },
  },
  {
    name: "any-branch",
    of: ["jwt:Role"],
    why: "whoever may push a branch, or have a pull request built, decides what such a job does, before anybody has reviewed it",
    find: (values, { issuerOf }) => {
      const address = issuerOf(values);
      if (!isOwned(values, address) || missingProject(values, address) || !isAnywhere(values, address)) return [];
      return [{ property: bindingOf(values), what: "demands no branch, tag or environment" }];
    },
  },
  {
    name: "login-name",
    of: ["jwt:Role"],
    why: "logins and addresses change and are given to others; an id stays",
    find: ({ boundClaims, userClaim, ...values }, { issuerOf }) => {
      const inPlaceOf = (claim: unknown, property: string): readonly Weakness[] => {
        const name = claimName(String(claim));
        const id = hasUnknown(claim) ? undefined : idInPlaceOf(name, issuerOf(values));
        return id === undefined
          ? []
          : [{ property, what: `is by ${JSON.stringify(name)}, where ${JSON.stringify(id)} is safe` }];
      };
      const claims = Object.keys(isRecord(boundClaims) ? boundClaims : {});
      return [
        ...claims.flatMap((claim) => inPlaceOf(claim, `boundClaims${step(claim)}`)),
        ...inPlaceOf(userClaim, "userClaim"),
      ];
    },
  },
  {
    name: "user-claim",
    of: ["jwt:Role"],
    // OpenID Connect Core 1.0, 5.7: only `iss` and `sub` together stand for somebody, and stay.
    why: "it says who logs in: entities, groups, audit logs and counted clients go by it",
    find: ({ userClaim, ...values }, { issuerOf }) => {
      const name = claimName(String(userClaim ?? ""));
      // Where the issuer has an id in its place, `login-name` says so.
      if (idInPlaceOf(name, issuerOf(values)) !== undefined) return [];
      const found = Object.entries(NO_USER).find(([, claims]) => claims.includes(name));
      return found === undefined || hasUnknown(userClaim)
        ? []
        : [{ property: "userClaim", what: `is ${JSON.stringify(name)}, which ${found[0]}` }];
    },
  },
  {
    name: "chosen-groups",
    of: ["jwt:Role"],
    why: "who can choose the claim can be in any group of that name, and gets its policies",
    find: ({ groupsClaim }) => {
      const name = claimName(String(groupsClaim ?? ""));
      return CHOSEN.includes(name) && !hasUnknown(groupsClaim)
        ? [{ property: "groupsClaim", what: `is ${JSON.stringify(name)}, which ${CHOOSES}` }]
        : [];
    },
  },
  {
    name: "number-in-list",
    of: ["jwt:Role"],
    // https://github.com/hashicorp/vault-plugin-auth-jwt: a list is compared value by value, and a number is no text.
    why: "no token has such a value, so nobody gets in by it: write the number as text",
    find: ({ boundClaims }) =>
      Object.entries(isRecord(boundClaims) ? boundClaims : {}).flatMap(([claim, value]) =>
        (Array.isArray(value) ? value : []).flatMap((each: unknown, index): readonly Weakness[] =>
          typeof each === "number"
            ? [{ property: `boundClaims${step(claim)}${step(index)}`, what: `is a number in a list: ${each}` }]
            : [],
        ),
      ),
  },
  {
    name: "no-lifetime",
    of: ["jwt:Role"],
    // https://developer.hashicorp.com/vault/docs/concepts/tokens: the default of a server is 32 days.
    why: "then tokens live as long as the server's default says: 768h, unless somebody has changed it",
    find: (values, { mountOf }) => {
      const mount = mountOf(values);
      const lifetimes = [
        ...OWN_LIFETIMES.map((name) => values[name]),
        mount?.["defaultLeaseTtl"],
        mount?.["maxLeaseTtl"],
      ];
      const isSaid = lifetimes.some((value) => hasUnknown(value) || secondsOf(value) !== undefined);
      return mount === undefined || isSaid
        ? []
        : [{ property: "tokenTtl", what: "is not set, and the mount sets no lifetime" }];
    },
  },
];

const OWN_LIFETIMES = ["tokenTtl", "tokenMaxTtl", "tokenExplicitMaxTtl", "tokenPeriod"];

const CHOOSES = "a person or a job can choose";
const CHOSEN = [
  ...["name", "given_name", "family_name", "nickname", "display_name", "displayName", "preferred_username", "profile"],
  ...["ref", "ref_path", "head_ref", "base_ref", "branch", "build_branch"],
  ...["environment", "workflow", "job", "event_name"],
];

/** Claims that do not say who somebody is, by why not. */
const NO_USER: Readonly<Record<string, readonly string[]>> = {
  "all tokens share": ["iss", "aud", "azp", "typ", "ver", "acr", "tid", "hd", "idp"],
  "is another one at each login": ["jti", "nonce", "iat", "exp", "nbf", "auth_time", "at_hash"],
  [CHOOSES]: CHOSEN,
};

/** Whether the role is one for jobs, and bound to an owner; other rules find those that are not. People are in no project. */
function isOwned(role: Values, address: string | undefined): boolean {
  return role["roleType"] === "jwt" && !isOpenToAll(role) && nobodysOwn(role, address) === undefined;
}
