import { describe, expect, it } from "vitest";
import { check } from "../../../provider/core/check";
import type { Definition } from "../../../provider/core/definition";
import { placeProperties, tenantIn } from "../../../provider/core/tenant";
import { consul } from "../../../provider/dialects/consul";
import { vault } from "../../../provider/dialects/vault";
import { titleOf } from "../../../provider/engine/operation";
import { definitions } from "../../../provider/resources";

const jwtRole: Definition = definitions.jwtRole;
const role = { name: "ci", roleType: "jwt", userClaim: "sub", boundSubject: "s" };
const checked = (namespace: unknown) => check(jwtRole, { ...role, namespace });

describe("a namespace", () => {
  it.each([
    ["team", "team"],
    ["team/ci/", "team/ci"],
    ["//team", "team"],
    ["", ""],
    ["/", ""],
  ])("%j is recorded as %j", (written, recorded) => {
    const { inputs, failures } = checked(written);
    expect(failures).toEqual([]);
    expect(inputs["namespace"]).toBe(recorded);
  });

  it.each(["a b", "a//b", "a/../b", ".", "root", "team/sys", "a\r\nx-header: b", 5, ["team"]])(
    "%j is refused",
    (wrong) => {
      const { failures } = checked(wrong);
      expect(failures.length).toBeGreaterThan(0);
      for (const failure of failures)
        expect(failure).toMatchObject({
          property: expect.stringMatching(/^namespace/),
          reason: expect.stringMatching(/^must /),
        });
    },
  );

  it.each([
    [undefined, "team", "team"],
    ["", "team", "team"],
    ["/own/", "team/ci", "own/team/ci"],
  ])("of the connection %j and the record %j is %j", (own, named, whole) => {
    expect(vault.tenancy?.within(own, named)).toBe(whole);
  });
});

it.each(Object.entries<Definition>(definitions))(
  "%s has the tenant of its API, and it is part of the identity",
  (_, definition) => {
    const { parts, fields, identity, dialect } = definition;
    const side = (names: Readonly<Record<string, string>>) =>
      Object.entries(names).flatMap(([name, own]) => (placeProperties(dialect).includes(own) ? [name] : []));
    const names = parts ? [...side(parts.issuerFields), ...side(parts.takerFields)] : placeProperties(dialect);
    expect(names).toHaveLength(placeProperties(dialect).length * (parts ? 2 : 1));
    for (const name of names) {
      expect(Object.keys(fields)).toContain(name);
      expect(identity).toContain(name);
    }
  },
);

it.each([
  ["v1/peerings", "team", "v1/peerings?partition=team"],
  ["v1/peerings?x=1", "a b", "v1/peerings?x=1&partition=a%20b"],
  ["v1/peerings?partition=own", "team", "v1/peerings?partition=own"],
  ["v1/peerings", "default", "v1/peerings"],
  ["v1/peerings", undefined, "v1/peerings"],
])("Consul is asked for %s of partition %j by %s", (path, partition, located) => {
  expect(consul.located?.(path, partition)).toBe(located);
});

it("a title names the tenant that the record names, and no other", () => {
  expect(titleOf(jwtRole, { name: "ci", namespace: "team" })).toBe('jwt.Role "ci" in namespace "team"');
  expect(titleOf(jwtRole, { name: "ci", namespace: "" })).toBe('jwt.Role "ci"');
  expect(titleOf(definitions.clusterPeering, { peerName: "west", partition: "net" })).toBe(
    'cluster.Peering "west" in partition "net"',
  );
  expect(tenantIn("tfe", { namespace: "team" })).toBeUndefined();
});
