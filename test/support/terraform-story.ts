import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { expect } from "vitest";
import { faultScript } from "../../server/faults/fault-script.ts";
import { startEmbedded } from "./contract-servers-embedded.ts";
import type { ContractServers } from "./servers-under-test.ts";
import { createTerraformSandbox, type TerraformSandbox } from "./terraform-sandbox.ts";

/** A story with the real CLI, on servers of its own. */
export interface TerraformStory {
  readonly servers: ContractServers;
  readonly cli: TerraformSandbox;
  /** Asks the secrets server. */
  vault(method: string, path: string, body?: object): Promise<VaultAnswer>;
  /** The requests that are no reads, of the work and of whatever else runs in this process. */
  writesOf(work: () => Promise<unknown>): Promise<readonly string[]>;
  /** Plans, and answers what was printed. */
  plan(...args: readonly string[]): Promise<string>;
  /** Applies, and answers what was printed. */
  apply(...args: readonly string[]): Promise<string>;
}

/** An answer of the secrets server. */
export interface VaultAnswer {
  readonly status: number;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Tells a story, with faults that the servers make. */
export async function tellTerraform(
  story: (told: TerraformStory) => Promise<void>,
  faults: readonly string[] = [],
): Promise<void> {
  const servers = await startEmbedded({ faults: faults.map((text) => faultScript.parse(text)) });
  try {
    const { secrets, cluster, policy } = servers;
    const cli = await createTerraformSandbox({
      VAULT_ADDR: secrets.address,
      VAULT_TOKEN: secrets.token,
      CONSUL_HTTP_ADDR: cluster.address,
      CONSUL_HTTP_TOKEN: cluster.token,
      TFE_ADDRESS: policy.address,
      TFE_TOKEN: policy.token,
    });
    const done = async (...args: readonly string[]) => {
      const { code, text } = await cli.run(...args);
      expect(code, text).toBe(0);
      return text;
    };
    await story({
      servers,
      cli,
      vault: (method, path, body) => ask(servers, method, path, body),
      writesOf,
      plan: (...args) => done("plan", ...args),
      apply: (...args) => done("apply", "-auto-approve", ...args),
    });
  } finally {
    await servers.close();
  }
}

/** The requests that are no reads, of the work and of whatever else runs in this process. */
export async function writesOf(work: () => Promise<unknown>): Promise<readonly string[]> {
  const written: string[] = [];
  const note = (message: unknown) => {
    // The form is undici's.
    const { request } = message as { readonly request: { readonly method: string; readonly path: string } };
    if (request.method !== "GET") written.push(`${request.method} ${request.path}`);
  };
  subscribe("undici:request:create", note);
  try {
    await work();
  } finally {
    unsubscribe("undici:request:create", note);
  }
  return written;
}

async function ask({ secrets }: ContractServers, method: string, path: string, body?: object): Promise<VaultAnswer> {
  const headers = { "x-vault-token": secrets.token };
  const answer = await fetch(`${secrets.address}/v1/${path}`, {
    method,
    headers,
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await answer.text();
  const { data = {} } = text === "" ? {} : (JSON.parse(text) as { readonly data?: VaultAnswer["data"] | null });
  return { status: answer.status, data: data ?? {} };
}
