import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { openingEvent } from "./encryption";
import type { OpenRequests } from "./open-requests";
import { createStreamRelay, type StreamRelay } from "./stream-relay";
import { type Verb, verbAt, verbStart } from "./verb-in-packet";

// The method in place of the verb: Node's parser knows it, and no client of ours sends it.
const standIn = "UNBIND";

/** The error of Node's parser. */
export interface ParseFailure extends Error {
  readonly code?: string;
  readonly reason?: string;
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
}

export interface UnparsedVerbs {
  /** The verb that was really sent. */
  verbOf(request: IncomingMessage): string;
  /** Whether another parser has taken the connection of this stream over. */
  isSuperseded(stream: Duplex): boolean;
  /** Parses the bytes that Node's parser gave back again; `false` when it failed for another reason than the verb. */
  accept(failure: ParseFailure, stream: Duplex): boolean;
}

export interface UnparsedVerbsParts {
  readonly requests: OpenRequests;
  /** Ends a connection on which no request has arrived. */
  refuse(stream: Duplex): void;
}

/**
 * Lets a server answer verbs that Node's parser does not know, such as Vault's LIST: the parser stops with
 * HPE_INVALID_METHOD and hands back the bytes. When the earlier requests of the connection are answered, the bytes are parsed
 * again on the same connection, with another method in place of the verb.
 */
export function acceptUnparsedVerbs(server: Server, { requests, refuse }: UnparsedVerbsParts): UnparsedVerbs {
  const sentVerbs = new WeakMap<object, string>();
  const relays = new WeakMap<object, StreamRelay>();

  function parseAgain(relay: StreamRelay, verb: Verb): void {
    const stream = relay.reopen(Buffer.concat([Buffer.from(standIn), relay.held().subarray(verb.length)]));
    relays.set(stream, relay);
    sentVerbs.set(stream, verb.name);
    server.emit(openingEvent(server), stream);
  }

  async function takeOver(stream: Duplex, { isTail, relay }: { isTail: boolean; relay: StreamRelay }): Promise<void> {
    let verb = verbAt(relay.held(), { isTail });
    while (verb === "unfinished" && (await relay.more())) verb = verbAt(relay.held(), { isTail });
    if (verb === undefined || verb === "unfinished") {
      refuse(stream);
      return;
    }
    await requests.answeredOn(stream);
    if (!stream.destroyed) parseAgain(relay, verb);
  }

  return {
    verbOf: ({ socket, method = "" }) => {
      const verb = sentVerbs.get(socket);
      if (method !== standIn || verb === undefined) return method;
      sentVerbs.delete(socket);
      return verb;
    },
    isSuperseded: (stream) => relays.get(stream)?.isCurrent(stream) === false,
    accept: ({ code, rawPacket, bytesParsed = 0 }, stream) => {
      if (code !== "HPE_INVALID_METHOD" || rawPacket === undefined || !stream.writable) return false;
      const { at, isTail } = verbStart(rawPacket, bytesParsed);
      const relay = relays.get(stream) ?? createStreamRelay(stream);
      relays.set(stream, relay);
      relay.hold(rawPacket.subarray(at));
      void takeOver(stream, { isTail, relay });
      return true;
    },
  };
}
