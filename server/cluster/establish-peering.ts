import { type Cluster, serverName } from "./cluster";
import { ConsulRefusal } from "./consul-refusal";
import { exchangeSecret } from "./exchange-secret";
import { assertMeta, assertPeeringEnabled, assertPeerName, partitionOf } from "./peering-rules";
import { dialledAddresses, isDialer, newPeering, type PeeringRecord } from "./peering-store";
import { parsePeeringToken } from "./peering-token";
import { bodyText, decodeRequestBody, establishRequest } from "./request-body";

/**
 * `POST /v1/peering/establish`; the checks run in Consul's order.
 *
 * The dialer is written before it exchanges secrets with the other cluster, so a failure leaves it behind as PENDING.
 */
export async function establishPeering(cluster: Cluster, request: Request): Promise<Record<string, never>> {
  const body = decodeRequestBody(establishRequest, await bodyText(request));
  for (const field of ["PeerName", "PeeringToken"] as const) {
    if (body[field] !== "") continue;
    throw new ConsulRefusal(400, `${field} is required in the payload when establishing a peering.`);
  }
  const place = { name: body.PeerName, partition: partitionOf(cluster, request, body.Partition) };
  assertPeeringEnabled(cluster);
  assertPeerName(body.PeerName);
  const token = parsePeeringToken(body.PeeringToken);
  assertMeta(body.Meta);
  cluster.authorize(request, "peering:write");

  const existing = cluster.store.find(place);
  if (token.ServerName === serverName(cluster)) {
    throw new ConsulRefusal(
      500,
      `cannot create a peering within the same cluster "${token.ServerName}". Refer to the \`exported-services\` documentation if you want to export between partitions without peering`,
    );
  }
  if (existing !== undefined && !isDialer(existing)) {
    throw new ConsulRefusal(
      500,
      `cannot create peering with name: "${body.PeerName}"; there is an existing peering expecting to be dialed`,
    );
  }
  assertNotDeleted(existing);
  const isConnected = existing !== undefined && cluster.streams.statusOf(existing.id)?.connected;
  const dialer = cluster.store.write({
    ...(existing ?? newPeering(place)),
    meta: body.Meta ?? {},
    peerId: token.PeerID,
    peerCaPems: token.CA ?? [],
    peerServerName: token.ServerName,
    // While a stream is up, the values that its other end has announced win.
    peerServerAddresses: isConnected ? existing.peerServerAddresses : (token.ServerAddresses ?? []),
    manualServerAddresses: token.ManualServerAddresses ?? [],
    remote: token.Remote,
  });
  const streamSecret = await exchangeSecret({
    addresses: dialledAddresses(dialer),
    serverName: token.ServerName,
    caPems: dialer.peerCaPems,
    peerId: token.PeerID,
    establishmentSecret: token.EstablishmentSecret,
    pace: cluster.exchangePace,
    handshakeMs: cluster.handshakeMs,
    signal: cluster.closing,
  });
  const current = cluster.store.withId(dialer.id);
  assertNotDeleted(current);
  cluster.store.write({ ...(current ?? dialer), state: "ESTABLISHING", streamSecret });
  cluster.dial(dialer.id);
  return {};
}

function assertNotDeleted(record: PeeringRecord | undefined): void {
  if (record?.state !== "DELETING") return;
  throw new ConsulRefusal(500, "failed to write peering: cannot write to peering that is marked for deletion");
}
