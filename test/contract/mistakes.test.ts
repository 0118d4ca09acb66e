// @servers embedded

import { expect, it } from "vitest";
import type { Definition, Values } from "../../provider/core/definition.ts";
import { textOf } from "../../provider/core/errors.ts";
import { definitions } from "../../provider/resources/index.ts";
import { advised } from "../support/advised-inputs.ts";
import { engineWithLog } from "../support/contract-host-engine.ts";
import { closeServersAfterwards } from "../support/contract-servers.ts";
import { openWorld } from "../support/contract-world.ts";
import { secretsToken } from "../support/documented-policy.ts";
import { deadOrigin, serve } from "../support/loopback-server.ts";
import { refused } from "../support/mistaken-inputs.ts";
import { type DefinitionName, validInputs } from "../support/valid-inputs.ts";

// What people do wrong, and every word that they read of it. Mistakes that need another server or a run before are in
// `mistakes-with-servers.test.ts`, more of connections in `test/e2e/connection-errors.test.ts`. 36, a misspelt section of the
// configuration, is in `test/unit/core/unread-key.test.ts`; 37, a missing `plugins` block, in
// `test/sdk/native-classes.test.ts`.

closeServersAfterwards();

const role = validInputs.jwtRole[0];

/** What is answered where something is written, by what the connection is. */
type Failing = readonly [name: string, resource: DefinitionName, inputs: Values, said: string, settings?: Values];

const failing: readonly Failing[] = [
  [
    "5: no token",
    "jwtRole",
    role,
    'creating jwt.Role "ci": the environment variable NOPE, which trustplane:secrets names in tokenEnv, is empty or not set. Set it: no other token is sent instead.',
    { tokenEnv: "NOPE" },
  ],
  [
    "8: no mount",
    "jwtRole",
    { ...role, mount: "nowhere" },
    'creating jwt.Role "ci": 404 no handler for route "auth/nowhere/role/ci". route entry not found. (POST auth/nowhere/role/ci). Nothing is mounted there: check the mount path and the namespace. jwt mounts of this server: jwt/.',
  ],
  [
    "9: a mount with auth/",
    "jwtRole",
    { ...role, mount: "auth/jwt" },
    'creating jwt.Role "ci": 404 no handler for route "auth/auth/jwt/role/ci". route entry not found. (POST auth/auth/jwt/role/ci). Nothing is mounted there: write the mount without `auth/`, which trustplane adds.',
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
    'the address of connection "secrets" ends in /v1: leave that out, trustplane adds the paths of its requests',
    { address: "http://127.0.0.1:9/v1" },
  ],
  [
    "14: the address of a page",
    "jwtRole",
    role,
    'the address of connection "secrets" ends in /ui/vault/secrets: leave that out, trustplane adds the paths of its requests',
    { address: "http://127.0.0.1:9/ui/vault/secrets" },
  ],
  [
    "30: a policy set that is not there",
    "policyParameter",
    { policySetId: "polset-unknown000000001", key: "k" },
    'creating policy.Parameter "k": 404 not found (GET policy-sets/polset-unknown000000001/parameters). The token cannot read the parameters of policy-sets/polset-unknown000000001: there is no such policy set, or the token may not see it. Check the id and the token. Where the policy set was deleted, a refresh of the stack that has it takes what was in it out of the state, too; elsewhere do that by `pulumi state delete`.',
  ],
  [
    "34: a path with another mount",
    "sysSecretsMount",
    { path: "cloud", type: "kv" },
    'creating sys.SecretsMount "cloud": it exists already, with another type ("cloud"). Choose another path, or remove what is there, which deletes all that is in it. If this stack has it under another name, say that in `aliases`.',
  ],
  [
    "36: a typing error in a field",
    "jwtRole",
    role,
    "the configuration trustplane:secrets is not valid: it has the unknown field adress; did you mean address?",
    { adress: "x" },
  ],
  [
    "36: a typing error in a field of the login",
    "jwtRole",
    role,
    "the configuration trustplane:secrets is not valid: login: it has the unknown field namespce; did you mean namespace?",
    { login: { method: "jwt", namespce: "admin" } },
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
    'creating jwt.Config "jwt": 400 error checking oidc discovery URL (POST auth/jwt/config). The server itself, not this machine, reads that address, and the `issuer` in the answer must be exactly this URL: check the address, a slash at its end, the server\'s DNS and firewall, and the CA that it trusts for it.',
  ],
];

/** The warnings of a check, and what it or the creation refuses. */
async function said(resource: DefinitionName, inputs: Values, settings: Values = {}): Promise<readonly string[]> {
  const world = await openWorld();
  const { secrets = "", ...others } = world.config();
  const lines: string[] = [];
  const own = JSON.stringify({ ...JSON.parse(secrets), takeOver: "always", ...settings });
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
  // The cases share a server and its records.
  const isOther = /^the token of connection|exists already and is taken over/;
  return [...warnings.filter((line) => !isOther.test(line)), ...refusals];
}

it.each([...refused, ...advised])("%s", async (_, resource, inputs, lines) => {
  expect(await said(resource, inputs)).toEqual(lines);
});

for (const [name, resource, inputs, line, settings] of failing)
  it(name, async () => expect((await said(resource, inputs, settings)).at(-1)).toBe(line));

it("6: an expired token is told once", async () => {
  expect(await said("jwtRole", role, { tokenEnv: undefined, token: "hvs.wrong" })).toEqual([
    'creating jwt.Role "ci": 403 permission denied; invalid token (GET sys/auth). The token is unknown, expired or revoked; give a new one in `token`.',
  ]);
});

it("7: a token without permission is told of all that the resource needs", async () => {
  const world = await openWorld();
  const token = await secretsToken(world.raw("secrets"), 'path "auth/jwt/role/weak" { capabilities = ["read"] }');
  expect(await said("jwtRole", { ...role, name: "weak" }, { tokenEnv: undefined, token })).toEqual([
    'creating jwt.Role "weak": 403 permission denied (POST auth/jwt/role/weak). The token needs "create and update" on auth/jwt/role/weak, or is no longer valid. A policy grants it by: path "auth/jwt/role/weak" { capabilities = ["create", "update"] }. For its whole life the resource needs: path "auth/jwt/role/weak" { capabilities = ["create", "read", "update", "delete"] } path "sys/auth" { capabilities = ["read"] }',
  ]);
});

it.each([
  [
    "21: a role twice",
    "jwtRole",
    role,
    'creating jwt.Role "ci": two resources of this program declare jwt.Role auth/jwt/role/ci: remove one of the two.',
  ],
  [
    "29: a parameter's key twice",
    "policyParameter",
    { ...validInputs.policyParameter[0], key: "twice" },
    'creating policy.Parameter "twice": two resources of this program declare policy.Parameter polset-demo000000000001/twice: remove one of the two.',
  ],
] as const)("%s", async (_, resource, inputs, line) => {
  const world = await openWorld();
  const engine = engineWithLog(world.config(), []);
  const definition: Definition = definitions[resource];
  const { inputs: checked } = await engine.check(definition, inputs);
  await engine.create(definition, checked);
  expect(await engine.create(definition, checked).catch((error: Error) => error.message)).toBe(line);
});

it("17: a name with capitals is said once, of a record that is new", async () => {
  const world = await openWorld();
  const lines: string[] = [];
  const engine = engineWithLog(world.config(), lines);
  const policy = 'path "secret/deploy" { capabilities = ["read"] }';
  await engine.check(definitions.sysPolicy, { name: "Deploy", policy }, { name: "deploy", policy });
  expect(lines.filter((line) => line.startsWith("warning"))).toEqual([]);
});

const sealed = '{"errors":["Vault is sealed"],"sealed":true,"version":"1.21.1"}';
it.each([
  [
    "11: http for a port with TLS",
    400,
    "Client sent an HTTP request to an HTTPS server.\n",
    "400 (GET sys/health, GET sys/seal-status). The server speaks TLS on this port: write https:// in the address.",
    "400 (GET sys/auth). The server speaks TLS on this port: write https:// in the address.",
  ],
  [
    "16: a sealed server",
    503,
    sealed,
    "it is sealed (GET sys/health, GET sys/seal-status). Unseal the server and run again.",
    "503 Vault is sealed (GET sys/auth). Unseal the server and run again.",
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
    `creating jwt.Role "ci": ${refusal("sys/auth")}`,
  ]);
});
