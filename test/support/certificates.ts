import { generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { der, derBits, derObjectId, derSequence, derTag, derTime } from "../../server/cluster/der";

/** A certificate and its key as PEM, and what it takes to issue others. */
export interface Identity {
  readonly certificate: string;
  readonly key: string;
  readonly name: string;
  readonly privateKey: KeyObject;
}

export interface IdentityOptions {
  /** Signs itself when nobody else does. */
  readonly issuer?: Identity;
  readonly isAuthority?: boolean;
  /** IPv4 addresses that a server with it answers at. */
  readonly addresses?: readonly string[];
  /** Names that a server with it has. */
  readonly names?: readonly string[];
  readonly isExpired?: boolean;
  readonly organization?: string;
  /** More extensions: their content by object identifier. */
  readonly extensions?: Readonly<Record<string, Buffer>>;
}

const DAY_MS = 86_400_000;

/** A key and certificate of this run (RFC 5280), for servers and clients of tests. */
export function createIdentity(name: string, options: IdentityOptions = {}): Identity {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const issuer = options.issuer ?? { name, privateKey };
  const ecdsaWithSha256 = derSequence(derObjectId("1.2.840.10045.4.3.2"));
  const ends = Date.now() + (options.isExpired ? -1 : 30) * DAY_MS;
  const content = derSequence(
    der(0xa0, der(derTag.integer, Buffer.from([2]))),
    der(derTag.integer, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    subjectName(issuer.name),
    derSequence(derTime(new Date(ends - 60 * DAY_MS)), derTime(new Date(ends))),
    subjectName(name, options.organization),
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, derSequence(...extensionsOf(options))),
  );
  const bytes = derSequence(content, ecdsaWithSha256, derBits(sign("sha256", content, issuer.privateKey)));
  const lines = bytes.toString("base64").match(/.{1,64}/g) ?? [];
  return {
    certificate: ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n"),
    key: String(privateKey.export({ type: "pkcs8", format: "pem" })),
    name,
    privateKey,
  };
}

function subjectName(name: string, organization?: string): Buffer {
  const part = (id: string, text: string) =>
    der(derTag.set, derSequence(derObjectId(id), der(derTag.utf8String, Buffer.from(text))));
  return derSequence(...(organization === undefined ? [] : [part("2.5.4.10", organization)]), part("2.5.4.3", name));
}

function extensionsOf({ isAuthority = false, addresses = [], names = [], extensions = {} }: IdentityOptions): Buffer[] {
  const isTrue = der(0x01, Buffer.from([0xff]));
  const extension = (id: string, content: Buffer) => derSequence(derObjectId(id), der(derTag.octetString, content));
  const alternatives = [
    ...names.map((name) => der(0x82, Buffer.from(name))),
    ...addresses.map((address) => der(0x87, Buffer.from(address.split(".").map(Number)))),
  ];
  return [
    extension("2.5.29.19", derSequence(...(isAuthority ? [isTrue] : []))),
    ...(alternatives.length > 0 ? [extension("2.5.29.17", derSequence(...alternatives))] : []),
    ...Object.entries(extensions).map(([id, content]) => extension(id, content)),
  ];
}
