import { generateKeyPairSync } from "node:crypto";
import { expect } from "vitest";
import type { Values } from "../../provider/core/definition.ts";
import { type DefinitionName, publicKeyPem, validInputs } from "./valid-inputs.ts";

/** The resource, its inputs or what they change of valid ones, and each line that is said. */
export type Mistake = readonly [name: string, resource: DefinitionName, inputs: Values, said: readonly string[]];

const role = validInputs.jwtRole[0];
const pem = publicKeyPem();
const privateKey = String(
  generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ type: "pkcs8", format: "pem" }),
);
const hcl = (policy: string) => ({ name: "a", policy });
const keys = (key: string) => ({ jwtValidationPubkeys: [key] });

export const refused: readonly Mistake[] = [
  [
    "10: a mount of another type",
    "jwtRole",
    { ...role, mount: "token" },
    ['mount "token" is a token mount; jwt mounts of this server: jwt/'],
  ],
  [
    "1: a typing error in a name",
    "jwtRole",
    { ...role, tokenPolicys: ["a"] },
    ["tokenPolicys is not a property of jwt.Role; did you mean tokenPolicies?"],
  ],
  [
    "2: wrong types",
    "jwtRole",
    { ...role, roleType: "saml", tokenPolicies: "x", tokenNumUses: "1" },
    [
      'roleType must be one of "oidc", "jwt"; tokenPolicies must be a list of strings; tokenNumUses must be a whole number',
    ],
  ],
  [
    "3: names as Terraform's provider has them",
    "jwtRole",
    { role_name: "ci", role_type: "jwt", user_claim: "sub", bound_audiences: ["a"] },
    [
      "role_name is not a property of jwt.Role; did you mean name?; role_type is not a property of jwt.Role; did you mean roleType?; user_claim is not a property of jwt.Role; did you mean userClaim?; bound_audiences is not a property of jwt.Role; did you mean boundAudiences?",
    ],
  ],
  [
    "4: a duration in words",
    "jwtRole",
    { ...role, tokenTtl: "1hour" },
    ["tokenTtl is not a duration; allowed is a number of seconds, or a duration such as 90s, 15m, 1h30m or 7d"],
  ],
  [
    "4: a lifetime above the longest",
    "jwtRole",
    { ...role, tokenTtl: "2h", tokenMaxTtl: "1h" },
    ["tokenTtl must not be longer than tokenMaxTtl"],
  ],
  [
    "18: a key from a CI variable",
    "jwtConfig",
    keys(pem.replaceAll("\n", "\\n")),
    [
      'jwtValidationPubkeys[0] has a backslash and an n where its lines end: write real line ends, in TypeScript by `.replaceAll("\\\\n", "\\n")`',
    ],
  ],
  ...[" ", ""].map(
    (end): Mistake => [
      `18: a key with ${JSON.stringify(end)} for its line ends`,
      "jwtConfig",
      keys(pem.trim().replaceAll("\n", end)),
      [
        "jwtValidationPubkeys[0] has lost its line ends, as happens in variables of CI systems: give it as it is in its file",
      ],
    ],
  ),
  [
    "18: the name of a file",
    "jwtConfig",
    keys("./key.pem"),
    [
      "jwtValidationPubkeys[0] is the name of a file, and not what is in it: expected one block `-----BEGIN PUBLIC KEY-----` or a certificate",
    ],
  ],
  [
    "18: a private key",
    "jwtConfig",
    keys(privateKey),
    ["jwtValidationPubkeys[0] is a private key; give the public key"],
  ],
  [
    "18: a key with blanks before its lines",
    "jwtConfig",
    keys(pem.trim().replaceAll("\n", "\n    ")),
    ["jwtValidationPubkeys[0] has blanks before its lines: take them out"],
  ],
  ...(
    [
      [{}, "jwtValidationPubkeys must be set, or one of jwksUrl, jwksPairs, oidcDiscoveryUrl"],
      [
        { jwksUrl: "https://a.example", oidcDiscoveryUrl: "https://a.example" },
        "jwksUrl cannot be set together with oidcDiscoveryUrl: exactly one source of keys must be",
      ],
    ] as const
  ).map(([inputs, said]): Mistake => ["19: sources of keys", "jwtConfig", inputs, [said]]),
  ["23: no policy", "sysPolicy", hcl(""), ["policy is not set, and neither is rules: one of them is required"]],
  [
    "20: nothing is bound",
    "jwtRole",
    { ...role, boundAudiences: undefined },
    ["boundAudiences must be set, or one of tokenBoundCidrs, boundSubject, boundClaims"],
  ],
  [
    "20: no roleType",
    "jwtRole",
    { ...role, roleType: undefined },
    ['allowedRedirectUris must be set when roleType is oidc or not set; for logins of machines set roleType: "jwt"'],
  ],
  [
    "22: JSON with a comma too much, for the cloud",
    "cloudRole",
    { name: "a", credentialType: "iam_user", policyDocument: '{\n "Version": "2012-10-17",\n}' },
    ["policyDocument is not JSON at line 3, column 1: a comma has nothing after it"],
  ],
  [
    "23: HCL that does not end",
    "sysPolicy",
    hcl('path "a" {\n capabilities = ["read"\n}'),
    ["policy cannot be read: `,` or `]` is expected, not `}` (line 3)"],
  ],
  [
    "23: a typing error in a capability",
    "sysPolicy",
    hcl('path "a" { capabilities = ["raed"] }'),
    ['policy path "a" has the unknown capability "raed"; did you mean read?'],
  ],
  [
    "23: a typing error in a key",
    "sysPolicy",
    hcl('path "a" { capabilites = ["read"] }'),
    ['policy path "a" has the unknown key "capabilites"; did you mean capabilities?'],
  ],
  [
    "27: a rotation below a minute",
    "cloudStaticRole",
    { name: "a", username: "a", rotationPeriod: "30s" },
    ["rotationPeriod must be at least 60 seconds"],
  ],
  [
    "28: a name that is no DNS label",
    "clusterPeeringToken",
    { peerName: "A_b" },
    [
      "peerName must be a DNS label: at most 63 lower-case letters, digits or hyphens, with a letter or digit at both ends",
    ],
  ],
  [
    "28: a text that is no peering token",
    "clusterPeering",
    { peerName: "a", peeringToken: "garbage" },
    [
      "peeringToken is not a peering token: give the peeringToken of a cluster.PeeringToken on the other cluster, or what `consul peering generate-token` printed there",
    ],
  ],
  [
    "30: the name of a policy set for its id",
    "policyParameter",
    { policySetId: "production", key: "k" },
    ["policySetId must be `polset-` followed by 16 letters or digits"],
  ],
  [
    "32: a namespace without Enterprise",
    "jwtRole",
    { ...role, namespace: "team" },
    [
      "namespace needs Vault Enterprise 0.11.0 or newer, or OpenBao 2.3.0 or newer; the server is Vault (community edition) 1.21.1",
    ],
  ],
  [
    "33: an alias of an internal group",
    "identityGroup",
    { name: "g", alias: { mount: "jwt", name: "x" } },
    ['alias is only valid when type is "external"'],
  ],
  [
    "31: a connection that nobody has",
    "jwtRole",
    { ...role, connection: "north" },
    [expect.stringMatching(/^\S+ "?\S+: connection "north" is not in trustplane:connections; known are east, west, /)],
  ],
];
