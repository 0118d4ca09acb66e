import { describe, expect, it } from "vitest";
import type { Check } from "../../cli/commands/doctor/report.ts";
import { createIdentity } from "../support/certificates.ts";
import { serveTunnels } from "../support/loopback-server.ts";
import { addresses, authority, inspected, secure } from "./doctor-harness.ts";

const proxyTo = async (origin: string | undefined) => (await serveTunnels(origin)).origin;

describe("a proxy of the environment", () => {
  const VAULT_ADDR = "https://vault.invalid";
  const found = (checks: readonly Check[], name: Check["check"]) => checks.find(({ check }) => check === name);

  it("is named, and its tunnel is used for every check", async () => {
    const identity = createIdentity("vault", { issuer: authority, addresses });
    const HTTPS_PROXY = await proxyTo((await secure(identity)).origin);
    const { checks } = await inspected({ VAULT_ADDR, HTTPS_PROXY, VAULT_SKIP_VERIFY: "1", VAULT_TOKEN: "t" });
    expect(found(checks, "proxy")).toMatchObject({ status: "ok", finding: `${HTTPS_PROXY}, from HTTPS_PROXY` });
    expect(found(checks, "tcp")?.finding).toBe("vault.invalid:443 answers through the proxy");
    expect(found(checks, "tls")?.finding).toMatch(/not verified .*: a certificate of vault/);
    expect(found(checks, "api")).toMatchObject({ status: "ok" });
  });

  it("that refuses is named with its variable", async () => {
    const { checks, code } = await inspected({ VAULT_ADDR, HTTPS_PROXY: await proxyTo(undefined) });
    expect(found(checks, "tcp")).toMatchObject({
      status: "failed",
      finding: expect.stringMatching(/cannot be reached through the proxy: the proxy answers 403/),
      fix: expect.stringMatching(/correct HTTPS_PROXY, or add vault\.invalid to NO_PROXY/),
    });
    expect(code).toBe(2);
  });

  it("is not used for a host of NO_PROXY, which is said", async () => {
    const { checks } = await inspected({ VAULT_ADDR, HTTPS_PROXY: await proxyTo(undefined), NO_PROXY: ".invalid" });
    expect(found(checks, "proxy")?.finding).toBe('none: ".invalid" in NO_PROXY keeps it from being used');
    expect(found(checks, "dns")).toMatchObject({ status: "failed" });
  });

  it("does not show its password", async () => {
    const HTTPS_PROXY = (await proxyTo(undefined)).replace("http://", "http://user:pass-of-proxy@");
    const { report } = await inspected({ VAULT_ADDR, HTTPS_PROXY });
    expect(JSON.stringify(report)).not.toContain("pass-of-proxy");
  });
});
