import { definePair } from "../../core/definition";
import { local, string } from "../../core/rows";
import { rule } from "../../core/rules";
import {
  externalAddresses,
  meta,
  partition,
  peeringId,
  peerName,
  peerRules,
  terminated,
  waitForActive,
  withoutDefaultPartition,
} from "./peer";
import { clusterPeering } from "./peering";
import { clusterPeeringToken } from "./peering-token";

const fields = {
  /** Connection to the cluster that issues the token and is dialled; the cluster service's own when unset. */
  acceptorConnection: local(string("")),
  /** Name under which the acceptor knows the dialer: a DNS label in lower case. @source consul/peering token */
  acceptorPeerName: local(peerName()),
  /** Admin partition on the acceptor, Enterprise only. @source consul/peering token */
  acceptorPartition: local(partition()),
  /** Key/value pairs kept with the acceptor's record. @source consul/peering token */
  acceptorMeta: local(meta()),
  /** Addresses `host:port` of the acceptor that are dialled instead of its servers' own. @source consul/peering token */
  serverExternalAddresses: local(externalAddresses()),
  /** Connection to the cluster that dials; the cluster service's own when unset. */
  dialerConnection: local(string("")),
  /** Name under which the dialer knows the acceptor: a DNS label in lower case. @source consul/peering establish */
  dialerPeerName: local(peerName()),
  /** Admin partition on the dialer, Enterprise only. @source consul/peering establish */
  dialerPartition: local(partition()),
  /** Key/value pairs kept with the dialer's record. @source consul/peering establish */
  dialerMeta: local(meta()),
  /**
   * Wait until the peering is ACTIVE: for a minute at most, after which it is recorded, and the next run goes on
   * waiting. A change of this alone does nothing.
   * @source consul/peering read
   */
  waitForActive: waitForActive(),
};

const outputs = {
  /** Id of the acceptor's record. @source consul/peering read */
  acceptorPeeringId: peeringId(),
  /** Id of the dialer's record. @source consul/peering read */
  dialerPeeringId: peeringId(),
  /** Set when one side has ended the peering; the next update peers the clusters again. @source consul/peering read */
  terminated: terminated(),
};

export const clusterPeeredClusters = definePair({
  token: "cluster:PeeredClusters",
  dialect: "consul",
  fields,
  outputs,
  id: "{acceptorPeerName}/{dialerPeerName}",
  label: "acceptorPeerName",
  identity: [
    "acceptorConnection",
    "acceptorPeerName",
    "acceptorPartition",
    "dialerConnection",
    "dialerPeerName",
    "dialerPartition",
  ],
  replaceOn: ["acceptorMeta", "dialerMeta"],
  broken: (state) => (state["terminated"] === true ? ["terminated"] : []),
  rewrite: (inputs) => withoutDefaultPartition(withoutDefaultPartition(inputs, "acceptorPartition"), "dialerPartition"),
  parts: {
    issuer: clusterPeeringToken,
    taker: clusterPeering,
    handsOver: "peeringToken",
    issuerFields: {
      acceptorConnection: "connection",
      acceptorPeerName: "peerName",
      acceptorPartition: "partition",
      acceptorMeta: "meta",
      serverExternalAddresses: "serverExternalAddresses",
      acceptorPeeringId: "peeringId",
    },
    takerFields: {
      dialerConnection: "connection",
      dialerPeerName: "peerName",
      dialerPartition: "partition",
      dialerMeta: "meta",
      waitForActive: "waitForActive",
      dialerPeeringId: "peeringId",
    },
  },
  rules: [
    ...peerRules("acceptorPeerName", "acceptorMeta"),
    ...peerRules("dialerPeerName", "dialerMeta"),
    rule(
      ["dialerConnection", "acceptorConnection", "acceptorPartition", "dialerPartition"],
      ({ acceptorConnection, dialerConnection, acceptorPartition, dialerPartition }) =>
        acceptorConnection === dialerConnection && acceptorPartition === dialerPartition
          ? "must be another connection than acceptorConnection, or another partition: a cluster does not peer with itself"
          : undefined,
    ),
  ],
});
