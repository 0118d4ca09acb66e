// @run test: it waits for clocks
// @servers embedded vault
// @without-terraform: it asks the engine or Pulumi's hosts

import { describe, expect, it } from "vitest";
import type { Definition } from "../../provider/core/definition.ts";
import { definitions } from "../../provider/resources/index.ts";
import { closeServersAfterwards, servicesUnderTest } from "../support/contract-servers.ts";
import { openWorld } from "../support/contract-world.ts";
import { loggingIn, openEngine, openLogins, setVariable, tokenCount } from "../support/jwt-logins.ts";
import { fileOfTest } from "../support/temporary-folder.ts";

closeServersAfterwards();

const roleDefinition: Definition = definitions.jwtRole;

/** An auth method with the role `ci`, and a mount of roles that its tokens may change. */
async function openAppRole(role: Readonly<Record<string, unknown>> = {}) {
  const world = await openWorld();
  const raw = world.raw("secrets");
  const roles = await openLogins(world);
  const mount = world.fresh("approle");
  await raw.call(`POST sys/auth/${mount}`, { type: "approle" });
  await raw.call(`POST auth/${mount}/role/ci`, { token_policies: [roles], token_ttl: "1m", role_id: mount, ...role });
  const login = (more: object) => openEngine(loggingIn(world, { method: "approle", mount, roleId: mount, ...more }));
  const issue = async (headers: Readonly<Record<string, string>> = {}) => {
    const { address, token } = world.servers.secrets;
    const answer = await fetch(`${address}/v1/auth/${mount}/role/ci/secret-id`, {
      method: "POST",
      headers: { "x-vault-token": token, ...headers },
    });
    return (await answer.json()) as { data: { secret_id: string }; wrap_info: { token: string } };
  };
  const secretId = async () => (await issue()).data.secret_id;
  const inputs = (name: string) => ({ mount: roles, name, roleType: "jwt", userClaim: "sub", boundSubject: name });
  const count = (end: string) => world.traffic.seen().filter(({ url }) => url.endsWith(end)).length;
  return { world, mount, login, issue, secretId, inputs, count };
}

/** A file that goes away with the test. */
function fileWith(text: string): string {
  return fileOfTest("secret-id", text);
}

const unknownSecretId = "2f1d7b2e-0000-4444-9999-b5a1c54d0f3e";

describe.runIf(servicesUnderTest.includes("secrets"))("a connection that logs in with AppRole", () => {
  it("does so with a secret ID from a variable, and leaves no token behind", async () => {
    const { world, login, secretId, inputs } = await openAppRole();
    const before = await tokenCount(world);
    const { engine } = login({ secretIdEnv: setVariable(world.fresh("SECRET_ID_"), await secretId()) });
    await engine.create(roleDefinition, inputs("app"));
    expect(await tokenCount(world)).toBe(before + 1);
    await engine.end();
    expect(await tokenCount(world)).toBe(before);
  });

  it("unwraps a wrapped secret ID once, and logs in again with what was in it", async () => {
    const { mount, login, issue, inputs, count } = await openAppRole();
    const { wrap_info } = await issue({ "x-vault-wrap-ttl": "60s" });
    const { engine } = login({ secretIdFile: fileWith(`${wrap_info.token}\n`), secretIdWrapped: true });
    for (const name of ["first", "again"]) {
      await engine.create(roleDefinition, inputs(name));
      await engine.end();
    }
    expect(count("/sys/wrapping/unwrap")).toBe(1);
    expect(count(`/auth/${mount}/login`)).toBe(2);
  });

  it("says that a wrapped secret ID was taken before: somebody else may have it", async () => {
    const { world, login, issue, inputs } = await openAppRole();
    const { wrap_info } = await issue({ "x-vault-wrap-ttl": "60s" });
    await world.raw("secrets").call("POST sys/wrapping/unwrap", { token: wrap_info.token });
    const { engine, lines } = login({ secretIdFile: fileWith(wrap_info.token), secretIdWrapped: true });
    const message = await engine.create(roleDefinition, inputs("app")).then(String, (error: Error) => error.message);
    expect(message).toMatch(/400 wrapping token is not valid or does not exist \(POST sys\/wrapping\/unwrap\)/);
    expect(message + lines.join()).not.toContain(wrap_info.token);
  });

  it("needs no secret ID where the role asks for none", async () => {
    const role = { bind_secret_id: false, token_bound_cidrs: ["127.0.0.0/8"] };
    const { login, inputs } = await openAppRole(role);
    const { engine } = login({});
    expect((await engine.create(roleDefinition, inputs("app"))).id).toContain("app");
    await engine.end();
  });

  it("a secret ID that the server does not know is an error that shows neither half", async () => {
    const { world, mount, login, inputs } = await openAppRole();
    const { engine, lines } = login({ secretIdEnv: setVariable(world.fresh("SECRET_ID_"), unknownSecretId) });
    const message = await engine.create(roleDefinition, inputs("app")).then(String, (error: Error) => error.message);
    expect(message).toMatch(
      new RegExp(
        `^creating jwt.Role "app": the login of connection "secrets" by approle: 400 invalid role or secret ID \\(POST auth/${mount}/login\\)`,
      ),
    );
    expect(message + lines.join()).not.toContain(unknownSecretId);
  });
});
