import { isEmpty } from "../../../provider/core/canonical";
import type { Values } from "../../../provider/core/definition";
import { rsaKeyBits } from "../../../provider/core/pem";
import { step } from "../../../provider/core/property-path";
import { isRecord } from "../../../provider/core/unknowns";
import { shownAddress } from "../../text/shown-address";
import { PEOPLE } from "./example-records";
import { textsIn } from "./found-texts";
import type { LintRule, Weakness } from "./rule";
import { isPlainHttp } from "./shared-issuers";

const BROWSER = { ...PEOPLE, allowedRedirectUris: ["https://vault.example.com/callback"] };

/** Of auth methods, and of what clusters share. */
export const SERVER_RULES: readonly LintRule[] = [
  {
    name: "wildcard-redirect",
    of: ["jwt:Role"],
    severity: "error",
    finds: "a wildcard in an address of a login",
    bad: { ...PEOPLE, allowedRedirectUris: ["https://*.example.com/callback"] },
    good: BROWSER,
    sources: ["https://www.rfc-editor.org/rfc/rfc9700#section-2.1"],
    why: "a login's code can be sent to an address that somebody else controls",
    find: ({ allowedRedirectUris }) =>
      textsIn("allowedRedirectUris", allowedRedirectUris)
        .filter(({ text }) => text.includes("*"))
        .map(({ property, text }) => ({ property, what: `has a wildcard: ${JSON.stringify(text)}` })),
  },
  {
    name: "login-log",
    of: ["jwt:Role"],
    severity: "warning",
    finds: "what a provider answers in the server's log",
    bad: { ...BROWSER, verboseOidcLogging: true },
    good: BROWSER,
    sources: ["https://developer.hashicorp.com/vault/api-docs/auth/jwt"],
    why: "tokens and personal data of everybody who logs in are in the log: it is for a search for a mistake",
    find: ({ verboseOidcLogging }) =>
      verboseOidcLogging === true ? [{ property: "verboseOidcLogging", what: "is set" }] : [],
  },
  {
    name: "no-lockout",
    of: ["sys:AuthMount"],
    severity: "warning",
    finds: "logins that can be tried without end",
    bad: { path: "users", type: "userpass", userLockoutConfig: { lockoutDisable: true } },
    good: { path: "users", type: "userpass", userLockoutConfig: { lockoutThreshold: 5 } },
    sources: ["https://developer.hashicorp.com/vault/docs/concepts/user-lockout"],
    why: "passwords and secret IDs can be tried without end",
    find: ({ userLockoutConfig }) =>
      isRecord(userLockoutConfig) && userLockoutConfig["lockoutDisable"] === true
        ? [{ property: "userLockoutConfig.lockoutDisable", what: "is set: no user is ever locked out" }]
        : [],
  },
  {
    name: "plain-http",
    of: ["jwt:Config", "jwt:Role"],
    severity: "error",
    finds: "keys from an address that is not encrypted, or a login that is answered to one",
    bad: { mount: "jobs", jwksUrl: "http://git.example.com/keys" },
    good: { mount: "jobs", jwksUrl: "https://git.example.com/keys" },
    sources: [
      "https://www.rfc-editor.org/rfc/rfc8725#section-3.10",
      "https://www.rfc-editor.org/rfc/rfc9700#section-2.6",
    ],
    why: "whoever is between the server and that address can put his own keys there, and make tokens, or read the code of a login",
    find: (values) =>
      ["oidcDiscoveryUrl", "jwksUrl", "jwksPairs", "allowedRedirectUris"]
        .flatMap((name) => textsIn(name, values[name]))
        .filter(({ text }) => isPlainHttp(text))
        .map(({ property, text }) => ({ property, what: `is not encrypted: ${JSON.stringify(shownAddress(text))}` })),
  },
  {
    name: "short-key",
    of: ["jwt:Config"],
    severity: "error",
    finds: "RSA keys that are too weak",
    bad: {
      mount: "jobs",
      jwtValidationPubkeys: [
        [
          "-----BEGIN PUBLIC KEY-----",
          "MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQCn7dBRFmrnIFjfydT4iFeBwqwJ",
          "VTioIfFB4fpZZH9wj8ttufu66X3OW90rujcrYk6wclzDoYGK6004umBjQmssp97x",
          "crMdOs5tcchW/sVpyfb2WdX/gG7xRd+tWIuv3HNjZoo0FQo0NvIb5fYcXG7jhbjr",
          "Zwzj2kKW6NbJ5ODMxQIDAQAB",
          "-----END PUBLIC KEY-----",
        ].join("\n"),
      ],
    },
    good: { mount: "jobs", jwksUrl: "https://git.example.com/keys" },
    sources: ["https://csrc.nist.gov/pubs/sp/800/131/a/r2/final"],
    why: "RSA below 2048 bits can be broken, and whoever breaks it makes tokens (NIST SP 800-131A)",
    find: ({ jwtValidationPubkeys }) =>
      textsIn("jwtValidationPubkeys", jwtValidationPubkeys).flatMap(({ property, text }) => {
        const bits = rsaKeyBits(text);
        return bits !== undefined && bits < 2048 ? [{ property, what: `is an RSA key of ${bits} bits` }] : [];
      }),
  },
  {
    name: "any-service",
    of: ["cluster:ExportedServices", "cluster:Intention"],
    severity: "warning",
    finds: "services of any name that are exported, or may connect",
    bad: { services: [{ name: "*", consumers: [{ peer: "west" }] }] },
    good: { services: [{ name: "web", consumers: [{ peer: "west" }] }] },
    sources: ["https://developer.hashicorp.com/consul/docs/reference/config-entry/exported-services"],
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

/** The records of a list whose name is `*`, and what is said of each. */
function namedAny(property: string, list: unknown, what: (record: Values) => string | undefined): readonly Weakness[] {
  return (Array.isArray(list) ? list : []).flatMap((record: unknown, index): Weakness[] => {
    const found = isRecord(record) && record["name"] === "*" ? what(record) : undefined;
    return found === undefined ? [] : [{ property: `${property}${step(index)}.name`, what: found }];
  });
}
