import { randomBytes } from "node:crypto";
import type { SandboxOptions } from "../pulumi/sandbox.mts";
import { StepError } from "../steps/step-error.mjs";
import type { ServerAddresses } from "./embedded-server.mts";

/** What examples/platform is configured with, as its README says; every secret is made up for this run. */
export function platformStack(
  ours: ServerAddresses,
  partner: ServerAddresses,
): Required<Pick<SandboxOptions, "program" | "env" | "config">> {
  const secret = () => ({ secret: randomBytes(20).toString("hex") });
  return {
    program: "examples/platform",
    // The same variables that each product's own tools read.
    env: {
      VAULT_ADDR: ours.secrets.address,
      VAULT_TOKEN: ours.secrets.token,
      CONSUL_HTTP_ADDR: ours.cluster.address,
      CONSUL_HTTP_TOKEN: ours.cluster.token,
      TFE_ADDRESS: ours.policy.address,
      TFE_TOKEN: ours.policy.token,
      PARTNER_CONSUL_TOKEN: partner.cluster.token,
    },
    config: {
      // One that the embedded server has from the start.
      organization: "demo",
      cloudAccessKey: "AKIADEMO000000000001",
      cloudSecretKey: secret(),
      costApiToken: secret(),
      "trustplane:connections.partner.service": "cluster",
      "trustplane:connections.partner.address": partner.cluster.address,
      "trustplane:connections.partner.tokenEnv": "PARTNER_CONSUL_TOKEN",
    },
  };
}

/** The cloud user whose key the program has rotated; in a real account it exists, as the program's README says. */
export async function addCloudUser({ admin }: ServerAddresses, name = "billing-export"): Promise<void> {
  const response = await fetch(`${admin.address}/cloud/users`, {
    method: "POST",
    headers: { authorization: `Bearer ${admin.token}`, "content-type": "application/json" },
    body: JSON.stringify({ name }),
  });
  if (!response.ok) throw new StepError(`adding the cloud user ${name}: ${response.status} ${await response.text()}`);
}
