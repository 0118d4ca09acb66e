import { generateKeyPairSync } from "node:crypto";

/** What a program of the tests has, and what changes in it. */
export interface ProgramOptions {
  readonly policySet: string;
  readonly teams?: readonly string[];
  readonly ttl?: string;
  readonly capabilities?: readonly string[];
  readonly path?: string;
  readonly secret?: string;
}

/** Nothing that a command prints may have it. */
export const HIDDEN_SUBJECT = "repo:acme/hidden-by-program";
/** The first secret is in the state's place, the second one in the program after it. */
export const SECRETS = ["a-secret-of-the-program-1", "a-secret-of-the-program-2"] as const;

export const TEAMS_MODULE = `
variable "teams" { type = set(string) }

resource "trustplane_jwt_role" "ci" {
  for_each        = var.teams
  name            = "ci-\${replace(each.key, " ", "_")}"
  role_type       = "jwt"
  user_claim      = "sub"
  bound_audiences = ["b", "a"]
  bound_claims    = { team = each.key, ref = ["x", "y"], number = 1, yes = true }
  token_ttl       = "1h"
  token_policies  = ["deploy"]
}
`;

const { publicKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
const pem = publicKey.export({ type: "spki", format: "pem" }).toString();

/** Resources of a module, instances by index and key, a set, secrets, and a resource of another provider. */
export function terraformProgram({
  policySet,
  teams = ["a b", "c.d"],
  ttl = "1h",
  capabilities = ["read"],
  path = "/jobs/",
  secret = SECRETS[0],
}: ProgramOptions): string {
  return `
variable "subject" {
  type      = string
  sensitive = true
  default   = "${HIDDEN_SUBJECT}"
}

module "teams" {
  source = "./teams"
  teams  = ${JSON.stringify(teams)}
}

resource "terraform_data" "other" { input = "${ttl}" }

resource "trustplane_jwt_config" "jwt" {
  bound_issuer           = "https://ci.example.com"
  jwt_validation_pubkeys = [<<EOT
${pem}EOT
  ]
}

resource "trustplane_jwt_role" "deploy" {
  count          = 1
  name           = "deploy"
  role_type      = "jwt"
  user_claim     = "sub"
  bound_subject  = var.subject
  token_ttl      = "${ttl}"
  token_policies = ["deploy"]
}

resource "trustplane_sys_policy" "deploy" {
  name  = "deploy"
  rules = [{ path = "secret/*", capabilities = ${JSON.stringify(capabilities)} }]
}

resource "trustplane_sys_auth_mount" "jobs" {
  path              = "${path}"
  type              = "jwt"
  default_lease_ttl = "3600"
}

resource "trustplane_jwt_role_set" "jobs" {
  mount    = trustplane_sys_auth_mount.jobs.path
  defaults = { role_type = "jwt", user_claim = "sub", bound_audiences = ["x"] }
  roles    = { build = { bound_claims = { k = "v" } }, test = { token_ttl = 60 } }
}

resource "trustplane_policy_parameter" "plain" {
  policy_set_id = "${policySet}"
  key           = "plain"
  value         = "shown"
}

resource "trustplane_policy_parameter" "secret" {
  policy_set_id = "${policySet}"
  key           = "secret"
  sensitive     = true
  value_wo      = "${secret}"
}

resource "trustplane_cloud_root_config" "root" {
  access_key = "AKIAIOSFODNN7EXAMPLE"
  secret_key = "${secret}"
}
`;
}
