import { Duplex } from "node:stream";

/** One connection, handed from one parser of an HTTP server to the next: each reads a stream of its own. */
export interface StreamRelay {
  /** Whether this stream's parser reads the connection now. */
  isCurrent(stream: Duplex): boolean;
  /** Takes the connection from its parser. Bytes that arrive from now on are kept. */
  hold(firstBytes: Buffer): void;
  /** The kept bytes. */
  held(): Buffer;
  /** Waits for more bytes; `false` when nothing more will come. */
  more(): Promise<boolean>;
  /** A stream over the connection that begins with the given bytes and belongs to no parser yet. */
  reopen(firstBytes: Buffer): Duplex;
}

export function createStreamRelay(raw: Duplex): StreamRelay {
  let current = raw;
  let held: Buffer | undefined;
  let ended = false;
  let tell: (isMore: boolean) => void = () => {};
  for (const event of ["data", "end", "drain", "timeout"]) raw.removeAllListeners(event);
  // Listening to "data" also takes the socket's handle back from the failed parser, which would otherwise keep it.
  raw.on("data", (chunk: Buffer) => {
    if (held === undefined) {
      if (!current.push(chunk)) raw.pause();
      return;
    }
    held = Buffer.concat([held, chunk]);
    raw.pause();
    tell(true);
  });
  raw.on("end", () => {
    ended = true;
    if (held === undefined) current.push(null);
    tell(false);
  });
  raw.on("timeout", () => current.emit("timeout"));
  for (const event of ["close", "error"]) {
    raw.on(event, () => {
      ended = true;
      tell(false);
      current.destroy();
    });
  }

  return {
    isCurrent: (stream) => stream === current,
    hold: (firstBytes) => {
      held = firstBytes;
      raw.pause();
    },
    held: () => held ?? Buffer.alloc(0),
    more: () =>
      new Promise((resolve) => {
        if (ended) resolve(false);
        tell = resolve;
        raw.resume();
      }),
    reopen: (firstBytes) => {
      const before = current;
      const stream: Duplex = new Duplex({
        read: () => {
          if (stream === current) raw.resume();
        },
        write: (chunk, encoding, done) => {
          raw.write(chunk, encoding, done);
        },
        final: (done) => {
          raw.end(done);
        },
        destroy: (error, done) => {
          if (stream === current) raw.destroy();
          done(error);
        },
      });
      const shown: unknown = Reflect.get(raw, "getPeerX509Certificate");
      // The HTTP server reads and calls these of its sockets.
      Object.assign(stream, {
        remoteAddress: Reflect.get(raw, "remoteAddress"),
        localAddress: Reflect.get(raw, "localAddress"),
        localPort: Reflect.get(raw, "localPort"),
        ...(typeof shown === "function" ? { getPeerX509Certificate: () => shown.call(raw) } : {}),
        setTimeout: (milliseconds: number) => {
          Reflect.get(raw, "setTimeout").call(raw, milliseconds);
          return stream;
        },
        // Node calls this after an answer with `Connection: close`.
        destroySoon: () => {
          stream.end(() => raw.destroy());
        },
        setNoDelay: () => stream,
        setKeepAlive: () => stream,
      });
      current = stream;
      held = undefined;
      // Its parser goes with it; the connection does not. The first parser ends with the connection.
      if (before !== raw) before.destroy();
      stream.push(firstBytes);
      if (ended) stream.push(null);
      return stream;
    },
  };
}
