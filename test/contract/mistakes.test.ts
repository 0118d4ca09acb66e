// @servers embedded

import { generateKeyPairSync } from "node:crypto";
import { expect, it } from "vitest";
import type { Definition, Values } from "../../provider/core/definition.ts";
import { textOf } from "../../provider/core/errors.ts";
import { definitions } from "../../provider/resources/index.ts";
import { engineWithLog } from "../support/contract-host-engine.ts";
import { closeServersAfterwards } from "../support/contract-servers.ts";
import { openWorld } from "../support/contract-world.ts";
import { secretsToken } from "../support/documented-policy.ts";
import { deadOrigin, serve } from "../support/loopback-server.ts";
import { type DefinitionName, publicKeyPem, validInputs } from "../support/valid-inputs.ts";

// What people do wrong, and every word that they read of it. Mistakes with a connection that need a certificate or a host name
// are in `test/e2e/connection-errors.test.ts`, those of a run in `test/contract/wrong-server.test.ts` and the like.

closeServersAfterwards();

/** The resource, its inputs or what they change of valid ones, and each line that is said. */
type Mistake = readonly [name: string, resource: DefinitionName, inputs: Values, said: readonly string[]];

const role = validInputs.jwtRole[0];
const pem = publicKeyPem();
const privateKey = String(
  generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ type: "pkcs8", format: "pem" }),
);
const hcl = (policy: string) => ({ name: "a", policy });
const keys = (key: string) => ({ jwtValidationPubkeys: [key] });
const arns = (arn: string) => ({ name: "a", credentialType: "assumed_role", roleArns: [arn] });
const arnLike = "it must be like arn:aws:iam::123456789012:role/name";

const refused: readonly Mistake[] = [
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
      'jwtValidationPubkeys[0] has a backslash and an n where its lines end: give real line ends, as `.replaceAll("\\\\n", "\\n")` makes them',
    ],
  ],
  ...[" ", ""].map(
    (end): Mistake => [
      `18: a key with ${JSON.stringify(end)} for its line ends`,
      "jwtConfig",
      keys(pem.trim().replaceAll("\n", end)),
      ["jwtValidationPubkeys[0] has blanks or nothing where its lines end: give it with its line ends"],
    ],
  ),
  [
    "18: the name of a file",
    "jwtConfig",
    keys("./key.pem"),
    ["jwtValidationPubkeys[0] is not PEM: expected one block `-----BEGIN PUBLIC KEY-----` or a certificate"],
  ],
  [
    "18: a private key",
    "jwtConfig",
    keys(privateKey),
    ["jwtValidationPubkeys[0] is a private key; give the public key"],
  ],
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
    ["policyDocument is not JSON at line 3, column 1"],
  ],
  [
    "23: HCL that does not end",
    "sysPolicy",
    hcl('path "a" {\n capabilities = ["read"\n}'),
    ["policy , or ] is expected, not } (line 3)"],
  ],
  [
    "23: a typing error in a capability",
    "sysPolicy",
    hcl('path "a" { capabilities = ["raed"] }'),
    [
      'policy path "a" has the unknown capability "raed": known are create, read, update, patch, delete, list, sudo, deny, subscribe, recover, scan',
    ],
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
    ["peeringToken is not a peering token: give the peeringToken of a cluster.PeeringToken"],
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
    ['alias only valid when type is "external"'],
  ],
  [
    "31: a connection that nobody has",
    "jwtRole",
    { ...role, connection: "north" },
    [expect.stringMatching(/^connection "north" is not in trustplane:connections; known are east, west, /)],
  ],
];

const advised: readonly Mistake[] = [
  [
    "19: no audience",
    "jwtRole",
    { ...role, boundAudiences: undefined, boundSubject: "x" },
    ['jwt.Role "ci": boundAudiences is not set: the server refuses every token that has an `aud` claim'],
  ],
  [
    "20: policies for everybody",
    "jwtRole",
    { ...validInputs.jwtRole[1], tokenPolicies: ["deploy"] },
    [
      'jwt.Role "ui": tokenPolicies go to every user of the identity provider, as nobody is bound: set one of boundAudiences, tokenBoundCidrs, boundSubject, boundClaims, or give them to groups',
    ],
  ],
  [
    "24: a policy's path with v1/",
    "sysPolicy",
    { name: "a", rules: [{ path: "/v1/secret/data/x", capabilities: ["read"] }] },
    ['sys.Policy "a": policy path "v1/secret/data/x" begins with v1/, which no request has there: leave it out'],
  ],
  [
    "25: a literal *",
    "jwtRole",
    { ...role, boundSubject: "repo:*", boundClaims: { ref: "refs/*" } },
    [
      'jwt.Role "ci": boundSubject has a *, which stands for itself there: for any text, bind `sub` in boundClaims, with boundClaimsType: "glob"',
      'jwt.Role "ci": boundClaims["ref"] has a *, which stands for itself: for any text, set boundClaimsType: "glob"',
    ],
  ],
  ...Object.entries({
    "arn:aws:iam:123456789012:role/x": "must have six sections, such as arn:aws:iam::123456789012:role/name",
    "arn:aws:iam::12345678901:role/x": `has no account of 12 digits: ${arnLike}`,
    "arn:aws:iam::123456789012:policy/x": `is not the ARN of a role: ${arnLike}`,
    "arn:aws:iam:eu-west-1:123456789012:role/x": `has a region, which IAM has not: ${arnLike}`,
    "arn:aws:ima::123456789012:role/x": `is not of the service iam: ${arnLike}`,
  }).map(([arn, reason]): Mistake => [`26: ${arn}`, "cloudRole", arns(arn), [`cloud.Role "a": roleArns[0] ${reason}`]]),
  [
    "33: an external group without an alias",
    "identityGroup",
    { name: "g", type: "external" },
    ['identity.Group "g": type is external, and without an alias no login puts anybody in it'],
  ],
];

/** What is answered where something is written, by what the connection is. */
type Failing = readonly [name: string, resource: DefinitionName, inputs: Values, said: string, settings?: Values];

const failing: readonly Failing[] = [
  [
    "5: no token",
    "jwtRole",
    role,
    'creating jwt.Role "ci": the environment variable NOPE is not set or blank, which trustplane:secrets names in tokenEnv. Set it: no other token is sent there.',
    { tokenEnv: "NOPE" },
  ],
  [
    "6: an expired token",
    "jwtRole",
    role,
    'creating jwt.Role "ci": 403 permission denied; invalid token (GET auth/jwt/role/ci). The token is unknown, expired or revoked; give a new one in `token`.',
    { tokenEnv: undefined, token: "hvs.wrong" },
  ],
  [
    "8: no mount",
    "jwtRole",
    { ...role, mount: "nowhere" },
    'creating jwt.Role "ci": 404 no handler for route "auth/nowhere/role/ci". route entry not found. (POST auth/nowhere/role/ci). Nothing is mounted there: check the mount path and the namespace.',
  ],
  [
    "9: a mount with auth/",
    "jwtRole",
    { ...role, mount: "auth/jwt" },
    'creating jwt.Role "ci": 404 no handler for route "auth/auth/jwt/role/ci". route entry not found. (POST auth/auth/jwt/role/ci). Nothing is mounted there: write the mount without `auth/`, which is before each auth method.',
  ],
  [
    "9: an alias with auth/",
    "identityGroup",
    { name: "g9", type: "external", alias: { mount: "auth/jwt", name: "x" } },
    'creating identity.Group "g9": no auth method is mounted at alias.mount, "auth/jwt". Write it without `auth/`.',
  ],
  [
    "14: an address with /v1",
    "jwtRole",
    role,
    'the address of connection "secrets" ends in /v1: leave that out, requests have paths of their own',
    { address: "http://127.0.0.1:9/v1" },
  ],
  [
    "14: the address of a page",
    "jwtRole",
    role,
    'the address of connection "secrets" ends in /ui/vault/secrets: leave that out, requests have paths of their own',
    { address: "http://127.0.0.1:9/ui/vault/secrets" },
  ],
  [
    "30: a policy set that is not there",
    "policyParameter",
    { policySetId: "polset-unknown000000001", key: "k" },
    'creating policy.Parameter "k": 404 not found (GET policy-sets/polset-unknown000000001/parameters). The token cannot read the parameters of policy-sets/polset-unknown000000001: there is no such policy set, or the token has no permission there. If it was deleted with what is in it, remove the resource from the state.',
  ],
  [
    "34: a path with another mount",
    "sysSecretsMount",
    { path: "cloud", type: "kv" },
    'creating sys.SecretsMount "cloud": it exists already, with another type ("cloud"). Choose another name, or remove what is there. If this stack has it under another name, say that in `aliases`.',
  ],
  [
    "36: a typing error in a field",
    "jwtRole",
    role,
    "the configuration trustplane:secrets is not valid: it has no field adress; did you mean address?",
    { adress: "x" },
  ],
  [
    "36: a field of another type",
    "jwtRole",
    role,
    "the configuration trustplane:secrets is not valid: address: must be a string",
    { address: 5 },
  ],
  [
    "a discovery URL that does not answer",
    "jwtConfig",
    { oidcDiscoveryUrl: "http://127.0.0.1:9" },
    'creating jwt.Config "jwt": 400 error checking oidc discovery URL (POST auth/jwt/config). The server itself must reach that address, which this machine may not show, and be answered exactly this URL as the `issuer`: check the address, a slash at its end, the server\'s DNS and firewall, and the CA that it trusts for it.',
  ],
];

/** The warnings of a check, and what it or the creation refuses. */
async function said(resource: DefinitionName, inputs: Values, settings: Values = {}): Promise<readonly string[]> {
  const world = await openWorld();
  const { secrets = "", ...others } = world.config();
  const lines: string[] = [];
  const own = JSON.stringify({ ...JSON.parse(secrets), ...settings });
  const engine = engineWithLog({ ...others, secrets: own }, lines);
  const definition: Definition = definitions[resource];
  const failed = async () => {
    const checked = await engine.check(definition, inputs);
    if (checked.failures.length > 0) return [textOf(checked.failures)];
    await engine.create(definition, checked.inputs);
    return [];
  };
  const refusals = await failed().catch((error: Error) => [error.message]);
  const warnings = lines.filter((line) => line.startsWith("warning: ")).map((line) => line.replace("warning: ", ""));
  return [...warnings.filter((line) => !line.startsWith("the token of connection")), ...refusals];
}

it.each([...refused, ...advised])("%s", async (_, resource, inputs, lines) => {
  expect(await said(resource, inputs)).toEqual(lines);
});

for (const [name, resource, inputs, line, settings] of failing)
  it(name, async () => expect(await said(resource, inputs, settings)).toEqual([line]));

it("7: a token without permission is told of all that the resource needs", async () => {
  const world = await openWorld();
  const token = await secretsToken(world.raw("secrets"), 'path "auth/jwt/role/weak" { capabilities = ["read"] }');
  expect(await said("jwtRole", { ...role, name: "weak" }, { tokenEnv: undefined, token })).toEqual([
    'creating jwt.Role "weak": 403 permission denied (POST auth/jwt/role/weak). The token needs "create and update" on auth/jwt/role/weak, or is no longer valid. A policy grants it by: path "auth/jwt/role/weak" { capabilities = ["create", "update"] }. For its whole life the resource needs: path "auth/jwt/role/weak" { capabilities = ["create", "read", "update", "delete"] } path "sys/auth" { capabilities = ["read"] }',
  ]);
});

const sealed = '{"errors":["Vault is sealed"],"sealed":true,"version":"1.21.1"}';
it.each([
  [
    "11: http for a port with TLS",
    400,
    "Client sent an HTTP request to an HTTPS server.\n",
    "400 (GET sys/health); 400 (GET sys/seal-status). The server speaks TLS on this port: write https:// in the address.",
    "400 (GET auth/jwt/role/ci). The server speaks TLS on this port: write https:// in the address.",
  ],
  [
    "16: a sealed server",
    503,
    sealed,
    "503 sealed (GET sys/health); 503 sealed (GET sys/seal-status). Unseal the server and run again.",
    "503 Vault is sealed (GET auth/jwt/role/ci). Unseal the server and run again.",
  ],
])("%s says in one line each what to do", async (_, status, body, check, create) => {
  const { origin } = await serve((_request, response) => response.writeHead(status).end(body));
  expect(await said("jwtRole", role, { address: origin })).toEqual([
    `the secrets server was not checked: ${check}`,
    `creating jwt.Role "ci": ${create}`,
  ]);
});

it("12: a wrong port is said to be refused, and never to be silenced by a setting", async () => {
  const address = await deadOrigin();
  const refusal = (path: string) =>
    `no answer from ${address} (GET /v1/${path}): the connection was refused. Is the server running, and is the address right? \`trustplane doctor\` says why.`;
  expect(await said("jwtRole", role, { address })).toEqual([
    `the secrets server was not checked: ${refusal("sys/health")}`,
    `creating jwt.Role "ci": ${refusal("auth/jwt/role/ci")}`,
  ]);
});
