import { isEmpty } from "../../core/canonical";
import { defineResource, type Values } from "../../core/definition";
import { required } from "../../core/field";
import { string } from "../../core/rows";
import { rule } from "../../core/rules";
import { meta } from "./meta";
import {
  ending,
  onItsWayToActive,
  otherDirection,
  peeringId,
  peeringLife,
  peerName,
  peerRules,
  terminated,
  waitForActive,
} from "./peer";
import { withoutDefaultPlace } from "./place";
import { tokenContent, tokenProblem } from "./token-content";

const fields = {
  /** Name of the other cluster, which issued the token: a DNS label in lower case. @source consul/peering establish */
  peerName: peerName(),
  /** Token of the other cluster. It works only once. @source consul/peering establish */
  peeringToken: required(string("PeeringToken")),
  /** Metadata of the peering, key to value. It has no effect. @source consul/peering establish */
  meta: meta(),
  /**
   * Wait until the peering is ACTIVE, for one minute at most. Then the update fails, the peering is recorded, and the next
   * update waits again. Changing only this property does nothing.
   * @source consul/peering read
   */
  waitForActive: waitForActive(),
};

const outputs = {
  /** Id of the peering record. @source consul/peering read */
  peeringId: peeringId(),
  /** Id of the record on the cluster that issued the token. It shows for which peering the token was. @source consul/peering read */
  remotePeeringId: string("PeerID"),
  /** TLS server name of the other cluster's servers: a token of another cluster has another one. @source consul/peering read */
  peerServerName: string("PeerServerName"),
  /** True when the other side has ended the peering. The next update establishes it again. @source consul/peering read */
  terminated: terminated(),
};

const establish = {
  method: "POST",
  path: "v1/peering/establish",
  sends: "everything",
  mints: true,
  leavesRecord: true,
} as const;

export const clusterPeering = defineResource({
  token: "cluster:Peering",
  dialect: "consul",
  fields,
  outputs,
  id: "[{partition}/]{peerName}",
  label: "peerName",
  identity: ["peerName"],
  // Only an unused token can change Meta, and a change of Meta brings none.
  replaceOn: ["meta"],
  secrets: { peeringToken: "always" },
  stable: ["peeringId", "peerServerName"],
  writeOnly: ["peeringToken"],
  witnesses: { peeringToken: "remotePeeringId" },
  broken: (state) => (isBroken(state) ? ["peeringToken"] : []),
  adopt: { isDone: isEstablished, refuses: (record) => otherDirection("dials", record) },
  replaceWhen: (olds, news) => (isOtherCluster(olds, news) ? ["peeringToken"] : []),
  rewrite: (inputs) => withoutDefaultPlace(inputs),
  create: establish,
  update: establish,
  ...peeringLife,
  stage: (record, values) => ending(record) ?? onItsWayToActive(record, values),
  rules: [...peerRules("peerName", "meta"), rule(["peeringToken"], ({ peeringToken }) => tokenProblem(peeringToken))],
});

/** True when the other side has ended the peering, or when it leads to another record than the token's. */
function isBroken(state: Values): boolean {
  const expected = tokenContent(state["peeringToken"])?.["PeerID"];
  const actual = state["remotePeeringId"];
  const elsewhere = !isEmpty(actual) && !isEmpty(expected) && actual !== expected;
  return state["terminated"] === true || elsewhere;
}

/** True when the record is the one that the token was for, and the token was exchanged. */
function isEstablished(record: Values, { peeringToken }: Values): boolean {
  const isOfToken = record["PeerID"] === tokenContent(peeringToken)?.["PeerID"] && !isEmpty(record["PeerID"]);
  return isOfToken && ["ESTABLISHING", "ACTIVE", "FAILING"].includes(String(record["State"]));
}

/**
 * While the clusters are connected, the server ignores the addresses of a new token. So the token of another cluster needs
 * a new record. Not every host has the old token, and what an earlier version has recorded has no server name.
 */
function isOtherCluster(olds: Values, news: Values): boolean {
  const before = olds["peerServerName"] ?? tokenContent(olds["peeringToken"])?.["ServerName"];
  const after = tokenContent(news["peeringToken"])?.["ServerName"];
  return !isEmpty(before) && !isEmpty(after) && before !== after;
}
