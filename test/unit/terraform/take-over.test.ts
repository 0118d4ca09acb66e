import { describe, expect, it } from "vitest";
import { UNKNOWN } from "../../../provider/core/unknowns";
import { isTakenOver, placeOf } from "../../../provider/hosts/terraform/take-over";
import { definitions } from "../../../provider/resources";

const { jwtRole, identityGroup, policyParameter } = definitions;
const role = { mount: "jwt", name: "ci", roleType: "jwt" };

describe("a record that a failed creation has left", () => {
  const taken = (wanted: object, incomplete: unknown = true) =>
    isTakenOver(jwtRole, { incomplete }, role, placeOf(jwtRole, { ...role, ...wanted }) ?? "");

  it.each([
    ["the same one is wanted", {}, true],
    ["it is wanted with another property", { roleType: "oidc" }, true],
    ["another name is wanted", { name: "other" }, false],
    ["it is wanted on another connection", { connection: "east" }, false],
    ["it is wanted in a namespace", { namespace: "team" }, false],
    ["its name is not known yet", { name: UNKNOWN }, false],
  ])("is taken over or not where %s", (_, wanted, expected) => {
    expect(taken(wanted)).toBe(expected);
  });

  it("is deleted where it is complete, as a program asks with -replace", () => {
    expect(taken({}, false)).toBe(false);
  });

  it("is deleted where what it is cannot be changed, or where nobody knows its id before", () => {
    const [before, after] = ["internal", "external"].map((type) => placeOf(identityGroup, { name: "a", type }));
    expect(before).not.toBe(after);
    expect(placeOf(policyParameter, { policySetId: "polset-1", key: "a" })).toBeUndefined();
  });
});
