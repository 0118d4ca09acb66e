import { entranceOf, relationOf } from "../../cli/facts/trust/entrance.ts";
import type { SimulatedServer } from "../../cli/facts/trust/simulated-server.ts";
import { trustChanges } from "../../cli/facts/trust/trust-changes.ts";
import { type Attempt, logIn } from "../../cli/facts/trust/trust-login.ts";
import { createTrustWorld } from "../../cli/facts/trust/trust-world.ts";
import type { Values } from "../../provider/core/definition.ts";
import { ProviderError } from "../../provider/core/errors.ts";
import { UNKNOWN } from "../../provider/core/unknowns.ts";
import { definitions } from "../../provider/resources/index.ts";
import { fc } from "./fast-check.ts";

/** A role before and after a change. */
export interface RoleChange {
  readonly before: Values;
  readonly after: Values;
  /** A property that is secret in the program. */
  readonly secret: string;
}

const MOUNT = "jobs";
const config: Values = { mount: MOUNT, boundIssuer: "https://git.example.com" };
const group: Values = {
  name: "admins",
  type: "external",
  policies: ["admin"],
  alias: { mount: MOUNT, name: "platform" },
};

/** What the roles demand, and what the tokens have: small enough to try all of it. */
const REFS = ["main", "dev", "release/1"];
const VALUES = [...REFS, "release/2"];
const TOKENS = {
  ref: [undefined, ...VALUES, "other"],
  project: [undefined, "acme/app", "acme/api", "other/app"],
  sub: ["ci", "somebody"],
  aud: [undefined, "vault", "consul"],
  groups: [["platform"], undefined],
} as const;
/** With two demands on one claim, tokens count that have a list there. */
const LISTS = VALUES.flatMap((one, at) => VALUES.slice(at + 1).map((other) => [one, other]));
const ADDRESSES = ["127.0.0.1", "127.0.5.5", "127.2.3.4"];

const oneOrMore = (values: readonly string[]) => fc.oneof(fc.constantFrom(...values), fc.subarray([...values]));
const claims = fc.record(
  {
    ref: oneOrMore([...REFS, "release/*", "*"]),
    project: oneOrMore(["acme/app", "acme/*", "*/app"]),
    "/ref": oneOrMore(["main", "dev"]),
    sub: fc.constant("ci"),
  },
  { requiredKeys: [] },
);
/** A star that stands for itself is in no token. */
const withoutStars = (bound: object) =>
  Object.fromEntries(
    Object.entries(bound).map(([name, values]) => [
      name,
      [values].flat().filter((value: string) => !value.includes("*")),
    ]),
  );
const anyRole: fc.Arbitrary<Values> = fc.record({
  boundClaims: claims,
  boundClaimsType: fc.constantFrom("glob", "string"),
  boundSubject: fc.constantFrom("", "", "ci"),
  boundAudiences: fc.constantFrom<string[]>(["vault"], ["vault"], ["consul", "vault"], []),
  tokenBoundCidrs: fc.constantFrom<string[]>([], [], ["127.0.0.1"], ["127.0.0.0/16"], ["0.0.0.0/0", "::/0"]),
  tokenPolicies: fc.constantFrom<string[]>(["deploy"], ["Deploy"], ["deploy", "read"], []),
  groupsClaim: fc.constantFrom("", "", "groups"),
});

const role = anyRole.map(
  (values): Values =>
    values["boundClaimsType"] === "glob"
      ? values
      : { ...values, boundClaims: withoutStars(values["boundClaims"] as object) },
);

/** One or two properties change. */
export const arbitraryRoleChange: fc.Arbitrary<RoleChange> = role.chain((before) =>
  fc.record({
    before: fc.constant(before),
    after: fc
      .tuple(role, fc.subarray(Object.keys(before), { minLength: 1, maxLength: 2 }))
      .map(([other, names]): Values => {
        // How claims are compared belongs to them.
        const all = names.some((name) => name.startsWith("boundClaims"))
          ? [...names, "boundClaims", "boundClaimsType"]
          : names;
        return { ...before, ...Object.fromEntries(all.map((name) => [name, other[name]])) };
      }),
    secret: fc.constantFrom("boundClaims", "boundSubject", "boundAudiences", "tokenBoundCidrs", "boundClaimsType"),
  }),
);

const open = { boundClaims: {}, boundClaimsType: "string", boundSubject: "", tokenBoundCidrs: [], groupsClaim: "" };
const usual: Values = { ...open, boundClaims: { ref: ["main"] }, boundAudiences: ["vault"], tokenPolicies: ["deploy"] };
const changed = (
  is: Values,
  { was = {}, secret = "boundClaims" }: { was?: Values; secret?: string } = {},
): [RoleChange] => [{ before: { ...usual, ...was }, after: { ...usual, ...was, ...is }, secret }];

/** What comments have told the wrong way round. */
export const dangerousRoleChanges: [RoleChange][] = [
  changed({ boundClaims: {} }),
  changed({ tokenBoundCidrs: [] }, { was: { tokenBoundCidrs: ["127.0.0.1"] }, secret: "tokenBoundCidrs" }),
  changed({ boundAudiences: ["vault"] }, { was: { boundAudiences: [] } }),
  changed({ boundAudiences: [] }),
  changed({ boundClaims: {}, tokenPolicies: [] }, { was: { groupsClaim: "groups" } }),
  changed({ boundClaims: { ref: ["*"] }, boundClaimsType: "glob" }),
  changed({ tokenBoundCidrs: ["127.0.0.1"] }, { was: { tokenBoundCidrs: ["127.0.0.0/16"] } }),
];

const whole = (values: Values, name: string): Values => ({
  ...{ mount: MOUNT, name, roleType: "jwt", userClaim: "sub" },
  ...values,
});

/** What really changes for those who log in. */
export interface Played {
  readonly logins: number;
  readonly gains: readonly string[];
  readonly loses: readonly string[];
}

/** Plays every token with the role as it was and as it will be; undefined where the server refuses one of the two. */
export async function playRoleChange(
  { before, after }: RoleChange,
  simulated: SimulatedServer,
): Promise<Played | undefined> {
  const records = [
    { definition: definitions.jwtConfig, values: config },
    { definition: definitions.jwtRole, values: whole(before, "before") },
    { definition: definitions.jwtRole, values: whole(after, "after") },
    { definition: definitions.identityGroup, values: group },
  ];
  const world = await createTrustWorld(records, {}, { simulated }).catch((error: unknown) => {
    if (error instanceof ProviderError) return undefined;
    throw error;
  });
  if (world === undefined) return undefined;
  const [gains, loses]: [string[], string[]] = [[], []];
  const all = attemptsFor([before, after]);
  for (const attempt of all) {
    const [was, is] = [await getsFrom("before"), await getsFrom("after")];
    const shown = JSON.stringify({ ...attempt.claims, address: attempt.address });
    if (is.some((each) => !was.includes(each))) gains.push(`${shown}: ${was} → ${is}`);
    if (was.some((each) => !is.includes(each))) loses.push(`${shown}: ${was} → ${is}`);

    async function getsFrom(name: string): Promise<readonly string[]> {
      if (world === undefined) return [];
      const result = await logIn(world, { ...attempt, mount: MOUNT, role: name });
      return "refused" in result ? [] : ["a login", ...result.policies];
    }
  }
  return { logins: all.length * 2, gains, loses };
}

/** Every token that differs in what the roles treat differently; what they treat alike is as they demand it. */
function attemptsFor([before, after]: readonly [Values, Values]): readonly Pick<Attempt, "claims" | "address">[] {
  const boundTo = ({ boundClaims, boundClaimsType }: Values, ...names: readonly string[]) =>
    names.map((name) => [boundClaimsType, (boundClaims as Values)[name]]);
  const demands: Readonly<Record<string, (role: Values) => unknown>> = {
    ref: (role) => boundTo(role, "ref", "/ref"),
    project: (role) => boundTo(role, "project"),
    sub: (role) => [role["boundSubject"], boundTo(role, "sub")],
    aud: ({ boundAudiences }) => boundAudiences,
    groups: (role) => role["groupsClaim"],
    address: ({ tokenBoundCidrs }) => tokenBoundCidrs,
  };
  const isSame = (name: string) => JSON.stringify(demands[name]?.(before)) === JSON.stringify(demands[name]?.(after));
  const fitting = (name: string): readonly unknown[] => {
    if (name === "aud") return (before["boundAudiences"] as string[]).slice(0, 1);
    const values = ["ref", "/ref"].includes(name) ? Object.values(before["boundClaims"] as object).flat() : [];
    const own = [(before["boundClaims"] as Values)[name] ?? []].flat() as string[];
    return name === "ref"
      ? [values.map((value) => String(value).replace("*", "1"))]
      : [own[0]?.replace("*", name === "project" ? "app" : "x") ?? (name === "sub" ? "ci" : undefined)];
  };
  const tokens = Object.entries(TOKENS).reduce<readonly Record<string, unknown>[]>(
    (sofar, [name, all]) => {
      const more = name === "ref" ? LISTS : [];
      const values: readonly unknown[] =
        name === "groups" ? all.slice(0, 1) : isSame(name) ? fitting(name) : [...all, ...more];
      const either = values.length === 0 ? [undefined] : values;
      return sofar.flatMap((claims) => either.map((value) => ({ ...claims, [name]: value ?? null })));
    },
    [{}],
  );
  const addresses = isSame("address") ? ADDRESSES.slice(0, 1) : ADDRESSES;
  return tokens.flatMap((claims) => addresses.map((address) => ({ claims, address })));
}

/** What the comment tells of the change. With `hidden`, one property is a secret that differs. */
export function toldOf({ before, after, secret }: RoleChange, { hidden = false } = {}) {
  const masked = (values: Values): Values => {
    const value = values[secret];
    const isThere = hidden && Object.keys(Object(value)).length > 0 && isOther;
    return isThere ? { ...values, [secret]: UNKNOWN } : values;
  };
  const isOther = JSON.stringify(before[secret]) !== JSON.stringify(after[secret]);
  const record = (values: Values) => ({
    ...{ definition: definitions.jwtRole, urn: "urn", values: whole(masked(values), "role") },
    ...(hidden && isOther ? { differing: [secret] } : {}),
  });
  const beside = [
    { definition: definitions.jwtConfig, urn: "config", values: config },
    { definition: definitions.identityGroup, urn: "group", values: group },
  ];
  const changes = trustChanges({ before: [record(before)], after: [record(after)], beside });
  const { keepsEverybody } = relationOf(entranceOf(whole(before, "role")), entranceOf(whole(after, "role")), []);
  return {
    sentences: changes.map(({ effect, sentence }) => `${effect}: ${sentence}`),
    hasGain: changes.some(({ effect }) => effect === "opens" || effect === "gains"),
    isUnclear: changes.some(({ effect }) => effect === "unclear"),
    hasLoss: changes.some(({ effect }) => effect === "loses") || keepsEverybody === false,
  };
}
