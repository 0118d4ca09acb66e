import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folderOfTest } from "../support/temporary-folder.ts";
import { openStack, role } from "./drift-harness.ts";

function ignoreFile(...entries: object[]): string {
  const folder = folderOfTest();
  const file = join(folder, "ignore.yaml");
  const reason = "OPS-1";
  writeFileSync(
    file,
    JSON.stringify({ ignore: entries.map((entry) => ({ reason, expires: "2999-01-01", ...entry })) }),
  );
  return file;
}

/** A role whose lifetime and claims somebody has changed, and one that somebody has deleted. */
async function changedStack() {
  const stack = await openStack([role("ci", { boundClaims: { a: "1", b: "2" } }), role("nightly")]);
  const byHand = { role_type: "jwt", token_ttl: 60, bound_claims: { a: "1", b: "3" } };
  await stack.raw("secrets").call("POST auth/jwt/role/ci", byHand);
  await stack.raw("secrets").call("DELETE auth/jwt/role/nightly");
  return stack;
}

const urn = "urn:pulumi:dev::lab::pulumi-nodejs:dynamic/trustplane/jwt:Role::";

describe("the ignore file of trustplane drift", () => {
  it.each([
    ["class and name", "jwt.Role ci", "jwt.Role nightly"],
    ["id", "auth/jwt/role/ci", "auth/jwt/role/nightly"],
    ["URN", `${urn}ci`, `${urn}nightly`],
    ["a pattern", "jwt.Role *", "auth/*/nightly"],
  ])("hides whole resources, named by %s", async (_, ci, nightly) => {
    const { drift } = await changedStack();
    const { code, report } = await drift("--json", "--ignore", ignoreFile({ resource: ci }, { resource: nightly }));
    expect(code).toBe(0);
    expect(report().counts).toMatchObject({ ignored: 2, changed: 0, missing: 0 });
    expect(report().resources[0]?.properties[0]?.ignored).toEqual({ reason: "OPS-1", expires: "2999-01-01" });
  });

  it("hides a property, and what differs beside it counts", async () => {
    const { drift } = await changedStack();
    const file = ignoreFile({ resource: "jwt.Role ci", property: "tokenTtl" }, { resource: "jwt.Role nightly" });
    const { code, report } = await drift("--json", "--ignore", file);
    expect(code).toBe(2);
    const properties = report().resources.find(({ name }) => name === "ci")?.properties ?? [];
    expect(properties.map(({ property, ignored }) => [property, ignored?.reason])).toEqual([
      ["boundClaims", undefined],
      ["tokenTtl", "OPS-1"],
    ]);
  });

  it.each([
    ["boundClaims.b", true],
    ['boundClaims["b"]', true],
    ["boundClaims.a", false],
  ])("hides the part of a property at %s: %s", async (property, isHidden) => {
    const { drift } = await changedStack();
    const { report } = await drift("--json", "--ignore", ignoreFile({ resource: "jwt.Role ci", property }));
    const claims = report().resources.flatMap(({ properties }) =>
      properties.filter((each) => each.property === "boundClaims"),
    );
    expect(claims.map(({ ignored }) => ignored !== undefined)).toEqual([isHidden]);
  });

  it.each([
    ["boundClaims.b", ["2"], undefined, true],
    ["boundClaims.b[0]", ["2", "3"], ["4", "3"], true],
    ["boundClaims.b[0]", ["2", "3"], ["2", "4"], false],
  ])("that names %s hides the change from %j to %j: %s", async (property, recorded, live, isHidden) => {
    const { drift, raw } = await openStack([role("ci", { boundClaims: { a: "1", b: recorded } })]);
    const byHand = { role_type: "jwt", bound_claims: { a: "1", b: live } };
    await raw("secrets").call("POST auth/jwt/role/ci", byHand);
    const { report } = await drift("--json", "--ignore", ignoreFile({ resource: "jwt.Role ci", property }));
    expect(report().counts).toMatchObject(isHidden ? { ignored: 1, changed: 0 } : { ignored: 0, changed: 1 });
  });

  it("takes the entry of a whole property before that of its part, which then hides nothing", async () => {
    const { drift } = await changedStack();
    const [part, whole] = ["boundClaims.b", "boundClaims"].map((property) => ({
      resource: "jwt.Role ci",
      property,
      reason: property,
    }));
    const { report } = await drift("--json", "--ignore", ignoreFile({ ...part }, { ...whole }));
    const ignored = report().resources.flatMap(({ properties }) => properties.map((each) => each.ignored?.reason));
    expect(ignored).toContain("boundClaims");
    expect(report().ignoreFile).toMatchObject([{ property: "boundClaims.b", why: "unused" }]);
  });

  it("hides nothing from the day on which an entry expires, and says so", async () => {
    const { drift } = await changedStack();
    const today = new Date().toISOString().slice(0, 10);
    const file = ignoreFile({ resource: "*", expires: today });
    const { code, report } = await drift("--json", "--ignore", file);
    expect(code).toBe(2);
    expect(report().ignoreFile).toEqual([{ resource: "*", reason: "OPS-1", expires: today, why: "expired" }]);
    expect((await drift("--ignore", file)).out).toContain(
      `ignore file: * (OPS-1) expired on ${today} and counts again`,
    );
  });

  it("reports an entry that hides nothing any more", async () => {
    const { drift } = await openStack([role("ci")]);
    const file = ignoreFile({ resource: "jwt.Role ci", property: "tokenTtl" });
    const { code, out } = await drift("--ignore", file);
    expect(code).toBe(0);
    expect(out).toContain("ignore file: jwt.Role ci tokenTtl (OPS-1) hides nothing; remove it");
  });

  it.each([
    [{ resource: "x", reason: " " }, /ignore\.0\.reason must say why/],
    [{ resource: "x", expires: "soon" }, /ignore\.0\.expires must be a day such as 2026-12-31/],
    [{ property: "x" }, /ignore\.0\.resource/],
    [{ resource: "x", because: "typing error" }, /because/],
  ])("is refused with what is wrong: %j", async (entry, reason) => {
    const { drift } = await openStack([]);
    const { code, err } = await drift("--ignore", ignoreFile(entry));
    expect(code).toBe(1);
    expect(err).toMatch(reason);
  });
});

it("what the program ignores (ignoreChanges) is no drift, as no update would change it", async () => {
  const { drift, raw } = await openStack([{ ...role("ci"), ignoreChanges: ["tokenTtl"] }]);
  await raw("secrets").call("POST auth/jwt/role/ci", { role_type: "jwt", token_ttl: 60 });
  const { code, out } = await drift();
  expect(code).toBe(0);
  expect(out).toMatch(/ignored +jwt\.Role ci +tokenTtl: \(unset\) → "1m"; the program ignores changes of it/);
});
