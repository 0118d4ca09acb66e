import { describe, expect, it } from "vitest";
import { type Environment, type Service, settingsOf } from "../../../provider/engine/settings";

const tlsOf = (env: Environment, entry: object = {}, service: Service = "secrets") =>
  settingsOf(service, undefined, (key) => (key === service ? JSON.stringify(entry) : undefined), env).tls;

describe("the CA", () => {
  it.each<[Environment, object, object]>([
    [{}, {}, { kind: "file", value: undefined, namedBy: "caCertFile in trustplane:secrets" }],
    [{ VAULT_CACERT: "/v" }, {}, { kind: "file", value: "/v", namedBy: "VAULT_CACERT" }],
    [{ VAULT_CACERT_BYTES: "PEM" }, {}, { kind: "text", value: "PEM", namedBy: "VAULT_CACERT_BYTES" }],
    [{ VAULT_CAPATH: "/d" }, {}, { kind: "folder", value: "/d", namedBy: "VAULT_CAPATH" }],
    [{ VAULT_CAPATH: "/d", BAO_CAPATH: "/b" }, {}, { kind: "folder", value: "/b", namedBy: "BAO_CAPATH" }],
    [{ VAULT_CAPATH: "/d", VAULT_CACERT_BYTES: "PEM" }, {}, { kind: "text", value: "PEM" }],
    [{ BAO_CACERT_BYTES: "PEM", VAULT_CACERT: "/v" }, {}, { kind: "file", value: "/v" }],
    [{ VAULT_CACERT: "/v" }, { caCertDir: "/d" }, { kind: "folder", namedBy: "caCertDir in trustplane:secrets" }],
    [{ VAULT_CACERT: "/v" }, { caCertPem: "PEM" }, { kind: "text", namedBy: "caCertPem in trustplane:secrets" }],
  ])("with %j and the entry %j is %j", (env, entry, ca) => {
    expect(tlsOf(env, entry).ca).toMatchObject(ca);
  });

  it.each([
    [{ caCertFile: "/f", caCertPem: "PEM" }, "caCertFile and caCertPem"],
    [{ caCertPem: "PEM", caCertDir: "/d" }, "caCertPem and caCertDir"],
    [{ clientCertFile: "/f", clientCertPem: "PEM" }, "clientCertFile and clientCertPem"],
    [{ clientKeyFile: "/f", clientKeyPem: "s-ecret" }, "clientKeyFile and clientKeyPem"],
  ])("and each other part is named once: %j", (entry, both) => {
    const message = `trustplane:secrets has both ${both}: remove one of them`;
    expect(() => tlsOf({}, entry)).toThrow(expect.objectContaining({ code: "ConfigError", message }));
  });
});

describe("a client's certificate", () => {
  const env = { VAULT_CLIENT_CERT: "/c", VAULT_CLIENT_KEY: "/k" };

  it("comes from one place with its key: an entry that names one half keeps out the environment's other half", () => {
    expect(tlsOf(env)).toMatchObject({
      certificate: { value: "/c", namedBy: "VAULT_CLIENT_CERT" },
      key: { value: "/k", namedBy: "VAULT_CLIENT_KEY" },
    });
    for (const half of [{ clientCertFile: "/own" }, { clientCertPem: "own" }])
      expect(tlsOf(env, half)).toMatchObject({
        certificate: { value: expect.stringContaining("own") },
        key: { value: undefined, namedBy: "clientKeyFile in trustplane:secrets" },
      });
    for (const half of [{ clientKeyFile: "/own" }, { clientKeyPem: "own" }])
      expect(tlsOf(env, half)).toMatchObject({
        certificate: { value: undefined, namedBy: "clientCertFile in trustplane:secrets" },
        key: { value: expect.stringContaining("own") },
      });
  });

  it("may be a text beside a key that is a file", () => {
    expect(tlsOf({}, { clientCertPem: "PEM", clientKeyFile: "/k" })).toMatchObject({
      certificate: { kind: "text", value: "PEM" },
      key: { kind: "file", value: "/k" },
    });
  });
});

describe("the name of the server", () => {
  it.each<[Service, Environment, object, string | undefined, string]>([
    ["secrets", {}, {}, undefined, "tlsServerName in trustplane:secrets"],
    ["secrets", { VAULT_TLS_SERVER_NAME: "v" }, {}, "v", "VAULT_TLS_SERVER_NAME"],
    ["secrets", { VAULT_TLS_SERVER_NAME: "v", BAO_TLS_SERVER_NAME: "b" }, {}, "b", "BAO_TLS_SERVER_NAME"],
    ["secrets", { VAULT_TLS_SERVER_NAME: "v" }, { tlsServerName: "own" }, "own", "tlsServerName in trustplane:secrets"],
    ["cluster", { CONSUL_TLS_SERVER_NAME: "c.internal:8501" }, {}, "c.internal", "CONSUL_TLS_SERVER_NAME"],
    ["cluster", { CONSUL_TLS_SERVER_NAME: "[::1]:8501" }, {}, "::1", "CONSUL_TLS_SERVER_NAME"],
    ["cluster", { CONSUL_TLS_SERVER_NAME: "fe80::1" }, {}, "fe80::1", "CONSUL_TLS_SERVER_NAME"],
    ["policy", { VAULT_TLS_SERVER_NAME: "v" }, { tlsServerName: "own" }, "own", "tlsServerName in trustplane:policy"],
  ])("of %s with %j and %j is %j, by %s", (service, env, entry, serverName, serverNameBy) => {
    expect(tlsOf(env, entry, service)).toMatchObject({ serverName, serverNameBy });
  });
});

it("a named connection takes nothing of it from the environment", () => {
  const connections = JSON.stringify({ east: { service: "cluster", address: "https://east" } });
  const env = { CONSUL_CAPATH: "/d", CONSUL_TLS_SERVER_NAME: "c", CONSUL_HTTP_AUTH: "user:password" };
  const { tls, headers } = settingsOf(
    "cluster",
    "east",
    (key) => (key === "connections" ? connections : undefined),
    env,
  );
  expect(tls).toMatchObject({ ca: { value: undefined }, serverName: undefined });
  expect(headers).toEqual({ sent: {}, secrets: [] });
});
