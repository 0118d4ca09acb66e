import { describe, expect, it } from "vitest";
import { bytesOf, keptIn } from "../../../provider/hosts/terraform/kept";
import type { Request } from "../../../provider/hosts/terraform/protocol";
import { upgradeResourceState } from "../../../provider/hosts/terraform/read";
import { hostWith } from "../../support/terraform-host";

const KEY = "a-key-of-fingerprints";

describe("what a state keeps beside the attributes", () => {
  it("is read as it was written", () => {
    const kept = {
      server: "a",
      mountMark: "m",
      fingerprintKey: KEY,
      incomplete: ["x"],
      shown: { providerConfig: { max: 5 } },
    };
    expect(keptIn(bytesOf(kept))).toEqual(kept);
    expect(keptIn(new Uint8Array())).toEqual({});
  });

  it.each([
    ["no JSON", `{"fingerprintKey":"${KEY}`],
    ["no object", `["${KEY}"]`],
    ["null", "null"],
    ["another server", `{"server":{"is":"${KEY}"}}`],
    ["another key", `{"fingerprintKey":["${KEY}"]}`],
    ["a mark", `{"mountMark":["${KEY}"]}`],
    ["what is incomplete", `{"incomplete":{"${KEY}":1}}`],
    ["what is shown", `{"shown":{"providerConfig":"${KEY}"}}`],
    ["a flag", `{"isMoved":"${KEY}"}`],
  ])("is refused, and not shown, where it is damaged: %s", (_, text) => {
    const read = () => keptIn(Buffer.from(text));
    expect(read).toThrow(/private\) is damaged: .*Nothing was done.*terraform state rm/);
    expect(read).not.toThrow(KEY);
  });
});

describe("a state of another type", () => {
  const upgrade = (attributes: unknown) =>
    upgradeResourceState(hostWith({}), {
      typeName: "trustplane_jwt_config",
      version: 0,
      rawState: { json: Buffer.from(JSON.stringify(attributes)) },
    } as Partial<Request> as Request);

  it.each([
    ["fingerprints", "text"],
    ["fingerprints", { oidc_client_secret: ["text"] }],
    ["fingerprints", []],
    ["jwt_supported_algs", "RS256"],
    ["jwt_supported_algs", { RS256: true }],
    ["mount", { is: "jwt" }],
    ["id", ["auth/jwt/config"]],
    ["incomplete", {}],
    ["provider_config", "gsuite"],
  ])("is refused, and says where: %s", async (name, value) => {
    const wrong = `the state of trustplane_jwt_config is damaged: ${name} has a wrong type. Nothing was done.`;
    await expect(upgrade({ mount: "jwt", [name]: value })).rejects.toThrow(wrong);
  });

  it("tells the engine which records a set has, whose types stand beside them in a file", async () => {
    const held: unknown[] = [];
    const engine = { holds: (_: unknown, state: unknown) => void held.push(state) };
    const type = ["object", { ci: ["object", { role_type: "string", user_claim: "string" }] }];
    const roles = { type, value: { ci: { role_type: "jwt", user_claim: "sub" } } };
    const state = { id: "auth/jwt/role", mount: "jwt", roles };
    const json = Buffer.from(JSON.stringify(state));
    const request: Partial<Request> = { typeName: "trustplane_jwt_role_set", version: 0, rawState: { json } };
    await upgradeResourceState(hostWith(engine), request as Request);
    expect(held).toMatchObject([{ mount: "jwt", roles: { ci: { roleType: "jwt", userClaim: "sub" } } }]);
  });

  it("is no state of single values that Terraform converts", async () => {
    await expect(upgrade({ mount: 5, incomplete: "false" })).resolves.toMatchObject({});
  });
});
