import { describe, expect, it } from "vitest";
import type { Values } from "../../../provider/core/definition";
import { diff } from "../../../provider/core/diff";
import { UNKNOWN } from "../../../provider/core/unknowns";
import { detailedDiff } from "../../../provider/hosts/plugin/detailed-diff";
import { definitions } from "../../../provider/resources";

const role = { mount: "jwt", name: "ci", boundClaims: { team: ["a", "b"], ref: "main" }, tokenTtl: 60 };

const roles = { ci: { tokenTtl: 60 }, ui: {} };

interface Change {
  readonly olds?: Values;
  readonly oldInputs?: Values;
  readonly news: Values;
  readonly secret?: readonly string[];
}

function changes({ olds = role, oldInputs = olds, news, secret: names = [] }: Change) {
  const difference = diff(definitions.jwtRole, olds, news);
  const secret = new Map(names.map((name) => [name, new Set<string>()]));
  return detailedDiff(definitions.jwtRole, difference, { olds, oldInputs, news, secret });
}

describe("a difference in detail", () => {
  it.each<[string, Values, readonly string[]]>([
    ["nothing", {}, []],
    ["another spelling", { tokenTtl: "1m", boundClaims: { ref: "main", team: ["a", "b"] } }, []],
    ["a value", { tokenTtl: 90 }, ["update tokenTtl"]],
    ["a value that goes", { tokenTtl: undefined }, ["delete tokenTtl"]],
    ["a value that comes", { boundSubject: "x" }, ["add boundSubject"]],
    ["an item", { boundClaims: { team: ["a", "c"], ref: "main" } }, ["update boundClaims.team[1]"]],
    ["an item more", { boundClaims: { team: ["a", "b", "c"], ref: "main" } }, ["add boundClaims.team[2]"]],
    ["a member less", { boundClaims: { ref: "main" } }, ["delete boundClaims.team"]],
    [
      "a member with a name that is no word",
      { boundClaims: { ...role.boundClaims, "/a/b": "x" } },
      ['add boundClaims["/a/b"]'],
    ],
    // As https://github.com/pulumi/pulumi reads a path (sdk/go/common/resource/properties_path.go): a backslash escapes a quote only.
    ["a member with a backslash", { boundClaims: { ...role.boundClaims, "a\\b": "x" } }, ['add boundClaims["a\\b"]']],
    [
      "the whole, for a member that no path of Pulumi's can name",
      { boundClaims: { ...role.boundClaims, "a\\": "x" } },
      ["update boundClaims"],
    ],
    ["a kind of value", { boundClaims: { team: "a", ref: "main" } }, ["update boundClaims.team"]],
    [
      "members by whose names every object has something",
      { boundClaims: { ...role.boundClaims, constructor: "x", ...JSON.parse('{"__proto__": "y"}') } },
      ["add boundClaims.constructor", "add boundClaims.__proto__"],
    ],
    ["a member that is not known yet", { boundClaims: { team: UNKNOWN, ref: "main" } }, ["update boundClaims.team"]],
    ["identity", { name: "other" }, ["update name, replacing"]],
  ])("names %s", (_, change, expected) => {
    const found = changes({ news: { ...role, ...change } });

    expect(found.map(({ path, kind, replaces }) => `${kind} ${path}${replaces ? ", replacing" : ""}`)).toEqual(
      expected,
    );
    expect(found.every(({ isOfInputs }) => isOfInputs)).toBe(true);
  });

  it("is of the recorded state where the program did not change", () => {
    const found = changes({ olds: { ...role, tokenTtl: 5 }, oldInputs: role, news: role });

    expect(found).toEqual([{ path: "tokenTtl", kind: "update", replaces: false, isOfInputs: false }]);
  });

  it("shows what the state says of an unfinished record", () => {
    const found = changes({ olds: { ...role, incomplete: true }, oldInputs: role, news: role });

    expect(found).toEqual([{ path: "incomplete", kind: "delete", replaces: false, isOfInputs: false }]);
  });

  it("names nothing inside a property that is secret, by the program", () => {
    const news = { ...role, boundClaims: { team: ["a", "c"], ref: "main" } };

    expect(changes({ news, secret: ["boundClaims"] }).map(({ path }) => path)).toEqual(["boundClaims"]);
  });

  it("shows a changed secret by its fingerprint", () => {
    const definition = definitions.jwtConfig;
    const olds = { oidcClientSecret: "a", fingerprints: { oidcClientSecret: "1" }, fingerprintKey: "k" };
    const news = { oidcClientSecret: "b", fingerprints: { oidcClientSecret: "2" }, fingerprintKey: "k" };

    const found = detailedDiff(definition, diff(definition, olds, news), {
      olds,
      oldInputs: olds,
      news,
      secret: new Map(),
    });

    expect(found.map(({ path }) => path)).toEqual(["oidcClientSecret", "fingerprints.oidcClientSecret"]);
  });

  it.each<[string, Values, readonly string[]]>([
    ["a setting of a record", { roles: { ci: { tokenTtl: 90 }, ui: {} } }, ["update roles.ci.tokenTtl"]],
    ["a record that comes", { roles: { ...roles, "a/b": {} } }, ['add roles["a/b"]']],
    ["a record that goes", { roles: { ci: roles.ci } }, ["delete roles.ui"]],
    ["a default, once for all records", { defaults: { userClaim: "email" } }, ["update defaults.userClaim"]],
    ["a setting that comes from the defaults instead", { roles: { ci: {}, ui: {} } }, ["delete roles.ci.tokenTtl"]],
    ["a setting that is the same as before by the defaults", { roles: { ...roles, ui: { userClaim: "sub" } } }, []],
  ])("names %s of a set", (_, change, expected) => {
    const olds = { mount: "jwt", defaults: { userClaim: "sub" }, roles };
    const news = { ...olds, ...change };
    const difference = diff(definitions.jwtRoleSet, olds, news);
    const found = detailedDiff(definitions.jwtRoleSet, difference, { olds, oldInputs: olds, news, secret: new Map() });

    expect(found.map(({ path, kind }) => `${kind} ${path}`)).toEqual(expected);
  });
});
