import { describe, expect, it } from "vitest";
import { parse } from "../../../provider/core/template";
import {
  identified,
  identityOf,
  identitySchemas,
  idFrom,
  upgradeResourceIdentity,
} from "../../../provider/hosts/terraform/identity";
import type { Request } from "../../../provider/hosts/terraform/protocol";
import { importResourceState } from "../../../provider/hosts/terraform/read";
import { messageOf, type RawRecord, recordIn, UNKNOWN_RAW } from "../../../provider/hosts/terraform/value";
import { hostWith, terraformTables } from "../../support/terraform-host";

interface Identity {
  readonly identityData: { readonly msgpack: Uint8Array };
}

function tableOf(name: string) {
  const table = terraformTables.resources.get(`trustplane_${name}`);
  if (!table) throw new Error(`there is no ${name}`);
  return table;
}

const identityIn = (name: string, record: RawRecord) =>
  recordIn((identityOf(tableOf(name), record) as Identity).identityData.msgpack);

describe("the identity of a record", () => {
  it("has what an id is made of, and where the record is", () => {
    const { identitySchemas: schemas } = identitySchemas(hostWith({})) as {
      identitySchemas: Record<string, { identityAttributes: readonly Record<string, unknown>[] }>;
    };
    expect(Object.keys(schemas)).toEqual([...terraformTables.resources.keys()]);
    const shown = schemas["trustplane_jwt_role"]?.identityAttributes.map(({ name, requiredForImport }) => [
      name,
      requiredForImport,
    ]);
    expect(shown).toEqual([
      ["mount", false],
      ["name", true],
      ["connection_name", false],
      ["namespace", false],
    ]);
    for (const { identityAttributes } of Object.values(schemas)) {
      expect(identityAttributes.length).toBeGreaterThan(0);
      expect(identityAttributes.every((each) => each["requiredForImport"] !== each["optionalForImport"])).toBe(true);
      expect(identityAttributes.every(({ description }) => description !== "")).toBe(true);
    }
  });

  it("is that of the server, whatever the program writes", () => {
    const record = { id: "auth/a/b/role/ci", mount: "/a/b/", name: "CI", connection_name: "east", namespace: null };
    const identity = { mount: "a/b", name: "ci", connection_name: "east", namespace: null };
    expect(identityIn("jwt_role", record)).toEqual(identity);
    expect(idFrom(tableOf("jwt_role"), messageOf(identity))).toBe("auth/a/b/role/ci?connection=east");
  });

  it.each([
    ["its id", { id: UNKNOWN_RAW, connection_name: null }],
    ["its connection", { id: "auth/jwt/role/ci", connection_name: UNKNOWN_RAW }],
  ])("is left out while %s is unknown, because OpenTofu 1.12 refuses a plan with such a part", (_, record) => {
    expect(identityOf(tableOf("jwt_role"), record)).toBeUndefined();
  });

  it.each([
    ["jwt_role", { name: "ci" }, "auth/jwt/role/ci"],
    ["cluster_peering", { peer_name: "west", partition: null }, "west"],
    ["cluster_intention", { destination: "web", namespace: "team" }, "default/team/web"],
    ["cluster_exported_services", { partition: null }, "default"],
    ["policy_parameter", { policy_set_id: "polset-aaaaaaaaaaaaaaaa", parameter_id: "x" }, "polset-aaaaaaaaaaaaaaaa/x"],
    ["jwt_role", { mount: "/a/b/", name: "CI", namespace: "" }, "auth/a/b/role/ci"],
  ])("of %s leads to its id", (name, identity, id) => {
    expect(idFrom(tableOf(name), messageOf(identity))).toBe(id);
    expect(parse(tableOf(name).definition.id, id)).toBeDefined();
  });

  it("is refused where it names no record", () => {
    expect(() => idFrom(tableOf("jwt_role"), messageOf({ mount: "jwt", name: null }))).toThrow(/jwt_role needs name$/);
    expect(() => idFrom(tableOf("policy_parameter"), null)).toThrow(/needs policy_set_id and parameter_id$/);
    const wrong = messageOf({ mount: "", name: "a/b" });
    expect(() => idFrom(tableOf("jwt_role"), wrong)).toThrow(/wrong: mount must be a path .*; name must be /);
  });

  it("is kept in one form", async () => {
    const json = Buffer.from('{"name":"ci","other":1}');
    const request = { typeName: "trustplane_jwt_role", rawIdentity: { json } } as Partial<Request> as Request;
    const { answer } = await upgradeResourceIdentity(hostWith({}), request);
    const { upgradedIdentity } = answer as { upgradedIdentity: Identity };
    const kept = { mount: null, name: "ci", connection_name: null, namespace: null };
    expect(recordIn(upgradedIdentity.identityData.msgpack)).toEqual(kept);
  });

  it("goes with the record that an import by it finds, and with no answer without a record", async () => {
    const asked: string[] = [];
    const host = hostWith({
      read: async (_definition, id) => {
        asked.push(id);
        return { id, state: { mount: "jwt", name: "ci", roleType: "jwt" } };
      },
    });
    const identity = { identityData: messageOf({ mount: "jwt", name: "ci" }) };
    const request = { typeName: "trustplane_jwt_role", id: "", identity } as Partial<Request> as Request;
    const { answer } = await importResourceState(host, request);
    const [imported] = (answer as { importedResources: readonly { identity: Identity }[] }).importedResources;
    expect(asked).toEqual(["auth/jwt/role/ci"]);
    expect(recordIn(imported?.identity.identityData.msgpack)).toMatchObject({ mount: "jwt", name: "ci" });

    const answered = (record: RawRecord | undefined) =>
      identified(async () => ({ answer: { newState: messageOf(record) } }), "newState", "newIdentity")(host, request);
    expect(Object.keys((await answered(undefined)).answer)).toEqual(["newState"]);
    expect(Object.keys((await answered({ id: "auth/jwt/role/ci" })).answer)).toEqual(["newState", "newIdentity"]);
  });
});
