import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { bits, der, identifier, integer, octets, sequence, set, tagged, text, time, truth } from "./der";

/** A certificate that vouches for itself, and its key. */
export interface OwnCertificate {
  readonly certificatePem: string;
  readonly keyPem: string;
  readonly certificateDer: Buffer;
}

const ECDSA_WITH_SHA256 = "1.2.840.10045.4.3.2";
const COMMON_NAME = "2.5.4.3";
const BASIC_CONSTRAINTS = "2.5.29.19";
const KEY_USAGE = "2.5.29.15";
const EXTENDED_KEY_USAGE = "2.5.29.37";
const SUBJECT_KEY_IDENTIFIER = "2.5.29.14";
const SUBJECT_ALT_NAME = "2.5.29.17";
const SERVER_AUTH = "1.3.6.1.5.5.7.3.1";
const CLIENT_AUTH = "1.3.6.1.5.5.7.3.2";

const HOUR_MS = 3_600_000;
/** A process serves one command. A clock that is a little behind must not refuse it. */
const VALID_MS = 30 * 24 * HOUR_MS;

/** A certificate for `localhost` as Terraform wants it of a plugin: P-256, its own authority, for this process alone. */
export function ownCertificate(now = new Date()): OwnCertificate {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const publicDer = publicKey.export({ type: "spki", format: "der" });
  const algorithm = sequence(identifier(ECDSA_WITH_SHA256));
  const name = sequence(set(sequence(identifier(COMMON_NAME), text("localhost"))));
  const certificate = sequence(
    tagged(0, integer(Buffer.from([2]))),
    integer(randomBytes(16)),
    algorithm,
    name,
    sequence(time(new Date(now.getTime() - HOUR_MS)), time(new Date(now.getTime() + VALID_MS))),
    name,
    publicDer,
    tagged(3, sequence(...extensions(publicDer))),
  );
  const certificateDer = sequence(certificate, algorithm, bits(sign("sha256", certificate, privateKey)));
  return {
    certificateDer,
    certificatePem: pemOf("CERTIFICATE", certificateDer),
    keyPem: String(privateKey.export({ type: "pkcs8", format: "pem" })),
  };
}

/** Lines of 64 characters, none of them empty: Go refuses an empty one. */
export function pemOf(label: string, content: Buffer): string {
  const lines = content.toString("base64").match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ""].join("\n");
}

function extensions(publicDer: Buffer): Buffer[] {
  const extension = (id: string, value: Buffer) => sequence(identifier(id), octets(value));
  const critical = (id: string, value: Buffer) => sequence(identifier(id), truth(), octets(value));
  const keyId = createHash("sha1").update(publicDer).digest();
  return [
    critical(BASIC_CONSTRAINTS, sequence(truth())),
    // digitalSignature, keyEncipherment, keyAgreement and keyCertSign, of which the last two bits are unused.
    critical(KEY_USAGE, der(0x03, Buffer.from([2, 0b1010_1100]))),
    extension(EXTENDED_KEY_USAGE, sequence(identifier(CLIENT_AUTH), identifier(SERVER_AUTH))),
    extension(SUBJECT_KEY_IDENTIFIER, octets(keyId)),
    extension(SUBJECT_ALT_NAME, sequence(der(0x82, Buffer.from("localhost", "ascii")))),
  ];
}
