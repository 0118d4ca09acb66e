import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { createEngine } from "../../../provider/engine/engine.ts";
import { definitions } from "../../../provider/resources/index.ts";
import { serve } from "../../support/loopback-server.ts";

const CHECKSUM = "0a1b";
const role = { mount: "ci", name: "r", userClaim: "sub", roleType: "jwt", boundAudiences: ["a"] };

/** What is said, or refused, where the server shows the mount so. */
async function saidOf(mount: object): Promise<readonly string[]> {
  const said: string[] = [];
  let stored: unknown = {};
  const { origin } = await serve(async (request, response) => {
    const body = await text(request);
    if (body !== "") stored = JSON.parse(body);
    response.end(JSON.stringify({ data: request.url === "/v1/sys/auth" ? { "ci/": mount } : stored }));
  });
  const entry = JSON.stringify({ address: origin, token: "t", maxRetries: 0, offline: true });
  const engine = createEngine({
    config: (key) => (key === "takeOver" ? undefined : entry),
    env: {},
    log: (_level, message) => said.push(message),
  });
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
