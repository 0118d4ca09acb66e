import { describe, expect, it } from "vitest";
import { createIdentity } from "../support/certificates.ts";
import { openGate } from "../support/gate.ts";
import {
  addresses,
  authority,
  type Broken,
  expectNamed,
  fileWith,
  inspected,
  onlySecrets,
  open,
  secure,
  trusted,
} from "./doctor-harness.ts";

/** Wrong settings of TLS and of headers, and what the report must name. */
const broken: Readonly<Record<string, Broken>> = {
  "a certificate of an unknown authority": {
    env: async () => ({ VAULT_ADDR: (await secure(trusted)).origin }),
    check: "tls",
    finding: /certificate of vault, from an authority, until \d{4}-\d\d-\d\d: .*unknown authority/,
    fix: /PEM of its CA .*VAULT_CACERT or caCertFile in trustplane:secrets/,
  },
  "a certificate that signed itself": {
    env: async () => ({ CONSUL_HTTP_ADDR: (await secure(createIdentity("self", { addresses }))).origin }),
    check: "tls",
    finding: /self-signed/,
    fix: /CONSUL_CACERT or caCertFile in trustplane:cluster/,
  },
  "a certificate that has expired": {
    env: async () => ({
      VAULT_ADDR: (await secure(createIdentity("old", { issuer: authority, addresses, isExpired: true }))).origin,
      VAULT_CACERT: fileWith(authority.certificate),
    }),
    check: "tls",
    finding: /certificate of old.*expired/,
    fix: /renew it on the server/,
  },
  "a certificate of another name": {
    env: async () => ({
      VAULT_ADDR: (await secure(createIdentity("other", { issuer: authority, addresses: ["192.0.2.1"] }))).origin,
      VAULT_CACERT: fileWith(authority.certificate),
    }),
    check: "tls",
    finding: /another host name/,
    fix: /a name that the certificate has in VAULT_ADDR/,
  },
  "a CA file that is none": {
    env: async () => ({ VAULT_ADDR: (await secure(trusted)).origin, VAULT_CACERT: fileWith("hello") }),
    check: "tls",
    finding: /VAULT_CACERT/,
    fix: /correct/,
  },
  "a name that the certificate lacks, and the names that it has": {
    env: async () => ({
      VAULT_ADDR: (await secure(trusted)).origin,
      VAULT_CACERT: fileWith(authority.certificate),
      VAULT_TLS_SERVER_NAME: "vault.internal",
    }),
    check: "tls",
    finding: /another host name; it is for IP Address:127\.0\.0\.1$/,
    fix: /a name that the certificate has in VAULT_TLS_SERVER_NAME, which says "vault\.internal"/,
  },
  "a certificate of another name, and where to say its name": {
    env: async () => ({
      CONSUL_HTTP_ADDR: (await secure(createIdentity("c", { issuer: authority, names: ["consul.internal"] }))).origin,
      CONSUL_CACERT: fileWith(authority.certificate),
    }),
    check: "tls",
    finding: /another host name; it is for DNS:consul\.internal$/,
    fix: /in CONSUL_HTTP_ADDR, or give it in CONSUL_TLS_SERVER_NAME or tlsServerName in trustplane:cluster/,
  },
  "a folder of CAs that is not there": {
    env: async () => ({ VAULT_ADDR: (await secure(trusted)).origin, VAULT_CAPATH: "/nowhere/ca" }),
    check: "tls",
    finding: /the CA folder .*\(VAULT_CAPATH\) cannot be read, or is no folder: \/nowhere\/ca/,
    fix: /correct/,
  },
  "a text of a CA that is none": {
    env: async () => ({ VAULT_ADDR: (await secure(trusted)).origin, VAULT_CACERT_BYTES: "hello" }),
    check: "tls",
    finding: /the CA certificate .*\(VAULT_CACERT_BYTES\) is not PEM/,
    fix: /correct/,
  },
  "a CA in a text that is another one's": {
    env: async () => ({
      VAULT_ADDR: (await secure(trusted)).origin,
      VAULT_CACERT_BYTES: createIdentity("other", { isAuthority: true }).certificate,
    }),
    check: "tls",
    finding: /unknown authority/,
    fix: /in VAULT_CACERT_BYTES$/,
  },
  "a key that does not fit the certificate": {
    env: async () => ({
      VAULT_ADDR: (await secure(trusted)).origin,
      VAULT_CLIENT_CERT: fileWith(trusted.certificate),
      VAULT_CLIENT_KEY: fileWith(authority.key),
    }),
    check: "tls",
    finding: /the client key .*\(VAULT_CLIENT_KEY\) is not that of the certificate/,
    fix: /correct/,
  },
  "headers that are no JSON": {
    env: async () => ({ ...onlySecrets((await open()).env), VAULT_HEADERS: "X-Pass: key-of-the-pass" }),
    check: "address",
    finding: /VAULT_HEADERS: must be a JSON object of texts/,
    fix: /correct what it names/,
  },
  "a header that the client sets": {
    env: async () => ({ ...onlySecrets((await open()).env), VAULT_HEADERS: '{"X-Vault-Token":"key-of-the-pass"}' }),
    check: "address",
    finding: /VAULT_HEADERS: X-Vault-Token is set by the client itself/,
    fix: /correct what it names/,
  },
};

describe("trustplane doctor names", () => {
  it.each(Object.entries(broken))("%s", (_, about) => expectNamed(about));
});

describe("what stands before a server", () => {
  const key = "pass-key-of-the-gate";

  it("is passed by each check, and no report shows the key", async () => {
    const { server } = await open();
    const gate = await openGate(server.secrets.address, "x-pass", key);
    const tls = { VAULT_CACERT_BYTES: gate.ca, VAULT_TLS_SERVER_NAME: gate.name };
    const env = { VAULT_ADDR: gate.origin, VAULT_TOKEN: server.secrets.token, ...tls };
    const { report, checks, code } = await inspected({ ...env, VAULT_HEADERS: JSON.stringify({ "X-Pass": key }) });
    expect(checks.filter(({ status }) => status === "failed")).toEqual([]);
    expect([code, report.result]).toEqual([0, "ok"]);
    expect(JSON.stringify(report)).not.toContain(key);
  });

  it("refuses a wrong key, which no report shows", async () => {
    const { server } = await open();
    const gate = await openGate(server.secrets.address, "x-pass", key);
    const tls = { VAULT_CACERT_BYTES: gate.ca, VAULT_TLS_SERVER_NAME: gate.name };
    const wrong = "another-key-for-no-gate";
    const headers = { VAULT_HEADERS: JSON.stringify({ "X-Pass": wrong }) };
    const { report, checks } = await inspected({ VAULT_ADDR: gate.origin, VAULT_TOKEN: "t", ...tls, ...headers });
    expect(checks.find(({ status }) => status === "failed")).toMatchObject({ check: "api" });
    expect(JSON.stringify(report)).not.toContain(wrong);
  });

  it("is passed with the fields of --connection", async () => {
    const { server } = await open();
    const userAndPassword = "operator:pass-word-of-the-gate";
    const basic = `Basic ${Buffer.from(userAndPassword).toString("base64")}`;
    const gate = await openGate(server.cluster.address, "authorization", basic);
    const fields = `caCertFile=${fileWith(gate.ca)},tlsServerName=${gate.name},httpAuthEnv=AUTH,tokenEnv=EAST`;
    const env = { AUTH: userAndPassword, EAST: server.cluster.token };
    const { checks } = await inspected(env, "--connection", `east=${gate.origin},service=cluster,${fields}`);
    expect(checks.filter(({ status }) => status === "failed")).toEqual([]);
    expect(checks.find(({ check }) => check === "token")).toMatchObject({ status: "ok" });
  });
});
