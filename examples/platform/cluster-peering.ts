// Which clusters trust each other, and what they share. Ours is the default connection; `partner` is configured in trustplane:connections.
import * as trustplane from "trustplane";

// In two steps, where the token has to travel: one cluster issues it, the other one redeems it.
const invitation = new trustplane.cluster.PeeringToken("partner", {
  peerName: "partner",
  meta: { owner: "platform" },
});

new trustplane.cluster.Peering("platform", {
  connection: "partner",
  peerName: "platform",
  peeringToken: invitation.peeringToken,
});

// In one step, where one program reaches both: the token is used at once and kept nowhere.
new trustplane.cluster.PeeredClusters("disaster-recovery", {
  acceptorPeerName: "partner-dr",
  dialerConnection: "partner",
  dialerPeerName: "platform-dr",
});

// A peering carries no traffic by itself: the partner sees this service, and one of its own may call it.
new trustplane.cluster.ExportedServices("exported", {
  services: [{ name: "billing", consumers: [{ peer: invitation.peerName }] }],
});

new trustplane.cluster.Intention("billing", {
  destination: "billing",
  sources: [{ name: "checkout", peer: invitation.peerName, action: "allow" }],
});
