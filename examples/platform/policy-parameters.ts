// What the policies of HCP Terraform see.
import { Config } from "@pulumi/pulumi";
import * as trustplane from "trustplane";

const config = new Config();

const guardrails = new trustplane.policy.PolicySet("guardrails", {
  organization: config.require("organization"),
  name: "guardrails",
  description: "Where we run, and what it may cost",
});
const { policySetId } = guardrails;

new trustplane.policy.Parameter("allowed-regions", {
  policySetId,
  key: "allowed_regions",
  value: JSON.stringify(["eu-central-1", "eu-west-1"]),
});

new trustplane.policy.Parameter("monthly-limit", { policySetId, key: "monthly_limit_eur", value: "5000" });

// Written once and never shown again, here as in HCP Terraform.
new trustplane.policy.Parameter("cost-api-token", {
  policySetId,
  key: "cost_api_token",
  value: config.requireSecret("costApiToken"),
  sensitive: true,
});
