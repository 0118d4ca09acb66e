import { type Cluster, serverName } from "./cluster";
import { ConsulRefusal } from "./consul-refusal";
import { assertMeta, assertNoPartitionAsked, assertPeeringEnabled, assertPeerName } from "./peering-rules";
import { isDialer, newPeering } from "./peering-store";
import { parsePeeringToken } from "./peering-token";
import { decodeRequestBody, establishRequest } from "./request-body";

/**
 * `POST /v1/peering/establish`; the checks run in the order of reference B.6.
 *
 * The record is the dialer that Consul writes before it exchanges secrets with the other cluster, so it stays PENDING.
 */
export async function establishPeering(cluster: Cluster, request: Request): Promise<Record<string, never>> {
  const body = decodeRequestBody(establishRequest, await request.text());
  for (const field of ["PeerName", "PeeringToken"] as const) {
    if (body[field] !== "") continue;
    throw new ConsulRefusal(400, `${field} is required in the payload when establishing a peering.`);
  }
  assertNoPartitionAsked(request);
  assertPeeringEnabled(cluster);
  assertPeerName(body.PeerName);
  const token = parsePeeringToken(body.PeeringToken);
  assertMeta(body.Meta);
  cluster.authorize(request, "peering:write");

  const existing = cluster.store.find(body.PeerName);
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
  if (existing?.state === "DELETING") {
    throw new ConsulRefusal(500, "failed to write peering: cannot write to peering that is marked for deletion");
  }
  cluster.store.write({
    ...(existing ?? newPeering(body.PeerName)),
    meta: body.Meta ?? {},
    peerId: token.PeerID,
    peerCaPems: token.CA ?? [],
    peerServerName: token.ServerName,
    peerServerAddresses: token.ServerAddresses ?? [],
    manualServerAddresses: token.ManualServerAddresses ?? [],
    remote: token.Remote,
    establishmentSecret: token.EstablishmentSecret,
  });
  return {};
}
