import { randomBytes, X509Certificate } from "node:crypto";
import { describe, expect, it } from "vitest";
import { ownCertificate, pemOf } from "../../../provider/hosts/terraform/certificate";
import { identifier, integer, time } from "../../../provider/hosts/terraform/der";
import { testExtent } from "../../support/test-extent.mts";

/** Keys, signatures and serial numbers differ in length. */
const times = { quick: 25, usual: 100, whole: 1_000 }[testExtent];

describe("the certificate of a plugin", () => {
  it("is one that vouches for itself, for localhost, every time", () => {
    const serials = new Set<string>();
    for (let at = 0; at < times; at++) {
      const { certificatePem, certificateDer } = ownCertificate();
      const found = new X509Certificate(certificatePem);
      expect(found.raw.equals(certificateDer)).toBe(true);
      expect(found.verify(found.publicKey) && found.checkIssued(found) && found.ca).toBe(true);
      expect(found.checkHost("localhost")).toBe("localhost");
      expect(certificatePem).not.toMatch(/\n\n/);
      serials.add(found.serialNumber);
    }
    expect(serials.size).toBe(times);
  });

  it("is valid now, also beside a clock that is a little behind", () => {
    const now = new Date("2031-05-06T07:08:09Z");
    const { validFromDate, validToDate } = new X509Certificate(ownCertificate(now).certificatePem);
    expect(validFromDate.toISOString()).toBe("2031-05-06T06:08:09.000Z");
    expect(validToDate.getTime()).toBeGreaterThan(now.getTime());
  });

  it("is readable from 2050 on, when years have four digits", () => {
    const now = new Date("2050-01-01T12:00:00Z");
    const { validFromDate } = new X509Certificate(ownCertificate(now).certificatePem);
    expect(validFromDate.toISOString()).toBe("2050-01-01T11:00:00.000Z");
    expect(time(new Date("2049-12-31T23:59:59Z"))[0]).toBe(0x17);
  });
});

describe("PEM", () => {
  it("has no empty line, whatever the length, and holds what it was made of", () => {
    for (let length = 1; length <= 1_000; length++) {
      const content = randomBytes(length);
      const lines = pemOf("X", content).split("\n");
      expect(lines.slice(0, -1).every((line) => line.length > 0 && line.length <= 64)).toBe(true);
      expect(Buffer.from(lines.slice(1, -2).join(""), "base64").equals(content)).toBe(true);
    }
  });
});

describe("DER", () => {
  it.each([
    ["zero", [0], "020100"],
    ["zeros in front", [0, 0, 1], "020101"],
    ["a first bit that would be a sign", [0x80], "02020080"],
    ["many bytes", Array.from({ length: 200 }, () => 1), `0281c8${"01".repeat(200)}`],
  ])("writes a whole number with %s", (_, bytes, written) => {
    expect(integer(Buffer.from(bytes)).toString("hex")).toBe(written);
  });

  it("writes object identifiers with parts above 127", () => {
    expect(identifier("1.2.840.10045.4.3.2").toString("hex")).toBe("06082a8648ce3d040302");
  });
});
