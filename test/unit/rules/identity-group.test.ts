import { describe, expect, it } from "vitest";
import { check } from "../../../provider/core/check";
import type { Values } from "../../../provider/core/definition";
import { diff } from "../../../provider/core/diff";
import { bodyOf, stateOf } from "../../../provider/core/record";
import { UNKNOWN } from "../../../provider/core/unknowns";
import { identityGroup } from "../../../provider/resources/identity/group";
import { expectRefusals } from "./expect-refusals";

const pairs = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, "v"]));
const alias = { mount: "people", name: "engineers" };

// @covers beyond: Groups > policies
// @covers beyond: Groups > metadata
describe("an internal identity.Group", () => {
  const members = /only valid when type is internal/;
  expectRefusals("identityGroup", 0, {
    accepted: [
      { name: "Ops / on-call, ü #1" },
      { policies: ["rooter", "read"] },
      { metadata: pairs(64) },
      { metadata: { ["k".repeat(128)]: "ü".repeat(256), "a=b/c+d-e_f": "", Vault: "x" } },
      {
        memberEntityIds: ["7d2e3179-f69b-450c-7179-ac8ee8bd8ca9", UNKNOWN],
        memberGroupIds: ["7d2e3179-f69b-450c-7179-ac8ee8bd8ca9.Kx1a2"],
      },
      { type: "internal" },
    ],
    refused: [
      [{ name: null }, "name", "is required"],
      [{ name: " ops" }, "name", /must not begin or end with a blank or a slash/],
      [{ name: "ops/" }, "name", /must not begin or end with a blank or a slash/],
      [{ name: "a/../b" }, "name", /as a segment/],
      [{ name: "a//b" }, "name", /as a segment/],
      [{ name: "a\u200bb" }, "name", /control or invisible/],
      [{ type: "other" }, "type", 'must be one of "internal", "external"'],
      [{ policies: ["a", "Root"] }, "policies", /must not hold root/],
      [{ metadata: pairs(65) }, "metadata", /at most 64 pairs/],
      [{ metadata: { "cost center": "7" } }, 'metadata["cost center"]', /letters, digits/],
      [{ metadata: { ["k".repeat(129)]: "7" } }, `metadata.${"k".repeat(129)}`, /1 to 128 letters/],
      [{ metadata: { "vault-x": "7" } }, 'metadata["vault-x"]', /the server keeps for itself/],
      [{ metadata: { owner: `${"ü".repeat(256)}x` } }, "metadata.owner", /at most 512 bytes/],
      [{ alias }, "alias", 'is only valid when type is "external"'],
      [{ type: "external", alias, memberEntityIds: ["e"] }, "memberEntityIds", members],
      [{ type: "external", alias, memberGroupIds: ["g"] }, "memberGroupIds", members],
    ],
    advised: [
      [{ type: "external" }, "type", /without an alias no login puts anybody in it/],
      [{ memberGroupIds: ["identity/group/name/a"] }, "memberGroupIds[0]", /no id of the server: give the `groupId`/],
    ],
  });
});

// @covers beyond: Groups > alias
describe("an external identity.Group", () => {
  expectRefusals("identityGroup", 2, {
    accepted: [{ alias: { mount: "/team/people/", name: "CN=Engineers,OU=x" } }],
    refused: [
      [{ alias: "engineers" }, "alias", "must be { mount, name }"],
      [{ alias: { mount: "people" } }, "alias.name", "must be a string"],
      [{ alias: { mount: "people", name: " " } }, "alias.name", "must not be empty"],
      [{ alias: { mount: "a b", name: "x" } }, "alias.mount", /must be a path/],
      [{ alias: { ...alias, accessor: "auth_jwt_1" } }, "alias", /accessor/],
    ],
  });
});

describe("an alias", () => {
  const inputs = (more: Values) => check(identityGroup, { name: "g", type: "external", ...more });

  it("at a mount that is not known yet is accepted", () => {
    expect(inputs({ alias: { mount: UNKNOWN, name: "x" } }).failures).toEqual([]);
  });

  it("is the same with slashes around the mount's path", () => {
    const [one, other] = [inputs({ alias }), inputs({ alias: { ...alias, mount: "/people/" } })];
    expect(diff(identityGroup, one.inputs, other.inputs).changed).toEqual([]);
    expect(other.inputs["alias"]).toEqual(alias);
  });

  it.each([
    ["another mount", { mount: "others", name: "engineers" }, ["alias"]],
    ["a mount that is not known yet", { mount: UNKNOWN, name: "engineers" }, []],
    ["another name", { mount: "people", name: "sales" }, []],
    ["none", undefined, []],
  ])("that becomes one of %s replaces what it must", (_, next, replaces) => {
    const [olds, news] = [inputs({ alias }).inputs, inputs({ alias: next }).inputs];
    expect(diff(identityGroup, olds, news)).toEqual({ changed: ["alias"], replaces });
  });

  it("is in no body of the group", () => {
    expect(bodyOf(identityGroup, inputs({ alias }).inputs)).not.toHaveProperty("alias");
  });

  it.each([
    ["none", {}],
    ["one whose mount is gone", { id: "a-1", name: "x", mount_accessor: "auth_jwt_1" }],
    ["one of a secrets engine", { id: "a-1", name: "x", mount_path: "kv/" }],
  ])("%s is none in the state", (_, shown) => {
    expect(stateOf(identityGroup, { type: "external", alias: shown }, { name: "g", alias })).not.toHaveProperty(
      "alias",
    );
  });
});

describe("what is sent", () => {
  const layout = (values: Values) => identityGroup.update.layout?.(bodyOf(identityGroup, values), {});

  // @covers beyond: Groups > member_entity_ids
  // @covers beyond: Groups > member_group_ids
  it("names members of an internal group, also none, and never those of an external one", () => {
    const none = { member_entity_ids: [], member_group_ids: [] };
    expect(layout({ name: "g" })).toMatchObject({ type: "internal", ...none });
    expect(Object.keys(layout({ name: "g", type: "external" }) ?? {})).toEqual(["type", "policies", "metadata"]);
  });
});
