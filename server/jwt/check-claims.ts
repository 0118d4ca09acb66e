import { compareBytes, goJsonName } from "../framework/go-format";
import { isNumberText, isWireList, type WireObject, type WireValue } from "../framework/wire-value";
import { TokenFailure } from "./compact-jws";

/** What a token must say. Leeways are seconds; 0 is the default, less than 0 is none. */
export interface Expected {
  /** `""` for any. */
  readonly issuer: string;
  /** `""` for any. */
  readonly subject: string;
  /** Empty for any. */
  readonly audiences: readonly string[];
  readonly expirationLeeway: number;
  readonly notBeforeLeeway: number;
  readonly clockSkewLeeway: number;
}

const lifetimeLeewaySeconds = 150;
const skewLeewaySeconds = 60;

/** Checks the registered claims in Vault's order. @throws TokenFailure */
export function checkClaims(claims: WireObject, expected: Expected, now: Date): void {
  const registered = registeredClaims(claims);
  if (expected.issuer !== "" && expected.issuer !== registered.iss)
    throw new TokenFailure("invalid issuer (iss) claim");
  if (expected.subject !== "" && expected.subject !== registered.sub) {
    throw new TokenFailure("invalid subject (sub) claim");
  }
  if (expected.audiences.length > 0 && !expected.audiences.some((audience) => registered.aud.includes(audience))) {
    const problem = "audience claim does not match any expected audience";
    throw new TokenFailure(`invalid audience (aud) claim: ${problem}`);
  }
  const problem = timeProblem(registered, expected, now);
  if (problem !== undefined) throw new TokenFailure(timeTexts[problem]);
}

const timeTexts = {
  untimed: "no issued at (iat), not before (nbf), or expiration time (exp) claims in token",
  early: "invalid not before (nbf) claim: token not yet valid",
  expired: "invalid expiration time (exp) claim: token is expired",
  future: "invalid issued at (iat) claim: token issued in the future",
} as const;

/** What is wrong with the times of a token. The other products of the house have the same rules, in other words. */
export function timeProblem(
  { exp, nbf, iat }: Registered,
  expected: Pick<Expected, "expirationLeeway" | "notBeforeLeeway" | "clockSkewLeeway">,
  now: Date,
): keyof typeof timeTexts | undefined {
  if (iat === 0 && exp === 0 && nbf === 0) return "untimed";
  // The first two leeways only stand in for a claim that is missing.
  const expires = exp || Math.max(iat, nbf) + effective(expected.expirationLeeway, lifetimeLeewaySeconds);
  const starts = nbf || iat || expires - effective(expected.notBeforeLeeway, lifetimeLeewaySeconds);
  const skewMs = effective(expected.clockSkewLeeway, skewLeewaySeconds) * 1000;
  const time = now.getTime();
  if (time + skewMs < starts * 1000) return "early";
  if (time - skewMs > expires * 1000) return "expired";
  return time + skewMs < iat * 1000 ? "future" : undefined;
}

function effective(leeway: number, fallback: number): number {
  return leeway === 0 ? fallback : Math.max(leeway, 0);
}

/** The registered claims (RFC 7519, section 4.1); `""`, nothing or 0 for those that are missing. Times are seconds. */
export interface Registered {
  readonly iss: string;
  readonly sub: string;
  readonly jti: string;
  readonly aud: readonly string[];
  /** Whole seconds since the epoch; 0 when missing. */
  readonly exp: number;
  readonly nbf: number;
  readonly iat: number;
}

type Decoder = (value: WireValue, name: string) => string | number | readonly string[] | undefined;

const decoders: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ["iss", text],
  ["sub", text],
  ["jti", text],
  ["aud", audiences],
  ["exp", seconds],
  ["nbf", seconds],
  ["iat", seconds],
]);

/** The registered claims as Go decodes them into a struct: in the order of the keys, whatever their case; null is nothing. @throws TokenFailure */
export function registeredClaims(claims: WireObject): Registered {
  const found: Record<string, unknown> = {};
  for (const key of Object.keys(claims).sort(compareBytes)) {
    const name = key.toLowerCase();
    const value = claims[key];
    const decoded = value === undefined ? undefined : decoders.get(name)?.(value, name);
    if (decoded !== undefined) found[name] = decoded;
  }
  // The decoders give each claim the type of its member.
  return { iss: "", sub: "", jti: "", aud: [], exp: 0, nbf: 0, iat: 0, ...found } as Registered;
}

function text(value: WireValue, name: string): string | undefined {
  if (value === null || typeof value === "string") return value ?? undefined;
  const field = `Go struct field Claims.${name} of type string`;
  throw new TokenFailure(`json: cannot unmarshal ${goJsonName(value)} into ${field}`);
}

function audiences(value: WireValue): readonly string[] {
  const list = isWireList(value) ? value : [value];
  const texts = list.filter((each) => typeof each === "string");
  if (texts.length === list.length) return texts;
  throw new TokenFailure("go-jose/go-jose/jwt: expected string or array value to unmarshal to Audience");
}

function seconds(value: WireValue): number | undefined {
  if (value === null) return undefined;
  if (isNumberText(value)) return Math.trunc(Number(value.rawJSON));
  throw new TokenFailure("go-jose/go-jose/jwt: expected number value to unmarshal NumericDate");
}
