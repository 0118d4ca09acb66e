import { step } from "../../../provider/core/property-path";
import { hasUnknown, isRecord } from "../../../provider/core/unknowns";
import { DEPLOY } from "./example-records";
import { type FoundText, textsIn } from "./found-texts";
import type { LintRule, Weakness } from "./rule";

/** Of what a role demands of a claim: more than meant, or what no token has. */
export const CLAIM_VALUE_RULES: readonly LintRule[] = [
  {
    name: "number-in-list",
    of: ["jwt:Role"],
    severity: "warning",
    finds: "a number in the list of a claim, which matches no text",
    bad: { ...DEPLOY, boundClaims: { user_id: ["12", 34] } },
    good: { ...DEPLOY, boundClaims: { user_id: ["12", "34"] } },
    sources: ["https://developer.hashicorp.com/vault/api-docs/auth/jwt"],
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
    name: "leading-glob",
    of: ["jwt:Role"],
    severity: "warning",
    finds: "a glob at the start of a claim",
    bad: { ...DEPLOY, boundClaims: { project_id: "22", ref: "*-release" }, boundClaimsType: "glob" },
    good: { ...DEPLOY, boundClaims: { project_id: "22", ref: "release-*" }, boundClaimsType: "glob" },
    sources: ["https://github.com/hashicorp/vault-plugin-auth-jwt/issues/218"],
    why: "whoever chooses the beginning of the value, such as the name of a project or branch, can make one that fits",
    find: ({ boundClaims, boundClaimsType }) =>
      boundClaimsType === "glob"
        ? textsIn("boundClaims", boundClaims)
            // `*` alone accepts any value of the claim. `any-token` finds it, where nothing else binds the role.
            .filter(({ text }) => /^\*+[^*]/.test(text))
            .map(({ property, text }) => ({ property, what: `begins with a wildcard: ${JSON.stringify(text)}` }))
        : [],
  },
  {
    name: "literal-star",
    of: ["jwt:Role"],
    severity: "warning",
    finds: "a `*` where it stands for itself, a regular expression where only `*` is known",
    bad: { ...DEPLOY, boundSubject: "repo:acme/app:ref:refs/heads/release/*" },
    good: { ...DEPLOY, boundClaims: { sub: "repo:acme/app:ref:refs/heads/release/*" }, boundClaimsType: "glob" },
    sources: ["https://github.com/hashicorp/vault-plugin-auth-jwt/issues/218"],
    why: "no token has such a value, or another one than was meant: patterns hold in `boundClaims` with `boundClaimsType` glob, and `*` is all they know",
    find: ({ boundSubject, boundClaims, boundClaimsType }) => [
      ...textsIn("boundSubject", boundSubject).filter(hasStar).map(standsForItself),
      ...(boundClaimsType === "glob"
        ? textsIn("boundClaims", boundClaims)
            .filter(({ text }) => REGULAR.test(text) || text.includes(".*"))
            .map(({ property, text }) => ({
              property,
              what: `${REGULAR.test(text) ? "looks like a regular expression, and is none" : "has .*, which is a dot and any text"}: ${JSON.stringify(text)}`,
            }))
        : textsIn("boundClaims", hasUnknown(boundClaimsType) ? undefined : boundClaims)
            .filter(hasStar)
            .map(standsForItself)),
    ],
  },
];

/** What only a regular expression has. */
const REGULAR = /\.\+|^\^|\$$/;

const hasStar = ({ text }: FoundText) => text.includes("*");
const standsForItself = ({ property, text }: FoundText): Weakness => ({
  property,
  what: `has a *, which is a plain character there: ${JSON.stringify(text)}`,
});
