import { beforeAll, describe, expect, it } from "vitest";
import { errorOf, serving, wrapped } from "./frame-harness";

const { server, ask } = serving();
beforeAll(async () => {
  for (const type of ["approle", "cert", "aws"]) await ask(`POST sys/auth/${type}`, { type });
});

const told = "is not supported by the embedded server";

describe("what the real servers have and this one does not is said to be so", () => {
  it.each([
    "GET cubbyhole/a",
    "LIST cubbyhole",
    "GET sys/internal/ui/mounts",
    "GET sys/internal/ui/resultant-acl",
    "POST sys/tools/hash",
    "GET sys/audit",
    "POST sys/seal",
    "LIST sys/plugins/catalog/secret",
    "LIST sys/policies/password",
    "GET sys/config/cors",
    "GET auth/token/roles/x",
    "POST auth/token/create/x",
    "POST auth/token/tidy",
    "POST identity/entity/merge",
    "GET identity/oidc/config",
    "POST auth/approle/role/x/token-ttl",
    "POST auth/approle/tidy/secret-id",
    "GET auth/cert/crls/x",
    "POST auth/cert/config",
    "GET auth/aws/config/identity",
    "POST auth/aws/tidy/roletag-denylist",
  ])("Vault: %s", async (request) => {
    const path = request.split(" ")[1] ?? "";
    for (const token of [server().secrets.token, null]) {
      const [status, text] = errorOf(await ask(request, undefined, { token }));
      expect([status, text?.replace("/ is", " is")]).toEqual([501, `${path} ${told}`]);
    }
  });

  it.each([
    ["sys/mounts/kv", { type: "kv", options: { version: "2" } }, 'the secrets engine "kv"'],
    ["sys/mounts/pki", { type: "pki" }, 'the secrets engine "pki"'],
    ["sys/auth/userpass", { type: "userpass" }, 'the auth method "userpass"'],
    ["sys/auth/kubernetes", { type: "kubernetes" }, 'the auth method "kubernetes"'],
  ])("Vault: POST %s %j", async (path, body, what) => {
    expect(errorOf(await ask(`POST ${path}`, body))).toEqual([501, `${what} ${told}`]);
  });

  it("Vault: an answer that is to be wrapped in a JWT", async () => {
    const headers = { "x-vault-wrap-ttl": "60", "x-vault-wrap-format": "jwt" };
    expect(errorOf(await ask("GET sys/mounts", undefined, { headers }))).toEqual([
      501,
      `wrapping in the format jwt ${told}`,
    ]);
  });

  it.each(["kv/a", "catalog/services", "agent/members", "acl/bootstrap", "connect/intentions", "operator/keyring"])(
    "Consul: %s",
    async (path) => {
      const answer = await fetch(`${server().cluster.address}/v1/${path}`);
      expect([answer.status, await answer.text()]).toEqual([501, `/v1/${path} ${told}`]);
    },
  );

  it.each(["organizations/demo/teams", "runs/run-1", "teams/team-1"])("HCP Terraform: %s", async (path) => {
    const headers = { authorization: `Bearer ${server().policy.token}` };
    const answer = await fetch(`${server().policy.address}/api/v2/${path}`, { headers });
    const { errors } = Object(await answer.json());
    expect([answer.status, errors]).toEqual([
      405,
      [{ status: "405", title: "not supported", detail: `/api/v2/${path} ${told}` }],
    ]);
  });
});

describe("what no server has is not there", () => {
  it.each(["GET sys/nope", "GET auth/token/nope", "GET identity/nope", "POST auth/approle/role/x/nope"])(
    "Vault: %s",
    async (request) => {
      expect(errorOf(await ask(request))).toEqual([404, wrapped("unsupported path")]);
    },
  );
  it("Consul, HCP Terraform", async () => {
    expect((await fetch(`${server().cluster.address}/v1/nope`)).status).toBe(404);
    const headers = { authorization: `Bearer ${server().policy.token}` };
    expect((await fetch(`${server().policy.address}/api/v2/nope`, { headers })).status).toBe(404);
  });
});
