import { describe, expect, it } from "vitest";
import { handshakeLine, reasonNotToServe, reattachText } from "../../../provider/hosts/terraform/handshake";

const cookie = { TF_PLUGIN_MAGIC_COOKIE: "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2" };
const address = { network: "unix", text: "/run/plugin" } as const;

describe("the handshake", () => {
  it.each([
    ["a person", {}],
    ["another program", { TF_PLUGIN_MAGIC_COOKIE: "x" }],
    ["a CLI that speaks version 5 only", { ...cookie, PLUGIN_PROTOCOL_VERSIONS: "4,5" }],
  ])("is refused to %s", (_, env) => {
    expect(reasonNotToServe(env)).toMatch(/Terraform/);
  });

  it.each([cookie, { ...cookie, PLUGIN_PROTOCOL_VERSIONS: "5,6" }])("is given to Terraform", (env) => {
    expect(reasonNotToServe(env)).toBeUndefined();
  });

  it("says where the plugin is, with the certificate in Go's base64 where it has one", () => {
    expect(handshakeLine(address, undefined)).toBe("1|6|unix|/run/plugin|grpc");
    expect(handshakeLine(address, Buffer.from([1, 2]))).toBe("1|6|unix|/run/plugin|grpc|AQI");
  });

  it("is left out by a CLI that is told of a running plugin", () => {
    expect(JSON.parse(reattachText("a/b", address, 7))).toEqual({
      "a/b": {
        Protocol: "grpc",
        ProtocolVersion: 6,
        Pid: 7,
        Test: true,
        Addr: { Network: "unix", String: "/run/plugin" },
      },
    });
  });
});
