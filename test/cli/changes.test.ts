import { describe, expect, it } from "vitest";
import { diffLines, shownValue } from "../../cli/stack/diff-lines";
import { propertyChanges } from "../../cli/stack/property-changes";
import { evaluatedValues, resourceChanges } from "../../cli/stack/resource-changes";
import { stringList } from "../../provider/core/rows";
import { asSecret } from "../../provider/core/secret-envelope";
import { UNKNOWN } from "../../provider/core/unknowns";
import { definitions } from "../../provider/resources";
import { fc } from "../support/fast-check.ts";

const policy = (...actions: string[]) => JSON.stringify({ Version: "2012-10-17", Statement: [{ Action: actions }] });

const DIFFERENCES = [
  ["a value", "15m", "1h", [{ path: "p", before: "15m", after: "1h" }]],
  ["a value that was not there", undefined, [1, 2], [{ path: "p", after: [1, 2] }]],
  ["a value that goes", false, undefined, [{ path: "p", before: false }]],
  ["a member", { a: 1, b: 2 }, { a: 1, b: 3 }, [{ path: "p.b", before: 2, after: 3 }]],
  ["a member with an odd name", {}, { "/a b": 1 }, [{ path: 'p["/a b"]', after: 1 }]],
  ["an element in the middle", ["a", "b", "c"], ["a", "c"], [{ path: "p[1]", before: "b" }]],
  [
    "an element in the place of another",
    ["a", "b"],
    ["a", "c"],
    [
      { path: "p[1]", before: "b" },
      { path: "p[1]", after: "c" },
    ],
  ],
  [
    "a member of an element",
    [{ url: "x", ca: 1 }, "y"],
    [{ url: "x", ca: 2 }, "y"],
    [{ path: "p[0].ca", before: 1, after: 2 }],
  ],
  [
    "an action of a policy in JSON",
    policy("s3:Get"),
    policy("s3:Get", "s3:*"),
    [{ path: "p.Statement[0].Action[1]", after: "s3:*" }],
  ],
  ["JSON in another form", '{"a":1}', '{ "a": 1 }', [{ path: "p", before: '{"a":1}', after: '{ "a": 1 }' }]],
  [
    "a member that JSON has twice",
    '{"Action":"iam:*","Action":"s3:Get*","Sid":"a"}',
    '{"Action":"s3:Get*","Sid":"b"}',
    [
      {
        path: "p",
        before: '{"Action":"iam:*","Action":"s3:Get*","Sid":"a"}',
        after: { Action: "s3:Get*", Sid: "b" },
      },
    ],
  ],
  [
    "a number that JavaScript cannot hold",
    '{"a":12345678901234567890,"b":1}',
    '{"a":12345678901234567891,"b":2}',
    [{ path: "p", before: '{"a":12345678901234567890,"b":1}', after: '{"a":12345678901234567891,"b":2}' }],
  ],
  [
    "a claim by whose name every object has something",
    {},
    JSON.parse('{"constructor": "a", "toString": "b", "__proto__": "c"}'),
    [
      { path: "p.__proto__", after: "c" },
      { path: "p.constructor", after: "a" },
      { path: "p.toString", after: "b" },
    ],
  ],
  ["what only looks like JSON", "{a", "{b", [{ path: "p", before: "{a", after: "{b" }]],
] as const;

describe("a change", () => {
  it.each(DIFFERENCES)("of %s is shown where it is", (_what, before, after, changes) => {
    expect(propertyChanges("p", before, after)).toEqual(changes);
  });

  it("is there exactly when the values differ", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        expect(propertyChanges("p", a, structuredClone(a))).toEqual([]);
        const [left, right] = [JSON.stringify(a), JSON.stringify(b)];
        // `-0` is `0` in JSON, and members have no order.
        if (left !== right && Object.keys(Object(a)).length < 2)
          expect(propertyChanges("p", JSON.parse(left), JSON.parse(right)).length).toBeGreaterThan(0);
      }),
    );
  });

  it("of a list of elements names each that came or went once", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("a", "b", "c")), fc.array(fc.constantFrom("a", "b", "c")), (a, b) => {
        const changes = propertyChanges("p", a, b);
        const went = changes.filter((change) => "before" in change).length;
        const came = changes.filter((change) => "after" in change).length;
        expect(a.length - went).toBe(b.length - came);
        expect(new Set(changes.map((change) => JSON.stringify(change))).size).toBe(changes.length);
      }),
    );
  });
});

describe("a long list", () => {
  /** Elements that count how often somebody looks at all of their members. */
  const counted = (count: number, prefix: string) => {
    const seen = { times: 0 };
    const ownKeys = (target: object) => {
      seen.times++;
      return Reflect.ownKeys(target);
    };
    return {
      seen,
      list: Array.from({ length: count }, (_, index) => new Proxy({ id: `${prefix}${index}` }, { ownKeys })),
    };
  };

  it.each([
    ["others", (count: number) => [counted(count, "a"), counted(count, "b")] as const],
    ["one more", (count: number) => [counted(count, "a"), counted(count + 1, "a")] as const],
  ])("is looked at a few times for each element, not for each pair (%s)", (_what, make) => {
    const timesFor = (count: number) => {
      const [before, after] = make(count);
      propertyChanges("p", before.list, after.list);
      return before.seen.times + after.seen.times;
    };
    expect(timesFor(400) / timesFor(200)).toBeLessThan(2.1);
    expect(timesFor(200)).toBeLessThan(200 * 2 * 10);
  });

  it("in another order altogether is shown as gone and come, once for each element", () => {
    const list = Array.from({ length: 3000 }, (_, index) => `policy-${index}`);
    const changes = propertyChanges("p", list, list.toReversed());
    expect(changes.filter((change) => "before" in change)).toHaveLength(3000);
    expect(changes.filter((change) => "after" in change)).toHaveLength(3000);
  });

  it("that is a set is ordered by texts that are made once", () => {
    const { seen, list } = counted(300, "a");
    const set = {
      ...definitions.jwtRole,
      fields: {
        ids: {
          ...definitions.jwtRole.fields.boundAudiences,
          canonical: (value: unknown) => String(Object(value).length),
        },
      },
    };
    resourceChanges(set, { ids: list }, { ids: list.slice(1) });
    expect(seen.times).toBeLessThan(300 * 20);
  });
});

describe("the changes of a resource", () => {
  it("name a property by whose name every object has something", () => {
    const changes = resourceChanges(definitions.jwtRole, {}, { boundClaims: JSON.parse('{"constructor": "a"}') });
    expect(diffLines(changes)).toEqual(['+ boundClaims: {"constructor":"a"}']);
    expect(resourceChanges(definitions.jwtRole, {}, { constructor: "a" })).toEqual([
      { path: "constructor", after: "a" },
    ]);
  });

  const role = { mount: "jwt", name: "ci", tokenTtl: "15m", boundAudiences: ["a", "b"] };

  it("leave out what the servers do not tell apart", () => {
    const after = { ...role, tokenTtl: 900, boundAudiences: ["b", "a"] };
    expect(resourceChanges(definitions.jwtRole, role, after)).toEqual([]);
  });

  it.each([
    ["one more", { boundAudiences: ["c", "b", "a"] }, ['+ boundAudiences[]: "c"']],
    ["one for the only one", { tokenPolicies: ["deploy"] }, ['- tokenPolicies[]: "ci"', '+ tokenPolicies[]: "deploy"']],
    ["all", { boundAudiences: [] }, ['- boundAudiences[]: "a"', '- boundAudiences[]: "b"']],
    [
      "one that is not known yet",
      { boundAudiences: ["b", UNKNOWN] },
      ['- boundAudiences[]: "a"', "+ boundAudiences[]: (not known yet)"],
    ],
    [
      "one in a map",
      { boundClaims: { ref: ["b"], env: "x" } },
      ['- boundClaims.ref[]: "a"', '+ boundClaims.ref[]: "b"'],
    ],
    ["one beside the only one", { boundClaims: { ref: "a", env: ["y", "x"] } }, ['+ boundClaims.env[]: "y"']],
  ])("show of lists without order the elements, not their places: %s", (_what, changed, lines) => {
    const olds = { ...role, tokenPolicies: ["ci"], boundClaims: { ref: ["a"], env: "x" } };
    expect(diffLines(resourceChanges(definitions.jwtRole, olds, { ...olds, ...changed }))).toEqual(lines);
  });

  it("show where an element of a list in order is", () => {
    const config = (...algorithms: string[]) => ({ list: algorithms });
    const inOrder = { ...definitions.jwtRole, fields: { list: stringList("list") } };
    expect(resourceChanges(inOrder, config("a", "b"), config("b", "a"))).not.toEqual([]);
    expect(resourceChanges(inOrder, config("a", "b"), config("a", "c"))).toEqual([
      { path: "list[1]", before: "b" },
      { path: "list[1]", after: "c" },
    ]);
  });

  it("show a secret by its fingerprints only", () => {
    const values = (value: string, print: string) => ({
      key: "k",
      sensitive: true,
      value,
      fingerprints: { value: print },
    });
    const changes = resourceChanges(definitions.policyParameter, values("one", "aaaa"), values("two", "bbbb"));

    expect(changes).toEqual([
      { path: "value", isSecret: true, before: "[secret, fingerprint aaaa]", after: "[secret, fingerprint bbbb]" },
    ]);
    expect(diffLines(changes)).toEqual(["- value: [secret, fingerprint aaaa]", "+ value: [secret, fingerprint bbbb]"]);
  });

  it("show the value of a parameter that is not sensitive", () => {
    const changes = resourceChanges(
      definitions.policyParameter,
      { key: "k", sensitive: false, value: "one" },
      { key: "k", sensitive: false, value: "two" },
    );
    expect(changes).toEqual([{ path: "value", before: "one", after: "two" }]);
  });

  it("hide a value that becomes sensitive, before and after", () => {
    const [before, after] = [
      { key: "k", sensitive: false, value: "needle-1" },
      { key: "k", sensitive: true, value: "needle-2" },
    ];
    const changes = [
      ...resourceChanges(definitions.policyParameter, before, after),
      ...resourceChanges(definitions.policyParameter, after, before),
    ];
    expect(changes.map(({ path }) => path)).toContain("sensitive");
    expect(JSON.stringify(changes)).not.toContain("needle");
  });

  it("hide what Pulumi keeps as a secret, wherever it is", () => {
    const sealed = { mount: "jwt", name: "ci", boundClaims: { project: asSecret("needle") } };
    const changes = resourceChanges(definitions.jwtRole, role, sealed);
    expect(changes).toContainEqual({ path: "boundClaims", isSecret: true, after: "[secret]" });
    expect(JSON.stringify([changes, evaluatedValues(definitions.jwtRole, sealed)])).not.toContain("needle");
    expect(JSON.stringify(resourceChanges(undefined, {}, { any: asSecret("needle") }))).not.toContain("needle");
  });

  it("of a pair that Pulumi hides on both sides are none", () => {
    const values = { key: "k", sensitive: true, value: "[secret]" };
    expect(resourceChanges(definitions.policyParameter, values, values)).toEqual([]);
  });
});

describe("a shown value", () => {
  it("that is not known yet says so, also inside", () => {
    expect(shownValue(UNKNOWN)).toBe("(not known yet)");
    expect(shownValue({ a: [UNKNOWN] })).toBe('{"a":["(not known yet)"]}');
  });

  it("keeps back what provider and hosts keep for themselves, wherever it was copied to", () => {
    const copy = { name: "ci", fingerprintKey: "needle", __provider: "needle" };
    expect(shownValue({ a: [copy] })).not.toContain("needle");
    const changes = propertyChanges("p", copy, { ...copy, fingerprintKey: "needle-2", __provider: "needle-3" });
    expect(diffLines(changes)).toEqual([
      "- p.__provider: [secret]",
      "+ p.__provider: [secret]",
      "- p.fingerprintKey: [secret]",
      "+ p.fingerprintKey: [secret]",
    ]);
  });

  it("of an address is without user, password and query, and a change of these alone says so", () => {
    const pairs = { jwksPairs: [{ jwksUrl: "https://jo:needle@idp.example.com/keys?k=needle" }] };
    expect(shownValue(pairs)).toBe('{"jwksPairs":[{"jwksUrl":"https://idp.example.com/keys?…"}]}');
    const url = "https://idp.example.com/keys";
    expect(diffLines([{ path: "jwks_url", before: url, after: "https://jo:needle@idp.example.com/keys" }])).toEqual([
      `- jwks_url: "${url}"`,
      `+ jwks_url: "${url}" (differs in what is not shown)`,
    ]);
    const names = Object.values(definitions).flatMap(({ fields }) => Object.keys(fields));
    for (const name of names.filter((each) => /(url|issuer|endpoints?)$/i.test(each)))
      for (const path of [name, `roles.a.${name}[0]`, name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)])
        expect([path, shownValue("https://jo:needle@a.example.com", path)]).toEqual([path, '"https://a.example.com"']);
    // A claim says who gets in, whatever it is called.
    expect(shownValue("https://a.example.com/x.yml@main", "boundClaims.workflow_url")).toContain("x.yml@main");
    expect(shownValue("https://a.example.com/k?v=1", "boundClaims.jwks_url")).toContain("k?v=1");
    const [wider] = diffLines([{ path: "allowedRedirectUris[0]", after: "https://a.example.com/cb?to=b" }]);
    expect(wider).toContain("?to=b");
  });

  it("that is very long says how much is missing", () => {
    expect(shownValue("x".repeat(5000))).toMatch(/^"x+… \(3002 more characters\)$/);
  });

  it("shows what cannot be seen", () => {
    expect(shownValue("adm\u202ein\u200b\u001b[31m")).toBe('"adm\\u202ein\\u200b\\u001b[31m"');
  });
});
