import { describe, expect, it } from "vitest";
import { same } from "../../../provider/core/field";
import { boolean, local, oneOf, stringList } from "../../../provider/core/rows";

describe("a list of texts in an order that matters", () => {
  const list = stringList("servers");

  it.each([
    [["a", "b"], [" a", "b "], true],
    [[], undefined, true],
    [["a", "b"], ["b", "a"], false],
    [["a"], ["b"], false],
  ])("%j and %j are the same: %s", (one, other, isSame) => {
    expect(same(list, one, other)).toBe(isSame);
  });
});

describe("a row that is never sent", () => {
  it("has its fallback where nothing is set", () => {
    const onDelete = local(oneOf("", ["forget", "blank"]), "forget");
    expect(onDelete).toMatchObject({ place: "local", fallback: "forget" });
    expect(same(onDelete, undefined, "forget")).toBe(true);
    expect(same(onDelete, undefined, "blank")).toBe(false);
  });

  it("needs none", () => {
    const force = local(boolean(""));
    expect(force).not.toHaveProperty("fallback");
    expect(same(force, undefined, false)).toBe(true);
  });
});

it("one of a few words is reset to the server's default, or to no text where it has none", () => {
  expect(oneOf("mode", ["query", "form_post"]).empty).toBe("");
  expect(oneOf("kind", ["plain", "odd"], "plain").empty).toBe("plain");
});
