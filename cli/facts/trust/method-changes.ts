import { canonicalText, isEmpty } from "../../../provider/core/canonical";
import type { Values } from "../../../provider/core/definition";
import { hasUnknown, isRecord } from "../../../provider/core/unknowns";
import { ALGORITHMS } from "../../../provider/resources/jwt/config";
import { setDifference } from "../../text/lists";
import { shownAddress } from "../../text/shown-address";
import { HIDDEN_NOW } from "./not-shown";
import { issuerFor, listOf } from "./sentences";
import { code, listed, policiesText, type Said } from "./trust-change";

/** The configuration of an auth method before and after a change. */
export interface MethodPair {
  readonly before: Values | undefined;
  readonly after: Values;
  /** Properties that are hidden on both sides and have not the same value. */
  readonly differing: readonly string[];
  /** Its roles, of which some were there before the change. */
  readonly roles: readonly Values[];
  readonly policies: readonly string[];
}

const KEYS = ["oidcDiscoveryUrl", "jwksUrl", "jwksPairs", "jwtValidationPubkeys"];
const CERTIFICATES = ["oidcDiscoveryCaPem", "jwksCaPem"];

/** Whose tokens an auth method takes that it did not take before. */
export function methodChanges(pair: MethodPair): readonly Said[] {
  const { before = {}, after, differing } = pair;
  const where = whereOf(after, pair.policies);
  const isOther = (name: string) =>
    differing.includes(name) || canonicalText(before[name] ?? "") !== canonicalText(after[name] ?? "");
  const hidden = ["boundIssuer", ...KEYS].filter((name) => isOther(name) && hasUnknown([before[name], after[name]]));
  if (hidden.length > 0)
    return [
      {
        effect: "unclear",
        sentence: `Whose tokens get in ${where}, cannot be told: the issuer or its keys are ${HIDDEN_NOW}.`,
      },
    ];
  if (pair.before === undefined) {
    return loginTexts(after, pair.roles).map((logins) => {
      const sentence = `${logins} now get in ${where}; before, this stack did not manage its issuer.`;
      return { effect: "opens", sentence };
    });
  }
  const areOtherKeys = KEYS.some(isOther);
  return [
    ...issuerChanges(pair, before, { where, areOtherKeys }),
    ...(areOtherKeys ? keyChanges(before, after, where) : []),
    ...(CERTIFICATES.some(isOther)
      ? [
          {
            effect: "gains",
            sentence: `Whoever has another certificate can now answer for the keys of the tokens that get in ${where}: other CA certificates are trusted.`,
          } as const,
        ]
      : []),
    ...(isOther("jwtSupportedAlgs") ? algorithmChanges(before, after, where) : []),
    ...(isOther("defaultRole") ? [defaultRoleChange(before, after)] : []),
    ...(isOther("oidcClientId") && pair.roles.some(isBrowser) ? [clientChange(before, after, where)] : []),
    ...(isOther("providerConfig") && pair.roles.some(({ groupsClaim }) => !isEmpty(groupsClaim))
      ? [
          {
            effect: "unclear",
            sentence: `In which groups those are who get in ${where}, cannot be told: the provider is asked for them in another way (\`providerConfig\`).`,
          } as const,
        ]
      : []),
  ];
}

const whereOf = ({ mount }: Values, policies: readonly string[]) =>
  `at ${code(`auth/${String(mount)}`)}${policies.length === 0 ? "" : `, whose roles give ${policiesText(policies)}`}`;

/** Who gets in by a configuration that the stack does not manage. */
export function foreignMethod(method: Values, roles: readonly Values[], policies: readonly string[]): Said {
  const where = `${whereOf(method, policies)}${roles.length === 0 ? NO_ROLES : ""}`;
  const sentence = `Whoever has a token signed with ${sourceText(method)} can log in ${where}, and this stack does not say so.`;
  return { effect: "opens", sentence };
}

const NO_ROLES = " for roles that this stack does not have, if there are any";

const isBrowser = ({ roleType }: Values) => roleType !== "jwt";

/** Whoever names no role may have never heard of the role that the login gets. */
function defaultRoleChange(before: Values, after: Values): Said {
  const logins = `Logins at ${code(`auth/${String(after["mount"])}`)} that name no role`;
  const [was, is] = [before["defaultRole"], after["defaultRole"]];
  if (hasUnknown([was, is]))
    return {
      effect: "unclear",
      sentence: `Which role ${logins.toLowerCase()} get cannot be told: it is ${HIDDEN_NOW}.`,
    };
  const [then, now] = [was, is].map((name) => (isEmpty(name) ? undefined : `the role ${code(name)}`));
  return now === undefined
    ? { effect: "loses", sentence: `${logins} are now refused; before, they got ${then}.` }
    : { effect: "gains", sentence: `${logins} now get ${now}; before, ${then ?? "they were refused"}.` };
}

/** An ID token is for one client (OpenID Connect Core, 3.1.3.7). */
function clientChange({ oidcClientId: was }: Values, { oidcClientId: is }: Values, where: string): Said {
  if (hasUnknown([was, is]))
    return {
      effect: "unclear",
      sentence: `For which client logins through a browser get in ${where}, cannot be told: it is ${HIDDEN_NOW}.`,
    };
  const [then, now] = [was, is].map((id) => (isEmpty(id) ? undefined : `for the client ${code(id)}`));
  if (now === undefined) {
    const sentence = `Logins through a browser no longer get in ${where}; before, ${then}.`;
    return { effect: "loses", sentence };
  }
  const sentence = `Logins through a browser ${now} now get in ${where}; before, ${then ?? "none did"}.`;
  return { effect: "gains", sentence };
}

interface Scope {
  /** The auth method, and what its roles give. */
  readonly where: string;
  readonly areOtherKeys: boolean;
}

/** Logins with a JWT and through a browser are bound to an issuer by other properties. */
function issuerChanges({ after, roles }: MethodPair, before: Values, { where, areOtherKeys }: Scope): readonly Said[] {
  return kindsOf(roles).flatMap(({ roleType, noun }): readonly Said[] => {
    const [was, is] = [before, after].map((method) => issuerFor({ roleType }, method));
    if (was === is) return [];
    const signed = (method: Values) => `if signed with ${sourceText(method)}`;
    if (was === undefined) {
      const sentence = `Only ${noun.toLowerCase()} of ${issuerText(is)} still get in ${where}; before, of any issuer, ${signed(before)}.`;
      return [{ effect: "loses", sentence }];
    }
    if (is === undefined) {
      const sentence = `${noun} of any issuer now get in ${where}, ${signed(after)}; before, only of ${issuerText(was)}.`;
      return [{ effect: "opens", sentence }];
    }
    const still = areOtherKeys ? "" : ` The new tokens must be signed with ${sourceText(after)}.`;
    const isShownAlike = shownAddress(was) === shownAddress(is);
    const other = isShownAlike ? " with another user, password or query" : "";
    const sentence = `${noun} of ${issuerText(is)}${other} now get in ${where}, and those of ${isShownAlike ? "the old address" : issuerText(was)} no longer.${still}`;
    return [{ effect: "opens", sentence }];
  });
}

const issuerText = (issuer: string | undefined) => code(shownAddress(String(issuer)));

function kindsOf(roles: readonly Values[]) {
  return [
    ...(roles.some(isBrowser) ? [{ roleType: "oidc", noun: "Logins through a browser" }] : []),
    ...(roles.every(isBrowser) && roles.length > 0 ? [] : [{ roleType: "jwt", noun: "Tokens" }]),
  ];
}

/** Without a configuration the server refuses every login; who loses which policy is said with roles that are gone, too. */
export function goneMethod({ mount }: Values, roles: readonly Values[]): readonly Said[] {
  if (roles.length === 0) return [];
  const sentence = `Nobody gets in any more at ${code(`auth/${String(mount)}`)}: its configuration is gone.`;
  return [{ effect: "loses", sentence }];
}

/** What still gets in by a configuration that leaves the stack and stays on the server. */
export function leftMethod(method: Values, roles: readonly Values[]): readonly string[] {
  const where = code(`auth/${String(method["mount"])}`);
  return loginTexts(method, roles).map((logins) =>
    roles.length === 0 ? `${logins} are still taken at ${where}${NO_ROLES}` : `${logins} still get in at ${where}`,
  );
}

/** What gets in by such a configuration, for each kind of its roles: "Tokens of `https://git.example.com`". */
function loginTexts(method: Values, roles: readonly Values[]): readonly string[] {
  return kindsOf(roles).map(({ roleType, noun }) => {
    const issuer = issuerFor({ roleType }, method);
    return `${noun} of ${issuer === undefined ? `any issuer, if signed with ${sourceText(method)},` : issuerText(issuer)}`;
  });
}

function keyChanges(before: Values, after: Values, where: string): readonly Said[] {
  const [was, is] = [before, after].map((method) => keysOf(method));
  const { more: come, missing: gone } = setDifference(is, was);
  const [then, now] = [sourceText(before), sourceText(after)];
  if (come.length > 0) {
    const old = then === now ? "other ones" : then;
    return [
      {
        effect: "opens",
        sentence: `Tokens signed with ${then === now ? "new keys" : now} now get in ${where}; before, with ${old}.`,
      },
    ];
  }
  return gone.length === 0
    ? []
    : [
        {
          effect: "loses",
          sentence: `Tokens signed with ${gone.length} removed ${gone.length === 1 ? "key" : "keys"} no longer get in ${where}.`,
        },
      ];
}

/** Every source of keys, as a text that can be compared. */
function keysOf(method: Values): readonly string[] {
  return KEYS.flatMap((name) =>
    listOf(method[name]).map((each) => canonicalText([name, typeof each === "string" ? each.trim() : each])),
  );
}

function sourceText({ oidcDiscoveryUrl, jwksUrl, jwksPairs, jwtValidationPubkeys }: Values): string {
  const urls = [
    oidcDiscoveryUrl,
    jwksUrl,
    ...listOf(jwksPairs).map((pair) => (isRecord(pair) ? pair["jwksUrl"] : pair)),
  ];
  const known = urls.filter((url) => !isEmpty(url));
  if (known.length > 0)
    return `the keys of ${listed(
      known.map((url) => code(shownAddress(String(url)))),
      "and",
    )}`;
  const keys = listOf(jwtValidationPubkeys).length;
  return keys === 0 ? "its keys" : `its ${keys} written-down ${keys === 1 ? "key" : "keys"}`;
}

function algorithmChanges(before: Values, after: Values, where: string): readonly Said[] {
  if (hasUnknown([before["jwtSupportedAlgs"], after["jwtSupportedAlgs"]])) return [];
  // A role for JWTs takes all of them where nothing is said.
  const [was, is] = [before, after].map(({ jwtSupportedAlgs }) => {
    const named = listOf(jwtSupportedAlgs).map(String);
    return named.length === 0 ? ALGORITHMS : named;
  });
  const { more, missing } = setDifference(is, was);
  const [come, gone] = [more, missing].map((names) => listed(names.map(code), "or"));
  return [
    ...(come
      ? [{ effect: "gains", sentence: `Tokens signed by the algorithm ${come} now get in ${where}.` } as const]
      : []),
    ...(gone
      ? [{ effect: "loses", sentence: `Tokens signed by the algorithm ${gone} no longer get in ${where}.` } as const]
      : []),
  ];
}
