# With which servers, and which values.
terraform {
  required_providers {
    trustplane = {
      source = "trustplane/trustplane"
    }
  }
}

# Our own servers are found in the environment.
provider "trustplane" {
  connections = {
    partner = {
      service   = "cluster"
      address   = var.partner_address
      token_env = "PARTNER_CONSUL_TOKEN"
    }
  }
}

variable "organization" {
  description = "Organization of HCP Terraform that gets the policy set."
  type        = string
}

variable "partner_address" {
  description = "Address of the partner's cluster."
  type        = string
}

variable "peering_token" {
  description = "Token that the partner's cluster has issued for ours."
  type        = string
  ephemeral   = true
  sensitive   = true
}

variable "cloud_access_key" {
  description = "Access key ID with which the secrets server manages the cloud's users."
  type        = string
}

variable "cloud_secret_key" {
  description = "The secret that belongs to it."
  type        = string
  ephemeral   = true
  sensitive   = true
}

variable "cloud_endpoint" {
  description = "Only for a cloud other than the public one."
  type        = string
  default     = null
}

variable "issuer" {
  description = "Address of the company's OIDC provider, once there is one."
  type        = string
  default     = null
}

variable "oidc_client_secret" {
  description = "The secret that it has given us."
  type        = string
  default     = null
  ephemeral   = true
  sensitive   = true
}

variable "cost_api_token" {
  description = "Token with which policies ask the cost service."
  type        = string
  ephemeral   = true
  sensitive   = true
}

output "job_login" {
  description = "Where the jobs of our Git host log in."
  value       = trustplane_sys_auth_mount.jobs.path
}

output "cloud_root_key" {
  description = "The access key that only the secrets server knows the secret of."
  value       = trustplane_cloud_root_rotation.cloud.access_key
}
