import type { Duplex } from "node:stream";
import type { Cluster } from "./cluster";
import { openTunnel } from "./open-tunnel";
import { pause } from "./pause";
import { firstMessage, messagesFrom, type PeerMessages, sendMessage } from "./peer-messages";
import { dialledAddresses, markTerminated, type PeeringRecord } from "./peering-store";

/** The pause between two tries doubles up to this. */
const longestPauseMs = 64_000;

type Dialler = Omit<Cluster, "dial"> & { readonly redialMs: number };

/** Opens the stream of a dialer, and again whenever it breaks off, until the peering has ended. */
export function createDialling(cluster: Dialler): Cluster["dial"] {
  /** The peerings that are dialled, and a function that wakes each while it waits. */
  const asleep = new Map<string, AbortController | undefined>();

  async function keepDialling(id: string): Promise<void> {
    let pauseMs = cluster.redialMs;
    for (let attempt = 0; !cluster.closing.aborted; attempt++) {
      const record = cluster.store.withId(id);
      if (record?.state !== "ESTABLISHING") return;
      const stream = await openStream(cluster, record, attempt);
      if (stream !== undefined) {
        pauseMs = cluster.redialMs;
        const end = await cluster.streams.hold(id, stream);
        if (end === "terminated") return markTerminated(cluster.store, id);
        if (end === "replaced") return;
      }
      const alarm = new AbortController();
      asleep.set(id, alarm);
      await pause(pauseMs, AbortSignal.any([cluster.closing, alarm.signal]));
      asleep.set(id, undefined);
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    }
  }

  return (id) => {
    if (asleep.has(id)) {
      // The peering was established again: dial at once.
      asleep.get(id)?.abort();
      return;
    }
    asleep.set(id, undefined);
    void keepDialling(id).finally(() => asleep.delete(id));
  };
}

interface Stream {
  readonly socket: Duplex;
  readonly messages: PeerMessages;
}

/** `undefined` when nobody answers or the other side refuses: the next try may succeed. */
async function openStream(cluster: Dialler, record: PeeringRecord, attempt: number): Promise<Stream | undefined> {
  const { datacenter, authority, store, handshakeMs, closing } = cluster;
  const { id, partition, peerId, streamSecret, peerServerName, peerCaPems } = record;
  const addresses = dialledAddresses(record);
  const address = addresses[attempt % addresses.length] ?? "";
  const dialling = { address, serverName: peerServerName, caPems: peerCaPems, handshakeMs, signal: closing };
  try {
    const socket = await openTunnel(dialling);
    sendMessage(socket, { open: { peerId, streamSecret, datacenter, partition, caPems: [authority.rootPem] } });
    const stream = { socket, messages: messagesFrom(socket) };
    const answer = await firstMessage(stream, handshakeMs);
    const current = store.withId(id);
    if (answer === undefined || !("opened" in answer)) {
      socket.destroy();
      return undefined;
    }
    if (current?.state === "ESTABLISHING") {
      store.write({ ...current, peerServerAddresses: answer.opened.serverAddresses });
      return stream;
    }
    // The peering was deleted while this stream was being opened, so the other side was not told yet.
    sendMessage(socket, { terminated: true });
    socket.end();
  } catch {
    // The state shows the failure, as on Consul.
  }
  return undefined;
}
