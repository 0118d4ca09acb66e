import { describe, expect, it } from "vitest";
import {
  type Availability,
  isOlder,
  isResettable,
  lacking,
  type ServerInfo,
} from "../../../provider/core/availability";

const server = (product: ServerInfo["product"], version?: string, enterprise = false): ServerInfo => ({
  product,
  enterprise,
  identity: "x",
  ...(version === undefined ? {} : { version }),
});
const everywhere: Availability = { vault: "1.16.0", openbao: "2.1.0" };
const vaultOnly: Availability = { vault: "1.16.0" };
const enterprise: Availability = { vaultEnterprise: "1.19.0" };
const enterpriseFirst: Availability = { vault: "2.0.0", vaultEnterprise: "1.21.0" };

describe("a field", () => {
  it.each([
    [everywhere, server("vault", "1.16.0")],
    [everywhere, server("vault", "1.21.4+ent")],
    [everywhere, server("openbao", "2.1.0")],
    [everywhere, server("openbao", "2.10.0-beta1")],
    [enterprise, server("vault", "1.19.0+ent", true)],
    [vaultOnly, server("vault", "1.16.0+ent", true)],
    [enterpriseFirst, server("vault", "1.21.0+ent", true)],
    [enterpriseFirst, server("vault", "2.0.0")],
    // A server that does not say its version is not refused for it.
    [vaultOnly, server("vault")],
  ])("of %j is on %j", (needs, there) => {
    expect(lacking(needs, there)).toBeUndefined();
  });

  // @covers beyond: jwt.Role > alias_metadata
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
      enterpriseFirst,
      server("vault", "1.21.4"),
      "needs Vault 2.0.0 or newer, or Vault Enterprise 1.21.0 or newer; the server is Vault (community edition) 1.21.4",
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

describe("a reset", () => {
  it.each([
    ["what only Enterprise can use, on a community server of its release", enterprise, server("vault", "1.19.0"), true],
    ["what only Enterprise can use, on an older community server", enterprise, server("vault", "1.18.4"), false],
    ["what an older server lacks", vaultOnly, server("vault", "1.15.9"), false],
    ["what Vault alone has, on OpenBao", enterprise, server("openbao", "2.6.2"), false],
    ["what the server has", everywhere, server("openbao", "2.6.2"), true],
  ])("of %s", (_, needs, there, expected) => {
    expect(isResettable(needs, there)).toBe(expected);
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
