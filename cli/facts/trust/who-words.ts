import { hasUnknown } from "../../../provider/core/unknowns";
import { shownAddress } from "../../text/shown-address";
import { ADDRESS, CLAIMS, type Entrance, type Gate, isPattern } from "./entrance";
import { HIDDEN_NOW, NOT_SHOWN } from "./not-shown";
import { code, listed } from "./trust-change";

/** Who, as the subject of a sentence. */
export interface Who {
  readonly text: string;
  /** The verb stands in the singular. */
  readonly isOne: boolean;
}

interface Place {
  /** Before the value. */
  readonly at: string;
  /** In place of the value where there is no demand. */
  readonly any: string;
  /** The same where the claim has to be there, if that is something else. */
  readonly some?: string;
}

const PROJECT: Place = { at: "of", any: "of any project" };
const OWNER: Place = { at: "of", any: "of any owner" };
const ENVIRONMENT: Place = { at: "in the environment", any: "in any environment or none", some: "in any environment" };

/** The claims of jobs that a sentence has better words for than "with". Those of GitHub and GitLab have these names. */
const PLACES: Readonly<Record<string, Place>> = {
  repository: PROJECT,
  project_path: PROJECT,
  repository_owner: OWNER,
  namespace_path: OWNER,
  ref: { at: "on", any: "on any branch or tag" },
  environment: ENVIRONMENT,
};

const SUBJECT: Place = { at: "with the subject", any: "with any subject" };
const AUDIENCE: Place = { at: "with the audience", any: "with any audience" };
const FROM: Place = { at: "from", any: "from any address" };

const CLAIMS_PLACE: Place = { at: "with", any: "with any claims" };

/** People have projects and branches too, and are not in them. */
function placeOf(claim: string, isBrowser: boolean | undefined): Place {
  if (claim === ADDRESS) return FROM;
  if (claim === CLAIMS) return CLAIMS_PLACE;
  if (claim === "sub") return SUBJECT;
  if (claim === "aud") return AUDIENCE;
  const own = isBrowser === false && Object.hasOwn(PLACES, claim) ? PLACES[claim] : undefined;
  return own ?? { at: `with ${code(claim)}`, any: `with or without ${code(claim)}`, some: `with any ${code(claim)}` };
}

/** In the order in which a sentence has them; the others come between. */
const FIRST = Object.keys(PLACES);
const LAST = ["aud", ADDRESS];
const rank = (claim: string) => {
  const [first, last] = [FIRST.indexOf(claim), LAST.indexOf(claim)];
  return first >= 0 ? first : last >= 0 ? FIRST.length + 1 + last : FIRST.length;
};

interface Subject {
  /** Whose tokens the auth method takes, as far as that is known, and its path. */
  readonly issuer: string | undefined;
  readonly mount: unknown;
  /** Of these claims the sentence also says that there is no demand. */
  readonly changed?: readonly string[];
  /** The noun stands in the plural. */
  readonly isMany?: boolean;
}

/** Those who get in, with each demand that they meet. */
export function whoText({ gates, isBrowser }: Entrance, { issuer, mount, changed = [], isMany = false }: Subject): Who {
  const demanded = gates.map(({ claim }) => claim).filter((claim) => claim !== "aud");
  const isAnybody = demanded.length === 0 && !isMany;
  // Every token for the server has its audience: it is said where it changes, or where nothing else is demanded.
  const others = isAnybody ? changed.filter((claim) => claim === "aud") : changed;
  const isAudience = changed.includes("aud") || demanded.length === 0;
  const claims = [...new Set([...demanded, ...others, ...(isAudience ? ["aud"] : [])])];
  const parts = partsOf({ gates, isBrowser }, claims, others);
  const noun = isBrowser === false ? tokenNoun() : loginNoun();
  return { text: parts === "" ? noun : `${noun} ${parts}`, isOne: isAnybody };

  function tokenNoun(): string {
    if (!isAnybody && claims.some((claim) => Object.hasOwn(PLACES, claim))) return "Jobs";
    const of =
      issuer === undefined ? ` that ${code(`auth/${String(mount)}`)} takes` : ` of ${code(shownAddress(issuer))}`;
    return isAnybody ? `Anybody with a token${of}` : `Tokens${of}`;
  }

  function loginNoun(): string {
    const how = isBrowser ? " through a browser" : "";
    const at = issuer === undefined ? "" : ` at ${code(shownAddress(issuer))}`;
    return `${isAnybody ? "Everybody who logs in" : "Those who log in"}${how}${at}`;
  }
}

/** What the gates demand of these claims, in a phrase; of those in `anyOf` also that there is no demand. */
export function partsOf(
  { gates, isBrowser }: Entrance,
  all: readonly string[],
  anyOf: readonly string[] = all,
): string {
  const claims = all.toSorted((a, b) => rank(a) - rank(b));
  const branches = gates.some(({ claim, accepted }) => claim === "ref_type" && accepted.join() === "branch");
  const any = (claim: string) => (claim === "ref" && branches ? "on any branch" : placeOf(claim, isBrowser).any);
  // "On any branch", or "on `main`", says it.
  const shown = claims.filter((claim) => claim !== "ref_type" || !branches || !claims.includes("ref"));
  const parts = shown.flatMap((claim) => {
    const own = gates.filter((gate) => gate.claim === claim);
    if (own.length > 0) return [[...new Set(own.map((gate) => gateText(gate, isBrowser)))].join(" and ")];
    return anyOf.includes(claim) ? [any(claim)] : [];
  });
  return parts
    .map((part, at) =>
      /^with `/.test(part) && /^with `/.test(parts[at - 1] ?? "") ? part.replace("with", "and") : part,
    )
    .join(" ");
}

/** One demand: `on main or anything like release/*`. */
export function gateText({ claim, accepted, isBarred, ...gate }: Gate, isBrowser: boolean | undefined): string {
  if (isBarred) return "without an audience";
  if (claim === CLAIMS) return `with claims ${NOT_SHOWN}`;
  const { at, any, some = any } = placeOf(claim, isBrowser);
  if (accepted.length === 0) return `${at} nothing at all`;
  const isWide = (value: unknown) => isPattern({ ...gate, claim, accepted }, value);
  if (accepted.some((value) => isWide(value) && /^\*+$/.test(String(value)))) return some;
  // Those that let more in come first: of a long list only the first ones are shown.
  const values = accepted
    .toSorted((a, b) => Number(isWide(b)) - Number(isWide(a)))
    .map((value) => (isWide(value) ? `anything like ${code(value)}` : code(value)));
  return `${at} ${listed([...new Set(values)], "or")}`;
}

/** What was demanded and is not shown: `a value of ref was demanded that is secret, or not known yet`. */
export function hiddenDemands(gates: readonly Gate[]): string {
  const hidden = gates.filter(({ accepted }) => hasUnknown(accepted)).map(({ claim }) => claim);
  const names = [...new Set(hidden)].map((claim) =>
    claim === CLAIMS ? "of the claims" : claim === ADDRESS ? "of the address" : `of ${code(claim)}`,
  );
  return names.length === 0 ? "" : `a value ${listed(names, "and")} was demanded that is ${HIDDEN_NOW}`;
}

/** The name of what a demand is about. */
export const claimName = (claim: string) => (claim === CLAIMS || claim === ADDRESS ? claim : code(claim));

/** The text as it stands inside a sentence. */
export const lower = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

/** The text as it begins a sentence. */
export const upper = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
