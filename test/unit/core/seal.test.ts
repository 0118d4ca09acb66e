import { describe, expect, it } from "vitest";
import { hasSealed, joined, opened, sealerOf } from "../../../provider/core/seal";
import { asSecret } from "../../../provider/core/secret-envelope";
import { UNKNOWN } from "../../../provider/core/unknowns";
import { definitions } from "../../../provider/resources";

const SECRET = 'p"q\\r/s of the house';
const role = definitions.cloudRole;
const nothing = opened({});
/** What leaves when these properties came and those are answered. */
const answered = (came: Record<string, unknown>, values: Record<string, unknown>, had: Record<string, unknown> = {}) =>
  sealerOf({ definition: role, says: opened(came), had: opened(had) }).seal(values);

describe("what came in an envelope", () => {
  it.each([
    ["a whole property", { a: asSecret("s"), b: "s" }],
    ["an item of a list", { list: ["open", asSecret("hidden")] }],
    ["a member of a map", { map: { open: 1, hidden: asSecret({ deep: ["x"] }) } }],
    ["an unknown value", { token: asSecret(UNKNOWN), other: UNKNOWN }],
    ["an empty text", { text: asSecret(""), other: "" }],
    ["a number, which others may be by chance", { map: { a: asSecret(1), b: 2 }, other: 1 }],
  ])("leaves in one, and nothing else does: %s", (_, values) => {
    expect(answered(values, opened(values).values)).toEqual(values);
  });

  it("leaves in one envelope where one was in another", () => {
    const map = { inner: "x", other: "y" };

    expect(answered({ map: asSecret({ ...map, inner: asSecret("x") }) }, { map })).toEqual({ map: asSecret(map) });
  });

  it("is found wherever it has moved to inside its property", () => {
    expect(answered({ set: [asSecret("b"), "a"] }, { set: ["a", "b"] })).toEqual({ set: ["a", asSecret("b")] });
  });

  it.each([
    ["in a text", `before ${SECRET} after`],
    ["in JSON", JSON.stringify({ Statement: [{ Resource: SECRET }] })],
  ])("hides what contains it: %s", (_, text) => {
    const came = { policyDocument: { Statement: [{ Resource: asSecret(SECRET) }] } };

    expect(answered(came, { policyDocument: text })).toEqual({ policyDocument: asSecret(text) });
  });

  it("hides the whole property where it is not found again", () => {
    const changed = { team: "ops", ref: "main" };

    expect(answered({ claims: { team: asSecret("Ops"), ref: "main" } }, { claims: changed })).toEqual({
      claims: asSecret(changed),
    });
  });

  it.each([
    ["a short text", { policy: asSecret("{}") }, "{}"],
    ["a long one", { policy: asSecret(SECRET) }, SECRET],
    ["an object", { policy: asSecret({ a: [SECRET] }) }, JSON.stringify({ a: [SECRET] })],
  ])("is found in the property that it was moved to: %s", (_, came, text) => {
    expect(answered({ ...came, name: "ci" }, { name: "ci", policyDocument: text })).toEqual({
      name: "ci",
      policyDocument: asSecret(text),
    });
  });

  it("is found in what only the server knows", () => {
    const values = { policyDocument: SECRET, invalidData: `refused: ${SECRET}` };

    expect(answered({ policyDocument: asSecret(SECRET) }, values)).toEqual({
      policyDocument: asSecret(values.policyDocument),
      invalidData: asSecret(values.invalidData),
    });
  });

  it("hides nothing of the same text where the program shows it, nor what is in the id", () => {
    const came = { mount: "platform-cloud", externalId: asSecret("platform-cloud"), userPath: "/platform-cloud/" };
    const plain = opened(came).values;

    expect(answered(came, plain)).toEqual(came);
    expect(answered({ externalId: asSecret("platform-cloud") }, { ...plain, userPath: "x" })).toEqual({
      mount: "platform-cloud",
      externalId: asSecret("platform-cloud"),
      userPath: "x",
    });
  });
});

describe("what was recorded as a secret", () => {
  it("stays one where the answer still has it", () => {
    const had = { boundClaims: { project: asSecret("the old secret") }, invalidData: asSecret("left behind") };

    expect(answered({}, { boundClaims: { project: "the old secret" }, invalidData: "left behind" }, had)).toEqual(had);
  });

  it("is none any more where the program shows it, and hides no new value", () => {
    const had = { externalId: asSecret("was a secret"), userPath: asSecret("/old/") };

    expect(
      answered(
        { externalId: "was a secret", userPath: "/new/" },
        { externalId: "was a secret", userPath: "/new/" },
        had,
      ),
    ).toEqual({ externalId: "was a secret", userPath: "/new/" });
  });
});

describe("what the definition says", () => {
  it("is hidden as a whole, and what is undefined is not there", () => {
    const sealer = sealerOf({ definition: definitions.cloudRootConfig, says: nothing });

    expect(sealer.seal({ secretKey: "k", region: undefined, fingerprintKey: "f" })).toEqual({
      secretKey: asSecret("k"),
      fingerprintKey: asSecret("f"),
    });
  });

  it("is joined by what a call hides besides", () => {
    expect(sealerOf({ says: nothing }).seal({ token: "t", name: "n" }, ["token"])).toEqual({
      token: asSecret("t"),
      name: "n",
    });
  });
});

describe("texts for people", () => {
  const says = opened({
    name: "ci",
    claims: { team: asSecret({ [SECRET]: ["inner secret"] }), list: [asSecret("x")] },
  });
  const { scrub, shown } = sealerOf({ says });

  it("are without secrets, however these are written", () => {
    for (const form of ["inner secret", '"inner secret"', "inner%20secret", "inner+secret"]) {
      expect(scrub(`the server said ${form} of ci`)).toMatch(/^the server said "?\[secret\]"? of ci$/);
    }
  });

  it.each([
    [`claims.team[${JSON.stringify(SECRET)}][0]`, "claims.team"],
    ["claims.team", "claims.team"],
    ["claims.list[0]", "claims.list[0]"],
    ["claims.other.deep", "claims.other.deep"],
    ["name", "name"],
  ])("name no key of a secret map: %s", (path, cut) => {
    expect(shown({ property: path, reason: "" }).property).toBe(cut);
  });

  it("quote no part of a secret, in whatever letters, and quote what the program shows", () => {
    const reason = 'is "Inner"; the server reads it as "secret" of "ci", and not as "other \\"one\\""';
    expect(shown({ property: "claims", reason }).reason).toBe(
      'is "[secret]"; the server reads it as "[secret]" of "ci", and not as "other \\"one\\""',
    );
  });
});

it("several requests' secrets are secret together", () => {
  const all = joined(opened({ a: ["x", asSecret("y")] }), opened({ a: [asSecret("x")], b: asSecret(1) }));

  expect(sealerOf({ says: all }).seal({ a: ["x", "y", "z"], b: 1 })).toEqual({
    a: [asSecret("x"), asSecret("y"), "z"],
    b: asSecret(1),
  });
  expect(hasSealed([{ a: asSecret(1) }])).toBe(true);
  expect(hasSealed([{ a: 1 }])).toBe(false);
});

it("a property without a secret in it is not among those that have one", () => {
  expect([...opened({ a: 1, b: asSecret(2), c: { d: [asSecret(3)] }, e: { f: 4 } }).secrets.keys()]).toEqual([
    "b",
    "c",
  ]);
});
