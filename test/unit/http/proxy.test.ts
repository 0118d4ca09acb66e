import { isIPv4 } from "node:net";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { proxyFor } from "../../../provider/http/proxy.ts";

const PROXY = "http://proxy.example";
const isProxied = (url: string, NO_PROXY: string) =>
  proxyFor(new URL(url), { HTTPS_PROXY: PROXY, HTTP_PROXY: PROXY, NO_PROXY }).proxy !== undefined;

/** As golang.org/x/net/http/httpproxy answers, which the products' own commands ask: v0.62.0 was asked for each row. */
const AS_GO: readonly (readonly [url: string, noProxy: string, isProxied: boolean])[] = [
  ["https://vault.invalid", "", true],
  ["https://vault.invalid", "vault.invalid", false],
  ["https://VAULT.invalid", "vault.INVALID", false],
  ["https://vault.invalid", "invalid", false],
  ["https://vault.invalid", ".invalid", false],
  ["https://vault.invalid", "*.invalid", false],
  ["https://vault.invalid", ".vault.invalid", true],
  ["https://vault.invalid", "*.vault.invalid", true],
  ["https://vault.invalid", "ault.invalid", true],
  ["https://a.b.invalid", "*.*.invalid", true],
  ["https://xn--bcher-kva.example", "bücher.example", false],
  ["https://bücher.example", "xn--bcher-kva.example", false],
  ["https://vault.invalid", "other.invalid, vault.invalid:443", false],
  ["https://vault.invalid:8200", "vault.invalid:443", true],
  ["https://vault.invalid:8200", ".invalid:8200", false],
  ["http://vault.invalid", "vault.invalid:80", false],
  ["https://vault.invalid", "vault.invalid:", false],
  ["https://vault.invalid", "vault.invalid:https", true],
  ["https://vault.invalid", "*", false],
  ["https://vault.invalid", "other.invalid, *", false],
  ["https://10.1.2.3:8200", "*", false],
  ["https://vault.invalid", "*:443", true],
  ["https://vault.invalid", "invalid/8", true],
  ["https://vault.invalid", ":443", true],
  ["https://10.1.2.3:8200", "10.0.0.0/8", false],
  ["https://11.1.2.3:8200", "10.0.0.0/8", true],
  ["https://10.1.2.3", "192.168.0.0/16,10.9.9.9/8", false],
  ["https://10.1.2.3", "0.0.0.0/0", false],
  ["https://10.1.2.3", "10.0.0.0/33", true],
  ["https://10.1.2.3", "10.0.0.0/8:443", true],
  ["https://vault.invalid", "10.0.0.0/8", true],
  ["https://10.1.2.3", "10.1.2.3", false],
  ["https://10.1.2.3", "10.1.2.3:443", false],
  ["https://10.1.2.3", "[10.1.2.3]:443", false],
  ["https://10.1.2.3", "10.1.2.3:80", true],
  ["https://10.1.2.3", "010.1.2.3", true],
  ["https://10.1.2.3", "2.3", true],
  ["https://10.1.2.3", ".2.3", true],
  ["https://[2001:db8::7]:8200", "2001:db8::/32", false],
  ["https://[2001:db8::7]:8200", "2001:DB8:0::7", false],
  ["https://[2001:db8::7]:8200", "[2001:db8::7]:8200", false],
  ["https://[2001:db8::7]:8200", "[2001:db8::7]:443", true],
  ["https://[2001:db8::7]", "2001:db8::7:443", true],
  ["https://[2001:db8::7]:8200", "::/0", false],
  ["https://[2001:db8::7]:8200", "0.0.0.0/0", true],
  ["https://10.1.2.3", "::/0", true],
  ["https://10.1.2.3", "::ffff:10.1.2.3", false],
  ["https://10.1.2.3", "::ffff:10.0.0.0/104", false],
  ["https://[::ffff:10.1.2.3]", "10.0.0.0/8", false],
  ["https://localhost:8200", "", false],
  ["https://127.9.9.9:8200", "", false],
  ["https://[::1]:8200", "", false],
];

/** What Go reads as nothing, and other tools in one way only. */
const BESIDE_GO: typeof AS_GO = [
  ["https://vault.invalid:8200", "vault.invalid:8200 other.invalid", false],
  ["https://vault.invalid.", "vault.invalid", false],
  ["https://vault.invalid", "vault.invalid.", false],
  ["https://[2001:db8::7]:8200", "[2001:db8::7]", false],
  ["https://vault.invalid", ".", true],
];

it.each([...AS_GO, ...BESIDE_GO])("%s with NO_PROXY=%j goes through the proxy: %j", (url, noProxy, expected) => {
  expect(isProxied(url, noProxy)).toBe(expected);
});

describe("NO_PROXY", () => {
  const address = fc.oneof(fc.ipV4(), fc.ipV6()).filter((text) => !/^127\.|^::1$|^(0*:)+0*1$|ffff/i.test(text));
  const urlOf = (host: string) => `https://${isIPv4(host) ? host : `[${host}]`}:8200`;
  const entries = fc.array(fc.constantFrom("", "other.example", "10.0.0.0/33", "[", "/", ":", "-1/8", "%", "a:b:c"));

  it("keeps an address by the network of any length around it, and no address of the other family", () => {
    fc.assert(
      fc.property(address, fc.nat(128), (host, length) => {
        const [bits, other] = isIPv4(host) ? [32, "::"] : [128, "0.0.0.0"];
        expect(isProxied(urlOf(host), `${host}/${length}`)).toBe(length > bits);
        expect(isProxied(urlOf(host), `${other}/0`)).toBe(true);
      }),
    );
  });

  it("keeps what differs behind a network's length, and not what differs in it", () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.integer({ min: 1, max: 32 }), fc.nat(31), (text, length, place) => {
        const number = text.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
        const other = (number ^ (1 << (31 - place))) >>> 0;
        fc.pre(other >>> 24 !== 127);
        const host = [24, 16, 8, 0].map((shift) => (other >>> shift) & 255).join(".");
        expect(isProxied(urlOf(host), `${text}/${length}`)).toBe(place < length);
      }),
    );
  });

  it("has no order, and what says nothing in it changes nothing", () => {
    fc.assert(
      fc.property(fc.constantFrom(...AS_GO), entries, entries, ([url, noProxy, expected], before, after) => {
        expect(isProxied(url, [...before, noProxy, ...after].join(","))).toBe(expected);
      }),
    );
  });
});

it.each([
  ["https://vault.example", { HTTPS_PROXY: "http://a", https_proxy: "http://b" }, "https_proxy"],
  ["https://vault.example", { HTTP_PROXY: "http://a" }, "HTTP_PROXY"],
  ["http://vault.example", { HTTPS_PROXY: "http://a" }, undefined],
  ["http://127.0.0.1:8200", { HTTP_PROXY: "http://a" }, undefined],
  ["http://[::1]:8200", { HTTP_PROXY: "http://a" }, undefined],
  ["http://vault.example", { HTTP_PROXY: "http://a", NO_PROXY: "vault.example", no_proxy: "" }, undefined],
])("%s with %j goes through the proxy of %s", (url, env, variable) => {
  expect(proxyFor(new URL(url), env).proxy?.variable).toBe(variable);
});

it("without a scheme, as Go and curl take it, is one of http", () => {
  expect(proxyFor(new URL("https://vault.example"), { HTTPS_PROXY: "proxy:3128" }).proxy?.url).toBe(
    "http://proxy:3128",
  );
});
