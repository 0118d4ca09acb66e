import { createPublicKey, type KeyObject, X509Certificate } from "node:crypto";

const noKeys = "data does not contain any valid public keys";
// Key types that verify tokens, and those that Go's x509 package reads at all.
const verifyingTypes: ReadonlySet<string> = new Set(["rsa", "ec", "ed25519"]);
const knownTypes: ReadonlySet<string> = new Set([...verifyingTypes, "dsa", "x25519"]);
// The curves that Go's x509 package reads, by OpenSSL's names.
const knownCurves: ReadonlySet<string> = new Set(["secp224r1", "prime256v1", "secp384r1", "secp521r1"]);

// Both lines at the start of a line; headers between them as RFC 1421 has them.
const pemBlock =
  /^-----BEGIN (.+)-----[ \t]*\r?\n((?:[^\n:]+:[^\n]*\n)*)([A-Za-z0-9+/=\s]*?)^-----END \1-----[ \t]*(?:\r?\n|$(?![\s\S]))/m;

/** What is wrong with a PEM public key or certificate, in Vault's words; `undefined` if nothing. */
export function publicKeyProblem(pem: string): string | undefined {
  const key = readKey(pem);
  return typeof key === "string" ? key : undefined;
}

/** The key of a PEM public key or certificate; `undefined` where `publicKeyProblem` finds something. */
export function publicKeyFromPem(pem: string): KeyObject | undefined {
  const key = readKey(pem);
  return typeof key === "string" ? undefined : key;
}

/** The key, or what is wrong. */
function readKey(pem: string): KeyObject | string {
  const block = pemBlock.exec(pem);
  const der = block === null ? undefined : decodedBase64(block[3] ?? "");
  if (block === null || der === undefined) return noKeys;
  if (pem.slice(block.index + block[0].length).trim() !== "") return "unexpected trailing data after parsed PEM block";
  const key = publicKey(der) ?? certificateKey(der);
  if (key === undefined) return `x509: ${certificateProblem(der)}`;
  return verifyingTypes.has(key.asymmetricKeyType ?? "") ? key : noKeys;
}

function decodedBase64(text: string): Buffer | undefined {
  const compact = text.replace(/\s+/g, "");
  const isBase64 = compact.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(compact);
  return isBase64 ? Buffer.from(compact, "base64") : undefined;
}

function publicKey(der: Buffer): KeyObject | undefined {
  try {
    const key = createPublicKey({ key: der, format: "der", type: "spki" });
    return isReadByGo(key) ? key : undefined;
  } catch {
    return undefined;
  }
}

function certificateKey(der: Buffer): KeyObject | undefined {
  try {
    return new X509Certificate(der).publicKey;
  } catch {
    return undefined;
  }
}

function isReadByGo({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject): boolean {
  return knownTypes.has(type ?? "") && (type !== "ec" || knownCurves.has(details?.namedCurve ?? ""));
}

// Go reads a certificate from the outside in: a whole sequence first, then the part to be signed, a sequence too.
function certificateProblem(der: Buffer): string {
  const length = sequenceContent(der);
  if (length === undefined || length.start + length.size !== der.length) return "malformed certificate";
  return der[length.start] === 0x30 ? "malformed serial number" : "malformed tbs certificate";
}

function sequenceContent(der: Buffer): { start: number; size: number } | undefined {
  const [tag, first] = der;
  if (tag !== 0x30 || first === undefined) return undefined;
  if (first < 0x80) return { start: 2, size: first };
  const width = first & 0x7f;
  if (width === 0 || width > 4 || der.length < 2 + width) return undefined;
  return { start: 2 + width, size: der.readUIntBE(2, width) };
}
