import type { LeaseTerms, Login } from "./backend";
import { type BoundAddress, parseBoundAddress } from "./bound-address";
import { normalizedPolicies } from "./normalized-policies";
import { Refusal } from "./refusal";

/** What every role of an auth method says about the tokens that it issues: Vault's `tokenutil`. */
export const tokenFields = {
  token_bound_cidrs: "commaStringSlice",
  token_explicit_max_ttl: "durationSecond",
  token_max_ttl: "durationSecond",
  token_no_default_policy: "bool",
  token_num_uses: "int",
  token_period: "durationSecond",
  token_policies: "commaStringSlice",
  token_ttl: "durationSecond",
  token_type: "string",
} as const;

/** These fields as a role keeps them. */
export interface TokenRecord {
  readonly token_bound_cidrs: readonly BoundAddress[];
  readonly token_explicit_max_ttl: number;
  readonly token_max_ttl: number;
  readonly token_no_default_policy: boolean;
  readonly token_num_uses: number;
  readonly token_period: number;
  readonly token_policies: readonly string[];
  readonly token_ttl: number;
  readonly token_type: string;
}

export const emptyTokenRecord: TokenRecord = {
  token_bound_cidrs: [],
  token_explicit_max_ttl: 0,
  token_max_ttl: 0,
  token_no_default_policy: false,
  token_num_uses: 0,
  token_period: 0,
  token_policies: [],
  token_ttl: 0,
  token_type: "default",
};

type TokenField = keyof typeof tokenFields;

/** The fields that a request has given, as they were sent. */
export type SentTokenFields = Partial<Omit<TokenRecord, "token_bound_cidrs">> & {
  readonly token_bound_cidrs?: readonly string[];
};

/** Decoded fields of a request, whatever others there are. */
interface Given<Name extends string> {
  given(name: Name): unknown;
}

export function sentTokenFields(data: Given<TokenField>): SentTokenFields {
  const names = Object.keys(tokenFields) as TokenField[];
  // They were decoded by `tokenFields`, whose types these are.
  return Object.fromEntries(names.map((name) => [name, data.given(name)]).filter(([, value]) => value !== undefined));
}

/** Sets the `token_*` fields on a role, and checks them in the order of Vault's library. @throws Refusal */
export function withTokenFields<R extends TokenRecord>(role: R, sent: SentTokenFields): R {
  const { token_bound_cidrs: cidrs, token_type: type, ...plain } = sent;
  const merged = {
    ...role,
    ...plain,
    ...(cidrs === undefined ? {} : { token_bound_cidrs: parseAddresses(cidrs) }),
    ...(type === undefined ? {} : { token_type: tokenType(type) }),
  };
  if (merged.token_num_uses < 0) throw new Refusal("'token_num_uses' cannot be negative");
  if (merged.token_type === "batch") {
    const prefix = "'token_type' cannot be 'batch' or 'default_batch' when set to generate";
    if (merged.token_period !== 0) throw new Refusal(`${prefix} periodic tokens`);
    if (merged.token_num_uses !== 0) throw new Refusal(`${prefix} tokens with limited use count`);
  }
  if (merged.token_max_ttl > 0 && merged.token_ttl > merged.token_max_ttl) {
    throw new Refusal("'token_ttl' cannot be greater than 'token_max_ttl'");
  }
  return merged;
}

/** The old names of some fields. */
export type DeprecatedField = "policies" | "bound_cidrs" | "num_uses" | "ttl" | "max_ttl" | "period";

/**
 * Folds the deprecated names in: alone they set both names; beside `token_*` they mirror it; a `token_*` alone clears the
 * old name. @throws Refusal
 */
export function withDeprecatedFields<R extends TokenRecord, Name extends DeprecatedField>(
  role: R,
  data: Given<NoInfer<Name | `token_${Name}`>>,
  names: readonly Name[],
): R {
  const folded = names.map((name) => {
    const sent = data.given(name);
    const value = sent === undefined ? undefined : decoded(name, sent);
    if (data.given(`token_${name}`) !== undefined) {
      const present = role[`token_${name}`];
      return { [name]: value === undefined ? (typeof present === "number" ? 0 : []) : present };
    }
    return value === undefined ? {} : { [name]: value, [`token_${name}`]: value };
  });
  return Object.assign({}, role, ...folded);
}

function decoded(name: DeprecatedField, sent: unknown): unknown {
  // Both fields are lists of texts.
  if (name === "policies") return normalizedPolicies(sent as readonly string[], { addDefault: false });
  if (name === "bound_cidrs") return parseAddresses(sent as readonly string[]);
  return sent;
}

/** What a role grants to the token of a login. */
export function grantedToken(
  role: TokenRecord,
): Pick<
  Login,
  "policies" | "withoutDefaultPolicy" | "terms" | "explicitMaxSeconds" | "uses" | "boundAddresses" | "tokenType"
> {
  return {
    policies: role.token_policies,
    withoutDefaultPolicy: role.token_no_default_policy,
    terms: tokenTerms(role),
    explicitMaxSeconds: role.token_explicit_max_ttl,
    uses: role.token_num_uses,
    boundAddresses: role.token_bound_cidrs,
    tokenType: role.token_type,
  };
}

export function tokenTerms(role: TokenRecord): LeaseTerms {
  return { ttlSeconds: role.token_ttl, maxSeconds: role.token_max_ttl, periodSeconds: role.token_period };
}

/** @throws Refusal */
export function parseAddresses(texts: readonly string[]): readonly BoundAddress[] {
  return texts.map((text) => {
    const address = parseBoundAddress(text);
    if (address !== undefined) return address;
    const reason = `Unable to convert ${JSON.stringify(text)} to an IPv4 or IPv6 address, or a UNIX Socket`;
    throw new Refusal(`error parsing address ${JSON.stringify(text)}: ${reason}`);
  });
}

function tokenType(given: string): string {
  if (given === "" || given === "default") return "default";
  if (given === "service" || given === "batch") return given;
  throw new Refusal(`invalid 'token_type' value "${given}"`);
}
