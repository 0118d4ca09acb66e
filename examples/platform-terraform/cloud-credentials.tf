# Which cloud credentials the secrets server hands out, and with which it manages the cloud itself.
resource "trustplane_sys_secrets_mount" "cloud" {
  path        = "platform-cloud"
  type        = "aws"
  description = "Credentials for our cloud account"
}

resource "trustplane_cloud_root_config" "cloud" {
  mount        = trustplane_sys_secrets_mount.cloud.path
  access_key   = var.cloud_access_key
  secret_key   = var.cloud_secret_key
  region       = "eu-central-1"
  iam_endpoint = var.cloud_endpoint
  sts_endpoint = var.cloud_endpoint
  # The rotation below makes another key, which is no drift.
  rotated_by_server = true
}

# Exchanges the key above for one that only the secrets server knows; another quarter, another key.
resource "trustplane_cloud_root_rotation" "cloud" {
  mount      = trustplane_sys_secrets_mount.cloud.path
  triggers   = { quarter = "2026-Q4" }
  depends_on = [trustplane_cloud_root_config.cloud]
}

resource "trustplane_cloud_lease_config" "cloud" {
  mount     = trustplane_sys_secrets_mount.cloud.path
  lease     = "1h"
  lease_max = "24h"
}

# Short-lived credentials for the job that deploys.
resource "trustplane_cloud_role" "deploy" {
  mount           = trustplane_sys_secrets_mount.cloud.path
  name            = "deploy"
  credential_type = "assumed_role"
  role_arns       = ["arn:aws:iam::123456789012:role/deploy"]
  default_sts_ttl = "15m"
  max_sts_ttl     = "1h"
}

# The same account seen through a narrow policy.
resource "trustplane_cloud_role" "read_artifacts" {
  mount           = trustplane_sys_secrets_mount.cloud.path
  name            = "read-artifacts"
  credential_type = "federation_token"
  policy_document = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Action = ["s3:GetObject"], Resource = ["arn:aws:s3:::artifacts/*"] }]
  })
  default_sts_ttl = "15m"
}

# A user of its own for every lease, for tools that cannot use session tokens.
resource "trustplane_cloud_role" "backup" {
  mount                    = trustplane_sys_secrets_mount.cloud.path
  name                     = "backup"
  credential_type          = "iam_user"
  policy_arns              = ["arn:aws:iam::aws:policy/AmazonS3ReadOnlyAccess"]
  permissions_boundary_arn = "arn:aws:iam::123456789012:policy/issued-by-secrets-server"
  user_path                = "/issued/"
  iam_tags                 = { team = "platform" }
}

resource "trustplane_cloud_role" "whoami" {
  mount           = trustplane_sys_secrets_mount.cloud.path
  name            = "whoami"
  credential_type = "session_token"
}

# An existing user, whose key is exchanged every day.
resource "trustplane_cloud_static_role" "billing_export" {
  mount           = trustplane_sys_secrets_mount.cloud.path
  name            = "billing-export"
  username        = "billing-export"
  rotation_period = "24h"
  depends_on      = [trustplane_cloud_root_rotation.cloud]
}
