import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";

const keyPairs = {
  rsa: generateKeyPairSync("rsa", { modulusLength: 2048 }),
  ec: generateKeyPairSync("ec", { namedCurve: "P-256" }),
  ed: generateKeyPairSync("ed25519"),
  stranger: generateKeyPairSync("rsa", { modulusLength: 2048 }),
} as const;
type KeyName = keyof typeof keyPairs;

interface JwtSpec {
  /** Beside the usual ones; `undefined` leaves one out. Times are seconds from now, as `fromNow` makes them. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** Instead of an object of claims. */
  readonly payload?: string;
  readonly header?: Readonly<Record<string, unknown>>;
  readonly by?: KeyName;
}

/** A claim that is a time. */
interface FromNow {
  readonly fromNow: number;
}
const fromNow = (seconds: number): FromNow => ({ fromNow: seconds });
const minutes = (count: number) => fromNow(count * 60);
const untimed = { iat: undefined, exp: undefined };

const groups = { groups: ["admins", "", "staff"], team: { name: "web", ids: ["a", "b"], "x/y": { "m~n": "deep" } } };
const typed = { level: 3, part: 1.9, isBot: true, refs: ["main", "dev"], numbers: [1, 2], none: null, nothing: [] };

/** What scenarios log in with, by the names of their gaps. */
const specs: Readonly<Record<string, JwtSpec>> = {
  jwt: {},
  jwtRich: { claims: { ...groups, ...typed, "/odd": "literal", email: "a@b.example" } },
  jwtStranger: { by: "stranger" },
  jwtStrangerKid: { by: "stranger", header: { kid: "none" } },
  jwtWithoutKid: { header: { kid: undefined } },
  jwtWrongKid: { header: { kid: "two" } },
  jwtEc: { by: "ec", header: { alg: "ES256", kid: "two" } },
  jwtEd: { by: "ed", header: { alg: "EdDSA", kid: "three" } },
  jwtRsPs: { header: { alg: "PS256" } },
  jwtRsLong: { header: { alg: "RS512" } },
  jwtAlgNone: { header: { alg: "none" } },
  jwtAlgHmac: { header: { alg: "HS256" } },
  jwtAlgAbsent: { header: { alg: undefined } },
  jwtAlgMixed: { header: { alg: "ES256" } },
  jwtCritical: { header: { crit: ["odd"], odd: 1 } },
  jwtPayloadList: { payload: "[]" },
  jwtPayloadText: { payload: "no JSON" },
  jwtPayloadNull: { payload: "null" },
  jwtOtherIssuer: { claims: { iss: "https://elsewhere.example" } },
  jwtNoIssuer: { claims: { iss: undefined } },
  jwtNumberIssuer: { claims: { iss: 5 } },
  jwtListSubject: { claims: { sub: ["a"] } },
  jwtObjectSubject: { claims: { sub: { a: 1 } } },
  jwtUpperSubject: { claims: { sub: undefined, SUB: "repo:acme/site" } },
  jwtEmptySubject: { claims: { sub: "" } },
  jwtNoSubject: { claims: { sub: undefined } },
  jwtAudienceList: { claims: { aud: ["other", "trustplane"] } },
  jwtAudienceOther: { claims: { aud: ["other"] } },
  jwtAudienceEmptyText: { claims: { aud: "" } },
  jwtAudienceEmptyList: { claims: { aud: [] } },
  jwtAudienceOfEmpty: { claims: { aud: [""] } },
  jwtAudienceNull: { claims: { aud: null } },
  jwtAudienceNumber: { claims: { aud: 5 } },
  jwtAudienceMixed: { claims: { aud: ["trustplane", 5] } },
  jwtNoAudience: { claims: { aud: undefined } },
  jwtUntimed: { claims: untimed },
  jwtZeroTimes: { claims: { iat: 0, exp: 0, nbf: 0 } },
  jwtTextExpiry: { claims: { exp: "soon" } },
  jwtNullExpiry: { claims: { exp: null } },
  jwtFractions: { claims: { iat: 1_700_000_000.7, exp: 4_000_000_000.5 } },
  jwtExpired: { claims: { iat: minutes(-20), exp: minutes(-10) } },
  jwtJustExpired: { claims: { iat: minutes(-20), exp: fromNow(-30) } },
  jwtEarly: { claims: { nbf: minutes(10) } },
  jwtJustEarly: { claims: { nbf: fromNow(30), exp: minutes(60) } },
  jwtFromFuture: { claims: { iat: minutes(10), nbf: minutes(-10) } },
  jwtJustFromFuture: { claims: { iat: fromNow(30), nbf: minutes(-10) } },
  jwtOnlyIssued: { claims: { ...untimed, iat: minutes(-2) } },
  jwtOnlyIssuedLong: { claims: { ...untimed, iat: minutes(-5) } },
  jwtOnlyNotBefore: { claims: { ...untimed, nbf: minutes(-2) } },
  jwtOnlyExpiry: { claims: { ...untimed, exp: minutes(2) } },
  jwtOnlyExpiryFar: { claims: { ...untimed, exp: minutes(10) } },
  jwtGroupsText: { claims: { groups: "admins" } },
  jwtGroupsObject: { claims: { groups: { a: 1 } } },
  jwtGroupsNumber: { claims: { groups: ["a", 5] } },
  jwtGroupsBool: { claims: { groups: true } },
};

export interface Jwts {
  readonly tokens: Readonly<Record<string, string>>;
  readonly publicKeys: Readonly<Record<"publicKey" | "ecKey" | "edKey" | "strangerKey", string>>;
  /** The keys that the issuer publishes. */
  readonly keys: readonly unknown[];
}

/** Tokens of an issuer, signed now. Signing all of them takes longer than most scenarios: `isUsed` says which are needed. */
export function signedJwts(issuer: string, isUsed: (name: string) => boolean): Jwts {
  const now = Math.floor(Date.now() / 1000);
  const used = Object.entries(specs).filter(([name]) => isUsed(name));
  return {
    tokens: Object.fromEntries(used.map(([name, spec]) => [name, signed(spec, issuer, now)])),
    publicKeys: { publicKey: pem("rsa"), ecKey: pem("ec"), edKey: pem("ed"), strangerKey: pem("stranger") },
    keys: [jwk("rsa", "one", "RS256"), jwk("ec", "two", "ES256"), jwk("ed", "three", "EdDSA")],
  };
}

function pem(name: KeyName): string {
  return keyPairs[name].publicKey.export({ type: "spki", format: "pem" }).toString().trim();
}

function jwk(name: KeyName, kid: string, alg: string): unknown {
  return { ...keyPairs[name].publicKey.export({ format: "jwk" }), kid, use: "sig", alg };
}

function signed({ claims = {}, payload, header = {}, by = "rsa" }: JwtSpec, issuer: string, now: number): string {
  const usual = { iss: issuer, sub: "repo:acme/site", aud: "trustplane", iat: now, exp: now + 3600 };
  const timed = Object.entries({ ...usual, ...claims }).map(([name, value]) => [name, timeFrom(value, now)] as const);
  const part = (text: string) => Buffer.from(text).toString("base64url");
  const head = { alg: "RS256", kid: "one", ...header };
  const text = `${part(JSON.stringify(head))}.${part(payload ?? JSON.stringify(Object.fromEntries(timed)))}`;
  return `${text}.${signature(text, String(head.alg), keyPairs[by].privateKey).toString("base64url")}`;
}

function timeFrom(value: unknown, now: number): unknown {
  const isTime = typeof value === "object" && value !== null && "fromNow" in value;
  return isTime ? now + Number(value.fromNow) : value;
}

function signature(text: string, algorithm: string, key: KeyObject): Buffer {
  const hash = algorithm === "EdDSA" ? null : algorithm.endsWith("512") ? "sha512" : "sha256";
  const padding = algorithm.startsWith("PS") ? { padding: 6, saltLength: 32 } : {};
  return sign(hash, Buffer.from(text), { key, dsaEncoding: "ieee-p1363", ...padding });
}
