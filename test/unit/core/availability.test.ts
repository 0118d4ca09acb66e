import { describe, expect, it } from "vitest";
import { type Availability, isOlder, lacking, type ServerInfo } from "../../../provider/core/availability";

const server = (product: ServerInfo["product"], version?: string, enterprise = false): ServerInfo => ({
  product,
  enterprise,
  identity: "x",
  ...(version === undefined ? {} : { version }),
});
const everywhere: Availability = { vault: "1.16.0", openbao: "2.1.0" };
const vaultOnly: Availability = { vault: "1.16.0" };
const enterprise: Availability = { vault: "1.19.0", edition: "enterprise" };

describe("a field", () => {
  it.each([
    [everywhere, server("vault", "1.16.0")],
    [everywhere, server("vault", "1.21.4+ent")],
    [everywhere, server("openbao", "2.1.0")],
    [everywhere, server("openbao", "2.10.0-beta1")],
    [enterprise, server("vault", "1.19.0+ent", true)],
    // A server that does not say its version is not refused for it.
    [vaultOnly, server("vault")],
  ])("of %j is on %j", (needs, there) => {
    expect(lacking(needs, there)).toBeUndefined();
  });

  it.each([
    [
      everywhere,
      server("vault", "1.15.9"),
      "needs Vault 1.16.0 or newer, or OpenBao 2.1.0 or newer; the server is Vault (community edition) 1.15.9",
    ],
    [vaultOnly, server("openbao", "2.6.2"), "needs Vault 1.16.0 or newer; the server is OpenBao 2.6.2"],
    [
      enterprise,
      server("vault", "1.21.4"),
      "needs Vault Enterprise 1.19.0 or newer; the server is Vault (community edition) 1.21.4",
    ],
    [
      enterprise,
      server("vault", "1.18.0+ent", true),
      "needs Vault Enterprise 1.19.0 or newer; the server is Vault 1.18.0+ent",
    ],
    [
      { openbao: "2.0.0" },
      server("vault", "1.21.4"),
      "needs OpenBao 2.0.0 or newer; the server is Vault (community edition) 1.21.4",
    ],
    [vaultOnly, server("consul"), "needs Vault 1.16.0 or newer; the server is Consul"],
  ] as const)("of %j is missing on %j, and the reason says who has it", (needs, there, reason) => {
    expect(lacking(needs, there)).toBe(reason);
  });
});

describe("a release", () => {
  it.each([
    ["1.9.0", "1.10.0"],
    ["1.15.9", "1.16"],
    ["v1.2.3", "1.2.4"],
    ["1.99.99", "2.0.0"],
    ["nonsense", "0.0.1"],
  ])("%s is older than %s", (version, than) => {
    expect(isOlder(version, than)).toBe(true);
    expect(isOlder(than, version)).toBe(false);
  });

  it.each([
    ["1.16", "1.16.0"],
    ["1.21.4+ent.hsm", "1.21.4"],
    ["2.0.0-rc1", "2.0.0"],
  ])("%s is as old as %s", (version, than) => {
    expect(isOlder(version, than)).toBe(false);
    expect(isOlder(than, version)).toBe(false);
  });
});
