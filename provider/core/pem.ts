import { createPublicKey, X509Certificate } from "node:crypto";

const KEY_TYPES = new Set(["rsa", "rsa-pss", "ec", "ed25519"]);
const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----[\s\S]+?-----END \1-----/g;

/** What is wrong with a PEM public key or certificate used to verify signatures; undefined when nothing is. */
export function publicKeyProblem(pem: string): string | undefined {
  const blocks = pem.trim().match(BLOCK) ?? [];
  if (blocks.length === 0) return "is not PEM: expected one block `-----BEGIN PUBLIC KEY-----` or a certificate";
  if (blocks.length > 1 || blocks[0] !== pem.trim())
    return "must hold one PEM block and nothing else; give further keys as further elements";
  if (/PRIVATE KEY/.test(blocks[0])) return "is a private key; give the public key";
  const type = keyType(blocks[0]);
  return type && KEY_TYPES.has(type) ? undefined : "does not hold an RSA, ECDSA or Ed25519 public key";
}

/** What is wrong with a PEM certificate chain; undefined when nothing is. */
export function certificatesProblem(pem: string): string | undefined {
  const blocks = pem.match(BLOCK) ?? [];
  if (blocks.length === 0) return "is not PEM: expected `-----BEGIN CERTIFICATE-----`";
  const bad = blocks.findIndex((block) => !isCertificate(block));
  return bad < 0 ? undefined : `block ${bad + 1} is not a certificate`;
}

function keyType(block: string): string | undefined {
  try {
    const key = block.includes("CERTIFICATE") ? new X509Certificate(block).publicKey : createPublicKey(block);
    return key.asymmetricKeyType;
  } catch {
    return undefined;
  }
}

function isCertificate(block: string): boolean {
  try {
    return Boolean(new X509Certificate(block).serialNumber);
  } catch {
    return false;
  }
}
