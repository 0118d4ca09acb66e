import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { type ServeOptions, startServers } from "../../server/serve.ts";
import { rawApi } from "../support/contract-raw.ts";
import { folderOfTest } from "../support/temporary-folder.ts";

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

it("a user of a namespace has the policies of its groups there, also in the namespaces below, and not when disabled", async () => {
  const { call, ask, as } = await open();
  await call("POST sys/namespaces/team");
  await call("POST team/sys/namespaces/ci");
  await call("POST team/sys/auth/approle", { type: "approle" });
  await call("POST team/auth/approle/role/ci", { bind_secret_id: "false", token_bound_cidrs: ["127.0.0.0/8"] });
  const text =
    'path "sys/policies/acl/*" { capabilities = ["read"] } path "ci/sys/policies/acl/p" { capabilities = ["read"] }';
  await call("POST team/sys/policies/acl/of-group", { policy: text });
  await call("POST team/ci/sys/policies/acl/p", { policy: "# nothing" });
  const { data: role } = (await call("GET team/auth/approle/role/ci/role-id")) as { data: { role_id: string } };
  const { auth } = (await call("POST team/auth/approle/login", role)) as {
    auth: { client_token: string; entity_id: string };
  };
  const statuses = async () =>
    Promise.all(
      ["team/sys/policies/acl/of-group", "team/ci/sys/policies/acl/p", "sys/policies/acl/default"].map(
        async (path) => (await as(auth.client_token).ask(`GET ${path}`)).status,
      ),
    );
  expect(await statuses()).toEqual([403, 403, 403]);
  await call("POST identity/group", { name: "g", policies: ["root-group"] });
  await call("POST team/identity/group", { name: "g", policies: ["of-group"], member_entity_ids: [auth.entity_id] });
  expect(await statuses()).toEqual([200, 200, 403]);
  expect((await ask(`GET identity/entity/id/${auth.entity_id}`)).status).toBe(404);
  await call(`POST team/identity/entity/id/${auth.entity_id}`, { disabled: true });
  expect(await statuses()).toEqual([403, 403, 403]);
});

it("namespaces and what is in them are kept in a data file", async () => {
  const folder = folderOfTest();
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
