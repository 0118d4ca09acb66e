import { expect } from "vitest";
import { faultScript } from "../../server/faults/fault-script.ts";
import { environmentOf } from "../e2e/watched-servers.ts";
import { startEmbedded } from "./contract-servers-embedded.ts";
import type { ContractServers } from "./servers-under-test.ts";
import {
  createTerraformSandbox,
  reasonWithoutTerraform,
  type TerraformSandbox,
  type TerraformSandboxOptions,
} from "./terraform-sandbox.ts";

// What the lives of a stack with the real Terraform CLI have in common.

export const NO_CHANGES = "No changes. Your infrastructure matches the configuration.";

/** For tests of what came with a minor release of Terraform, or of OpenTofu. */
export function terraformSince(oldest?: number) {
  const missing = reasonWithoutTerraform(oldest);
  return { timeout: 240_000, ...(missing ? { skip: true, meta: { skipReason: missing } } : {}) };
}

export const terraformOptions = terraformSince();

export async function begin(
  work: (servers: ContractServers, cli: TerraformSandbox) => Promise<void>,
  faults: readonly string[] = [],
  options: TerraformSandboxOptions = {},
) {
  const servers = await startEmbedded({ faults: faults.map((text) => faultScript.parse(text)) });
  try {
    const { secrets, cluster, policy } = servers;
    const cli = await createTerraformSandbox(environmentOf({ secrets, cluster, policy }), options);
    await work(servers, cli);
  } finally {
    await servers.close();
  }
}

export async function vault({ secrets }: ContractServers, method: string, path: string, body?: object) {
  const headers = { "x-vault-token": secrets.token };
  const init = body ? { method, headers, body: JSON.stringify(body) } : { method, headers };
  const answer = await fetch(`${secrets.address}/v1/${path}`, init);
  return { status: answer.status, json: answer.status === 204 ? {} : ((await answer.json()) as { data?: object }) };
}

export async function applied(cli: TerraformSandbox, ...args: readonly string[]) {
  const { code, text } = await cli.run("apply", "-auto-approve", ...args);
  expect({ code, text }).toEqual({ code: 0, text: expect.any(String) });
  return text;
}

export async function planned(cli: TerraformSandbox, ...args: readonly string[]) {
  const { code, text } = await cli.run("plan", ...args);
  expect({ code, text }).toEqual({ code: 0, text: expect.any(String) });
  return text;
}

/** A role with values of many kinds. */
export const role = (address: string, more = "") => `
  resource "trustplane_jwt_role" "${address}" {
    name            = "CI"
    role_type       = "jwt"
    user_claim      = "sub"
    bound_audiences = ["b", "a"]
    bound_claims    = { team = "a", ref = ["x", "y"], number = 1, yes = true }
    token_ttl       = "1h"
    ${more}
  }`;
