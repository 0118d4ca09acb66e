import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { ProviderError } from "../../../provider/core/errors.ts";
import { NO_MOUNT } from "../../../provider/dialects/vault.ts";
import type { Connection } from "../../../provider/engine/connection.ts";
import { createEngine } from "../../../provider/engine/engine.ts";
import { namingMounts } from "../../../provider/engine/mount-type.ts";
import { createRun } from "../../../provider/engine/run.ts";
import { definitions } from "../../../provider/resources/index.ts";
import { serve } from "../../support/loopback-server.ts";

const CHECKSUM = "0a1b";
const role = { mount: "ci", name: "r", userClaim: "sub", roleType: "jwt", boundAudiences: ["a"] };

function engineOf(origin: string, said: string[] = []) {
  const entry = JSON.stringify({ address: origin, token: "t", maxRetries: 0, offline: true });
  return createEngine({
    config: (key) => (key === "takeOver" ? undefined : entry),
    env: {},
    log: (_level, message) => said.push(message),
  });
}

/** What is said, or refused, where the server shows the mount so. */
async function saidOf(mount: object): Promise<readonly string[]> {
  const said: string[] = [];
  let stored: unknown = {};
  const { origin } = await serve(async (request, response) => {
    const body = await text(request);
    if (body !== "") stored = JSON.parse(body);
    response.end(JSON.stringify({ data: request.url === "/v1/sys/auth" ? { "ci/": mount } : stored }));
  });
  const engine = engineOf(origin, said);
  await engine.create(definitions.jwtRole, role).catch((error: Error) => said.push(error.message));
  return said.filter((message) => message.includes('mount "ci"'));
}

it.each(["jwt", "oidc", "vault-plugin-auth-jwt"])("a plugin of the name %s fits", async (type) => {
  expect(await saidOf({ type, running_sha256: CHECKSUM })).toEqual([]);
});

it("a plugin under a name of its own may be anything: that is said", async () => {
  const what = 'jwt.Role: mount "ci": whether the plugin "people" is a jwt one is not known.';
  expect(await saidOf({ type: "people", running_sha256: CHECKSUM })).toEqual([what]);
});

it.each([{ running_sha256: "" }, {}])("a type of the server's own is what it says: %j", async (shown) => {
  const what = 'creating jwt.Role "r": mount "ci" is an approle mount; this server has no jwt mount.';
  expect(await saidOf({ type: "approle", ...shown })).toEqual([what]);
});

it("a mount that is not there is told once of all records of a set, with those that could be meant", async () => {
  const { origin } = await serve((request, response) => {
    if (request.url === "/v1/sys/auth") return response.end(JSON.stringify({ data: { "jobs/": { type: "jwt" } } }));
    response.statusCode = 404;
    response.end(JSON.stringify({ errors: ["no handler for route"] }));
  });
  const roles = Object.fromEntries(["a", "b", "c"].map((name) => [name, {}]));
  const { mount, name: _, ...defaults } = role;

  const failure = await engineOf(origin).create(definitions.jwtRoleSet, { mount, defaults, roles }).catch(String);

  expect(failure).toContain("3 of 3 records failed");
  expect(failure).toMatch(new RegExp(`\\)\\. ${NO_MOUNT} jwt mounts of this server: jobs/\\.$`));
  expect(String(failure).split(NO_MOUNT)).toHaveLength(2);
});

it.each([
  ["cloudRole", "roles", { db_name: "main", credential_type: "password", default_ttl: 3600 }],
  ["cloudStaticRole", "static-roles", { db_name: "main", username: "app", rotation_period: 3600 }],
] as const)("a role of a database is no %s", async (name, list, data) => {
  const { origin } = await serve((request, response) => {
    const mounts = { "cloud/": { type: "database" } };
    response.end(JSON.stringify({ data: request.url === "/v1/sys/mounts" ? mounts : data }));
  });
  const said: string[] = [];
  const state = { mount: "cloud", name: "app" };
  expect(await engineOf(origin, said).read(definitions[name], `cloud/${list}/app`, state)).toBeUndefined();
  expect(said.join()).toContain('mount "cloud" is a database mount now');
});

it("what failed counts where the mounts cannot be read", async () => {
  const refused = new ProviderError("NetworkError", "no answer");
  const collection: Connection["collection"] = () => Promise.reject(refused);
  // What the look uses of a connection.
  const connection = { collection, settings: { address: new URL("http://127.0.0.1:9") } } as unknown as Connection;
  const operation = { definition: definitions.jwtRole, connection, run: createRun(), log: () => {} };
  const failure = new ProviderError("ApiError", `404 no handler for route. ${NO_MOUNT}`, { status: 404 });

  expect(await namingMounts(operation, role, failure)).toBe(failure);
});
