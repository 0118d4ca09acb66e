import type { Values } from "../../provider/core/definition.ts";
import { fc } from "./fast-check.ts";

type Claims = Readonly<Record<string, unknown>>;

/** A login: claims, times from now in seconds, and where it comes from. */
export interface ArbitraryLogin {
  readonly claims: Claims;
  readonly times: Readonly<Record<string, number>>;
  readonly address: string;
}

/** A stack of one auth method and one role, and logins near what the role demands. */
export interface ArbitraryTrust {
  readonly mount: Values;
  readonly config: Values;
  readonly role: Values;
  readonly logins: readonly ArbitraryLogin[];
}

export const MOUNT = "jobs";
export const ISSUER = "https://git.example.com";

const optional = (members: Readonly<Record<string, fc.Arbitrary<unknown>>>) =>
  fc.record({ ...members }, { requiredKeys: [] });

/** Mostly the first one. */
const mostly = <T>(usual: fc.Arbitrary<T>, other: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 5, arbitrary: usual }, { weight: 1, arbitrary: other });

const text = fc.constantFrom("main", "release/1", "acme/platform", "x", "", "*", "Main", "true", "1");
const scalar: fc.Arbitrary<unknown> = fc.oneof(
  text,
  fc.boolean(),
  fc.constantFrom(0, 1, -1, 1.5, -0.5, 42, 1e21, 4_294_967_296),
);
const value = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 3 }),
  fc.constantFrom<unknown>(null, {}, { ref: "main" }, [["main"]], [null]),
);

const glob = fc.oneof(text, fc.constantFrom("acme/*", "*main", "r*/1", "*", "m.in", "[a-z]*", "ma*in*"));
const bound = (type: unknown) =>
  type === "glob" ? mostly<unknown>(listed(glob), listed(scalar)) : listed(fc.oneof(scalar, glob));
const listed = (item: fc.Arbitrary<unknown>) => fc.oneof(item, fc.array(item, { maxLength: 3 }));

/** Names and pointers that the claims of a login have, most of the time. */
const PLAIN = ["ref", "project", "n", "flag", "list", "a/b"];
const POINTERS = ["/job/ref", "/job/list/0", "/job/list", "/a~1b", "/job", "/", "/list/1"];
const REGISTERED = ["sub", "aud", "iss", "exp", "iat"];
const claimName = fc.oneof(
  { weight: 10, arbitrary: fc.constantFrom(...PLAIN) },
  { weight: 4, arbitrary: fc.constantFrom(...POINTERS) },
  { weight: 1, arbitrary: fc.constantFrom(...REGISTERED, "missing", "email") },
);

/** Times of tokens end with 5 and leeways with 0: no case changes within the seconds that a test takes. */
const leeway = fc.constantFrom<string | number>(-1, 0, 30, 300, "10m");
const moment = fc.constantFrom(-100_005, -605, -305, -205, -155, -95, -55, -25, 25, 55, 65, 95, 155, 305, 100_005);
const seconds = fc.constantFrom<string | number>(0, 60, 900, "1h", "2h", "800h");

const lifetimes = fc.oneof(
  optional({
    tokenTtl: fc.constantFrom<string | number>(0, 60, 900),
    tokenMaxTtl: fc.constantFrom<string | number>(0, 1200, "1h", "800h"),
    tokenExplicitMaxTtl: seconds,
    tokenPeriod: seconds,
    tokenNumUses: fc.constantFrom(0, 1, 5),
    tokenType: fc.constantFrom("default", "service"),
    tokenNoDefaultPolicy: fc.boolean(),
  }),
  optional({
    tokenTtl: seconds,
    tokenMaxTtl: seconds,
    tokenExplicitMaxTtl: seconds,
    tokenType: fc.constantFrom("default", "service", "batch"),
    tokenPeriod: fc.constantFrom(0, 0, 0, 60),
  }),
);

const bounds = fc.constantFrom("string", "glob").chain((type) =>
  fc.record({
    boundClaimsType: fc.constant(type),
    boundClaims: fc.dictionary(claimName, bound(type), { maxKeys: 3 }),
  }),
);

const role = fc
  .tuple(
    bounds,
    lifetimes,
    optional({
      boundAudiences: mostly(
        fc.constantFrom<string[]>(["vault"], ["vault", "consul"]),
        fc.constantFrom<string[]>([], [""], ["Vault"]),
      ),
      boundSubject: fc.constantFrom("ci", "", "CI"),
      groupsClaim: mostly(fc.constantFrom("groups", ""), fc.constantFrom("list", "/job/list", "missing")),
      claimMappings: fc.constantFrom({ ref: "r" }, { n: "number", flag: "flag" }, { "/job/ref": "job" }),
      maxAge: fc.constantFrom(0, 60),
      tokenPolicies: mostly(
        fc.subarray(["a", "b", "A", "default", "nobody-wrote-this"]),
        fc.subarray(["a", "root", "Root", "", " b "]),
      ),
      tokenBoundCidrs: mostly(
        fc.constantFrom<string[]>(["127.0.0.1"], ["127.0.0.0/8", "10.0.0.0/8"], []),
        fc.constantFrom<string[]>(["127.2.0.0/16"], ["::1"], ["127.2.3.4/32"]),
      ),
    }),
    optional({ clockSkewLeeway: leeway, expirationLeeway: leeway, notBeforeLeeway: leeway }),
    mostly<Values>(
      fc.constant({ userClaim: "sub" }),
      fc.record({
        userClaim: fc.constantFrom("email", "/job/ref", "n", "list", "aud", "/job/list/0", "/sub"),
        userClaimJsonPointer: fc.boolean(),
      }),
    ),
  )
  .map(
    ([own, life, rest, leeways, user]): Values => ({
      mount: MOUNT,
      name: "role",
      roleType: "jwt",
      boundAudiences: ["vault"],
      ...user,
      ...own,
      ...life,
      ...rest,
      ...leeways,
    }),
  );

const mount = optional({
  defaultLeaseTtl: fc.constantFrom("10m", "20m"),
  maxLeaseTtl: fc.constantFrom("30m", "2h", "1000h"),
  tokenType: fc.constantFrom("default-service", "default-batch", "service", "batch"),
}).map((tuned): Values => ({ path: MOUNT, type: "jwt", ...tuned }));

const config = optional({ boundIssuer: fc.constant(ISSUER), defaultRole: fc.constantFrom("role", "Role") }).map(
  (own): Values => ({ mount: MOUNT, ...own }),
);

/** Claims that fit the role, where one claim can. */
function fitting({ boundClaims, boundSubject }: Values): Claims {
  const wanted = boundClaims as Claims;
  const first = (name: string) => {
    const value = [wanted[name]].flat()[0] ?? "main";
    return typeof value === "string" ? value.replaceAll("*", "x") : value;
  };
  return {
    sub: boundSubject || "ci",
    groups: ["platform", "b"],
    job: { ref: first("/job/ref"), list: [first("/job/list/0"), first("/job/list")] },
    ...Object.fromEntries(PLAIN.map((name) => [name, first(name)])),
  };
}

/** Most logins differ from what fits in one claim. */
const change = (name: string, value: fc.Arbitrary<unknown>): fc.Arbitrary<Claims> =>
  value.map((changed) => ({ [name]: changed }));
const noTimes: Claims = { iat: null, exp: null };
const changes: fc.Arbitrary<Claims> = fc.oneof(
  fc.constant({}),
  fc.dictionary(fc.constantFrom(...PLAIN), value, { maxKeys: 1 }),
  change("sub", fc.oneof(value, fc.constant("ci"))),
  change(
    "aud",
    fc.constantFrom<unknown>("vault", ["x", "vault"], ["vault", "vault"], [], "", ["vault", 1], null, 7, "Vault", {}),
  ),
  change("iss", fc.constantFrom<unknown>(ISSUER, `${ISSUER}/`, null, 1, "")),
  change("job", fc.oneof(fc.record({ ref: value, list: value }), value)),
  change("exp", fc.constantFrom<unknown>(null, "never", true, 0, -1, 1e12)),
  fc.constantFrom<Claims>({ iat: null }, noTimes, { email: "a@b.c" }, { iss: null, iat: null }),
);

const login = (own: Values): fc.Arbitrary<ArbitraryLogin> =>
  fc
    .record({
      changed: changes,
      times: fc.oneof(
        { weight: 4, arbitrary: fc.constant({}) },
        { weight: 2, arbitrary: optional({ exp: moment, nbf: moment, iat: moment }) },
      ),
      address: mostly(fc.constant("127.0.0.1"), fc.constant("127.2.3.4")),
    })
    .map(({ changed, times, address }) => ({
      claims: { ...fitting(own), ...changed },
      times: times as Record<string, number>,
      address,
    }));

export const arbitraryTrust: fc.Arbitrary<ArbitraryTrust> = fc.record({ mount, config, role }).chain((stack) =>
  fc.record({
    mount: fc.constant(stack.mount),
    config: fc.constant(stack.config),
    role: fc.constant(stack.role),
    logins: fc.array(login(stack.role), { minLength: 3, maxLength: 6 }),
  }),
);
