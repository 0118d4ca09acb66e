import { isEmpty } from "../../../provider/core/canonical";
import { allOfJson } from "../../../provider/core/canonical-json";
import type { Values } from "../../../provider/core/definition";
import { formatDuration, parseDuration } from "../../../provider/core/duration";
import { rsaKeyBits } from "../../../provider/core/pem";
import { step } from "../../../provider/core/property-path";
import { hasUnknown, isRecord } from "../../../provider/core/unknowns";
import type { KnownPolicy, PolicyLookup } from "../../stack/known-policies";
import { writesPoliciesAt } from "./policy-reach";
import { type IssuerLookup, isEntra, isPlainHttp, isUuid, nobodysOwn } from "./shared-issuers";

/** A weakness of one property. */
export interface Weakness {
  readonly property: string;
  /** The end of a sentence that begins with the property, such as `has a wildcard`. Never holds a secret. */
  readonly what: string;
}

export interface LintLimits {
  /** Longest lifetime that gets no note, in seconds. */
  readonly ttlSeconds: number;
}

/** What a rule is given beside the values. */
export interface LintContext extends LintLimits {
  readonly policyOf: PolicyLookup;
  readonly issuerOf: IssuerLookup;
}

/** One rule of the review: where it looks, and why what it finds is worth a second look. */
export interface LintRule {
  readonly name: string;
  /** Tokens of the resources that it looks at. */
  readonly of: readonly string[];
  readonly why: string;
  find(values: Values, context: LintContext): readonly Weakness[];
}

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
            .filter(({ text }) => /\.[*+]|^\^|\$$/.test(text))
            .map(({ property, text }) => ({
              property,
              what: `${/\.\+|^\^|\$$/.test(text) ? "looks like a regular expression, and is none" : "has .*, which is a dot and any text"}: ${JSON.stringify(text)}`,
            }))
        : textsIn("boundClaims", hasUnknown(boundClaimsType) ? undefined : boundClaims)
            .filter(hasStar)
            .map(standsForItself)),
    ],
  },
  {
    name: "admin-policy",
    of: ["jwt:Role", "cloud:Role", "identity:Group"],
    why: "a login or credentials that may do everything should be rare, and asked for by a person",
    find: ({ tokenPolicies, policies, policyArns, ...values }, { policyOf }) => [
      ...[...textsIn("tokenPolicies", tokenPolicies), ...textsIn("policies", policies)].flatMap((found) =>
        adminPolicy(found, policyOf(found.text, values)),
      ),
      ...textsIn("policyArns", policyArns).flatMap((found) => adminPolicy(found, {})),
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
        .map(({ property, text }) => ({ property, what: `is not encrypted: ${JSON.stringify(text)}` })),
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
  const path = text === undefined ? undefined : writesPoliciesAt(text);
  if (path) return [{ property, what: `names a policy that may write policies: ${shown} by ${JSON.stringify(path)}` }];
  const isNamed = path === undefined && ADMIN.test(name.slice(name.lastIndexOf("/") + 1));
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

/** `tokenBoundCidrs` bind nobody: they say where a token is used, and not whose it is. */
function isOpenToAll({ boundSubject, boundClaims, boundClaimsType }: Values): boolean {
  if (hasUnknown(boundSubject) || hasUnknown(boundClaims) || hasUnknown(boundClaimsType)) return false;
  if (!isEmpty(boundSubject)) return false;
  const claims = Object.values(isRecord(boundClaims) ? boundClaims : {});
  const acceptsAll = (claim: unknown) =>
    [claim].flat().some((value) => boundClaimsType === "glob" && /^\*+$/.test(String(value)));
  return claims.every(acceptsAll);
}

function bindingOf({ boundClaims }: Values): string {
  return isEmpty(boundClaims) ? "boundSubject" : "boundClaims";
}

interface FoundText {
  readonly property: string;
  readonly text: string;
}

/** The texts in a value, each with its path. */
function textsIn(property: string, value: unknown): readonly FoundText[] {
  if (hasUnknown(value)) return Array.isArray(value) ? known(property, value) : [];
  if (typeof value === "string") return [{ property, text: value }];
  if (Array.isArray(value)) return known(property, value);
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => textsIn(property + step(name), member));
}

function known(property: string, values: readonly unknown[]): readonly FoundText[] {
  return values.flatMap((value, index) => (hasUnknown(value) ? [] : textsIn(property + step(index), value)));
}

/** Undefined for what is unset, 0 (the server's own limit) or not known. */
function secondsOf(value: unknown): number | undefined {
  if ((typeof value !== "string" && typeof value !== "number") || value === "") return undefined;
  const seconds = parseDuration(value);
  return typeof seconds === "number" && seconds > 0 ? seconds : undefined;
}

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
