# What the policies of HCP Terraform see.
resource "trustplane_policy_policy_set" "guardrails" {
  organization = var.organization
  name         = "guardrails"
  description  = "Where we run, and what it may cost"
}

resource "trustplane_policy_parameter" "allowed_regions" {
  policy_set_id = trustplane_policy_policy_set.guardrails.policy_set_id
  key           = "allowed_regions"
  value         = jsonencode(["eu-central-1", "eu-west-1"])
}

resource "trustplane_policy_parameter" "monthly_limit" {
  policy_set_id = trustplane_policy_policy_set.guardrails.policy_set_id
  key           = "monthly_limit_eur"
  value         = "5000"
}

# Written once and never shown again, here as in HCP Terraform.
resource "trustplane_policy_parameter" "cost_api_token" {
  policy_set_id = trustplane_policy_policy_set.guardrails.policy_set_id
  key           = "cost_api_token"
  value_wo      = var.cost_api_token
  sensitive     = true
}
