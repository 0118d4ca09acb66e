import { request as forward, type IncomingHttpHeaders } from "node:http";
import { createIdentity } from "./certificates.ts";
import { type LoopbackServer, serve } from "./loopback-server.ts";

/** A proxy of an operator before a server: TLS with an authority of its own, and a header that it asks for. */
export interface Gate extends LoopbackServer {
  /** PEM of the authority that signed its certificate. */
  readonly ca: string;
  /** The name in that certificate, which has no address. */
  readonly name: string;
  /** The headers of the requests that passed. */
  readonly passed: readonly IncomingHttpHeaders[];
}

/** Opens a gate of one test. What it refuses, it repeats, as proxies with a debugging page do. */
export async function openGate(target: string, header: string, value: string): Promise<Gate> {
  const authority = createIdentity("gate authority", { isAuthority: true });
  const name = "gate.internal";
  const { certificate: cert, key } = createIdentity("gate", { issuer: authority, names: [name] });
  const passed: IncomingHttpHeaders[] = [];
  const server = await serve(
    (incoming, outgoing) => {
      if (incoming.headers[header] !== value) {
        const said = `no entry with ${JSON.stringify(incoming.headers)}`;
        return void outgoing.writeHead(401).end(JSON.stringify({ errors: [said] }));
      }
      passed.push(incoming.headers);
      const { host: _, ...headers } = incoming.headers;
      const onward = forward(new URL(incoming.url ?? "/", target), { method: incoming.method ?? "GET", headers });
      onward.on("response", (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      });
      onward.on("error", () => outgoing.destroy());
      incoming.pipe(onward);
    },
    { cert, key },
  );
  return { ...server, ca: authority.certificate, name, passed };
}
