import { decodeJwt, decodeProtectedHeader } from "jose";
import { isEmpty } from "../../../provider/core/canonical";
import { claimAt } from "../../../provider/core/claim-at";
import type { Values } from "../../../provider/core/definition";
import { formatDuration } from "../../../provider/core/duration";
import { ProviderError } from "../../../provider/core/errors";
import { entitiesAt } from "../../stack/entities";
import type { EvaluatedRecord } from "../../stack/evaluated-records";
import { shownAddress } from "../../text/shown-address";
import { untoldClaims, untoldNames } from "./browser-login";
import { type ExplainedDemand, missedAlgorithm, missedForms, shown, timeText, verdict } from "./explained-claims";
import { explainedIdToken } from "./explained-id-token";
import { namesOf } from "./judge";
import { missedTime, nearestMiss } from "./nearest-miss";
import { demandsOf, listOf, oneOf } from "./sentences";
import { recordsAt, serversOf } from "./test-places";
import {
  type Allowed,
  type LoginResult,
  logIn,
  reasonsAgainst,
  roleAt,
  unclearAround,
  unseenMethod,
} from "./trust-login";
import { createTrustWorld, type TrustRole, type TrustWorld, type WorldOptions } from "./trust-world";
import { mayAlsoGive, type Unclear } from "./unclear-groups";
import { asServerNames, authMountName, lowerName } from "./vault-names";
import { upper } from "./who-words";

export interface ExplainedToken {
  /** Not there where it cannot be told. */
  readonly wouldLogIn?: boolean;
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

/** A leeway with which no time claim is missed. */
const ANY_TIME = "876000h";

/**
 * What becomes of a login with this token, demand by demand. Its claims are judged, not its signature.
 *
 * @throws InputError for a text that is no JWT, and where the stack has no such role.
 */
export async function explainToken(
  records: readonly EvaluatedRecord[],
  { mount: askedMount, role: askedRole, address, jwt }: TokenQuestion,
  options?: WorldOptions,
): Promise<ExplainedToken> {
  const { claims, algorithm } = contentOf(jwt);
  const [mount, name] = [authMountName(askedMount), askedRole === undefined ? undefined : lowerName(askedRole)];
  const world = await worldOf(records.map(asServerNames), { mount, role: name }, options);
  const [unchecked] = reasonsAgainst(world, mount, name);
  if (unchecked !== undefined) throw new ProviderError("InputError", unchecked);
  const role = roleAt(world, mount, name);
  if (role === undefined)
    throw new ProviderError("InputError", `the stack has no role ${name ?? "by default"} at auth/${mount}.`);
  const { issuer } = role;
  const question = { claims, address };
  const unsigned = missedAlgorithm(algorithm, world.methodAt(mount).algorithms, role.browser !== undefined);
  const demands = [
    ...unsigned,
    ...(issuer === undefined || role.browser !== undefined
      ? []
      : [
          {
            property: "boundIssuer",
            expected: JSON.stringify(shownAddress(issuer)),
            actual: shown(claims["iss"]),
            ...verdict(claims["iss"] === issuer, () => nearestMiss("iss", claims["iss"], [shownAddress(issuer)])),
          },
        ]),
    ...(role.browser === undefined
      ? await explainedTimes(world, role, question)
      : await explainedIdToken(claims, role.browser)),
    ...(await explainedBounds(world, role, question)),
    ...missedForms(role.values, claims),
  ];
  // What the token leaves out stays out. What cannot be told is left to what fits.
  const absent = { iss: null, aud: null, azp: null, sub: null, auth_time: null, iat: null, exp: null };
  const unjudged = untoldNames(claims, role.browser);
  const said = Object.fromEntries(
    Object.entries({ ...absent, ...claims }).filter(([claim]) => !unjudged.includes(claim)),
  );
  const result = await logIn(world, { mount, role: role.name, address, claims: said });
  const untold = role.untoldDemand ?? untoldClaims(claims, role.browser);
  const [wrong] = untold === undefined ? unsigned : demands.filter(({ met }) => !met);
  if (wrong !== undefined) return { wouldLogIn: false, demands, result: `The login would be refused: ${wrong.miss}` };
  const more = notLookedAt(world, role, result) + mayGiveMore(world, role, result);
  if (untold === undefined || "refused" in result)
    return { wouldLogIn: !("refused" in result), demands, result: resultOf(result) + more };
  return { demands, result: `${upper(untold)}. Where it fits, ${gained(result)}${more}` };
}

/** Live servers share nothing: the role is on one of them, or the question is not judged. */
async function worldOf(
  records: readonly EvaluatedRecord[],
  asked: { readonly mount: string; readonly role: string | undefined },
  options: WorldOptions = {},
): Promise<TrustWorld> {
  const servers = options.entities === undefined ? [] : serversOf(records, asked);
  const [connection] = servers;
  if (servers.length > 1)
    throw new ProviderError(
      "InputError",
      `several servers have ${asked.role === undefined ? "roles" : `a role ${asked.role}`} at auth/${asked.mount}: name only the one that is meant, by VAULT_ADDR or --connection.`,
    );
  const entities = options.entities && entitiesAt(options.entities, connection);
  return createTrustWorld(recordsAt(records, { connection }), {}, { ...options, entities });
}

function contentOf(jwt: string): { readonly claims: Asked["claims"]; readonly algorithm: unknown } {
  try {
    return { claims: decodeJwt(jwt.trim()), algorithm: decodeProtectedHeader(jwt.trim()).alg };
  } catch {
    throw new ProviderError("InputError", "this is no JWT: give the token as the issuer has made it.");
  }
}

interface Asked {
  readonly claims: Readonly<Record<string, unknown>>;
  readonly address: string;
}

/** Whether a login is allowed with these demands alone: the server decides, not this code. */
async function isMet(world: TrustWorld, role: TrustRole, asked: Asked): Promise<boolean> {
  const { mount, values, issuer } = role;
  const only = { mount, name: SINGLE, roleType: "jwt", userClaim: SINGLE, ...values };
  const single = { ...role, name: SINGLE, values: only, audience: undefined, browser: undefined };
  await world.putRole(SINGLE, single);
  const claims = {
    aud: null,
    ...asked.claims,
    // The configuration is of the other kind of roles: it may bind another issuer.
    iss: world.methodAt(mount).boundIssuer ?? issuer ?? asked.claims["iss"],
    [SINGLE]: "x",
  };
  return !("refused" in (await logIn(world, { mount, role: SINGLE, claims, address: asked.address }, single)));
}

async function explainedBounds(
  world: TrustWorld,
  role: TrustRole,
  { claims, address }: Asked,
): Promise<readonly ExplainedDemand[]> {
  const { values } = role;
  const asked = decodable(claims);
  const ask = (only: Values, all = asked) => {
    const own = { clockSkewLeeway: ANY_TIME, boundAudiences: [all["aud"] ?? []].flat(), ...only };
    return isMet(world, { ...role, values: own }, { claims: all, address });
  };
  const found: ExplainedDemand[] = [];
  const demands = demandsOf(values).filter(
    ({ property }) => !(role.browser !== undefined && property === "boundAudiences"),
  );
  for (const { property, claim, accepted, isGlob } of demands) {
    const [first = "", key = ""] = property.split(/\.(.*)/s);
    const isOfBoundClaims = first === "boundClaims";
    const isPattern = isGlob && isOfBoundClaims;
    const met = isOfBoundClaims
      ? await ask({ boundClaims: { [key]: accepted }, boundClaimsType: values["boundClaimsType"] })
      : await ask({ [first]: values[first] });
    found.push({
      property,
      expected: `${isPattern ? "like " : ""}${oneOf(accepted)}`,
      actual: shown(claimAt(claims, claim)),
      ...verdict(met, () => nearestMiss(claim, claimAt(claims, claim), accepted, { isGlob: isPattern })),
    });
  }
  if (!isEmpty(values["tokenBoundCidrs"])) {
    const bound = { tokenBoundCidrs: values["tokenBoundCidrs"] };
    const expected = JSON.stringify(bound.tokenBoundCidrs);
    const miss = () => nearestMiss("address", address, listOf(bound.tokenBoundCidrs));
    found.push({ property: "tokenBoundCidrs", expected, actual: address, ...verdict(await ask(bound), miss) });
  }
  return found;
}

/** The claims without those for which the server refuses every token, whatever a role demands. */
function decodable(claims: Asked["claims"]): Asked["claims"] {
  const isDecoded = (name: string, value: unknown) => {
    if (["exp", "nbf", "iat"].includes(name)) return typeof value === "number";
    if (name === "aud") return [value].flat().every((each) => typeof each === "string");
    return !["iss", "sub", "jti"].includes(name) || typeof value === "string";
  };
  return Object.fromEntries(Object.entries(claims).filter(([name, value]) => isDecoded(name, value)));
}

/** Times that the server accepts in any case, for each time claim. */
const OTHER_TIMES = { exp: { iat: 1 }, nbf: { iat: 1, exp: 1e10 }, iat: { nbf: 1, exp: 1e10 } };

async function explainedTimes(world: TrustWorld, role: TrustRole, { claims, address }: Asked) {
  const { clockSkewLeeway, expirationLeeway, notBeforeLeeway } = role.values;
  const found: ExplainedDemand[] = [];
  for (const [property, others] of Object.entries(OTHER_TIMES)) {
    const seconds = claims[property];
    // To the server, 0 is a claim that is missing.
    if (typeof seconds !== "number" || seconds === 0) continue;
    const met = await isMet(
      world,
      { ...role, values: { clockSkewLeeway, boundAudiences: [SINGLE] } },
      { claims: { aud: SINGLE, ...others, [property]: seconds }, address },
    );
    found.push({
      property,
      expected: `${property === "exp" ? "later" : "not later"} than now, within clockSkewLeeway`,
      actual: timeText(seconds),
      ...verdict(met, () => missedTime(property, seconds - Date.now() / 1000)),
    });
  }
  if (found.some(({ met }) => !met)) return found;
  // Times that are missing are derived from the others.
  const { iat, nbf, exp } = claims;
  const values = { clockSkewLeeway, expirationLeeway, notBeforeLeeway, boundAudiences: [SINGLE] };
  const times = { aud: SINGLE, iat, nbf, exp };
  if (
    await isMet(
      world,
      { ...role, values },
      { claims: { iat: null, nbf: null, exp: null, ...decodable(times) }, address },
    )
  )
    return found;
  const isTimed = [iat, nbf, exp].some((time) => typeof time === "number" && time !== 0);
  const [property, expected] = !isTimed
    ? ["iat", "a time: of iat, nbf and exp, one must be there"]
    : exp
      ? ["nbf", "not later than now, derived from exp by notBeforeLeeway"]
      : ["exp", "later than now, derived from iat or nbf by expirationLeeway"];
  return [
    ...found,
    { property, expected, actual: "not there", met: false, miss: `\`${property}\` is not in the token` },
  ];
}

/** The demands that are met may not be all. */
function notLookedAt(world: TrustWorld, role: TrustRole, result: LoginResult): string {
  const unseen = "refused" in result ? undefined : unseenMethod(world, role);
  return unseen === undefined ? "" : ` Its issuer and keys were not looked at: ${unseen}.`;
}

/** A login may be a member of a group that only the server knows, or an entity that was not read. */
function mayGiveMore(world: TrustWorld, role: TrustRole, result: LoginResult): string {
  if ("refused" in result) return "";
  const isMore = ({ policies }: Unclear) => policies?.some((name) => !result.policies.includes(name)) ?? true;
  return unclearAround(world, [role])
    .filter(isMore)
    .map((each) => ` ${mayAlsoGive(each)}`)
    .join("");
}

function resultOf(result: LoginResult): string {
  if ("refused" in result) return `The login would be refused: ${result.refused}`;
  return upper(gained(result));
}

const gained = ({ policies, seconds }: Allowed) =>
  `the login would get ${namesOf(policies)} for ${formatDuration(seconds)}.`;
