// Pulumi provider for the trust configuration of a platform: JWT auth, cloud credentials, policy parameters and cluster peering on Vault, OpenBao, Consul and HCP Terraform.
package trustplane
