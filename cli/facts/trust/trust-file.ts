import { readFileSync } from "node:fs";
import { parse } from "yaml";
import * as z from "zod";
import { parseDuration } from "../../../provider/core/duration";
import { ProviderError } from "../../../provider/core/errors";
import { trimSlashes } from "../../../provider/core/rows";
import { CAPABILITIES } from "../../../provider/resources/sys/policy-text";
import { visibleText } from "../../text/visible-text";
import { patternProblem } from "./path-samples";
import type { TrustTests } from "./trust-tests";
import { authMountName, lowerName } from "./vault-names";

const name = z.string().min(1);
const moment = z.iso.datetime({ offset: true });
const capability = z.string().refine((word) => Object.hasOwn(CAPABILITIES, word), { error: "is no capability" });
const abilities = z.record(name, z.array(capability).min(1)).superRefine((paths, context) => {
  const [problem] = Object.keys(paths).flatMap((path) => patternProblem(path) ?? []);
  if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
});
// Tests name what the server has, in any spelling that means the same to it.
const authMount = name.transform(authMountName);
const lower = name.transform(lowerName);
const policyNames = z.array(lower);

/** Such as `<= 15m`, `1h`, or a number of seconds. */
const comparison = z
  .union([z.string(), z.number()])
  .transform((value) => {
    const [, operator = "=", text = ""] = /^(<=|>=|<|>|=)?\s*(.+)$/.exec(String(value).trim()) ?? [];
    return { operator, seconds: parseDuration(typeof value === "number" ? value : text) };
  })
  .refine((value): value is Comparison => typeof value.seconds === "number", {
    error: "must be a duration such as 15m, after <=, <, >=, > or nothing",
  });

/** Of a duration. */
export interface Comparison {
  readonly operator: string;
  readonly seconds: number;
}

const claim = z.unknown().refine((value) => !Array.isArray(value) || value.length > 0, {
  error: "is an empty list, which stands for no login; write [[]] for one login with an empty list in this claim",
});

const outside = z.array(name).default([]);
const place = { connection: z.string().optional(), namespace: z.string().transform(trimSlashes).optional() };
const login = z.strictObject({
  ...place,
  mount: authMount,
  role: lower.optional(),
  claims: z.record(z.string(), claim).default({}),
  address: z.union([z.ipv4(), z.ipv6()]).default("127.0.0.1"),
  at: moment.optional(),
  notIn: outside,
});

const granted = z.strictObject({
  policies: policyNames.optional(),
  ttl: comparison.optional(),
  may: abilities.optional(),
  mayNot: abilities.optional(),
});

const loginTest = z.strictObject({ name, login, expect: z.union([z.literal("refused"), granted]) });

const never = z.strictObject({
  ...place,
  mount: authMount,
  policy: lower,
  unless: z.record(z.string(), z.string()).default({}),
  notIn: outside,
});
const neverTest = z.strictObject({ name, never });

const names = z.array(name).optional();
const cloudRole = z.strictObject({ ...place, mount: name.transform(trimSlashes), role: name });
const handedOut = z.strictObject({
  credentialType: name.optional(),
  roleArns: names,
  policyArns: names,
  iamGroups: names,
  policyDocument: z.union([z.string(), z.record(z.string(), z.unknown())]).optional(),
  policies: policyNames.optional(),
});
const cloudRoleTest = z.strictObject({ name, cloudRole, expect: handedOut });

const peer = z.strictObject({ name, connection: place.connection, partition: name.optional() });
const peerTest = z.strictObject({ name, peer, expect: z.strictObject({ services: z.array(name) }) });

/** `TrustTests`, checked. */
const trustFile = z.strictObject({
  policies: z.record(lower, z.string()).default({}),
  tests: z.array(z.union([loginTest, neverTest, cloudRoleTest, peerTest])).min(1),
});

export type TrustFile = z.output<typeof trustFile>;
export type TrustTest = TrustFile["tests"][number];
export type LoginTest = z.infer<typeof loginTest>;
export type NeverTest = z.infer<typeof neverTest>;
export type CloudRoleTest = z.infer<typeof cloudRoleTest>;
export type PeerTest = z.infer<typeof peerTest>;
export type Granted = z.infer<typeof granted>;
export type TestLogin = z.infer<typeof login>;

// What the form allows can be written: the schema of the file is made of the form.
trustFile satisfies z.ZodType<TrustFile, Written<TrustTests>>;

/** Zod's own types have no `readonly`, and name what may be undefined. */
type Written<T> = T extends object
  ? { -readonly [K in keyof T]: Written<T[K]> | (undefined extends T[K] ? undefined : never) }
  : T;

/** @throws ConfigError when the file cannot be read, or has another form. */
export function readTrustFile(file: string): TrustFile {
  const place = `the tests in ${file}`;
  let content: unknown;
  try {
    content = parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw wrong(place, visibleText(error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error)));
  }
  return checkedTests(content, place);
}

/** @throws ConfigError when these tests, which are at this place, have another form. */
export function checkedTests(content: unknown, place: string): TrustFile {
  const read = trustFile.safeParse(content);
  if (read.success) return read.data;
  const [first] = read.error.issues;
  throw wrong(place, first === undefined ? "" : reasonOf(first));
}

/** Of several forms, the one that fits best. */
function reasonOf(issue: z.core.$ZodIssue, above: readonly PropertyKey[] = []): string {
  const path = [...above, ...issue.path];
  const [best] = issue.code === "invalid_union" ? issue.errors.toSorted((one, other) => one.length - other.length) : [];
  // A word that is not known says more than a part that is missing.
  const inner = best?.find(({ code }) => code === "unrecognized_keys") ?? best?.[0];
  return inner === undefined ? `${path.map(String).join(".")}: ${issue.message}` : reasonOf(inner, path);
}

const wrong = (place: string, reason: string) => new ProviderError("ConfigError", `${place} cannot be read: ${reason}`);

/** The logins that a test stands for: one for each combination of the claims that are lists. */
export function loginsOf({ claims }: TestLogin): readonly Readonly<Record<string, unknown>>[] {
  return Object.entries(claims).reduce<Record<string, unknown>[]>(
    (logins, [claim, value]) =>
      (Array.isArray(value) ? value : [value]).flatMap((each) => logins.map((login) => ({ ...login, [claim]: each }))),
    [{}],
  );
}
