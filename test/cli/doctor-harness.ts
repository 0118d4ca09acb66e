import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import type { DoctorReport } from "../../cli/doctor/report.ts";
import { type ServeOptions, startServers } from "../../server/serve.ts";
import { createIdentity } from "../support/certificates.ts";
import { rawApi } from "../support/contract-raw.ts";
import { secretsToken } from "../support/documented-policy.ts";
import { serve } from "../support/loopback-server.ts";
import { environmentOf, run } from "./drift-harness.ts";

export const addresses = ["127.0.0.1"];
export const authority = createIdentity("an authority", { isAuthority: true });
export const trusted = createIdentity("vault", { issuer: authority, addresses });
export const health = {
  initialized: true,
  sealed: false,
  standby: false,
  version: "1.21.1",
  cluster_id: "c",
  enterprise: false,
};

export async function open(options: ServeOptions = {}) {
  const server = await startServers(options);
  onTestFinished(() => server.close());
  return { server, env: environmentOf(server) };
}

/** What a Vault on TLS answers, with this certificate. */
export async function secure({ certificate, key }: { certificate: string; key: string }) {
  return serve((_, response) => response.end(JSON.stringify(health)), { cert: certificate, key });
}

export function fileWith(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), "trustplane-doctor-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "ca.pem");
  writeFileSync(file, text);
  return file;
}

export async function limited(policy: string) {
  const { server, env } = await open();
  return { ...env, VAULT_TOKEN: await secretsToken(rawApi("secrets", server.secrets), policy) };
}

export const onlySecrets = ({ VAULT_ADDR = "", VAULT_TOKEN = "" }: Readonly<Record<string, string>>) => ({
  VAULT_ADDR,
  VAULT_TOKEN,
});

export async function inspected(env: Readonly<Record<string, string>>, ...words: string[]) {
  const { code, out, err } = await run(["doctor", "--json", ...words], env);
  expect(err).toBe("");
  const report: DoctorReport = JSON.parse(out);
  return { code, report, checks: report.connections.flatMap(({ checks }) => checks) };
}
