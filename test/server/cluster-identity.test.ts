import { X509Certificate } from "node:crypto";
import { describe, expect, it } from "vitest";
import { setUpCluster, uuid } from "./cluster-harness";

describe("the identity of a cluster", () => {
  it("is a trust domain of its own, shown to anyone with a root certificate that holds it", async () => {
    const roots = async () =>
      JSON.parse((await setUpCluster().call("GET /v1/connect/ca/roots", { secret: null })).text);
    const [one, two] = [await roots(), await roots()];
    expect(one.TrustDomain).not.toBe(two.TrustDomain);
    const [root] = one.Roots;
    const certificate = new X509Certificate(root.RootCert);
    expect(certificate.ca).toBe(true);
    expect(certificate.subjectAltName).toBe(`URI:spiffe://${one.TrustDomain}`);
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    expect(root.ID).toBe(certificate.fingerprint.toLowerCase());
    expect(one).toMatchObject({
      ActiveRootID: root.ID,
      TrustDomain: expect.stringMatching(/^[\da-f-]{36}\.consul$/),
      Roots: [
        {
          Name: "Consul CA Primary Cert",
          SerialNumber: Number.parseInt(certificate.serialNumber, 16),
          ExternalTrustDomain: one.TrustDomain.replace(".consul", ""),
          NotAfter: new Date(certificate.validTo).toISOString().replace(".000", ""),
          IntermediateCerts: null,
          Active: true,
          PrivateKeyType: "ec",
          PrivateKeyBits: 256,
        },
      ],
    });
  });

  // Asked of Consul 1.22.0: every byte of its root's extensions but the key's identifier and the trust domain.
  it("has a root certificate with exactly the extensions of a real Consul's", async () => {
    const { text } = await setUpCluster().call("GET /v1/connect/ca/roots");
    const { TrustDomain, Roots } = JSON.parse(text);
    const extensions = extensionsOf(new X509Certificate(Roots[0].RootCert));
    const uri = Buffer.from(`spiffe://${TrustDomain}`).toString("hex");
    const keyId = extensions.at(2)?.value.slice(4);
    expect(keyId).toMatch(/^[\da-f]{64}$/);
    expect(extensions).toEqual([
      // Key usage: digitalSignature (bit 0), keyCertSign (bit 5) and cRLSign (bit 6); one bit of the octet is unused.
      { objectId: "551d0f", isCritical: true, value: "03020186" },
      // Basic constraints: an authority, without a limit on the length of its chains.
      { objectId: "551d13", isCritical: true, value: "30030101ff" },
      // The key's identifier, and the one of the key that signed it: the root signs itself.
      { objectId: "551d0e", isCritical: false, value: `0420${keyId}` },
      { objectId: "551d23", isCritical: false, value: `30228020${keyId}` },
      // The SPIFFE address of the trust domain.
      { objectId: "551d11", isCritical: false, value: `30368634${uri}` },
    ]);
  });

  it("shows its leader to anyone and its version to who may read the agent", async () => {
    const { call } = setUpCluster({ datacenter: "east" });
    expect((await call("GET /v1/status/leader", { secret: "nope" })).text).toBe('"127.0.0.1:8300"');
    const { Config } = JSON.parse((await call("GET /v1/agent/self")).text);
    expect(Config).toMatchObject({
      Version: "1.22.0",
      Datacenter: "east",
      NodeName: "east",
      NodeID: expect.stringMatching(uuid),
    });
  });
});

interface Extension {
  readonly objectId: string;
  readonly isCritical: boolean;
  /** DER, in hexadecimal digits. */
  readonly value: string;
}

/** The extensions of a certificate, in their order (RFC 5280, section 4.1). */
function extensionsOf({ raw }: X509Certificate): readonly Extension[] {
  const [certificate = noElement] = elementsIn(raw);
  const [signed = noElement] = elementsIn(certificate.content);
  const wrapper = elementsIn(signed.content).find(({ tag }) => tag === 0xa3) ?? noElement;
  const [list = noElement] = elementsIn(wrapper.content);
  return elementsIn(list.content).map(({ content }) => {
    const parts = elementsIn(content);
    const hex = (tag: number) => parts.find((part) => part.tag === tag)?.content.toString("hex");
    return { objectId: hex(0x06) ?? "", isCritical: hex(0x01) === "ff", value: hex(0x04) ?? "" };
  });
}

interface Element {
  readonly tag: number;
  readonly content: Buffer;
}

const noElement: Element = { tag: 0, content: Buffer.alloc(0) };

/** DER elements that follow one another (X.690). */
function elementsIn(der: Buffer): readonly Element[] {
  const elements: Element[] = [];
  for (let at = 0; at < der.length; ) {
    const first = der.readUInt8(at + 1);
    const lengthOctets = first < 0x80 ? 0 : first & 0x7f;
    const length = lengthOctets === 0 ? first : der.readUIntBE(at + 2, lengthOctets);
    const start = at + 2 + lengthOctets;
    elements.push({ tag: der.readUInt8(at), content: der.subarray(start, start + length) });
    at = start + length;
  }
  return elements;
}
