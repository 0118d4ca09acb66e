import { createHash, generateKeyPairSync, randomBytes, randomUUID, sign } from "node:crypto";
import { madeOnce, type Table } from "../data/tables";
import { der, derBits, derObjectId, derSequence, derTag, derTime } from "./der";

/** The Connect certificate authority of one cluster: its trust domain and its self-signed root. */
export interface CertificateAuthority {
  /** `<uuid>.consul`, another for every cluster. */
  readonly trustDomain: string;
  readonly rootPem: string;
  /** The body of `GET /v1/connect/ca/roots`. */
  roots(index: number): Record<string, unknown>;
}

const lifetimeMs = 3650 * 24 * 3600 * 1000;
const serialNumber = 12;

/** What is kept. The private key is not: it signs nothing but the root itself. */
interface Root {
  readonly uuid: string;
  readonly id: string;
  readonly keyId: string;
  readonly rootPem: string;
  readonly notBefore: string;
  readonly notAfter: string;
}

export interface CertificateAuthorityOptions {
  readonly now: Date;
  readonly kept?: Table<Root>;
}

export function createCertificateAuthority({
  now,
  kept = new Map(),
}: CertificateAuthorityOptions): CertificateAuthority {
  const { uuid, id, keyId, rootPem, notBefore, notAfter } = madeOnce(kept, "root", () => newRoot(now));
  const trustDomain = trustDomainOf(uuid);
  return {
    trustDomain,
    rootPem,
    roots: (index) => ({
      ActiveRootID: id,
      TrustDomain: trustDomain,
      Roots: [
        {
          ID: id,
          Name: "Consul CA Primary Cert",
          SerialNumber: serialNumber,
          SigningKeyID: keyId,
          ExternalTrustDomain: uuid,
          NotBefore: notBefore,
          NotAfter: notAfter,
          RootCert: rootPem,
          IntermediateCerts: null,
          Active: true,
          PrivateKeyType: "ec",
          PrivateKeyBits: 256,
          CreateIndex: index,
          ModifyIndex: index,
        },
      ],
    }),
  };
}

function newRoot(now: Date): Root {
  const uuid = randomUUID();
  const notBefore = new Date(Math.floor(now.getTime() / 1000) * 1000);
  const notAfter = new Date(notBefore.getTime() + lifetimeMs);
  const { certificate, keyId } = selfSigned({ trustDomain: trustDomainOf(uuid), notBefore, notAfter });
  return {
    uuid,
    id: colonHex(createHash("sha1").update(certificate).digest()),
    keyId: colonHex(keyId),
    rootPem: pem(certificate),
    notBefore: goTime(notBefore),
    notAfter: goTime(notAfter),
  };
}

function trustDomainOf(uuid: string): string {
  return `${uuid}.consul`;
}

interface Subject {
  readonly trustDomain: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/** The fields and extensions are those of a real Consul 1.22.0 root. */
function selfSigned({ trustDomain, notBefore, notAfter }: Subject): { certificate: Buffer; keyId: Buffer } {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const publicKeyInfo = publicKey.export({ type: "spki", format: "der" });
  const keyId = createHash("sha256").update(publicKeyInfo).digest();
  const commonName = `pri-${randomBytes(4).toString("hex")}.consul.ca.${trustDomain.slice(0, 8)}.consul`;
  const name = derSequence(
    der(derTag.set, derSequence(derObjectId("2.5.4.3"), der(derTag.utf8String, Buffer.from(commonName)))),
  );
  const algorithm = derSequence(derObjectId("1.2.840.10045.4.3.2"));
  const content = derSequence(
    der(0xa0, der(derTag.integer, Buffer.from([2]))),
    der(derTag.integer, Buffer.from([serialNumber])),
    algorithm,
    name,
    derSequence(derTime(notBefore), derTime(notAfter)),
    name,
    publicKeyInfo,
    der(0xa3, derSequence(...extensions(trustDomain, keyId))),
  );
  const signature = sign("sha256", content, privateKey);
  return { certificate: derSequence(content, algorithm, derBits(signature)), keyId };
}

function extensions(trustDomain: string, keyId: Buffer): Buffer[] {
  const critical = der(0x01, Buffer.from([0xff]));
  const signCertificatesAndLists = derBits(Buffer.from([0x86]), { unusedBits: 1 });
  const extension = (objectId: string, ...parts: Buffer[]) => derSequence(derObjectId(objectId), ...parts);
  const octets = (value: Buffer) => der(derTag.octetString, value);
  return [
    extension("2.5.29.15", critical, octets(signCertificatesAndLists)),
    extension("2.5.29.19", critical, octets(derSequence(critical))),
    extension("2.5.29.14", octets(octets(keyId))),
    extension("2.5.29.35", octets(derSequence(der(0x80, keyId)))),
    extension("2.5.29.17", octets(derSequence(der(0x86, Buffer.from(`spiffe://${trustDomain}`))))),
  ];
}

function pem(certificate: Buffer): string {
  const lines = certificate.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}

function colonHex(bytes: Buffer): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(":");
}

/** Go prints a time without a fraction when there is none. */
function goTime(date: Date): string {
  return date.toISOString().replace(".000Z", "Z");
}
