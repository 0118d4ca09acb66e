import { describe, expect, it } from "vitest";
import { fill, parse, placeholders, requestPath, requiredPlaceholders } from "../../../provider/core/template";
import { fc } from "../../support/fast-check.ts";

const role = "auth/{mount}/role/{name}";
const peer = "[{partition}/]{peerName}";
const place = "[{partition|default}/{namespace|default}/]{name}";

describe("an id", () => {
  it.each([
    [role, { mount: "jwt", name: "ci" }, "auth/jwt/role/ci"],
    [role, { mount: "team/jwt", name: "ci" }, "auth/team/jwt/role/ci"],
    [role, { mount: "a/role/b", name: "ci" }, "auth/a/role/b/role/ci"],
    ["sys/auth/{path}", { path: "team/jwt" }, "sys/auth/team/jwt"],
    ["{mount}/config/lease", { mount: "team/cloud" }, "team/cloud/config/lease"],
    [peer, { partition: "east", peerName: "b" }, "east/b"],
    [peer, { peerName: "b" }, "b"],
    ["{partition|default}", {}, "default"],
    ["{partition|default}", { partition: "east" }, "east"],
    [place, { name: "web" }, "web"],
    [place, { namespace: "shop", name: "web" }, "default/shop/web"],
    [place, { partition: "east", name: "web" }, "east/default/web"],
    [place, { partition: "east", namespace: "shop", name: "web" }, "east/shop/web"],
  ])("%s of %j is %s, and means the same back", (template, values, id) => {
    expect(fill(template, values)).toBe(id);
    expect(parse(template, id)).toEqual(values);
  });

  it.each([
    [role, "auth/jwt/roles/ci"],
    [role, "auth/jwt/role/"],
    [role, "xauth/jwt/role/ci"],
    [role, "auth/jwt/role/a/b/"],
    ["{mount}/config/lease", "/config/lease"],
    ["a.b/{x}", "a-b/c"],
    [place, "shop/web"],
  ])("%s is not the template of %s", (template, id) => {
    expect(parse(template, id)).toBeUndefined();
  });

  it("leaves out a part whose value is empty", () => {
    expect(fill(peer, { partition: "", peerName: "b" })).toBe("b");
  });

  it("takes values as they are, also those that look like a template", () => {
    expect(fill(role, { mount: "{name}", name: "$&[x]" })).toBe("auth/{name}/role/$&[x]");
  });
});

describe("the path of a request", () => {
  // @covers jwt: What the service does > another mount
  it("keeps the slashes of a mount and encodes everything else", () => {
    expect(requestPath(role, { mount: "team/j w?t", name: "a#b%" })).toBe("auth/team/j%20w%3Ft/role/a%23b%25");
  });

  it("carries an optional query", () => {
    const list = "v1/peerings[?partition={partition}]";
    expect(requestPath(list, {})).toBe("v1/peerings");
    expect(requestPath(list, { partition: "a&b" })).toBe("v1/peerings?partition=a%26b");
  });

  it("stays on its path whatever the values hold", () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1 }).filter((text) => !/^\.{1,2}$/.test(text) && !text.includes("/")),
        (name) => {
          const url = new URL(`http://host/${requestPath("auth/{mount}/role/{name}", { mount: "jwt", name })}`);
          expect(url.pathname.split("/")).toHaveLength(5);
          expect(decodeURIComponent(url.pathname)).toBe(`/auth/jwt/role/${name}`);
          expect(url.search + url.hash).toBe("");
        },
      ),
    );
  });
});

it("placeholders are the names in a template", () => {
  expect(placeholders(peer)).toEqual(["partition", "peerName"]);
  expect(placeholders(place)).toEqual(["partition", "namespace", "name"]);
});

it("a value that may be left out, or that has a word in its place, is not required", () => {
  expect(requiredPlaceholders(peer)).toEqual(["peerName"]);
  expect(requiredPlaceholders(place)).toEqual(["name"]);
  expect(requiredPlaceholders("v1/config/exported-services/{partition|default}")).toEqual([]);
});
