# Who may log in: jobs of our Git host with their ID tokens, people through the company's OIDC provider.
resource "trustplane_sys_auth_mount" "jobs" {
  path        = "jobs"
  type        = "jwt"
  description = "Jobs of our Git host"
}

resource "trustplane_jwt_config" "jobs" {
  mount        = trustplane_sys_auth_mount.jobs.path
  bound_issuer = "https://git.example.com"
  # The Git host's public key. A host that can be reached takes `jwks_url` or `oidc_discovery_url` instead.
  jwt_validation_pubkeys = [file("${path.module}/keys/git-host.pub.pem")]
}

resource "trustplane_jwt_role" "deploy" {
  mount           = trustplane_sys_auth_mount.jobs.path
  name            = "deploy"
  role_type       = "jwt"
  user_claim      = "sub"
  bound_audiences = ["https://secrets.example.com"]
  bound_claims    = { project_path = "platform/infrastructure", ref_protected = "true", ref = "main" }
  claim_mappings  = { project_path = "project", pipeline_id = "pipeline" }
  token_policies  = [trustplane_sys_policy.deploy.name]
  token_ttl       = "15m"
  token_max_ttl   = "1h"
}

resource "trustplane_jwt_role" "merge_request" {
  mount             = trustplane_sys_auth_mount.jobs.path
  name              = "merge-request"
  role_type         = "jwt"
  user_claim        = "sub"
  bound_audiences   = ["https://secrets.example.com"]
  bound_claims      = { project_path = "platform/*" }
  bound_claims_type = "glob"
  token_policies    = [trustplane_sys_policy.read_only.name]
  token_type        = "batch"
  token_ttl         = "10m"
}

resource "trustplane_sys_auth_mount" "people" {
  path               = "people"
  type               = "oidc"
  description        = "Everybody who works here"
  listing_visibility = "unauth"
}

# The secrets server asks the OIDC provider when it is configured, so there must be one.
resource "trustplane_jwt_config" "people" {
  count              = var.issuer == null ? 0 : 1
  mount              = trustplane_sys_auth_mount.people.path
  oidc_discovery_url = var.issuer
  oidc_client_id     = "secrets-server"
  oidc_client_secret = var.oidc_client_secret
  default_role       = "engineer"
}

resource "trustplane_jwt_role" "engineer" {
  mount        = trustplane_sys_auth_mount.people.path
  name         = "engineer"
  user_claim   = "email"
  groups_claim = "groups"
  oidc_scopes  = ["profile", "email", "groups"]
  allowed_redirect_uris = [
    "http://localhost:8250/oidc/callback",
    "https://secrets.example.com/ui/vault/auth/people/oidc/callback",
  ]
  token_policies    = [trustplane_sys_policy.engineer.name]
  token_bound_cidrs = ["10.0.0.0/8", "127.0.0.1/32"]
  token_ttl         = "8h"
}

# Whom the OIDC provider names as one of this team also gets these policies.
resource "trustplane_identity_group" "platform_team" {
  name     = "platform-team"
  type     = "external"
  policies = [trustplane_sys_policy.deploy.name, trustplane_sys_policy.read_only.name]
  metadata = { owner = "platform" }
  alias    = { mount = trustplane_sys_auth_mount.people.path, name = "platform-team" }
}
