import { randomUUID } from "node:crypto";
import type { Tunnel } from "../http/listener";
import { type Cluster, serverName } from "./cluster";
import { fingerprintOf, peeringTarget, rootHeader, serverNameHeader } from "./open-tunnel";
import { firstMessage, messagesFrom, type PeerMessage, sendMessage } from "./peer-messages";
import { markTerminated, type PeeringRecord } from "./peering-store";

/** How long a client may take to say what a tunnel is for. */
const firstMessageMs = 10_000;

type Opening = Extract<PeerMessage, { open: unknown }>["open"];
type Exchange = Extract<PeerMessage, { exchange: unknown }>["exchange"];

const invalidSecret: PeerMessage = {
  refused: { code: "PermissionDenied", text: "invalid peering establishment secret" },
};

/** The acceptor's side of a tunnel: it exchanges secrets, and keeps streams that show a valid one. */
export function tunnelOf(cluster: Cluster): Tunnel {
  return (target, { socket, localAddress }) => {
    // Whatever breaks is seen where the messages are read.
    socket.on("error", () => undefined);
    if (cluster.closing.aborted || !cluster.peeringEnabled || target !== peeringTarget) {
      socket.end("HTTP/1.1 404 Not Found\r\n\r\n");
      return;
    }
    const shown = { [serverNameHeader]: serverName(cluster), [rootHeader]: fingerprintOf(cluster.authority.rootPem) };
    const headers = Object.entries(shown).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`HTTP/1.1 200 OK\r\n${headers.join("")}\r\n`);
    // A connection that breaks off here needs no handling: it belongs to no peering yet.
    serveTunnel(cluster, { socket, localAddress }).catch(() => socket.destroy());
  };
}

async function serveTunnel(cluster: Cluster, { socket, localAddress }: Parameters<Tunnel>[1]): Promise<void> {
  const messages = messagesFrom(socket);
  const message = await firstMessage({ socket, messages }, firstMessageMs);
  if (message !== undefined && "open" in message) {
    const record = openingRecord(cluster, message.open);
    if (record !== undefined) {
      sendMessage(socket, { opened: { serverAddresses: [localAddress] } });
      const end = await cluster.streams.hold(record.id, { socket, messages });
      if (end === "terminated") markTerminated(cluster.store, record.id);
      return;
    }
  }
  sendMessage(
    socket,
    message !== undefined && "exchange" in message ? exchanged(cluster, message.exchange) : invalidSecret,
  );
  socket.end();
}

/** A token's secret works once. The token also names its peering. */
function exchanged({ store }: Cluster, { peerId, establishmentSecret }: Exchange): PeerMessage {
  if (peerId.length !== 36) {
    const text = "failed to read peering secret: failed peering secret lookup: index error: UUID must be 36 characters";
    return { refused: { code: "Internal", text } };
  }
  const record = store.withId(peerId);
  if (record === undefined || establishmentSecret === "" || record.establishmentSecret !== establishmentSecret) {
    return invalidSecret;
  }
  const streamSecret = randomUUID();
  store.keepSecrets(record, { establishmentSecret: "", pendingStreamSecret: streamSecret });
  return { exchanged: { streamSecret } };
}

/** The record after its stream was opened: now the dialer is known. */
function openingRecord(
  { store }: Cluster,
  { peerId, streamSecret, datacenter, partition, caPems }: Opening,
): PeeringRecord | undefined {
  const record = store.withId(peerId);
  if (record === undefined || streamSecret === "") return undefined;
  if (record.streamSecret !== streamSecret && record.pendingStreamSecret !== streamSecret) return undefined;
  return store.write({
    ...record,
    remote: { Partition: partition, Datacenter: datacenter, Locality: null },
    peerCaPems: caPems,
    streamSecret,
    pendingStreamSecret: "",
  });
}
