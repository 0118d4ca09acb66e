import { defineScenario } from "../../scenario.mts";
import { type LoginCase, loginCases } from "./jwt-login-cases.mts";

const expired = /400 error validating token: invalid expiration time \(exp\) claim: token is expired/;
const early = /400 error validating token: invalid not before \(nbf\) claim: token not yet valid/;
const future = /400 error validating token: invalid issued at \(iat\) claim: token issued in the future/;

/** What the three leeways let through. */
const cases: readonly LoginCase[] = [
  { title: "no time at all", jwt: "jwtUntimed", says: /400 error validating token: no issued at \(iat\)/ },
  { title: "times of zero", jwt: "jwtZeroTimes", says: /400 error validating token: no issued at \(iat\)/ },
  { title: "a text as time", jwt: "jwtTextExpiry", says: /400 .*expected number value to unmarshal NumericDate/ },
  { title: "null as end", jwt: "jwtNullExpiry" },
  { title: "times with fractions", jwt: "jwtFractions" },
  { title: "expired", jwt: "jwtExpired", says: expired },
  {
    title: "expired, but within the expiration leeway",
    jwt: "jwtExpired",
    role: { expiration_leeway: "1h" },
    says: expired,
  },
  { title: "expired, but within the skew", jwt: "jwtExpired", role: { clock_skew_leeway: "11m" } },
  // @covers jwt: Role > clock_skew_leeway
  { title: "expired within the skew that is the default", jwt: "jwtJustExpired" },
  // @covers jwt: Role > clock_skew_leeway
  { title: "expired, and no skew is allowed", jwt: "jwtJustExpired", role: { clock_skew_leeway: -1 }, says: expired },
  { title: "not yet valid", jwt: "jwtEarly", says: early },
  {
    title: "not yet valid, but within the leeway for it",
    jwt: "jwtEarly",
    role: { not_before_leeway: "1h" },
    says: early,
  },
  { title: "not yet valid, but within the skew", jwt: "jwtEarly", role: { clock_skew_leeway: "11m" } },
  { title: "not yet valid within the skew that is the default", jwt: "jwtJustEarly" },
  { title: "not yet valid, and no skew is allowed", jwt: "jwtJustEarly", role: { clock_skew_leeway: -1 }, says: early },
  { title: "from the future", jwt: "jwtFromFuture", says: future },
  { title: "from the future, but within the skew", jwt: "jwtFromFuture", role: { clock_skew_leeway: 660 } },
  { title: "from the future within the skew that is the default", jwt: "jwtJustFromFuture" },
  // @covers jwt: Limits > leeways of 0 and -1
  {
    title: "from the future, and no skew is allowed",
    jwt: "jwtJustFromFuture",
    role: { clock_skew_leeway: -1 },
    says: future,
  },
  { title: "without an end, and issued within the leeway", jwt: "jwtOnlyIssued" },
  // @covers jwt: Role > expiration_leeway
  { title: "without an end, and issued before the leeway", jwt: "jwtOnlyIssuedLong", says: expired },
  { title: "without an end, and a longer leeway", jwt: "jwtOnlyIssuedLong", role: { expiration_leeway: "10m" } },
  {
    title: "without an end, and without a leeway",
    jwt: "jwtOnlyIssued",
    role: { expiration_leeway: -1 },
    says: expired,
  },
  { title: "without an end, and valid from a time within the leeway", jwt: "jwtOnlyNotBefore" },
  { title: "only an end within the leeway", jwt: "jwtOnlyExpiry" },
  // @covers jwt: Role > not_before_leeway
  { title: "only an end beyond the leeway", jwt: "jwtOnlyExpiryFar", says: early },
  { title: "only an end, and a longer leeway", jwt: "jwtOnlyExpiryFar", role: { not_before_leeway: "15m" } },
  { title: "only an end, and no leeway", jwt: "jwtOnlyExpiry", role: { not_before_leeway: -1 }, says: early },
];

const { roles, steps } = loginCases("times", cases);

/** Logging in with the times of a token, and with the leeways of a role. */
export const jwtLoginTimes = defineScenario({
  topic: "jwt-login-times",
  before: [
    { request: "POST sys/auth/jwt", body: { type: "jwt" } },
    { request: "POST auth/jwt/config", body: { jwt_validation_pubkeys: ["{publicKey}"] } },
    ...roles,
  ],
  steps,
});
