import { ConfigureRequest, InvokeRequest } from "@pulumi/pulumi/proto/provider_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { expect, it, onTestFinished } from "vitest";
import { createEngineLog } from "../../../provider/hosts/plugin/engine-log";
import { serve } from "../../support/loopback-server.ts";
import { startPlugin } from "../../support/plugin-server.ts";

/** The tokens that a server is sent by a provider of this name with this entry, while the environment has one. */
async function tokensOf(name: string | undefined, entry: object, { isOfAnother = true } = {}): Promise<unknown[]> {
  const tokens = new Set<unknown>();
  const { origin } = await serve(({ headers }, response) => {
    tokens.add(headers["x-consul-token"]);
    response.end("[]");
  });
  const env = { CONSUL_HTTP_TOKEN: "ambient", ...(isOfAnother ? {} : { CONSUL_HTTP_ADDR: origin }) };
  const plugin = await startPlugin(createEngineLog(), env);
  onTestFinished(plugin.close);
  const cluster = JSON.stringify({ ...(isOfAnother ? { address: origin } : {}), offline: true, ...entry });
  const configure = new ConfigureRequest().setArgs(Struct.fromJavaScript({ cluster }));
  if (name !== undefined) configure.setName(name);
  await new Promise((done) => plugin.client.configure(configure, done));
  const invoke = new InvokeRequest()
    .setTok("trustplane:cluster/getPeerings:getPeerings")
    .setArgs(Struct.fromJavaScript({}));
  await new Promise((done) => plugin.client.invoke(invoke, done));
  return [...tokens];
}

it.each<[string, string | undefined, object, unknown]>([
  ["an explicit provider's token wins over the environment's", "west", { token: "west" }, "west"],
  ["an explicit provider's address of its own is not sent the environment's token", "west", {}, undefined],
  [
    "the default provider's token may be that of the last update: the environment's wins",
    "default",
    { token: "old" },
    "ambient",
  ],
  ["the default provider of a release is a default provider", "default_0_1_0", { token: "old" }, "ambient"],
  ["the default provider's address is sent the environment's token", "default", {}, "ambient"],
  ["where Pulumi does not say which provider it is, its token wins", undefined, { token: "west" }, "west"],
  ["where Pulumi does not say which provider it is, its address is sent the environment's", undefined, {}, "ambient"],
])("%s", async (_, name, entry, expected) => {
  expect(await tokensOf(name, entry)).toEqual([expected]);
});

it("an explicit provider for the environment's own server is sent the environment's token", async () => {
  expect(await tokensOf("west", {}, { isOfAnother: false })).toEqual(["ambient"]);
});
