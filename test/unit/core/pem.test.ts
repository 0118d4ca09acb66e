import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { certificatesProblem, publicKeyProblem } from "../../../provider/core/pem";
import { createCertificateAuthority } from "../../../server/cluster/certificate-authority";

const asPem = { type: "spki", format: "pem" } as const;
const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const curve = (namedCurve: string) => generateKeyPairSync("ec", { namedCurve }).publicKey.export(asPem);
const key = String(rsa.publicKey.export(asPem));
const certificate = createCertificateAuthority({ now: new Date() }).rootPem;
const privateKey = String(rsa.privateKey.export({ type: "pkcs8", format: "pem" }));

/** Each was sent to a real Vault 1.21.1, which took it. */
const ACCEPTED: readonly [name: string, pem: string][] = [
  ["an RSA key", key],
  ["a P-224 key", String(curve("secp224r1"))],
  ["a P-256 key", String(curve("prime256v1"))],
  ["a P-384 key", String(curve("secp384r1"))],
  ["a P-521 key", String(curve("secp521r1"))],
  ["an Ed25519 key", String(generateKeyPairSync("ed25519").publicKey.export(asPem))],
  ["a certificate", certificate],
  ["a key with blank lines around it", `\n\n${key}\n\n`],
  ["a key after a comment", `issued for ci\n${key}`],
  ["a key with Windows line ends", key.replaceAll("\n", "\r\n")],
];

/** The server's texts for these are "error parsing public key: …". */
const REFUSED: readonly [name: string, pem: string, reason: RegExp][] = [
  ["text", "abc", /^is not PEM/],
  ["nothing", "", /^is not PEM/],
  ["a block without an end", key.replace(/-----END.*/, ""), /^is not PEM/],
  ["a key with \\n as two characters", key.replaceAll("\n", "\\n"), /a backslash and an n where its lines end/],
  ["a key with blanks for its line ends", key.replaceAll("\n", " "), /has lost its line ends/],
  ["two keys", key + key, /one PEM block/],
  ["a key and a tail", `${key}tail`, /one PEM block/],
  ["a private key", privateKey, /^is a private key/],
  ["a PKCS #1 key", String(rsa.publicKey.export({ type: "pkcs1", format: "pem" })), /PKCS #1/],
  [
    "an RSA-PSS key",
    String(generateKeyPairSync("rsa-pss", { modulusLength: 2048 }).publicKey.export(asPem)),
    /RSA, ECDSA/,
  ],
  ["a secp256k1 key", String(curve("secp256k1")), /RSA, ECDSA/],
  ["an Ed448 key", String(generateKeyPairSync("ed448").publicKey.export(asPem)), /RSA, ECDSA/],
  ["an X25519 key", String(generateKeyPairSync("x25519").publicKey.export(asPem)), /RSA, ECDSA/],
  ["a block of rubbish", "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----", /RSA, ECDSA/],
];

describe("a key that verifies signatures", () => {
  it.each(ACCEPTED)("may be %s", (_, pem) => {
    expect(publicKeyProblem(pem)).toBeUndefined();
  });

  it.each(REFUSED)("is not %s", (_, pem, reason) => {
    expect(publicKeyProblem(pem)).toMatch(reason);
  });

  it("is not shown when it is refused", () => {
    const body = privateKey.split("\n")[1] ?? "";
    expect(body.length).toBeGreaterThan(20);
    expect(publicKeyProblem(privateKey)).not.toContain(body);
  });
});

describe("a CA file", () => {
  it.each([
    ["a certificate", certificate],
    ["a chain", certificate + certificate],
    ["a chain with comments", `# root\n${certificate}\n# issuing\n${certificate}`],
  ])("may be %s", (_, pem) => {
    expect(certificatesProblem(pem)).toBeUndefined();
  });

  it.each([
    ["text", "abc", "is not PEM: expected `-----BEGIN CERTIFICATE-----`"],
    ["a key", key, "block 1 is not a certificate"],
    ["a chain with a key in it", certificate + key, "block 2 is not a certificate"],
  ])("is not %s", (_, pem, reason) => {
    expect(certificatesProblem(pem)).toBe(reason);
  });
});
