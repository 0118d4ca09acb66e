import { formatDuration } from "../../../provider/core/duration";
import { shownAddress } from "../../text/shown-address";
import { type BrowserRules, fittingIdToken, idTokenProblem, untoldNames } from "./browser-login";
import { type ExplainedDemand, shown, timeText, verdict } from "./explained-claims";
import { missedTime, nearestMiss } from "./nearest-miss";
import { oneOf } from "./sentences";

type Claims = Readonly<Record<string, unknown>>;

/** A demand on an ID token that no claim of the role's own has. */
interface IdTokenDemand {
  readonly property: string;
  /** What is asked alone: the other claims fit. */
  readonly asked: Claims;
  readonly rules?: Partial<BrowserRules>;
  readonly expected: string;
  readonly actual?: string;
  miss(): string;
}

/** What a login through a browser demands of the ID token: the server's rules decide, with each demand alone. */
export async function explainedIdToken(
  claims: Claims,
  browser: BrowserRules,
  now = new Date(),
): Promise<readonly ExplainedDemand[]> {
  const seconds = now.getTime() / 1000;
  const untold = untoldNames(claims, browser);
  const lax = { ...browser, audiences: [], maxAgeSeconds: 0 };
  const fitting = { ...fittingIdToken(lax, {}, seconds), exp: seconds + 60 };
  const isTold = ({ asked }: IdTokenDemand) => !Object.keys(asked).some((name) => untold.includes(name));
  const found: ExplainedDemand[] = [];
  for (const demand of [...ofProvider(claims, browser).filter(isTold), ...ofRole(claims, browser, seconds)]) {
    const { property, asked, rules, expected, actual = shown(Object.values(asked)[0]) } = demand;
    const problem = await idTokenProblem({ ...fitting, ...asked }, { ...lax, ...rules }, now);
    found.push({ property, expected, actual, ...verdict(problem === undefined, () => demand.miss()) });
  }
  return found;
}

/** By the configuration of the auth method. */
function ofProvider({ iss, aud, azp }: Claims, { issuer, clientId }: BrowserRules): readonly IdTokenDemand[] {
  // An authorized party must be the client, and must be there beside several audiences (OpenID Connect Core, 3.1.3.7).
  const isParty = azp === undefined ? [aud].flat().includes(clientId) : azp !== clientId;
  return [
    {
      property: "oidcDiscoveryUrl",
      asked: { iss },
      expected: JSON.stringify(issuer === undefined ? "an issuer" : shownAddress(issuer)),
      miss: () => nearestMiss("iss", iss, [issuer && shownAddress(issuer)]),
    },
    {
      property: "oidcClientId",
      asked: { aud, azp },
      expected: JSON.stringify(clientId),
      actual: `${shown(aud)}${azp === undefined ? "" : ` and azp ${shown(azp)}`}`,
      miss: () => (isParty ? nearestMiss("azp", azp, [clientId]) : nearestMiss("aud", aud, [clientId])),
    },
  ];
}

/** Leeways of Vault's libraries for ID tokens: no property of a role changes them. */
const TIMES = {
  exp: "later than now",
  nbf: "at most 5m later than now",
  iat: "at most 1m later than now",
};

function ofRole(claims: Claims, browser: BrowserRules, now: number): readonly IdTokenDemand[] {
  const { aud, sub } = claims;
  const { clientId, audiences, maxAgeSeconds } = browser;
  const time = (name: string, property: string, expected: string): IdTokenDemand => {
    const value = claims[name];
    const isTime = typeof value === "number";
    return {
      property,
      asked: { [name]: value },
      expected,
      actual: isTime ? timeText(value) : shown(value),
      miss: () => (isTime ? missedTime(name, value - now) : `\`${name}\` must be a time`),
    };
  };
  return [
    ...(audiences.length === 0
      ? []
      : [
          {
            property: "boundAudiences",
            // With the client and by it: what is asked here is the other audiences.
            asked: { aud: [aud ?? [], clientId].flat(), azp: clientId },
            rules: { audiences },
            expected: oneOf(audiences),
            actual: shown(aud),
            miss: () => nearestMiss("aud", aud, audiences),
          },
        ]),
    ...Object.entries(TIMES)
      .filter(([name]) => name === "exp" || claims[name] !== undefined)
      .map(([name, expected]) => time(name, name, expected)),
    ...(maxAgeSeconds === 0
      ? []
      : [
          {
            ...time("auth_time", "maxAge", `a login of the last ${formatDuration(maxAgeSeconds)}`),
            rules: { maxAgeSeconds },
          },
        ]),
    {
      property: "sub",
      asked: { sub },
      expected: "a text",
      miss: () => "`sub` must be there, and a text",
    },
  ];
}
