import { describe, expect, it } from "vitest";
import { canonicalCidr } from "../../../provider/core/cidr";
import { fc } from "../../support/fast-check.ts";

/** Written to a real Vault 1.21.1 and read back. */
const PRINTED: readonly [written: string, printed: string][] = [
  ["10.0.0.1", "10.0.0.1"],
  ["10.0.0.1/32", "10.0.0.1"],
  ["10.0.0.0/8", "10.0.0.0/8"],
  ["10.0.0.0/08", "10.0.0.0/8"],
  ["10.1.2.3/16", "10.1.2.3/16"],
  ["0.0.0.0/0", "0.0.0.0/0"],
  [" 10.0.0.1 ", "10.0.0.1"],
  ["10.0.0.1:80", "10.0.0.1:80"],
  ["::1", "::1"],
  ["::1/128", "::1"],
  ["::/0", "::/0"],
  ["2001:DB8:0:0::1/64", "2001:db8::1/64"],
  ["1:0:0:2:0:0:0:3", "1:0:0:2::3"],
  ["::1.2.3.4", "::102:304"],
  ["64:ff9b::1.2.3.4", "64:ff9b::102:304"],
  ["::ffff:1.2.3.4", "1.2.3.4"],
  ["::ffff:102:304", "1.2.3.4"],
  ["::ffff:1.2.3.4/120", "1.2.3.4/24"],
  ["[::1]:80", "[::1]:80"],
];

/** What the server refuses, or takes for the path of a socket that it spoils with every later write. */
const REFUSED = [
  "",
  "x",
  "localhost",
  "010.0.0.1",
  "256.0.0.1",
  "10.0.0",
  "1.2.3.4/33",
  "1.2.3.4/",
  "1.2.3.4/-1",
  "1.2.3.4/a",
  "10.0.0.1:65536",
  "10.0.0.1/8/8",
  "::1/129",
  "::ffff:1.2.3.4/95",
  "fe80::1%eth0",
  "12345::",
  ":::",
  "/var/run/x.sock",
  "unix:///var/run/x.sock",
];

describe("an address block", () => {
  it.each(PRINTED)("%j is printed as %j", (written, printed) => {
    expect(canonicalCidr(written)).toBe(printed);
  });

  it.each(REFUSED)("%j is none", (text) => {
    expect(canonicalCidr(text)).toBeUndefined();
  });

  it("is printed in a form that prints as itself", () => {
    const address = fc.oneof(fc.ipV4(), fc.ipV6());
    const block = fc.oneof(
      address,
      fc.tuple(fc.ipV4(), fc.nat(32)).map(([ip, mask]) => `${ip}/${mask}`),
      fc.tuple(fc.ipV6(), fc.nat(128)).map(([ip, mask]) => `${ip}/${mask}`),
    );
    fc.assert(
      fc.property(block, (text) => {
        const printed = canonicalCidr(text);
        // A mapped address takes no mask shorter than its prefix.
        fc.pre(printed !== undefined);
        expect(canonicalCidr(String(printed))).toBe(printed);
      }),
    );
  });
});
