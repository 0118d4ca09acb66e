import { formatDuration } from "../../../provider/core/duration";
import { hasUnknown } from "../../../provider/core/unknowns";
import { DEPLOY } from "./example-records";
import { secondsOf } from "./found-texts";
import type { LintRule, Weakness } from "./rule";

/** Of how long what was issued can be used. */
export const LIFETIME_RULES: readonly LintRule[] = [
  {
    name: "no-lifetime",
    of: ["jwt:Role"],
    severity: "note",
    finds: "a role without a lifetime, on a mount of the same stack without one",
    beside: [["sys:AuthMount", { path: "jobs", type: "jwt" }]],
    bad: { ...DEPLOY, boundClaims: { project_id: "22" }, tokenTtl: undefined },
    good: { ...DEPLOY, boundClaims: { project_id: "22" } },
    sources: ["https://developer.hashicorp.com/vault/docs/concepts/tokens"],
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
  {
    name: "long-ttl",
    of: ["jwt:Role", "cloud:Role", "cloud:LeaseConfig", "sys:AuthMount", "sys:SecretsMount"],
    severity: "note",
    finds: "lifetimes and leeways longer than `--max-ttl`",
    bad: { ...DEPLOY, boundClaims: { project_id: "22" }, tokenTtl: "48h" },
    good: { ...DEPLOY, boundClaims: { project_id: "22" }, tokenTtl: "15m" },
    sources: ["https://developer.hashicorp.com/vault/docs/concepts/production-hardening"],
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
    severity: "warning",
    finds: "periodic tokens without an end",
    bad: { ...DEPLOY, boundClaims: { project_id: "22" }, tokenPeriod: "1h" },
    good: { ...DEPLOY, boundClaims: { project_id: "22" }, tokenPeriod: "1h", tokenExplicitMaxTtl: "8h" },
    sources: ["https://developer.hashicorp.com/vault/docs/concepts/tokens"],
    why: "a periodic token can be renewed for ever; `tokenExplicitMaxTtl` ends it",
    find: ({ tokenPeriod, tokenExplicitMaxTtl }) =>
      (secondsOf(tokenPeriod) ?? 0) > 0 &&
      secondsOf(tokenExplicitMaxTtl) === undefined &&
      !hasUnknown(tokenExplicitMaxTtl)
        ? [{ property: "tokenPeriod", what: "is set, and nothing ends the tokens" }]
        : [],
  },
];

const OWN_LIFETIMES = ["tokenTtl", "tokenMaxTtl", "tokenExplicitMaxTtl", "tokenPeriod"];

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
