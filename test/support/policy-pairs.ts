import { allowedChanges } from "../../cli/facts/trust/allowed-changes.ts";
import type { SimulatedServer } from "../../cli/facts/trust/simulated-server.ts";
import { fc } from "./fast-check.ts";

/** A policy before and after a change. */
export type PolicyPair = readonly [before: string, after: string];

const WORDS = ["read", "update", "list"];
const PATTERNS = [
  "kv/*",
  "kv/a/*",
  "kv/+/x",
  "kv/a/x",
  "kv/+/+",
  "kv/a*",
  "kv/+/x/*",
  "+/a/x",
  "kv/b/x",
  "*",
  "kv/a",
  "kv/+",
];
const SEGMENTS = ["a", "b", "x", "ab"];
/** Every path of the small world that the patterns are about. */
const PATHS = ["kv", "other"].flatMap((first) => [
  first,
  ...SEGMENTS.flatMap((second) => [
    `${first}/${second}`,
    ...SEGMENTS.flatMap((third) => [`${first}/${second}/${third}`, `${first}/${second}/${third}/b`]),
  ]),
]);

const capabilities = fc.oneof(
  { weight: 5, arbitrary: fc.subarray(WORDS, { minLength: 1 }) },
  { weight: 1, arbitrary: fc.constant(["deny"]) },
);
const rules = fc.dictionary(fc.constantFrom(...PATTERNS), capabilities, { minKeys: 1, maxKeys: 4 });
const textOf = (written: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(written)
    .map(([path, words]) => `path "${path}" { capabilities = ${JSON.stringify(words)} }`)
    .join("\n");

/** One rule comes, goes or changes; now and then all of them. */
export const arbitraryPolicyPair: fc.Arbitrary<PolicyPair> = fc
  .tuple(rules, rules, fc.constantFrom(...PATTERNS), fc.boolean())
  .map(([one, other, path, isWhole]): PolicyPair => {
    const { [path]: _, ...rest } = one;
    const changed = other[path] === undefined ? rest : { ...rest, [path]: other[path] };
    const added = changed === rest && one[path] === undefined ? { ...one, [path]: ["read"] } : changed;
    return [textOf(one), textOf(isWhole ? other : added)];
  })
  // The server refuses a policy without a text.
  .filter(([, after]) => after !== "");

/** What a token with each of the two policies may do, by the server: capabilities that come, and that go. */
export async function playPolicyPair(pair: PolicyPair, simulated: SimulatedServer) {
  const [was, is] = [await allowed(pair[0], simulated), await allowed(pair[1], simulated)];
  const only = (these: readonly string[], those: readonly string[]) => these.filter((each) => !those.includes(each));
  return { more: only(is, was), less: only(was, is) };
}

async function allowed(policy: string, simulated: SimulatedServer): Promise<readonly string[]> {
  await simulated.ask({ method: "POST", path: "sys/policies/acl/deploy", body: { policy } });
  const { body } = await simulated.ask({
    method: "POST",
    path: "auth/token/create",
    body: { policies: ["deploy"], no_default_policy: true },
  });
  const token = String((body["auth"] as Record<string, unknown>)["client_token"]);
  const { body: answer } = await simulated.ask({
    method: "POST",
    path: "sys/capabilities",
    body: { token, paths: PATHS },
  });
  const data = answer["data"] as Record<string, readonly string[]>;
  return PATHS.flatMap((path) => (data[path] ?? []).filter((word) => word !== "deny").map((word) => `${word} ${path}`));
}

/** What the comment tells. */
export function toldOfPolicies([before, after]: PolicyPair) {
  const [was, is] = [before, after].map((policy) => ({ name: "deploy", policy }));
  const changes = allowedChanges(was, is);
  const has = (effect: string) => changes.some((change) => change.effect === effect);
  return { sentences: changes.map(({ sentence }) => sentence), hasMore: has("gains"), hasLess: has("loses") };
}
