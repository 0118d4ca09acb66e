import { generateKeyPairSync, type KeyObject } from "node:crypto";

const pem = (key: KeyObject) => key.export({ type: "spki", format: "pem" }).toString();
const pemBlock = (name: string, der: Buffer) =>
  `-----BEGIN ${name}-----\n${der.toString("base64").replace(/.{64}/g, "$&\n")}\n-----END ${name}-----\n`;

const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const ec = generateKeyPairSync("ec", { namedCurve: "P-256" });

/** Keys made for this run. */
export const keys = {
  rsa: pem(rsa.publicKey),
  ec: pem(ec.publicKey),
  ed25519: pem(generateKeyPairSync("ed25519").publicKey),
  p521: pem(generateKeyPairSync("ec", { namedCurve: "P-521" }).publicKey),
  x25519: pem(generateKeyPairSync("x25519").publicKey),
  secp256k1: pem(generateKeyPairSync("ec", { namedCurve: "secp256k1" }).publicKey),
  pkcs1: rsa.publicKey.export({ type: "pkcs1", format: "pem" }).toString(),
  privateKey: rsa.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  rsaJwk: { ...rsa.publicKey.export({ format: "jwk" }), kid: "a" },
};

/** A self-signed certificate over the RSA key, written byte by byte since Node cannot issue one. */
export function selfSignedCertificate(): string {
  const spki = rsa.publicKey.export({ type: "spki", format: "der" });
  const sha256WithRsa = Buffer.from("300d06092a864886f70d01010b0500", "hex");
  const name = der(0x30, der(0x31, der(0x30, Buffer.from("0603550403", "hex"), der(0x0c, Buffer.from("x")))));
  const validity = der(0x30, der(0x17, Buffer.from("200101000000Z")), der(0x17, Buffer.from("400101000000Z")));
  const serial = der(0x02, Buffer.from([1]));
  const toBeSigned = der(0x30, serial, sha256WithRsa, name, validity, name, spki);
  // Nobody checks the signature of a certificate that only carries a key.
  const signature = der(0x03, Buffer.alloc(257));
  return pemBlock("CERTIFICATE", der(0x30, toBeSigned, sha256WithRsa, signature));
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
