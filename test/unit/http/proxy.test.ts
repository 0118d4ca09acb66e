import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { EnvHttpProxyAgent } from "undici";
import { expect, it, onTestFinished } from "vitest";
import { proxyFor } from "../../../provider/http/proxy.ts";

/** Whether the HTTP client asks the proxy for this address. */
async function asksProxy(url: string, noProxy: string): Promise<boolean> {
  let asked = false;
  const proxy = createServer((_, response) => response.end()).on("connect", (_, socket) => {
    asked = true;
    socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const agent = new EnvHttpProxyAgent({ httpProxy: origin, httpsProxy: origin, noProxy });
  onTestFinished(async () => {
    await agent.destroy();
    proxy.close();
  });
  await agent.request({ origin: new URL(url).origin, path: "/", method: "GET" }).catch(() => {});
  return asked;
}

it.each([
  ["https://vault.invalid", ""],
  ["https://vault.invalid", "vault.invalid"],
  ["https://VAULT.invalid", "vault.INVALID"],
  ["https://vault.invalid", "invalid"],
  ["https://vault.invalid", ".invalid"],
  ["https://vault.invalid", "*.invalid"],
  ["https://vault.invalid", "*.vault.invalid"],
  ["https://vault.invalid", "ault.invalid"],
  ["https://vault.invalid", "other.invalid, vault.invalid:443"],
  ["https://vault.invalid:8200", "vault.invalid:443"],
  ["https://vault.invalid:8200", "vault.invalid:8200 other.invalid"],
  ["https://vault.invalid.", "vault.invalid"],
  ["https://vault.invalid", "vault.invalid."],
  ["https://vault.invalid", "*"],
  ["https://vault.invalid", "*:80"],
])("%s with NO_PROXY=%j goes the way that the HTTP client goes", async (url, NO_PROXY) => {
  const { proxy } = proxyFor(new URL(url), { HTTPS_PROXY: "http://proxy.example", NO_PROXY });
  expect(proxy !== undefined).toBe(await asksProxy(url, NO_PROXY));
});

it.each([
  ["https://vault.example", { HTTPS_PROXY: "http://a", https_proxy: "http://b" }, "https_proxy"],
  ["https://vault.example", { HTTP_PROXY: "http://a" }, "HTTP_PROXY"],
  ["http://vault.example", { HTTPS_PROXY: "http://a" }, undefined],
  ["http://127.0.0.1:8200", { HTTP_PROXY: "http://a" }, undefined],
  ["http://[::1]:8200", { HTTP_PROXY: "http://a" }, undefined],
])("%s with %j goes through the proxy of %s", (url, env, variable) => {
  expect(proxyFor(new URL(url), env).proxy?.variable).toBe(variable);
});
