import { createPublicKey, type KeyObject, X509Certificate } from "node:crypto";

/** The servers parse a SubjectPublicKeyInfo or a certificate with Go, which knows neither RSA-PSS keys nor other curves. */
const KEY_TYPES = new Set(["rsa", "ec", "ed25519"]);
const CURVES = new Set([undefined, "secp224r1", "prime256v1", "secp384r1", "secp521r1"]);
const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----[\s\S]+?-----END \1-----/g;

/** What is wrong with a PEM public key or certificate used to verify signatures; undefined when nothing is. */
export function publicKeyProblem(pem: string): string | undefined {
  const broken = lineProblem(pem);
  if (broken) return broken;
  const [block, ...further] = pem.trim().match(BLOCK) ?? [];
  if (block === undefined) return `${notPem(pem)}: expected one block \`-----BEGIN PUBLIC KEY-----\` or a certificate`;
  if (further.length > 0 || !pem.trim().endsWith(block))
    return "must hold one PEM block and nothing after it; give further keys as further elements";
  if (/PRIVATE KEY/.test(block)) return "is a private key; give the public key";
  if (/BEGIN RSA PUBLIC/.test(block)) return "is in the PKCS #1 form; give a `-----BEGIN PUBLIC KEY-----` block";
  const type = keyType(block);
  if (type === undefined && /^[ \t]+\S/m.test(pem)) return "has blanks before its lines: take them out";
  return type && KEY_TYPES.has(type) ? undefined : "does not hold an RSA, ECDSA or Ed25519 public key";
}

/** What is wrong with a PEM certificate chain; undefined when nothing is. */
export function certificatesProblem(pem: string): string | undefined {
  const broken = lineProblem(pem);
  if (broken) return broken;
  const blocks = pem.match(BLOCK) ?? [];
  if (blocks.length === 0) return `${notPem(pem)}: expected \`-----BEGIN CERTIFICATE-----\``;
  const bad = blocks.findIndex((block) => !isCertificate(block));
  return bad < 0 ? undefined : `block ${bad + 1} is not a certificate`;
}

function notPem(text: string): string {
  return /^\S+\.\w{2,4}$/.test(text.trim()) ? "is the name of a file, and not what is in it" : "is not PEM";
}

/** What variables of CI systems make of the lines. */
function lineProblem(pem: string): string | undefined {
  if (/-----\\[rn]/.test(pem))
    return 'has a backslash and an n where its lines end: write real line ends, in TypeScript by `.replaceAll("\\\\n", "\\n")`';
  const isOneLine = /-----BEGIN [A-Z0-9 ]+-----[^\S\r\n]*[^\s]/.test(pem);
  return isOneLine
    ? "has lost its line ends, as happens in variables of CI systems: give it as it is in its file"
    : undefined;
}

/** Length of the RSA key in a PEM public key or certificate; undefined for other kinds, and for what is none. */
export function rsaKeyBits(pem: string): number | undefined {
  return keyIn(pem)?.asymmetricKeyDetails?.modulusLength;
}

function keyType(block: string): string | undefined {
  const key = keyIn(block);
  return CURVES.has(key?.asymmetricKeyDetails?.namedCurve) ? key?.asymmetricKeyType : undefined;
}

function keyIn(block: string): KeyObject | undefined {
  try {
    return block.includes("CERTIFICATE") ? new X509Certificate(block).publicKey : createPublicKey(block);
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
