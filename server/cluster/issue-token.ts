import { randomUUID } from "node:crypto";
import { type Cluster, serverName } from "./cluster";
import { ConsulRefusal } from "./consul-refusal";
import { assertMeta, assertPartitionThere, assertPeeringEnabled, assertPeerName, partitionOf } from "./peering-rules";
import { isDialer, newPeering, type PeeringPlace } from "./peering-store";
import { encodePeeringToken } from "./peering-token";
import { bodyText, decodeRequestBody, generateTokenRequest } from "./request-body";

/** `POST /v1/peering/token`; the checks run in Consul's order. */
export async function issueToken(
  cluster: Cluster,
  request: Request,
  localAddress: string,
): Promise<{ PeeringToken: string }> {
  const body = decodeRequestBody(generateTokenRequest, await bodyText(request));
  if (body.PeerName === "") {
    throw new ConsulRefusal(400, "PeerName is required in the payload when generating a new peering token.");
  }
  const partition = partitionOf(cluster, request, body.Partition);
  assertPeeringEnabled(cluster);
  assertPartitionThere(cluster, body.Partition);
  assertPeerName(body.PeerName);
  assertMeta(body.Meta);
  cluster.authorize(request, "peering:write");

  const establishmentSecret = randomUUID();
  const { id } = acceptor(cluster, { name: body.PeerName, partition, meta: body.Meta ?? {}, establishmentSecret });
  return {
    PeeringToken: encodePeeringToken({
      CA: [cluster.authority.rootPem],
      ManualServerAddresses: body.ServerExternalAddresses?.length ? body.ServerExternalAddresses : null,
      // The address at which this request arrived can be dialled; one to listen on, such as 0.0.0.0, perhaps not.
      ServerAddresses: [localAddress],
      ServerName: serverName(cluster),
      PeerID: id,
      EstablishmentSecret: establishmentSecret,
      Remote: { Partition: partition, Datacenter: cluster.datacenter, Locality: null },
    }),
  };
}

interface Wanted extends PeeringPlace {
  readonly meta: Readonly<Record<string, string>>;
  readonly establishmentSecret: string;
}

/** A second call changes nothing but the secret, not even the Meta. */
function acceptor({ store }: Cluster, { name, partition, meta, establishmentSecret }: Wanted): { readonly id: string } {
  const existing = store.find({ name, partition });
  if (existing === undefined) return store.write({ ...newPeering({ name, partition }), meta, establishmentSecret });
  if (isDialer(existing)) {
    throw new ConsulRefusal(500, `cannot create peering with name: "${name}"; there is already an established peering`);
  }
  // Consul answers 200 here with a token that it has not stored and that nobody can use.
  if (existing.state === "DELETING" || existing.state === "TERMINATED") return existing;
  return store.write({ ...existing, establishmentSecret });
}
