import { describe, expect, it } from "vitest";
import { oldState } from "../../cli/sources/old-state.ts";
import { kinds } from "../../cli/stack/kinds.ts";
import type { Definition } from "../../provider/core/definition.ts";
import { definitions } from "../../provider/resources/index.ts";
import { defaultPolicySet } from "../../server/serve.ts";
import { evaluatedFiles } from "../support/adopt-evaluate.ts";
import { type KeptResource, pulumiState, terraformState } from "../support/old-states.ts";
import { fileOfTest } from "../support/temporary-folder.ts";
import { publicKeyPem } from "../support/valid-inputs.ts";
import { openAdoption } from "./adopt-harness.ts";

const role = { role_type: "jwt", user_claim: "sub", bound_audiences: ["https://aud.example"] };
const SECRET = "a-secret-of-the-old-state";

/** Servers that another provider has configured, and its resources. */
async function openMove() {
  const opened = await openAdoption();
  const { raw, server } = opened;
  const [secrets, cluster, policy] = [raw("secrets"), raw("cluster"), raw("policy")];
  server.cloud.addUser("robot");
  await secrets.call("POST sys/auth/jobs", { type: "jwt" });
  await secrets.call("POST auth/jobs/config", { jwt_validation_pubkeys: [publicKeyPem()] });
  for (const name of ["build", "deploy", "nightly", "of-others"])
    await secrets.call(`POST auth/jobs/role/${name}`, { ...role, token_policies: [name] });
  await secrets.call("POST sys/policies/acl/deploy", { policy: 'path "a" { capabilities = ["read"] }' });
  await secrets.call("POST cloud/config/root", { access_key: "AKIAEXAMPLE", secret_key: SECRET });
  await secrets.call("POST cloud/config/lease", { lease: "1h", lease_max: "2h" });
  await secrets.call("POST cloud/roles/session", { credential_type: "session_token" });
  await secrets.call("POST cloud/static-roles/robot", { username: "robot", rotation_period: 3600 });
  await secrets.call("POST identity/group", { name: "builders", type: "external" });
  await cluster.call("POST peering/token", { PeerName: "west" });
  const sources = [{ Name: "checkout", Action: "allow" }];
  await cluster.call("PUT config", { Kind: "service-intentions", Name: "billing", Sources: sources });
  await cluster.call("PUT config", {
    Kind: "exported-services",
    Name: "default",
    Services: [{ Name: "billing", Consumers: [{ Peer: "west" }] }],
  });
  const attributes = { key: "limit", value: "12", category: "policy-set" };
  const made = await policy.call(`POST policy-sets/${defaultPolicySet}/parameters`, {
    data: { type: "vars", attributes },
  });
  const parameter = Object(made).data.id as string;
  const adoptFrom = (text: string, ...flags: string[]) => {
    const file = fileOfTest("old.json", text);
    return opened.adopt("--from-state", file, ...flags);
  };
  return { ...opened, resources: resourcesOf(parameter), adoptFrom };
}

function resourcesOf(parameter: string): KeptResource[] {
  const roles = ["build", "deploy", "nightly"].map((name) => ({
    type: "vault_jwt_auth_backend_role",
    name: "ci",
    key: name,
    attributes: { id: `auth/jobs/role/${name}`, backend: "jobs", role_name: name, user_claim: "sub", namespace: null },
  }));
  return [
    { type: "vault_jwt_auth_backend", name: "gitlab", attributes: { id: "jobs", path: "jobs", type: "jwt" } },
    ...roles,
    { type: "vault_policy", name: "release", attributes: { id: "deploy", name: "deploy", policy: "old text" } },
    {
      type: "vault_aws_secret_backend",
      name: "aws",
      attributes: { id: "cloud", path: "cloud", access_key: "AKIAEXAMPLE", secret_key: SECRET },
    },
    {
      type: "vault_aws_secret_backend_role",
      name: "short",
      attributes: { id: "cloud/roles/session", backend: "cloud", name: "session" },
    },
    {
      type: "vault_aws_secret_backend_static_role",
      name: "robot_key",
      attributes: { id: "cloud/static-roles/robot", backend: "cloud", name: "robot", username: "robot" },
    },
    { type: "vault_identity_group", name: "team", attributes: { id: "2d8f9a0e", name: "builders", type: "external" } },
    {
      type: "vault_identity_group_alias",
      name: "team_alias",
      attributes: { id: "77aa", name: "b", canonical_id: "2d8f9a0e", mount_accessor: "x" },
    },
    {
      type: "consul_peering_token",
      name: "to_west",
      attributes: { id: "west", peer_name: "west", peering_token: SECRET, partition: "" },
    },
    {
      type: "consul_config_entry",
      name: "billing_access",
      attributes: { id: "service-intentions-billing", kind: "service-intentions", name: "billing" },
    },
    {
      type: "consul_config_entry",
      name: "exports",
      attributes: { id: "exported-services-default", kind: "exported-services", name: "default" },
    },
    {
      type: "tfe_policy_set",
      name: "guards",
      attributes: { id: defaultPolicySet, name: defaultPolicySet, organization: "demo" },
    },
    {
      type: "tfe_policy_set_parameter",
      name: "quota",
      attributes: { id: parameter, key: "limit", value: "12", sensitive: false, policy_set_id: defaultPolicySet },
    },
    { type: "vault_kv_secret_v2", name: "app", attributes: { id: "kv/data/app", mount: "kv", name: "app" } },
    { type: "vault_policy", name: "gone", attributes: { id: "gone", name: "gone" } },
  ];
}

const NAMES = [
  "cloud.Role short",
  "cloud.StaticRole robot_key",
  "cluster.ExportedServices exports",
  "cluster.Intention billing_access",
  "cluster.PeeringToken to_west",
  "identity.Group team",
  "jwt.Config gitlab",
  "jwt.Role ci-build",
  "jwt.Role ci-deploy",
  "jwt.Role ci-nightly",
  "policy.Parameter quota",
  "policy.PolicySet guards",
  "sys.AuthMount gitlab",
  "sys.Policy release",
  "sys.SecretsMount aws",
];

describe("trustplane adopt, on servers with a record of each kind", () => {
  it("takes all kinds that a server can show; a pair, a set and an action have no record of their own", async () => {
    const { adopt } = await openMove();
    const { files } = await adopt("--organization", "demo");
    const made = evaluatedFiles(files, { cloudSecretKey: "given" }).map((each) => each.class.replace(".", ":"));
    // Its side of a peering has the token of another cluster: `adopt.test.ts` has two of them.
    expect([...new Set([...made, "cluster:Peering"])].sort()).toEqual([...kinds].map(({ token }) => token).sort());
    const others = Object.values<Definition>(definitions).filter((each) => !kinds.includes(each) && !each.members);
    expect(others.map(({ token }) => token).sort()).toEqual(["cloud:RootRotation", "cluster:PeeredClusters"]);
  });
});

describe("trustplane adopt --from-state", () => {
  it.each([
    ["Terraform", terraformState],
    ["Pulumi", pulumiState],
  ])("takes what a state of %s has, with its names, and values from the servers", async (_, stateOf) => {
    const { resources, adoptFrom, server } = await openMove();
    server.log.clear();
    const { code, err, files } = await adoptFrom(stateOf(resources));
    expect([code, err]).toEqual([0, ""]);
    expect(
      evaluatedFiles(files)
        .map((made) => `${made.class} ${made.name}`)
        .sort(),
    ).toEqual(NAMES);
    expect(JSON.stringify(files)).not.toContain(SECRET);
    expect(JSON.stringify(files)).not.toContain("old text");
    expect(files["README.md"]).toContain("pulumi config set --secret awsSecretKey");
    expect(server.log.all().filter(({ method }) => method !== "GET")).toEqual([]);
  });

  it("refers to what the old program has, and folds what was there for each", async () => {
    const { resources, adoptFrom } = await openMove();
    const { files } = await adoptFrom(terraformState(resources));
    expect(files["auth-jobs.ts"]).toContain("mount: gitlab.path");
    expect(files["auth-jobs.ts"]).toContain("tokenPolicies: [policies.release.name]");
    // biome-ignore lint/suspicious/noTemplateCurlyInString: text of a program
    expect(files["auth-jobs.ts"]).toContain("new trustplane.jwt.Role(\n    `ci-${name}`");
    const text = Object.values(files).join("\n");
    expect(text).toContain("policySetId: guards.policySetId");
    const { files: hcl } = await adoptFrom(terraformState(resources), "--language", "hcl");
    expect(hcl["auth-jobs.tf"]).toContain('resource "trustplane_jwt_role" "ci" {\n  for_each = local.ci_roles');
  });

  it.each([
    ["typescript", "auth-jobs.ts", "teamRoles"],
    ["python", "resources/auth_jobs.py", "team_roles"],
    ["go", "authJobs.go", "teamRoles"],
  ])("names the data of a second loop after what its resources are called: %s", async (language, path, name) => {
    const { raw, adoptFrom } = await openMove();
    const names = ["one", "two", "three"];
    for (const each of names)
      await raw("secrets").call(`POST auth/jobs/role/${each}`, { ...role, token_policies: [each] });
    const kept = (resource: string, key: string) => ({
      type: "vault_jwt_auth_backend_role",
      name: resource,
      key,
      attributes: { backend: "jobs", role_name: key },
    });
    const roles = [
      ...["build", "deploy", "nightly"].map((key) => kept("ci", key)),
      ...names.map((key) => kept("team", key)),
    ];
    const text = (await adoptFrom(terraformState(roles), "--language", language)).files[path];
    expect(text).toContain(name);
    expect(text).not.toMatch(/roles2/i);
  });

  it("prints what makes Terraform forget the old records, and what stays where it is", async () => {
    const { resources, adoptFrom } = await openMove();
    const { files } = await adoptFrom(terraformState(resources));
    const commands = files["README.md"]?.match(/^terraform state rm .*$/gm) ?? [];
    expect(commands).toContain(`terraform state rm 'vault_jwt_auth_backend_role.ci["build"]'`);
    expect(commands).toContain("terraform state rm 'vault_identity_group_alias.team_alias'");
    expect(commands).toContain("terraform state rm 'vault_aws_secret_backend.aws' # once its value is set, see above");
    expect(commands).toHaveLength(resources.length - 2);
    expect(files["README.md"]).toContain("* `vault_kv_secret_v2.app`: `no resource of this package stands for it`");
    expect(files["README.md"]).toContain("* `vault_policy.gone`: `the server has no sys/policies/acl/gone`");
  });

  it("has Pulumi forget what depends on others first", async () => {
    const { resources, adoptFrom } = await openMove();
    const { files } = await adoptFrom(pulumiState(resources));
    const commands = files["README.md"]?.match(/^pulumi state delete .*$/gm) ?? [];
    expect(commands).toHaveLength(resources.length - 2);
    expect(commands[0]).toContain("policySetParameter");
    expect(commands.at(-1)).toBe(
      "pulumi state delete --yes 'urn:pulumi:dev::old::vault:jwt/authBackend:AuthBackend::gitlab'",
    );
  });

  it("forgets nothing that is left out of the new program", async () => {
    const { resources, adoptFrom } = await openMove();
    const { files } = await adoptFrom(terraformState(resources), "--exclude", "jwt.Role *", "--language", "hcl");
    expect(files["README.md"]).not.toContain("state rm 'vault_jwt_auth_backend_role");
    expect(files["README.md"]).not.toContain("state rm 'consul_peering_token");
    expect(files["README.md"]).toContain("state rm 'vault_policy.release'");
  });

  it("says why it cannot read a file, without showing a part of it", async () => {
    const { adoptFrom } = await openMove();
    for (const [text, reason] of [
      [`{"secret": "${SECRET}`, "is no JSON"],
      ["{}", "is no state"],
      [JSON.stringify({ version: 3, modules: [] }), "is no state"],
      [terraformState([]), "has no resource of the vault, consul or tfe provider"],
    ] as const) {
      const { code, err, files } = await adoptFrom(text);
      expect([code, files]).toEqual([1, {}]);
      expect(err).toContain(reason);
      expect(err).not.toContain(SECRET);
    }
  });

  it("names instances and modules as the old program does, whatever their keys are", () => {
    const kept = (module: string, key: string | number) =>
      terraformState([{ type: "vault_policy", name: "p", module, key, attributes: { name: "x" } }]);
    const read = (module: string, key: string | number) =>
      oldState(kept(module, key)).resources.map(({ address, name }) => [address, name]);
    expect(read("module.a", 0)).toEqual([["module.a.vault_policy.p[0]", "a-p-0"]]);
    const key = `q"\${k}`;
    expect(read('module.a["x y"].module.b[1]', key)).toEqual([
      [`module.a["x y"].module.b[1].vault_policy.p["q\\"$\${k}"]`, `a-x y-b-1-p-${key}`],
    ]);
  });
});
