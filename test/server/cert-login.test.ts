import { Agent, request } from "undici";
import { expect, it, onTestFinished } from "vitest";
import { type ServeOptions, startServers } from "../../server/serve";
import { describeCertLogins } from "../support/cert-login-suite";
import { createIdentity } from "../support/certificates";
import { askSecrets } from "./frame-harness";

const tls = createIdentity("127.0.0.1", { isAuthority: true, addresses: ["127.0.0.1"] });

describeCertLogins("the embedded server", { lacks: [] }, async () => {
  const { secrets, close } = await startServers({ tls });
  return { ...secrets, ca: tls.certificate, close };
});

async function withMethod(options: ServeOptions) {
  const server = await startServers(options);
  onTestFinished(() => server.close());
  const ask = askSecrets(server);
  await ask("POST sys/auth/cert", { type: "cert" });
  return ask;
}

it("a connection shows its certificate on after a verb that Node does not know", async () => {
  const server = await startServers({ tls });
  onTestFinished(() => server.close());
  const client = createIdentity("ci");
  const connect = { ca: tls.certificate, cert: client.certificate, key: client.key };
  const dispatcher = new Agent({ connect, connections: 1 });
  onTestFinished(() => dispatcher.close());
  const ask = async (method: string, path: string, body?: object) => {
    const headers = { "x-vault-token": server.secrets.token };
    const options = { method: method as "GET", headers, body: JSON.stringify(body ?? {}), dispatcher };
    const answer = await request(`${server.secrets.address}/v1/${path}`, options);
    await answer.body.dump();
    return answer.statusCode;
  };
  await ask("POST", "sys/auth/cert", { type: "cert" });
  await ask("POST", "auth/cert/certs/ci", { certificate: client.certificate });
  expect(await ask("LIST", "auth/cert/certs")).toBe(200);
  expect(await ask("POST", "auth/cert/login")).toBe(200);
});

it("a client that speaks no TLS is told so", async () => {
  const server = await startServers({ tls });
  onTestFinished(() => server.close());
  const answer = await fetch(server.secrets.address.replace("https:", "http:"));
  expect([answer.status, await answer.text()]).toEqual([400, "Client sent an HTTP request to an HTTPS server.\n"]);
});

it("a server without TLS sees no certificates", async () => {
  const ask = await withMethod({});
  expect(await ask("POST auth/cert/login", {}, { token: null })).toMatchObject({
    status: 400,
    errors: ["tls connection required"],
  });
});

it.each([
  ["vault-1.19", ["allowed_organizations"]],
  ["openbao", ["allowed_organizations", "ocsp_this_update_max_age", "ocsp_max_retries"]],
] as const)("a role of %s lacks %j", async (profile, lacks) => {
  const [ask, complete] = [await withMethod({ profile }), await withMethod({})];
  const members = async (from: typeof ask) => {
    await from("POST auth/cert/certs/ci", { certificate: tls.certificate, allowed_organizations: "x" });
    return Object.keys((await from("GET auth/cert/certs/ci")).data ?? {});
  };
  const there = await members(ask);
  expect((await members(complete)).filter((name) => !there.includes(name)).sort()).toEqual([...lacks].sort());
});
