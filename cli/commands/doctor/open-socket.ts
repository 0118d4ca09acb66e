import { request as plainRequest } from "node:http";
import { request as secureRequest } from "node:https";
import { connect, isIP, type Socket } from "node:net";
import { connect as connectTls, type PeerCertificate } from "node:tls";
import { type ForwardProxy, portOf } from "../../../provider/http/proxy";
import { type TransportOptions, tlsOptions } from "../../../provider/http/transport";

const CONNECT_MS = 10_000;

/** The name of a host as sockets take it: IPv6 without brackets. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, "$1");
}

/** A connection to the server; through a proxy, a tunnel that it opens. Rejects with what the socket or the proxy says. */
export function openSocket(url: URL, proxy: ForwardProxy | undefined): Promise<Socket> {
  return proxy === undefined ? openDirect(url) : openTunnel(url, new URL(proxy.url));
}

function openDirect(url: URL): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostOf(url), port: portOf(url) });
    socket.setTimeout(CONNECT_MS, () => socket.destroy(late()));
    socket.once("error", reject);
    socket.once("connect", () => resolve(socket));
  });
}

function openTunnel(url: URL, proxy: URL): Promise<Socket> {
  const target = `${url.hostname}:${portOf(url)}`;
  const credentials = [proxy.username, proxy.password].map(decodeURIComponent).join(":");
  const headers = {
    host: target,
    ...(proxy.username ? { "proxy-authorization": `Basic ${Buffer.from(credentials).toString("base64")}` } : {}),
  };
  const request = proxy.protocol === "https:" ? secureRequest : plainRequest;
  return new Promise((resolve, reject) => {
    const asked = request({ host: hostOf(proxy), port: portOf(proxy), method: "CONNECT", path: target, headers });
    asked.setTimeout(CONNECT_MS, () => asked.destroy(late()));
    asked.once("error", reject);
    asked.once("response", ({ statusCode }) => reject(refused(statusCode)));
    asked.once("connect", ({ statusCode }, socket: Socket) => {
      if (statusCode === 200) return resolve(socket);
      socket.destroy();
      reject(refused(statusCode));
    });
    asked.end();
  });
}

function late(): Error {
  return Object.assign(new Error("no answer in time"), { code: "ETIMEDOUT" });
}

function refused(status: number | undefined): Error {
  return Object.assign(new Error(`the proxy answers ${status}`), { code: "PROXY" });
}

/** What a server shows when a TLS connection is opened. */
export interface Handshake {
  readonly certificate: PeerCertificate;
  /** Why the certificate is not trusted: a code of Node's. */
  readonly distrust: string | undefined;
}

/** Whom to trust, and who asks. */
export type Trust = Pick<TransportOptions, "ca" | "clientCertificate" | "clientKey" | "serverName">;

/** Opens a TLS connection and ends it. A certificate that is not trusted is a result, not an error. */
export async function shakeHands(url: URL, proxy: ForwardProxy | undefined, trust: Trust = {}): Promise<Handshake> {
  const socket = await openSocket(url, proxy);
  const host = hostOf(url);
  return new Promise<Handshake>((resolve, reject) => {
    const secure = connectTls({
      socket,
      host,
      ...(isIP(host) ? {} : { servername: host }),
      ...tlsOptions(trust),
      rejectUnauthorized: false,
    });
    secure.setTimeout(CONNECT_MS, () => secure.destroy(late()));
    secure.once("error", reject);
    // Node's type has an error, and its value is a code.
    secure.once("secureConnect", () =>
      resolve({
        certificate: secure.getPeerCertificate(),
        distrust: secure.authorized ? undefined : String(secure.authorizationError),
      }),
    );
  }).finally(() => socket.destroy());
}

/** True for a server that answers plain HTTP. */
export async function speaksPlainHttp(url: URL, proxy: ForwardProxy | undefined): Promise<boolean> {
  const socket = await openSocket(url, proxy);
  return new Promise<boolean>((resolve) => {
    socket.setTimeout(CONNECT_MS, () => resolve(false));
    socket.once("error", () => resolve(false));
    socket.once("close", () => resolve(false));
    socket.once("data", (bytes) => resolve(/^HTTP\//.test(bytes.toString("latin1"))));
    socket.write(`GET / HTTP/1.1\r\nhost: ${url.host}\r\nconnection: close\r\n\r\n`);
  }).finally(() => socket.destroy());
}
