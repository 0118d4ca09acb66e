import type { X509Certificate } from "node:crypto";

/** A request as the services see it: the body read, the path as sent (still escaped), header names in lower case. */
export interface Incoming {
  readonly method: string;
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly remoteAddress: string;
  /** Where the request came in, as `host:port`. */
  readonly localAddress: string;
  /** The client's own certificate first, then those that it sent with it; undefined without TLS. */
  readonly clientCertificates: readonly X509Certificate[] | undefined;
  /** Fires when the connection ends, with or without the answer. */
  clientGone(): AbortSignal;
}

export interface Outgoing {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

export type Exchange = (incoming: Incoming) => Outgoing | Promise<Outgoing>;
