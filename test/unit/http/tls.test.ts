import type { TLSSocket } from "node:tls";
import { describe, expect, it } from "vitest";
import { send } from "../../../provider/http/send";
import { createTransport, type TransportOptions } from "../../../provider/http/transport";
import { createIdentity, type Identity } from "../../support/certificates";
import { setVariable } from "../../support/jwt-logins";
import { serve, serveTunnels } from "../../support/loopback-server";

const authority = createIdentity("test authority", { isAuthority: true });
const addresses = ["127.0.0.1"];
const server = createIdentity("server", { issuer: authority, addresses });
const client = createIdentity("ci", { issuer: authority });

const serveAs = ({ certificate, key }: Identity, more = {}) =>
  serve(
    (incoming, response) => {
      // An https server's sockets are of this kind.
      const { subject } = (incoming.socket as TLSSocket).getPeerCertificate();
      response.end(String(subject?.CN));
    },
    { cert: certificate, key, ...more },
  );

const call = (origin: string, options: Partial<TransportOptions> = {}) =>
  send(
    createTransport({ timeoutMs: 20_000, ...options }),
    { method: "GET", url: new URL(origin), headers: {} },
    { retries: 0 },
  );

describe("a server's certificate", () => {
  it("is trusted when its authority is given", async () => {
    const { origin } = await serveAs(server);
    expect(await call(origin, { ca: authority.certificate })).toMatchObject({ status: 200 });
  });

  it.each([
    ["from an unknown authority", server, undefined, /Give its CA/],
    ["from another authority", server, createIdentity("other", { isAuthority: true }), /Give its CA/],
    ["that signed itself", createIdentity("self", { addresses }), undefined, /self-signed. Give its CA/],
    [
      "for another host",
      createIdentity("server", { issuer: authority, addresses: ["192.0.2.1"] }),
      authority,
      /another host name/,
    ],
    [
      "that has expired",
      createIdentity("server", { issuer: authority, addresses, isExpired: true }),
      authority,
      /has expired/,
    ],
  ])("%s is refused with what to do", async (_, identity, ca, reason) => {
    const { origin } = await serveAs(identity);
    const refused = call(origin, ca ? { ca: ca.certificate } : {});
    await expect(refused).rejects.toMatchObject({ code: "NetworkError", message: expect.stringMatching(reason) });
  });

  it("is not looked at when that is switched off", async () => {
    const { origin } = await serveAs(createIdentity("self", { isExpired: true }));
    expect(await call(origin, { skipVerify: true })).toMatchObject({ status: 200 });
  });
});

describe("a server's name", () => {
  /** A server at an address that its certificate does not have, which says by what name it was asked for. */
  const named = (options: Parameters<typeof createIdentity>[1]) => {
    const { certificate, key } = createIdentity("vault", { issuer: authority, ...options });
    // An https server's sockets are of this kind.
    const answer = ({ socket }: { socket: unknown }) => String((socket as TLSSocket).servername);
    return serve((incoming, response) => response.end(answer(incoming)), { cert: certificate, key });
  };
  const trusting = { ca: authority.certificate };

  it("is asked for, and looked for in the certificate, in place of the address's host", async () => {
    const { origin } = await named({ names: ["vault.internal"] });
    await expect(call(origin, trusting)).rejects.toMatchObject({ message: expect.stringMatching(/`tlsServerName`/) });
    const answer = await call(origin, { ...trusting, serverName: "vault.internal" });
    expect(answer).toMatchObject({ status: 200, text: "vault.internal" });
  });

  it("that the certificate lacks is refused, also where it has the address's host", async () => {
    const { origin } = await named({ names: ["vault.internal"], addresses });
    expect(await call(origin, trusting)).toMatchObject({ status: 200 });
    await expect(call(origin, { ...trusting, serverName: "consul.internal" })).rejects.toMatchObject({
      code: "NetworkError",
      message: expect.stringMatching(/another host name/),
    });
  });

  it("may be an address, which is looked for and not asked for", async () => {
    const { origin } = await named({ addresses: ["192.0.2.7"] });
    const answer = await call(origin, { ...trusting, serverName: "192.0.2.7" });
    expect(answer).toMatchObject({ status: 200, text: "false" });
    await expect(call(origin, { ...trusting, serverName: "192.0.2.8" })).rejects.toMatchObject({
      code: "NetworkError",
    });
  });

  it("is asked for through a proxy's tunnel, too", async () => {
    const { origin } = await named({ names: ["vault.internal"] });
    setVariable("HTTPS_PROXY", (await serveTunnels(origin)).origin);
    const answer = await call("https://vault.invalid", { ...trusting, serverName: "vault.internal" });
    expect(answer).toMatchObject({ status: 200, text: "vault.internal" });
  });
});

describe("a client's certificate", () => {
  const demanding = { requestCert: true, rejectUnauthorized: true, ca: authority.certificate };

  it("is shown to a server that asks for it", async () => {
    const { origin } = await serveAs(server, demanding);
    const identity = { clientCertificate: client.certificate, clientKey: client.key };
    expect(await call(origin, { ca: authority.certificate, ...identity })).toMatchObject({ status: 200, text: "ci" });
  });

  it("that is missing is an error of the network", async () => {
    const { origin } = await serveAs(server, demanding);
    await expect(call(origin, { ca: authority.certificate })).rejects.toMatchObject({ code: "NetworkError" });
  });
});

it("a redirect from https to http is not followed: the token would travel in plain text", async () => {
  const seen: unknown[] = [];
  const plain = await serve((incoming, response) => response.end(String(seen.push(incoming.headers))));
  const { origin } = await serve((_, response) => response.writeHead(307, { location: plain.origin }).end(), {
    cert: server.certificate,
    key: server.key,
  });
  expect(await call(origin, { ca: authority.certificate })).toMatchObject({ status: 307 });
  expect(seen).toEqual([]);
});

it("the message about a server that speaks no TLS names the address", async () => {
  const { origin } = await serve((_, response) => response.end());
  const secure = origin.replace("http:", "https:");
  await expect(call(secure)).rejects.toMatchObject({ code: "NetworkError", message: expect.stringContaining(secure) });
});
