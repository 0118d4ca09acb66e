import { expect, onTestFinished } from "vitest";
import type { Check, DoctorReport } from "../../cli/commands/doctor/report.ts";
import { type ServeOptions, startServers } from "../../server/serve.ts";
import { environmentOf } from "../e2e/watched-servers.ts";
import { createIdentity } from "../support/certificates.ts";
import { rawApi } from "../support/contract-raw.ts";
import { secretsToken } from "../support/documented-policy.ts";
import { serve } from "../support/loopback-server.ts";
import { fileOfTest } from "../support/temporary-folder.ts";
import { run } from "./drift-harness.ts";

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
  return fileOfTest("ca.pem", text);
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

/** Something wrong around a connection, and what the report must say of it. */
export interface Broken {
  readonly env: () => Promise<Readonly<Record<string, string>>>;
  readonly check: Check["check"];
  readonly status?: Check["status"];
  readonly finding: RegExp;
  readonly fix: RegExp;
}

/** The report names it, and it alone. */
export async function expectNamed({ env, check, status = "failed", finding, fix }: Broken): Promise<void> {
  const { code, checks } = await inspected(await env());
  const notFine = checks.filter((each) => each.status === "failed" || each.status === "warning");
  expect(notFine.find((each) => each.check === check)).toMatchObject({
    status,
    finding: expect.stringMatching(finding),
    fix: expect.stringMatching(fix),
  });
  expect(notFine.filter((each) => each.status === "failed").map((each) => each.check)).toEqual(
    // The stand-in with the wrong clock knows no tokens.
    check === "clock" ? expect.anything() : status === "failed" ? [check] : [],
  );
  if (check !== "clock") expect(code).toBe(status === "failed" ? 2 : 0);
}
