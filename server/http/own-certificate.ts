import { generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { isIP } from "node:net";
import { hostname } from "node:os";
import { der, derBits, derObjectId, derSequence, derTag, derTime } from "../cluster/der";
import type { ServerIdentity } from "./encryption";

/** A certificate of one run, and the authority that has issued it, in PEM. */
export interface OwnCertificate {
  readonly identity: ServerIdentity;
  readonly authority: string;
}

const dayMs = 86_400_000;

/** A new authority, whose key nobody has afterwards, and its certificate for this machine and the address to listen on. */
export function createOwnCertificate(host: string): OwnCertificate {
  const authority = issue({ name: "trustplane serve", extensions: authorityExtensions });
  const wildcards = ["", "0.0.0.0", "::"];
  const names = new Set(["localhost", "127.0.0.1", "::1", hostname(), ...(wildcards.includes(host) ? [] : [host])]);
  const leaf = issue({
    name: "trustplane",
    issuer: { name: "trustplane serve", key: authority.key },
    extensions: [extension("2.5.29.17", derSequence(...Array.from(names, alternativeName)))],
  });
  const key = String(leaf.key.export({ type: "pkcs8", format: "pem" }));
  return { identity: { certificate: leaf.certificate + authority.certificate, key }, authority: authority.certificate };
}

interface Issue {
  readonly name: string;
  /** Signs itself without one. */
  readonly issuer?: { readonly name: string; readonly key: KeyObject };
  readonly extensions: readonly Buffer[];
}

/** An X.509 certificate (RFC 5280). */
function issue({ name, issuer, extensions }: Issue): { readonly certificate: string; readonly key: KeyObject } {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const ecdsaWithSha256 = derSequence(derObjectId("1.2.840.10045.4.3.2"));
  const now = Date.now();
  const content = derSequence(
    der(0xa0, der(derTag.integer, Buffer.from([2]))),
    der(derTag.integer, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    subject(issuer?.name ?? name),
    derSequence(derTime(new Date(now - dayMs)), derTime(new Date(now + 365 * dayMs))),
    subject(name),
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, derSequence(...extensions)),
  );
  const signature = sign("sha256", content, issuer?.key ?? privateKey);
  const bytes = derSequence(content, ecdsaWithSha256, derBits(signature));
  const lines = bytes.toString("base64").match(/.{1,64}/g) ?? [];
  const certificate = ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n");
  return { certificate, key: privateKey };
}

function subject(name: string): Buffer {
  const text = der(derTag.utf8String, Buffer.from(name));
  return derSequence(der(derTag.set, derSequence(derObjectId("2.5.4.3"), text)));
}

function extension(id: string, content: Buffer, { isCritical = false } = {}): Buffer {
  const critical = isCritical ? [der(0x01, Buffer.from([0xff]))] : [];
  return derSequence(derObjectId(id), ...critical, der(derTag.octetString, content));
}

// Basic constraints and key usage: it issues certificates.
const authorityExtensions = [
  extension("2.5.29.19", derSequence(der(0x01, Buffer.from([0xff]))), { isCritical: true }),
  extension("2.5.29.15", derBits(Buffer.from([0x04]), { unusedBits: 2 }), { isCritical: true }),
];

function alternativeName(name: string): Buffer {
  if (isIP(name) === 4) return der(0x87, Buffer.from(name.split(".").map(Number)));
  if (isIP(name) === 6) return der(0x87, ipv6Bytes(name));
  return der(0x82, Buffer.from(name));
}

function ipv6Bytes(address: string): Buffer {
  const [head = "", tail] = address.split("::");
  const groups = (text: string | undefined) => (text ? text.split(":") : []);
  const [before, after] = [groups(head), groups(tail)];
  const zeros = Array.from({ length: tail === undefined ? 0 : 8 - before.length - after.length }, () => "0");
  const values = [...before, ...zeros, ...after].map((group) => Number.parseInt(group, 16));
  return Buffer.from(values.flatMap((value) => [value >> 8, value & 0xff]));
}
