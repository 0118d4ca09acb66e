import type { Duplex } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { z } from "zod";

/**
 * The messages between clusters: one JSON text a line. A dialer begins with `exchange`, which is answered and over, or
 * with `open`, after which both sides send heartbeats until one of them says that the peering has ended.
 */
const peerMessage = z.union([
  z.object({ exchange: z.object({ peerId: z.string(), establishmentSecret: z.string() }) }),
  z.object({ exchanged: z.object({ streamSecret: z.string() }) }),
  z.object({
    open: z.object({
      peerId: z.string(),
      streamSecret: z.string(),
      datacenter: z.string(),
      partition: z.string(),
      caPems: z.array(z.string()),
    }),
  }),
  z.object({ opened: z.object({ serverAddresses: z.array(z.string()) }) }),
  z.object({ refused: z.object({ code: z.enum(["PermissionDenied", "Internal"]), text: z.string() }) }),
  z.object({ heartbeat: z.literal(true) }),
  z.object({ terminated: z.literal(true) }),
]);

export type PeerMessage = z.infer<typeof peerMessage>;

/** The messages of the other side, one after the other. */
export type PeerMessages = AsyncGenerator<PeerMessage, void>;

/** Longer than any message. A line without an end must not fill the memory. */
const longestLine = 256 * 1024;

export function sendMessage(socket: Duplex, message: PeerMessage): void {
  if (socket.writable) socket.write(`${JSON.stringify(message)}\n`);
}

/** Ends with the connection. Throws when it breaks or a message is unknown. */
export async function* messagesFrom(socket: Duplex): PeerMessages {
  // Node does not let the encoding of a socket that began with HTTP be set.
  const decoder = new StringDecoder();
  let rest = "";
  for await (const chunk of socket) {
    const lines = `${rest}${decoder.write(chunk)}`.split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > longestLine) throw new Error("a message of another cluster has no end");
    for (const line of lines) yield peerMessage.parse(JSON.parse(line));
  }
}

/** The first message of the other side, if it comes in time. Later messages may take any time. */
export async function firstMessage(
  { socket, messages }: { readonly socket: Duplex; readonly messages: PeerMessages },
  withinMs: number,
): Promise<PeerMessage | undefined> {
  const timer = setTimeout(() => socket.destroy(), withinMs).unref();
  try {
    return (await messages.next()).value ?? undefined;
  } finally {
    clearTimeout(timer);
  }
}
