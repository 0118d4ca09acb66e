import { decodeJwt } from "jose";
import { isEmpty } from "../../provider/core/canonical";
import { formatDuration } from "../../provider/core/duration";
import { ProviderError } from "../../provider/core/errors";
import type { JudgedRecord } from "../lint/judged-records";
import { namesOf } from "./judge";
import { missedTime, nearestMiss } from "./nearest-miss";
import { demandsOf, listOf, oneOf } from "./sentences";
import { type LoginResult, logIn, roleAt } from "./trust-login";
import { createTrustWorld, type TrustRole, type TrustWorld } from "./trust-world";

/** One demand of a role, and how a token meets it. Never holds the token. */
export interface ExplainedDemand {
  readonly property: string;
  readonly expected: string;
  readonly actual: string;
  readonly met: boolean;
  /** Of one that is not met: what the token has beside the nearest value that the role accepts. */
  readonly miss?: string;
}

export interface ExplainedToken {
  readonly wouldLogIn: boolean;
  readonly demands: readonly ExplainedDemand[];
  /** What the login would give, or why it would be refused. */
  readonly result: string;
}

export interface TokenQuestion {
  readonly mount: string;
  readonly role: string | undefined;
  readonly address: string;
  readonly jwt: string;
}

/** The name of the role that has one demand only. */
const SINGLE = "trustplane-explain-single";

/**
 * What becomes of a login with this token, demand by demand. Its claims are judged, not its signature.
 *
 * @throws InputError for a text that is no JWT, and where the stack has no such role.
 */
export async function explainToken(
  records: readonly JudgedRecord[],
  { mount, role: name, address, jwt }: TokenQuestion,
): Promise<ExplainedToken> {
  const claims = claimsOf(jwt);
  const world = await createTrustWorld(records, {});
  const role = roleAt(world, mount, name);
  if (role === undefined)
    throw new ProviderError("InputError", `the stack has no role ${name ?? "by default"} at auth/${mount}.`);
  const { issuer } = world.methodAt(mount);
  const demands = [
    ...(issuer === undefined
      ? []
      : [
          {
            property: "boundIssuer",
            expected: JSON.stringify(issuer),
            actual: shown(claims["iss"]),
            ...verdict(claims["iss"] === issuer, () => nearestMiss("iss", claims["iss"], [issuer])),
          },
        ]),
    ...timesOf(claims),
    ...(await explained(world, role, { claims, address })),
  ];
  const result = await logIn(world, {
    mount,
    role: role.name,
    address,
    claims: { aud: null, exp: null, ...claims, ...(role.isBrowser ? { aud: role.audience } : {}) },
  });
  return { wouldLogIn: !("refused" in result), demands, result: resultOf(result) };
}

function claimsOf(jwt: string): Readonly<Record<string, unknown>> {
  try {
    return decodeJwt(jwt.trim());
  } catch {
    throw new ProviderError("InputError", "this is no JWT: give the token as the issuer has made it.");
  }
}

/** Each demand is asked of a role that has no other: the server decides, not this code. */
async function explained(
  world: TrustWorld,
  role: TrustRole,
  { claims, address }: { readonly claims: Readonly<Record<string, unknown>>; readonly address: string },
): Promise<readonly ExplainedDemand[]> {
  const { values } = role;
  const { exp: _exp, nbf: _nbf, iat: _iat, ...lasting } = claims;
  const { boundSubject: _, boundClaims: __, boundAudiences, tokenBoundCidrs: ___, ...rest } = values;
  const ask = async (only: Readonly<Record<string, unknown>>, aud: unknown) => {
    await world.putRole(SINGLE, { ...role, values: { ...rest, ...only } });
    const { issuer } = world.methodAt(role.mount);
    const asked = { ...lasting, iss: issuer, aud };
    return !("refused" in (await logIn(world, { mount: role.mount, role: SINGLE, claims: asked, address })));
  };
  const found: ExplainedDemand[] = [];
  const demands = demandsOf(values).filter(({ property }) => !(role.isBrowser && property === "boundAudiences"));
  for (const { property, claim, accepted, isGlob } of demands) {
    const [first = "", key = ""] = property.split(/\.(.*)/s);
    const own = first === "boundClaims" ? { boundClaims: { [key]: accepted } } : { [first]: values[first] };
    const met = await ask(own, first === "boundAudiences" ? claims["aud"] : undefined);
    found.push({
      property,
      expected: `${isGlob && first === "boundClaims" ? "like " : ""}${oneOf(accepted)}`,
      actual: shown(valueAt(claims, claim)),
      ...verdict(met, () => nearestMiss(claim, valueAt(claims, claim), accepted)),
    });
  }
  if (!isEmpty(values["tokenBoundCidrs"])) {
    const bound = { tokenBoundCidrs: values["tokenBoundCidrs"] };
    const met = await ask(bound, undefined);
    found.push({
      property: "tokenBoundCidrs",
      expected: JSON.stringify(bound.tokenBoundCidrs),
      actual: address,
      ...verdict(met, () => nearestMiss("the address", address, listOf(bound.tokenBoundCidrs))),
    });
  }
  return found;
}

const verdict = (met: boolean, miss: () => string) => (met ? { met } : { met, miss: miss() });

function timesOf({ exp, nbf }: Readonly<Record<string, unknown>>): readonly ExplainedDemand[] {
  const now = Date.now() / 1000;
  const at = (seconds: number) => new Date(seconds * 1000).toISOString();
  return [
    ...(typeof exp === "number"
      ? [
          {
            property: "exp",
            expected: "later than now",
            actual: at(exp),
            ...verdict(exp > now, () => missedTime("exp", exp - now)),
          },
        ]
      : []),
    ...(typeof nbf === "number"
      ? [
          {
            property: "nbf",
            expected: "not later than now",
            actual: at(nbf),
            ...verdict(nbf <= now, () => missedTime("nbf", nbf - now)),
          },
        ]
      : []),
  ];
}

/** A claim by its name, or by a JSON pointer. */
function valueAt(claims: Readonly<Record<string, unknown>>, claim: string): unknown {
  if (!claim.startsWith("/")) return Object.hasOwn(claims, claim) ? claims[claim] : undefined;
  const steps = claim
    .slice(1)
    .split("/")
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  return steps.reduce<unknown>(
    (value, step) => (Object.hasOwn(Object(value), step) ? Object(value)[step] : undefined),
    claims,
  );
}

const shown = (value: unknown) => (value === undefined ? "not there" : JSON.stringify(value));

function resultOf(result: LoginResult): string {
  if ("refused" in result) return `The login would be refused: ${result.refused}`;
  return `The login would get ${namesOf(result.policies)} for ${formatDuration(result.seconds)}.`;
}
