import { isEmpty } from "../../../provider/core/canonical";
import { allOfJson } from "../../../provider/core/canonical-json";
import type { Values } from "../../../provider/core/definition";
import { formatDuration } from "../../../provider/core/duration";
import { rsaKeyBits } from "../../../provider/core/pem";
import { step } from "../../../provider/core/property-path";
import { hasUnknown, isRecord } from "../../../provider/core/unknowns";
import type { KnownPolicy } from "../../stack/known-policies";
import { shownAddress } from "../../text/shown-address";
import { type FoundText, secondsOf, textsIn } from "./found-texts";
import { LOGIN_RULES } from "./login-rules";
import { powersOf } from "./policy-reach";
import type { LintRule, Weakness } from "./rule";
import { bindingOf, isEntra, isOpenToAll, isPlainHttp, isUuid, nobodysOwn } from "./shared-issuers";

/** The rules in the order in which notes are shown. Values that are not known yet are not judged. */
export const LINT_RULES: readonly LintRule[] = [
  {
    name: "any-token",
    of: ["jwt:Role"],
    why: "every token of the issuer can log in, whoever it was made for: on a public issuer that is everybody",
    find: (values) =>
      isOpenToAll(values) ? [{ property: bindingOf(values), what: "binds nobody in particular" }] : [],
  },
  {
    name: "no-owner",
    of: ["jwt:Role"],
    why: "everybody can have an account there, and chooses in a project of his own what these claims say",
    find: (values, { issuerOf }) => {
      const what = isOpenToAll(values) ? undefined : nobodysOwn(values, issuerOf(values));
      return what === undefined ? [] : [{ property: "boundClaims", what }];
    },
  },
  ...LOGIN_RULES,
  {
    name: "leading-glob",
    of: ["jwt:Role"],
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
  {
    name: "admin-policy",
    of: ["jwt:Role", "cloud:Role", "identity:Group"],
    why: "a login or credentials that may do everything, or give themselves more, should be rare, and asked for by a person",
    find: ({ tokenPolicies, policies, policyArns, roleArns, iamGroups, arn, ...values }, { policyOf }) => [
      ...[...textsIn("tokenPolicies", tokenPolicies), ...textsIn("policies", policies)].flatMap((found) =>
        adminPolicy(found, policyOf(found.text, values)),
      ),
      ...Object.entries({ policyArns, roleArns, iamGroups, arn }).flatMap(([property, value]) =>
        textsIn(property, value).flatMap((found) => adminPolicy(found, {})),
      ),
    ],
  },
  {
    name: "unknown-policy",
    of: ["jwt:Role", "identity:Group"],
    why: "who logs in gets nothing by it, and who makes a policy of that name decides what the tokens may do",
    find: ({ tokenPolicies, policies, tokenPoliciesTemplateClaims, ...values }, { policyOf }) =>
      [...textsIn("tokenPolicies", tokenPolicies), ...textsIn("policies", policies)]
        .filter(({ text }) => tokenPoliciesTemplateClaims !== true || !text.includes("{{"))
        .flatMap(({ property, text }): Weakness[] => {
          const { missing } = policyOf(text, values);
          return missing === undefined ? [] : [{ property, what: `names ${missing}: ${JSON.stringify(text)}` }];
        }),
  },
  {
    name: "group-name",
    of: ["identity:Group"],
    why: "Entra puts object ids of groups into its tokens unless the application is set up to give names: nobody becomes a member by a name",
    find: ({ alias, ...values }, { issuerOf }) => {
      if (!isRecord(alias) || hasUnknown(alias["name"]) || !isEntra(issuerOf({ ...values, mount: alias["mount"] })))
        return [];
      return isUuid(String(alias["name"])) ? [] : [{ property: "alias.name", what: "is no object id" }];
    },
  },
  {
    name: "long-ttl",
    of: ["jwt:Role", "cloud:Role", "cloud:LeaseConfig", "sys:AuthMount", "sys:SecretsMount"],
    why: "whoever gets hold of what was issued can use it that long",
    find: (values, { ttlSeconds }) =>
      LIFETIMES.flatMap((property): Weakness[] => {
        const seconds = secondsOf(values[property]);
        if (seconds === undefined || seconds <= ttlSeconds) return [];
        return [{ property, what: `is ${formatDuration(seconds)}, longer than ${formatDuration(ttlSeconds)}` }];
      }),
  },
  {
    name: "endless-token",
    of: ["jwt:Role"],
    why: "a periodic token can be renewed for ever; `tokenExplicitMaxTtl` ends it",
    find: ({ tokenPeriod, tokenExplicitMaxTtl }) =>
      (secondsOf(tokenPeriod) ?? 0) > 0 &&
      secondsOf(tokenExplicitMaxTtl) === undefined &&
      !hasUnknown(tokenExplicitMaxTtl)
        ? [{ property: "tokenPeriod", what: "is set, and nothing ends the tokens" }]
        : [],
  },
  {
    name: "wildcard-redirect",
    of: ["jwt:Role"],
    why: "a login's code can be sent to an address that somebody else controls",
    find: ({ allowedRedirectUris }) =>
      textsIn("allowedRedirectUris", allowedRedirectUris)
        .filter(({ text }) => text.includes("*"))
        .map(({ property, text }) => ({ property, what: `has a wildcard: ${JSON.stringify(text)}` })),
  },
  {
    name: "no-lockout",
    of: ["sys:AuthMount"],
    why: "passwords and secret IDs can be tried without end",
    find: ({ userLockoutConfig }) =>
      isRecord(userLockoutConfig) && userLockoutConfig["lockoutDisable"] === true
        ? [{ property: "userLockoutConfig.lockoutDisable", what: "is set: no user is ever locked out" }]
        : [],
  },
  {
    name: "plain-http",
    of: ["jwt:Config"],
    why: "whoever is between the server and that address can put his own keys there, and make tokens",
    find: (values) =>
      ["oidcDiscoveryUrl", "jwksUrl", "jwksPairs"]
        .flatMap((name) => textsIn(name, values[name]))
        .filter(({ text }) => isPlainHttp(text))
        .map(({ property, text }) => ({ property, what: `is not encrypted: ${JSON.stringify(shownAddress(text))}` })),
  },
  {
    name: "short-key",
    of: ["jwt:Config"],
    why: "RSA below 2048 bits can be broken, and whoever breaks it makes tokens (NIST SP 800-131A)",
    find: ({ jwtValidationPubkeys }) =>
      textsIn("jwtValidationPubkeys", jwtValidationPubkeys).flatMap(({ property, text }) => {
        const bits = rsaKeyBits(text);
        return bits !== undefined && bits < 2048 ? [{ property, what: `is an RSA key of ${bits} bits` }] : [];
      }),
  },
  {
    name: "any-action",
    of: ["cloud:Role"],
    why: "the policy allows more than anybody will have thought of, also what the service adds later",
    find: ({ policyDocument }) => openStatements(policyDocument),
  },
  {
    name: "any-service",
    of: ["cluster:ExportedServices", "cluster:Intention"],
    why: "every service is meant, also those that somebody registers later",
    // `permissions` of a source narrow what it may ask for.
    find: ({ services, sources }) => [
      ...namedAny("services", services, () => "exports every service: `*`"),
      ...namedAny("sources", sources, ({ action, peer }) =>
        action === "allow" ? `allows every service${isEmpty(peer) ? "" : " of a peer"}: \`*\`` : undefined,
      ),
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

/** Words of a name, such as `ci-admin` or `AdministratorAccess`. */
const ADMIN =
  /(^|[^a-z])(root|admin|admins|administrator|administrators|superuser|sudo)($|[^a-z])|AdministratorAccess|PowerUserAccess|IAMFullAccess/i;

/** A policy whose text is known is judged by what it allows, any other one by its name. */
function adminPolicy({ property, text: name }: FoundText, { text }: KnownPolicy): readonly Weakness[] {
  const shown = JSON.stringify(name);
  const powers = text === undefined ? undefined : powersOf(text);
  const [widest] = powers ?? [];
  if (widest !== undefined)
    return [{ property, what: `names a policy that ${widest.may}: ${shown} by ${JSON.stringify(widest.path)}` }];
  const isNamed = powers === undefined && ADMIN.test(name.slice(name.lastIndexOf("/") + 1));
  return isNamed ? [{ property, what: `is named like an administrator's: ${shown}` }] : [];
}

const LIFETIMES = [
  "tokenTtl",
  "tokenMaxTtl",
  "tokenExplicitMaxTtl",
  "tokenPeriod",
  "clockSkewLeeway",
  "expirationLeeway",
  "notBeforeLeeway",
  "defaultStsTtl",
  "maxStsTtl",
  "lease",
  "leaseMax",
  "defaultLeaseTtl",
  "maxLeaseTtl",
] as const;

/** The records of a list whose name is `*`, and what is said of each. */
function namedAny(property: string, list: unknown, what: (record: Values) => string | undefined): readonly Weakness[] {
  return (Array.isArray(list) ? list : []).flatMap((record: unknown, index): Weakness[] => {
    const found = isRecord(record) && record["name"] === "*" ? what(record) : undefined;
    return found === undefined ? [] : [{ property: `${property}${step(index)}.name`, what: found }];
  });
}

/** Statements of a policy that allow all actions, or all of a service. */
function openStatements(policy: unknown): readonly Weakness[] {
  const document = typeof policy === "string" ? allOfJson(policy) : policy;
  if (!isRecord(document)) return [];
  const isList = Array.isArray(document["Statement"]);
  return [document["Statement"]].flat().flatMap((statement, index): Weakness[] => {
    if (!isRecord(statement) || ![statement["Effect"]].flat().includes("Allow")) return [];
    const path = `policyDocument.Statement${isList ? step(index) : ""}`;
    const wide = textsIn(`${path}.Action`, statement["Action"])
      .filter(({ text }) => /^\*|:\*$/.test(text))
      .map(({ property, text }) => ({ property, what: `allows ${JSON.stringify(text)}` }));
    const rest = isEmpty(statement["NotAction"])
      ? []
      : [{ property: `${path}.NotAction`, what: "allows all that it does not name" }];
    return [...wide, ...rest];
  });
}
