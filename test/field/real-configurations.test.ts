// Configurations that are public, as a state of the provider that they are written for, and what becomes of them here.
import { expect, it, onTestFinished } from "vitest";
import { startServers } from "../../server/serve.ts";
import { adopt } from "../cli/adopt-harness.ts";
import { environmentOf } from "../e2e/watched-servers.ts";
import { rawApi } from "../support/contract-raw.ts";
import { type KeptResource, pulumiState, terraformState } from "../support/old-states.ts";
import { fileOfTest } from "../support/temporary-folder.ts";
import { publicKeyPem } from "../support/valid-inputs.ts";

async function openOld() {
  const servers = await startServers({ profile: "enterprise" });
  onTestFinished(() => servers.close());
  const { call } = rawApi("secrets", servers.secrets);
  const adoptedFrom = async (state: string, flags: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const file = fileOfTest("old.json", state);
    const { code, err, files } = await adopt({ ...environmentOf(servers), ...env }, ["--from-state", file, ...flags]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(files["README.md"]).not.toContain("## Left out");
    return Object.values(files).join("\n");
  };
  const adopted = (resources: readonly KeptResource[], ...flags: string[]) =>
    adoptedFrom(terraformState(resources), flags);
  const method = async (above: string, path: string) => {
    await call(`POST ${above}sys/auth/${path}`, { type: "jwt" });
    await call(`POST ${above}auth/${path}/config`, { jwt_validation_pubkeys: [publicKeyPem()] });
  };
  return { call, adopted, adoptedFrom, method };
}

const role = (name: string, attributes: object): KeptResource => ({
  type: "vault_jwt_auth_backend_role",
  name,
  attributes: { role_name: name, ...attributes },
});
const method = (path: string, namespace: string | null = null): KeptResource => ({
  type: "vault_jwt_auth_backend",
  name: path,
  attributes: { path, type: "jwt", namespace },
});

// https://github.com/hashicorp/terraform-dynamic-credentials-setup-examples (vault-backed/aws/vault.tf)
it("a role and an engine have a namespace, and the method beside them has none: each stays where it is", async () => {
  const { call, adopted, method: enable } = await openOld();
  await call("POST sys/namespaces/team");
  await enable("", "tfc");
  await enable("team/", "tfc");
  const bound = {
    bound_claims: { sub: "organization:acme:project:p:workspace:w:run_phase:*" },
    bound_claims_type: "glob",
  };
  const body = {
    role_type: "jwt",
    user_claim: "terraform_full_workspace",
    bound_audiences: ["vault.workload.identity"],
  };
  await call("POST team/auth/tfc/role/run", { ...body, ...bound, token_policies: ["run"] });
  await call("POST team/sys/mounts/aws", { type: "aws" });
  await call("POST team/aws/config/root", { access_key: "AKIAEXAMPLE", secret_key: "of-the-state" });
  const text = await adopted([
    method("tfc"),
    role("run", { backend: "tfc", namespace: "team" }),
    {
      type: "vault_aws_secret_backend",
      name: "aws",
      attributes: { path: "aws", namespace: "team", access_key: "AKIAEXAMPLE", secret_key: "of-the-state" },
    },
  ]);
  expect(text.match(/namespace: "team"/g)).toHaveLength(3);
  expect(text).toContain('"organization:acme:project:p:workspace:w:run_phase:*"');
  expect(text).not.toContain("of-the-state");
});

// https://github.com/hashicorp/terraform-dynamic-credentials-setup-examples (vault/vault.tf), and
// https://github.com/mitodl/ol-infrastructure (substructure/vault/auth): one text with a comma, which their provider parts.
it("two subjects that stand in one text with a comma are the two that the server has", async () => {
  const { call, adopted, method: enable } = await openOld();
  await enable("", "hcp");
  const subjects = ["organization:acme:run_phase:plan", "organization:acme:run_phase:apply"];
  await call("POST auth/hcp/role/run", { role_type: "jwt", user_claim: "sub", bound_claims: { sub: subjects } });
  const text = await adopted([
    method("hcp"),
    role("run", { backend: "hcp", bound_claims: { sub: subjects.join(",") } }),
  ]);
  for (const subject of subjects) expect(text).toContain(`"${subject}"`);
  expect(text).not.toContain(subjects.join(","));
});

// https://github.com/ge0r/vault-terraform (modules/GitlabProject), https://github.com/grantorchard/terraform-vault-module-oidc
it.each(["typescript", "hcl"])("empty lists and nulls are nothing, and a number stays one, in %s", async (language) => {
  const { call, adopted, method: enable } = await openOld();
  await enable("", "gitlab");
  const body = { role_type: "jwt", user_claim: "user_email", bound_claims: { project_id: [22, "33"] } };
  await call("POST auth/gitlab/role/project", { ...body, bound_audiences: [], token_explicit_max_ttl: 15 });
  const old = { backend: "gitlab", bound_audiences: [], allowed_redirect_uris: null };
  const module = "module.projects";
  const text = await adopted([method("gitlab"), { ...role("project", old), module, key: 0 }], "--language", language);
  expect(text).not.toMatch(/bound_?audiences|allowed_?redirect/i);
  expect(text).toMatch(/project_id"?\s*[:=] \[22, "33"\]/);
  expect(text).toMatch(/token_?explicit_?max_?ttl\s*[:=] "?15s?"?/i);
});

// https://github.com/pandom/tf-hcp-vault (auth_jwt.tf): HCP Vault, whose provider block has the namespace `admin`.
it("the namespace of the provider's block is that of the connection, and no record names it", async () => {
  const { call, adoptedFrom, method: enable } = await openOld();
  await call("POST sys/namespaces/admin");
  await enable("admin/", "gh-actions");
  const bound = { bound_claims: { repository: "acme/app", ref: "refs/*" }, bound_claims_type: "glob" };
  const body = { role_type: "jwt", user_claim: "workflow", bound_audiences: ["https://github.com/acme"], ...bound };
  await call("POST admin/auth/gh-actions/role/gha", { ...body, token_ttl: "3600", verbose_oidc_logging: true });
  const old = [method("gh-actions"), role("gha", { backend: "gh-actions", namespace: null, token_ttl: 3600 })];
  const text = await adoptedFrom(terraformState(old), [], { VAULT_NAMESPACE: "admin" });
  expect(text).not.toContain("namespace:");
  for (const part of ['ref: "refs/*"', 'boundClaimsType: "glob"', "verboseOidcLogging: true", 'tokenTtl: "1h"'])
    expect(text).toContain(part);
});

// Programs of Pulumi for OpenBao, as by sapslaj and chezmoi.sh (FIELD C15): an explicit provider of a namespace, a method of type
// oidc, claims of groups, scopes with `openid`, and a policy whose paths end in denials.
it("roles and policies that a program of Pulumi's has in a namespace are adopted as they are", async () => {
  const { call, adoptedFrom } = await openOld();
  await call("POST sys/namespaces/lab");
  await call("POST lab/sys/auth/oidc", {
    type: "oidc",
    description: "people",
    config: { listing_visibility: "unauth" },
  });
  const callbacks = ["http://localhost:8250/oidc/callback", "https://bao.example/ui/vault/auth/oidc/oidc/callback"];
  const scopes = {
    oidc_scopes: ["openid", "email", "groups"],
    groups_claim: "groups",
    claim_mappings: { email: "email" },
  };
  const people = { role_type: "oidc", user_claim: "sub", allowed_redirect_uris: callbacks, ...scopes };
  await call("POST lab/auth/oidc/role/admin", {
    ...people,
    bound_claims: { groups: "admin" },
    token_policies: ["all"],
  });
  const policy =
    'path "*" { capabilities = ["read", "list"] }\n# Nobody seals it.\npath "sys/seal" { capabilities = ["deny"] }\n';
  await call("POST lab/sys/policies/acl/all", { policy });
  const of = { namespace: "lab" };
  const old: KeptResource[] = [
    {
      type: "vault_jwt_auth_backend",
      name: "oidc",
      provider: "ns-lab",
      attributes: { id: "oidc", path: "oidc", type: "oidc", ...of },
    },
    { ...role("admin", { id: "auth/oidc/role/admin", backend: "oidc", ...of }), provider: "ns-lab" },
    { type: "vault_policy", name: "all", provider: "ns-lab", attributes: { id: "all", name: "all", policy, ...of } },
  ];
  const text = await adoptedFrom(pulumiState(old), []);
  expect(text.match(/namespace: "lab"/g)?.length).toBeGreaterThanOrEqual(3);
  for (const part of ['"openid"', 'groups: "admin"', 'email: "email"', ...callbacks, "# Nobody seals it."])
    expect(text).toContain(part);
});
