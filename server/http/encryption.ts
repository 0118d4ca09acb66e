import type { X509Certificate } from "node:crypto";
import type { Server } from "node:http";
import { Server as TlsServer } from "node:https";
import type { Socket } from "node:net";

/** What a listener speaks TLS with, in PEM. */
export interface ServerIdentity {
  readonly certificate: string;
  readonly key: string;
}

/** As Vault's listener: a client certificate is asked for, and none is needed. Who trusts it is the auth method's matter. */
export function tlsOptions({ certificate, key }: ServerIdentity) {
  return { cert: certificate, key, requestCert: true, rejectUnauthorized: false } as const;
}

/** The event with which a server takes a connection whose bytes are those of HTTP. */
export function openingEvent(server: Server): "connection" | "secureConnection" {
  return server instanceof TlsServer ? "secureConnection" : "connection";
}

// OpenSSL has a code of its own for CONNECT, with which other clusters come.
const plainRequests = ["ERR_SSL_HTTP_REQUEST", "ERR_SSL_HTTPS_PROXY_REQUEST"];

const notEncrypted = "HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n";

/** Answers a client that does not speak TLS where it should, as Go does. The function says whether a failure was of this kind. */
export function answerUnencrypted(server: Server): (failure: { readonly code?: string }, stream: object) => boolean {
  const sockets = new Map<unknown, Socket>();
  if (server instanceof TlsServer) {
    server.on("connection", (socket: Socket) => {
      const { remotePort } = socket;
      sockets.set(remotePort, socket);
      socket.on("close", () => sockets.delete(remotePort));
    });
  }
  return ({ code }, stream) => {
    if (!plainRequests.includes(code ?? "")) return false;
    // Past the TLS stream, which would encrypt the answer.
    const socket = sockets.get(Reflect.get(stream, "remotePort"));
    socket?.end(notEncrypted, () => socket.destroySoon());
    return true;
  };
}

/** The certificates that a client has shown on a connection; undefined without TLS. */
export function peerCertificates(socket: object): readonly X509Certificate[] | undefined {
  // Of TLS sockets, and of the streams that stand for them.
  const leafOf: unknown = Reflect.get(socket, "getPeerX509Certificate");
  if (typeof leafOf !== "function") return undefined;
  const shown: X509Certificate[] = [];
  for (let next: X509Certificate | undefined = leafOf.call(socket); next !== undefined; next = next.issuerCertificate) {
    if (shown.some(({ fingerprint256 }) => fingerprint256 === next?.fingerprint256)) break;
    shown.push(next);
  }
  return shown;
}
