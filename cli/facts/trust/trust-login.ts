import { type KeyObject, sign } from "node:crypto";
import { isRecord } from "../../../provider/core/unknowns";
import { definitions } from "../../../provider/resources";
import { asJwtClaims, fittingIdToken, idTokenProblem } from "./browser-login";
import { type HiddenRecord, mayTouch } from "./hidden-records";
import type { TestLogin } from "./trust-file";
import type { TrustRole, TrustWorld } from "./trust-world";
import type { Unclear } from "./unclear-groups";

/** What a login gives, or why it was refused. */
export type LoginResult = Refused | Allowed;

export interface Refused {
  readonly refused: string;
}

export interface Allowed {
  readonly token: string;
  /** Those of the role, and those of the person's groups. */
  readonly policies: readonly string[];
  readonly seconds: number;
}

/** Lifetime of a token whose claims do not say it, in seconds. */
const LIFETIME = 300;

export interface Attempt extends Pick<TestLogin, "mount" | "role" | "address" | "at"> {
  readonly claims: Readonly<Record<string, unknown>>;
}

/** Logs in with a token that has these claims. What they do not say fits the role: issuer, audience, times. @param known The role, where it is none of the stack. */
export async function logIn(
  world: TrustWorld,
  { mount, role, claims, address, at }: Attempt,
  known: TrustRole | undefined = roleAt(world, mount, role),
): Promise<LoginResult> {
  const { simulated, key } = world;
  const time = at === undefined ? Date.now() : Date.parse(at);
  const now = Math.floor(time / 1000);
  const all = {
    iss: known?.issuer,
    aud: known?.audience,
    iat: now,
    ...(known?.browser === undefined ? {} : fittingIdToken(known.browser, claims, now)),
    ...("exp" in claims ? {} : { exp: now + LIFETIME }),
    ...claims,
  };
  const said = withoutNothing(all);
  const { browser } = known ?? {};
  const refusal = browser && (await idTokenProblem(said, browser, new Date(time)));
  if (refusal !== undefined) return { refused: refusal };
  const jwt = signed(browser === undefined ? said : asJwtClaims(said, browser, { now, ...world.methodAt(mount) }), key);
  simulated.setTime(at === undefined ? undefined : time);
  const { status, body } = await simulated.ask({
    method: "POST",
    path: `auth/${mount}/login`,
    body: { jwt, ...(role === undefined ? {} : { role }) },
    token: "",
    address,
  });
  const auth = body["auth"];
  if (status < 300 && isRecord(auth))
    return {
      token: String(auth["client_token"]),
      policies: Array.isArray(auth["policies"]) ? auth["policies"].map(String) : [],
      seconds: Number(auth["lease_duration"]),
    };
  const errors = Array.isArray(body["errors"]) ? body["errors"].map(String) : [];
  return { refused: errors.join("; ") || `status ${status}` };
}

const withoutNothing = (claims: Attempt["claims"]): Attempt["claims"] =>
  Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined && value !== null));

/** A JWT of the algorithm ES256 (RFC 7515). Signed here: for many tests, a call of Web Crypto for each costs more than the signature. */
function signed(claims: Attempt["claims"], key: KeyObject): string {
  const content = [{ alg: "ES256" }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"));
  const signature = sign("sha256", Buffer.from(content.join(".")), { key, dsaEncoding: "ieee-p1363" });
  return [...content, signature.toString("base64url")].join(".");
}

/** Why a login with this role cannot be judged: the hidden records that may have a part in it. */
export function reasonsAgainst(world: TrustWorld, mount: string, role: string | undefined): readonly string[] {
  const name = role ?? world.methodAt(mount).defaultRole;
  const isThere = roleAt(world, mount, role) !== undefined;
  const isOther = ({ definition }: HiddenRecord) => isThere && definition.token === definitions.jwtRole.token;
  return world.hidden.filter((record) => !isOther(record) && mayTouch(record, mount, name)).map(({ reason }) => reason);
}

/** Why nothing is known of the issuer of a JWT and of its keys; undefined where it is. What a browser brings has reasons of its own. */
export function unseenMethod(world: TrustWorld, { mount, browser }: TrustRole): string | undefined {
  if (browser !== undefined || world.methodAt(mount).isKnown) return undefined;
  return `the configuration of auth/${mount} (jwt.Config) is not in this stack`;
}

/** The role of a login; undefined where the stack has none of this name. */
export function roleAt(world: TrustWorld, mount: string, role: string | undefined): TrustRole | undefined {
  const name = role ?? world.methodAt(mount).defaultRole;
  return world.roles.find((each) => each.mount === mount && each.name === name);
}

/** What may give a login with one of these roles more policies, whatever its token says. */
export function unclearAround({ unclear, groups }: TrustWorld, roles: readonly TrustRole[]): readonly Unclear[] {
  const asked = groups.filter(({ mount }) => roles.some((role) => role.asksForGroups && role.mount === mount));
  return [...unclear, ...asked.map(({ name, policies }) => ({ name, policies: policies.map(String) }))];
}

/** Why there is no role for such a login; undefined where there is one. */
export function missingRole(world: TrustWorld, mount: string, role: string | undefined): string | undefined {
  if (roleAt(world, mount, role) !== undefined) return undefined;
  const name = role ?? world.methodAt(mount).defaultRole;
  if (name !== undefined) return `the stack has no role ${name} at auth/${mount}`;
  return `the login names no role, and auth/${mount} has no default role`;
}
