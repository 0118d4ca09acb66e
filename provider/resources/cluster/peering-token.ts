import * as z from "zod";
import { defineResource } from "../../core/definition";
import { required } from "../../core/field";
import { integer, local, string } from "../../core/rows";
import { meta } from "./meta";
import { externalAddresses, otherDirection, peeringId, peeringLife, peerName, peerRules, terminated } from "./peer";
import { withoutDefaultPlace } from "./place";

const fields = {
  /** Name of the other cluster, which will use the token: a DNS label in lower case. @source consul/peering token */
  peerName: peerName(),
  /** Addresses `host:port` that the other cluster dials instead of those of this cluster's servers. @source consul/peering token */
  serverExternalAddresses: externalAddresses(),
  /** Metadata of the peering, key to value. It has no effect. @source consul/peering token */
  meta: meta(),
  /** Raise it to get a new token. A token works only once. */
  generation: local({ ...integer(""), schema: z.int().min(0, { error: "must not be negative" }) }),
};

const outputs = {
  /** Token for the other cluster. It works only once. @source consul/peering token */
  peeringToken: required(string("PeeringToken")),
  /** Id of the peering record. @source consul/peering read */
  peeringId: peeringId(),
  /** True when the other side has ended the peering. The next update makes a new one. @source consul/peering read */
  terminated: terminated(),
};

const issue = { method: "POST", path: "v1/peering/token", sends: "everything", mints: true } as const;

export const clusterPeeringToken = defineResource({
  token: "cluster:PeeringToken",
  dialect: "consul",
  fields,
  outputs,
  id: "[{partition}/]{peerName}",
  label: "peerName",
  identity: ["peerName"],
  // A second request for a token ignores Meta.
  replaceOn: ["meta"],
  adopt: { by: ["meta"], refuses: (record) => otherDirection("issues", record) },
  secretOutputs: ["peeringToken"],
  stable: ["peeringId"],
  writeOnly: ["serverExternalAddresses"],
  witnesses: { peeringToken: "peeringId" },
  broken: ({ terminated }) => (terminated ? ["terminated"] : []),
  replaceWhen: ({ terminated }) => (terminated ? ["terminated"] : []),
  rewrite: (inputs) => withoutDefaultPlace(inputs),
  create: issue,
  update: issue,
  ...peeringLife,
  rules: peerRules("peerName", "meta"),
});
