import { definePair } from "../../core/definition";
import { local, string } from "../../core/rows";
import { rule } from "../../core/rules";
import { partition } from "../../core/tenant";
import { meta } from "./meta";
import { externalAddresses, peeringId, peerName, peerRules, terminated, waitForActive } from "./peer";
import { clusterPeering } from "./peering";
import { clusterPeeringToken } from "./peering-token";
import { withoutDefaultPlace } from "./place";

const fields = {
  /** Connection to the acceptor, the cluster that issues the token; the service's own connection when unset. */
  acceptorConnection: local(string("")),
  /** Name of the dialer on the acceptor: a DNS label in lower case. @source consul/peering token */
  acceptorPeerName: local(peerName()),
  /** Admin partition on the acceptor, Enterprise only. @source consul/peering token */
  acceptorPartition: partition(),
  /** Metadata of the acceptor's record, key to value. @source consul/peering token */
  acceptorMeta: local(meta()),
  /** Addresses `host:port` of the acceptor that the dialer uses instead of those of its servers. @source consul/peering token */
  serverExternalAddresses: local(externalAddresses()),
  /** Connection to the dialer, the cluster that opens the connections; the service's own connection when unset. */
  dialerConnection: local(string("")),
  /** Name of the acceptor on the dialer: a DNS label in lower case. @source consul/peering establish */
  dialerPeerName: local(peerName()),
  /** Admin partition on the dialer, Enterprise only. @source consul/peering establish */
  dialerPartition: partition(),
  /** Metadata of the dialer's record, key to value. @source consul/peering establish */
  dialerMeta: local(meta()),
  /**
   * Wait until the peering is ACTIVE, for one minute at most. Then the update fails, the peering is recorded, and the next
   * update waits again. Changing only this property does nothing.
   * @source consul/peering read
   */
  waitForActive: waitForActive(),
};

const outputs = {
  /** Id of the acceptor's record. @source consul/peering read */
  acceptorPeeringId: peeringId(),
  /** Id of the dialer's record. @source consul/peering read */
  dialerPeeringId: peeringId(),
  /** True when one side has ended the peering. The next update peers the clusters again. @source consul/peering read */
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
  rewrite: (inputs) => withoutDefaultPlace(withoutDefaultPlace(inputs, "acceptorPartition"), "dialerPartition"),
  parts: {
    issuer: clusterPeeringToken,
    taker: clusterPeering,
    handsOver: "peeringToken",
    ended: "terminated",
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
          ? "must differ from acceptorConnection, or the partitions must differ: a cluster cannot peer with itself"
          : undefined,
    ),
  ],
});
