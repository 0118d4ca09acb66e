import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { expect } from "vitest";
import type { ContractServers } from "./servers-under-test.ts";
import { begin, vault } from "./terraform-life.ts";
import type { TerraformSandbox, TerraformSandboxOptions } from "./terraform-sandbox.ts";

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
  options: TerraformSandboxOptions = {},
): Promise<void> {
  await begin(
    async (servers, cli) => {
      const done = async (...args: readonly string[]) => {
        const { code, text } = await cli.run(...args);
        expect(code, text).toBe(0);
        return text;
      };
      await story({
        servers,
        cli,
        vault: async (method, path, body) => {
          const { status, json } = await vault(servers, method, path, body);
          return { status, data: { ...json.data } };
        },
        writesOf,
        plan: (...args) => done("plan", ...args),
        apply: (...args) => done("apply", "-auto-approve", ...args),
      });
    },
    faults,
    options,
  );
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
