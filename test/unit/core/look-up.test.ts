import { describe, expect, it } from "vitest";
import type { Definition } from "../../../provider/core/definition";
import { addressIn, lookUpProperties } from "../../../provider/core/look-up";
import { outputsOf } from "../../../provider/core/record";
import { definitions } from "../../../provider/resources";
import { sample } from "./sample-resource";

describe("a look-up", () => {
  const usual = Object.entries(definitions).filter(([, definition]) => !("parts" in definition));

  it.each(usual)("of %s takes its id and the connection", (_, definition: Definition) => {
    expect(lookUpProperties(definition)).toEqual(["connection"]);
  });

  it("of a pair takes what its id does not hold of both sides", () => {
    const { identity } = definitions.clusterPeeredClusters;
    const inId = ["acceptorPeerName", "dialerPeerName"];
    expect(lookUpProperties(definitions.clusterPeeredClusters)).toEqual(
      identity.filter((name) => !inId.includes(name)),
    );
  });
});

describe("an id that a person wrote", () => {
  it("may be followed by what it does not hold", () => {
    const pair = "a/b?dialerConnection=partner&acceptorPartition=ops";
    expect(addressIn(definitions.jwtRole, "auth/jwt/role/ci?connection=east%2F1")).toEqual({
      id: "auth/jwt/role/ci",
      values: { connection: "east/1" },
    });
    expect(addressIn(definitions.clusterPeeredClusters, pair)).toEqual({
      id: "a/b",
      values: { dialerConnection: "partner", acceptorPartition: "ops" },
    });
  });

  it.each(["auth/jwt/role/ci", "auth/jwt/role/what?", "auth/jwt/role/a?b=c", "auth/jwt/role/a?connection=x&name=y"])(
    "is %s as it is",
    (id) => {
      expect(addressIn(definitions.jwtRole, id).values).toEqual({});
    },
  );
});

it("what only the server knows is taken out of a state", () => {
  expect(outputsOf(sample, { name: "a", serial: "7", server: "x" })).toEqual({ serial: "7" });
  expect(outputsOf(sample, { name: "a", serial: undefined })).toEqual({});
});
