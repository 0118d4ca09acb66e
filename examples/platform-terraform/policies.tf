# What those who log in may do. Roles and groups name these policies.

# Jobs that deploy get credentials of the role `deploy`, and nothing else.
resource "trustplane_sys_policy" "deploy" {
  name  = "deploy"
  rules = [{ path = "${trustplane_sys_secrets_mount.cloud.path}/sts/deploy", capabilities = ["update"] }]
}

# Jobs of merge requests see artifacts.
resource "trustplane_sys_policy" "read_only" {
  name  = "read-only"
  rules = [{ path = "${trustplane_sys_secrets_mount.cloud.path}/sts/read-artifacts", capabilities = ["update"] }]
}

# People look at how jobs log in, and at the credentials that there are; they cannot have them.
resource "trustplane_sys_policy" "engineer" {
  name = "engineer"
  rules = [
    { path = "auth/jobs/role", capabilities = ["list"] },
    { path = "auth/jobs/role/+", capabilities = ["read"] },
    { path = "${trustplane_sys_secrets_mount.cloud.path}/roles", capabilities = ["list"] },
    { path = "${trustplane_sys_secrets_mount.cloud.path}/roles/+", capabilities = ["read"] },
  ]
}
