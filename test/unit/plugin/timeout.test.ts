// @run test: it waits for clocks
import type { ServiceError } from "@grpc/grpc-js";
import { ConfigureRequest, CreateRequest } from "@pulumi/pulumi/proto/provider_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { expect, onTestFinished, test } from "vitest";
import { openStandIn, peeringIn, standInToken } from "../../support/peering-stand-in.ts";
import { startPlugin } from "../../support/plugin-server.ts";

test("a timeout of the user ends the wait for a peering that never becomes ACTIVE, and the failure says so", async () => {
  const { config } = await openStandIn(() => peeringIn("ESTABLISHING", { PeerID: "other" }));
  const about = <T>(_: string, work: () => Promise<T>) => work();
  const plugin = await startPlugin({ write: () => {}, attach: () => {}, about, flush: async () => {} });
  onTestFinished(() => plugin.close());
  const configure = new ConfigureRequest().setArgs(Struct.fromJavaScript(config));
  await new Promise((resolve) => plugin.client.configure(configure, resolve));
  const create = new CreateRequest()
    .setUrn("urn:pulumi:dev::contract::trustplane:cluster/peering:Peering::it")
    .setProperties(Struct.fromJavaScript({ peerName: "east", peeringToken: standInToken, waitForActive: true }))
    .setTimeout(1);

  const failure = await new Promise<ServiceError | null>((resolve) => plugin.client.create(create, resolve));

  expect(failure?.details).toMatch(
    /creating cluster\.Peering "east": it was written, but the wait until it is ACTIVE ended: its timeout of 1 s is over \(customTimeouts\); it is ESTABLISHING/,
  );
});
