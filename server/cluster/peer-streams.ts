import type { Duplex } from "node:stream";
import { type PeerMessages, sendMessage } from "./peer-messages";

/** What is known of a peering's stream, also after its end. */
export interface StreamStatus {
  readonly connected: boolean;
  /** The stream broke off. */
  readonly lost: boolean;
  readonly lastHeartbeat?: Date;
  readonly lastReceive: Date;
  readonly lastSend: Date;
}

/** Why a stream is over: the other side ended the peering, the stream broke off, or this side has given it up. */
export type StreamEnd = "terminated" | "lost" | "replaced";

export interface PeerStreams {
  statusOf(id: string): StreamStatus | undefined;
  /** Holds the stream of a peering until it is over. It replaces an earlier stream. */
  hold(id: string, stream: { readonly socket: Duplex; readonly messages: PeerMessages }): Promise<StreamEnd>;
  /** Tells the other side, if it is there, that the peering has ended, and forgets it. */
  terminate(id: string): void;
  close(): void;
}

/** After so many missing heartbeats a stream counts as lost: two minutes at Consul's pace. */
const toleratedSilence = 8;

/** The streams between this cluster and others, dialled by either side. */
export function createPeerStreams({ clock, heartbeatMs }: { clock: () => Date; heartbeatMs: number }): PeerStreams {
  const sockets = new Map<string, Duplex>();
  const statuses = new Map<string, StreamStatus>();

  function note(id: string, change: Partial<StreamStatus>): void {
    const status = statuses.get(id);
    if (status !== undefined) statuses.set(id, { ...status, ...change });
  }

  /** Sends heartbeats, and gives up on a connection that is open but silent. */
  function startBeating(id: string, socket: Duplex): { heard(): void; stop(): void } {
    let silence = 0;
    const timer = setInterval(() => {
      silence += 1;
      if (silence > toleratedSilence) return void socket.destroy();
      sendMessage(socket, { heartbeat: true });
      note(id, { lastSend: clock() });
    }, heartbeatMs).unref();
    return {
      heard: () => {
        silence = 0;
      },
      stop: () => clearInterval(timer),
    };
  }

  return {
    statusOf: (id) => statuses.get(id),
    async hold(id, { socket, messages }) {
      const before = sockets.get(id);
      sockets.set(id, socket);
      before?.destroy();
      const now = clock();
      statuses.set(id, { ...statuses.get(id), connected: true, lost: false, lastReceive: now, lastSend: now });
      const beating = startBeating(id, socket);
      let isTerminated = false;
      try {
        for await (const message of messages) {
          beating.heard();
          note(id, { lastReceive: clock(), ...("heartbeat" in message ? { lastHeartbeat: clock() } : {}) });
          isTerminated ||= "terminated" in message;
        }
      } catch {
        // It broke off, or the other side is no cluster: both end it.
      } finally {
        beating.stop();
        socket.destroy();
      }
      if (sockets.get(id) !== socket) return "replaced";
      sockets.delete(id);
      note(id, { connected: false, lost: !isTerminated });
      return isTerminated ? "terminated" : "lost";
    },
    terminate(id) {
      const socket = sockets.get(id);
      sockets.delete(id);
      statuses.delete(id);
      if (socket === undefined) return;
      sendMessage(socket, { terminated: true });
      socket.end();
    },
    close() {
      const open = [...sockets.values()];
      sockets.clear();
      for (const socket of open) socket.destroy();
    },
  };
}
