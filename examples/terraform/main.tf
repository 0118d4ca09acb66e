terraform {
  required_providers {
    trustplane = {
      source = "trustplane/trustplane"
    }
  }
}

variable "policy_set" {
  description = "Id of the policy set whose policies read the parameter."
  type        = string
}

variable "webhook_token" {
  description = "It is in no state and no plan."
  type        = string
  ephemeral   = true
  sensitive   = true
}

# Where jobs of the CI log in.
resource "trustplane_sys_auth_mount" "jobs" {
  path        = "jobs"
  type        = "jwt"
  description = "Jobs of the CI"
}

resource "trustplane_sys_policy" "deploy" {
  name = "deploy"
  rules = [
    { path = "secret/data/deploy/*", capabilities = ["read"] },
    { path = "cloud/creds/deploy", capabilities = ["read"] },
  ]
}

resource "trustplane_jwt_role" "deploy" {
  mount           = trustplane_sys_auth_mount.jobs.path
  name            = "deploy"
  role_type       = "jwt"
  user_claim      = "sub"
  bound_audiences = ["https://vault.example.com"]
  bound_claims    = { project_path = "platform/infrastructure", ref = ["main", "release"] }
  token_policies  = [trustplane_sys_policy.deploy.name]
  token_ttl       = "15m"
  token_max_ttl   = "1h"
}

# What the job of that role may do in the cloud.
resource "trustplane_cloud_role" "deploy" {
  name            = "deploy"
  credential_type = "assumed_role"
  role_arns       = ["arn:aws:iam::123456789012:role/deploy"]
}

resource "trustplane_policy_parameter" "webhook_token" {
  policy_set_id = var.policy_set
  key           = "webhook_token"
  sensitive     = true
  value_wo      = var.webhook_token
}

# Who may call the billing service.
resource "trustplane_cluster_intention" "billing" {
  destination = "billing"
  sources = [
    { name = "shop", action = "allow" },
    { name = "*", action = "deny" },
  ]
}
