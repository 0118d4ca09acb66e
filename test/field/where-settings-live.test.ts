// Where people keep addresses, tokens and proxies: reports of other tools, and what is right here.
import { describe, expect, it } from "vitest";
import { health, inspected } from "../cli/doctor-harness.ts";
import { deadOrigin, serve } from "../support/loopback-server.ts";

describe("NO_PROXY with a network", () => {
  // https://github.com/hashicorp/vault/issues/31954, https://github.com/oven-sh/bun/issues/39352
  it("keeps the proxy from being asked for an address in it, for every check of doctor", async () => {
    const { origin } = await serve((_, response) => response.end(JSON.stringify(health)));
    // An address of this machine that is not one of those that are never asked for through a proxy.
    const VAULT_ADDR = origin.replace("127.0.0.1", "0.0.0.0");
    const env = { VAULT_ADDR, VAULT_TOKEN: "t", HTTP_PROXY: await deadOrigin(), NO_PROXY: "10.0.0.0/8,0.0.0.0/8" };
    const { checks } = await inspected(env);
    expect(checks).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ check: "proxy", finding: 'none: "0.0.0.0/8" in NO_PROXY keeps it from being used' }),
        expect.objectContaining({ check: "tcp", status: "ok" }),
        expect.objectContaining({ check: "api", status: "ok" }),
      ]),
    );
  });
});
