import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { type ServeOptions, startServers } from "../../server/serve.ts";
import { rawApi } from "../support/contract-raw.ts";

const key = { role_type: "jwt", user_claim: "sub", bound_subject: "s" };

async function open(options: ServeOptions = {}) {
  const server = await startServers({ profile: "enterprise", ...options });
  onTestFinished(() => server.close());
  return {
    server,
    ...rawApi("secrets", server.secrets),
    as: (token: string) => rawApi("secrets", { ...server.secrets, token }),
  };
}

it("a namespace is made in its parent, listed, read and deleted, and its mounts with it", async () => {
  const { ask, call } = await open();
  expect((await ask("GET sys/namespaces?list=true")).status).toBe(404);
  expect(await call("POST sys/namespaces/team", { custom_metadata: { of: "us" } })).toMatchObject({
    data: { path: "team/", custom_metadata: { of: "us" } },
  });
  await call("POST team/sys/namespaces/ci");
  expect(await call("GET sys/namespaces?list=true")).toMatchObject({ data: { keys: ["team/"] } });
  expect(await call("GET team/sys/namespaces/ci")).toMatchObject({ data: { path: "team/ci/" } });
  expect((await ask("POST sys/namespaces/a/b")).status).toBe(400);
  expect((await ask("POST sys/namespaces/sys")).status).toBe(400);
  expect((await ask("DELETE sys/namespaces/team")).status).toBe(400);
  await call("POST team/ci/sys/auth/jwt", { type: "jwt" });
  await call("DELETE team/sys/namespaces/ci");
  await call("POST team/sys/namespaces/ci");
  expect((await ask("GET team/ci/auth/jwt/role/x")).status).toBe(404);
  expect(await call("GET team/ci/sys/auth")).not.toHaveProperty("data.jwt/");
});

it("a token is good below its own namespace, by policies that name the whole path, and nowhere else", async () => {
  const { call, as } = await open();
  for (const name of ["team", "other"]) {
    await call(`POST sys/namespaces/${name}`);
    await call(`POST ${name}/sys/auth/jwt`, { type: "jwt" });
    await call(`POST ${name}/auth/jwt/role/ci`, key);
  }
  const tokenOf = async (within: string, path: string) => {
    await call(`POST ${within}sys/policies/acl/p`, { policy: `path "${path}" { capabilities = ["read"] }` });
    const made = (await call(`POST ${within}auth/token/create`, { policies: ["p"] })) as {
      auth: { client_token: string };
    };
    return as(made.auth.client_token);
  };
  const statuses = async ({ ask }: ReturnType<typeof as>) =>
    Promise.all(["team/", "other/", ""].map(async (within) => (await ask(`GET ${within}auth/jwt/role/ci`)).status));
  expect(await statuses(await tokenOf("", "team/auth/jwt/role/ci"))).toEqual([200, 403, 403]);
  expect(await statuses(await tokenOf("team/", "auth/jwt/role/ci"))).toEqual([200, 403, 403]);
});

it("namespaces and what is in them are kept in a data file", async () => {
  const folder = mkdtempSync(join(tmpdir(), "trustplane-namespaces-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const data = join(folder, "data.db");
  const first = await startServers({ profile: "enterprise", data });
  const { call } = rawApi("secrets", first.secrets);
  await call("POST sys/namespaces/team");
  await call("POST team/sys/auth/jwt", { type: "jwt" });
  await call("POST team/auth/jwt/role/ci", key);
  await first.close();
  const { call: again, ask } = await open({ data });
  expect(await again("GET team/auth/jwt/role/ci")).toMatchObject({ data: { bound_subject: "s" } });
  expect((await ask("GET auth/jwt/role/ci")).status).toBe(404);
});
