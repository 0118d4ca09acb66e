import { describe, expect, it } from "vitest";
import { allowedChanges } from "../../cli/facts/trust/allowed-changes.ts";
import type { Values } from "../../provider/core/definition.ts";

const policy = (...rules: readonly string[]): Values => ({ name: "deploy", policy: rules.join("\n") });
const rule = (path: string, words: string, more = "") => `path "${path}" { capabilities = [${words}]\n ${more} }`;
const said = (before: Values | undefined, after: Values | undefined) =>
  allowedChanges(before, after).map(({ effect, sentence }) => `${effect}: ${sentence}`);

const all = rule("secret/*", '"read", "update"');
const denied = rule("secret/root", '"deny"');
const narrow = rule("secret/root", '"read"');
const bound = rule("secret/*", '"read", "update"', 'allowed_parameters = { "a" = [] }');
const undenied =
  "unclear: Whoever has the policy `deploy` is no longer denied `secret/root`: what other policies allow there counts now.";

describe("what a policy allows after a change", () => {
  it.each([
    [
      "without a rule that denied",
      [all, denied],
      [all],
      "gains: Whoever has the policy `deploy` may now also `read` and `update` on `secret/root`.",
    ],
    [
      "without a rule that hid a wider one",
      [all, narrow],
      [all],
      "gains: Whoever has the policy `deploy` may now also `update` on `secret/root`.",
    ],
    [
      "with a rule that denies",
      [all],
      [all, denied],
      "loses: Whoever has the policy `deploy` may no longer `read` and `update` on `secret/root`.",
    ],
    [
      "with a rule that hides a wider one",
      [all],
      [all, narrow],
      "loses: Whoever has the policy `deploy` may no longer `update` on `secret/root`.",
    ],
    [
      "without a denial of what it does not allow",
      [narrow, rule("sys/*", '"deny"')],
      [narrow],
      undenied.replace("secret/root", "sys/*"),
    ],
    [
      "without a rule that hid one of the same policy in a part of its paths",
      [rule("secret/+/root", '"update"'), rule("secret/app/*", '"read"')],
      [rule("secret/+/root", '"update"')],
      "gains: Whoever has the policy `deploy` may now also `update` on `secret/app/root`.",
    ],
    [
      "under other conditions",
      [bound],
      [all],
      "unclear: Whoever has the policy `deploy` may do the same on `secret/*` under other conditions, which are not weighed here.",
    ],
  ])("%s", (_what, before, after, sentence) => {
    expect(said(policy(...before), policy(...after))[0]).toBe(sentence);
  });

  it("is the same with a rule that says what a wider one says", () => {
    expect(said(policy(all), policy(all, narrow.replace('"read"', '"read", "update"')))).toEqual([]);
  });

  it("that is gone is nothing, and what it denied counts no more", () => {
    const gone = "loses: Whoever has the policy `deploy` may do nothing by it any more: the policy is gone.";
    expect(said(policy(denied), undefined)).toEqual([gone, undenied]);
    expect(said(policy(all), undefined)).toEqual([gone]);
  });

  it("is not told where very many of its rules differ", () => {
    const many = (word: string) => policy(...Array.from({ length: 3000 }, (_, at) => rule(`a/+/${at}*`, word)));
    expect(said(many('"read"'), many('"list"'))).toEqual([
      "unclear: What the policy `deploy` allows cannot be told: 3000 of its paths differ, which are too many to weigh.",
    ]);
  });
});
