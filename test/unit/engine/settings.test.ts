import { describe, expect, it } from "vitest";
import { type Environment, type Service, type Settings, settingsOf } from "../../../provider/engine/settings";

const config =
  (entries: Record<string, unknown> = {}) =>
  (key: string) =>
    entries[key] === undefined ? undefined : JSON.stringify(entries[key]);
const from = (service: Service, env: Environment, entry?: unknown): Settings =>
  settingsOf(service, undefined, config(entry === undefined ? {} : { [service]: entry }), env);
const pairOf = (certificate: string, key: string) => ({
  tls: { certificate: { value: certificate }, key: { value: key } },
});
const origin = (settings: Settings) => settings.address.href;

describe("without any configuration", () => {
  it.each([
    ["secrets", "https://127.0.0.1:8200/"],
    ["cluster", "http://127.0.0.1:8500/"],
    ["policy", "https://app.terraform.io/"],
  ] as const)("%s is where its own client looks for it", (service, address) => {
    expect(from(service, {})).toMatchObject({
      name: service,
      service,
      namespace: undefined,
      tls: {
        ca: { value: undefined },
        certificate: { value: undefined },
        key: { value: undefined },
        serverName: undefined,
      },
      headers: { sent: {}, secrets: [] },
      skipVerify: false,
      retries: 4,
      timeoutMs: 60_000,
      offline: false,
      followRedirects: true,
      rebuilt: false,
      takeOver: "same",
    });
    expect(origin(from(service, {}))).toBe(address);
  });
});

describe("whether to take over", () => {
  const env = { TRUSTPLANE_TAKE_OVER: "never" };
  const asked = (entries: Record<string, unknown>, variables: Environment = env) =>
    settingsOf("secrets", undefined, config(entries), variables).takeOver;

  it("is said by the connection, else by the stack, else by the environment, else what is as the program says is taken over", () => {
    expect(asked({ secrets: { takeOver: "same" }, takeOver: "always" })).toBe("same");
    expect(asked({ takeOver: "always" })).toBe("always");
    expect(asked({})).toBe("never");
    expect(asked({}, {})).toBe("same");
    // The stack's configuration is text, a program's is JSON.
    expect(settingsOf("secrets", undefined, (key) => (key === "takeOver" ? "always" : undefined), {}).takeOver).toBe(
      "always",
    );
  });

  it("is one of three words", () => {
    const says = "must be same, always, never";
    expect(() => asked({ takeOver: "yes" })).toThrow(`trustplane:takeOver ${says}`);
    expect(() => asked({}, { TRUSTPLANE_TAKE_OVER: "yes" })).toThrow(`TRUSTPLANE_TAKE_OVER ${says}`);
    expect(() => asked({ secrets: { takeOver: "yes" } })).toThrow(`trustplane:secrets is not valid: takeOver: ${says}`);
  });
});

describe("an environment variable", () => {
  it.each([
    ["secrets", { VAULT_NAMESPACE: "team/a" }, { namespace: "team/a" }],
    ["secrets", { BAO_NAMESPACE: "b", VAULT_NAMESPACE: "v" }, { namespace: "b" }],
    ["secrets", { VAULT_CACERT: "/ca" }, { tls: { ca: { kind: "file", value: "/ca" } } }],
    ["secrets", { BAO_CACERT: "/b", VAULT_CACERT: "/v" }, { tls: { ca: { value: "/b" } } }],
    ["secrets", { VAULT_CLIENT_CERT: "/c", VAULT_CLIENT_KEY: "/k" }, pairOf("/c", "/k")],
    ["secrets", { BAO_CLIENT_CERT: "/c", BAO_CLIENT_KEY: "/k" }, pairOf("/c", "/k")],
    ["secrets", { VAULT_SKIP_VERIFY: "true" }, { skipVerify: true }],
    ["secrets", { VAULT_SKIP_VERIFY: "1" }, { skipVerify: true }],
    ["secrets", { VAULT_SKIP_VERIFY: "false" }, { skipVerify: false }],
    ["secrets", { VAULT_SKIP_VERIFY: "" }, { skipVerify: false }],
    ["secrets", { BAO_SKIP_VERIFY: "T" }, { skipVerify: true }],
    ["secrets", { VAULT_DISABLE_REDIRECTS: "true" }, { followRedirects: false }],
    ["secrets", { BAO_DISABLE_REDIRECTS: "1" }, { followRedirects: false }],
    ["secrets", { VAULT_DISABLE_REDIRECTS: "false" }, { followRedirects: true }],
    ["cluster", { VAULT_DISABLE_REDIRECTS: "true" }, { followRedirects: true }],
    ["secrets", { VAULT_MAX_RETRIES: "0" }, { retries: 0 }],
    ["secrets", { BAO_MAX_RETRIES: "7", VAULT_MAX_RETRIES: "1" }, { retries: 7 }],
    ["secrets", { VAULT_CLIENT_TIMEOUT: "30" }, { timeoutMs: 30_000 }],
    ["secrets", { VAULT_CLIENT_TIMEOUT: "1m30s" }, { timeoutMs: 90_000 }],
    ["secrets", { BAO_CLIENT_TIMEOUT: "2m" }, { timeoutMs: 120_000 }],
    ["cluster", { CONSUL_PARTITION: "p" }, { namespace: "p" }],
    ["cluster", { CONSUL_CACERT: "/ca" }, { tls: { ca: { kind: "file", value: "/ca" } } }],
    ["cluster", { CONSUL_CLIENT_CERT: "/c", CONSUL_CLIENT_KEY: "/k" }, pairOf("/c", "/k")],
    ["cluster", { CONSUL_HTTP_SSL_VERIFY: "false" }, { skipVerify: true }],
    ["cluster", { CONSUL_HTTP_SSL_VERIFY: "true" }, { skipVerify: false }],
    // Only a clear no switches the verification off.
    ["cluster", { CONSUL_HTTP_SSL_VERIFY: "" }, { skipVerify: false }],
    ["cluster", { CONSUL_HTTP_SSL_VERIFY: "maybe" }, { skipVerify: false }],
    ["policy", { TFE_SSL_SKIP_VERIFY: "1" }, { skipVerify: true }],
    [
      "policy",
      { VAULT_NAMESPACE: "x", VAULT_CACERT: "/x", CONSUL_PARTITION: "x" },
      { namespace: undefined, tls: { ca: { value: undefined } } },
    ],
  ] as const)("of %s, %j, sets %j", (service, env, settings) => {
    expect(from(service, env)).toMatchObject(settings);
  });

  it.each([
    ["secrets", { VAULT_ADDR: "http://127.0.0.1:8200" }, "http://127.0.0.1:8200/"],
    ["secrets", { BAO_ADDR: "https://bao.example.com", VAULT_ADDR: "https://v" }, "https://bao.example.com/"],
    ["secrets", { VAULT_ADDR: "https://proxy.example.com/vault/" }, "https://proxy.example.com/vault/"],
    ["secrets", { VAULT_ADDR: "vault.example.com:8200" }, "https://vault.example.com:8200/"],
    ["cluster", { CONSUL_HTTP_ADDR: "https://consul.example.com:8501" }, "https://consul.example.com:8501/"],
    ["cluster", { CONSUL_HTTP_ADDR: "consul.example.com:8500" }, "http://consul.example.com:8500/"],
    ["cluster", { CONSUL_HTTP_ADDR: "127.0.0.1:8500" }, "http://127.0.0.1:8500/"],
    ["cluster", { CONSUL_HTTP_ADDR: "consul:8501", CONSUL_HTTP_SSL: "true" }, "https://consul:8501/"],
    ["policy", { TFE_ADDRESS: "https://tfe.example.com" }, "https://tfe.example.com/"],
    ["policy", { TFE_HOSTNAME: "tfe.example.com" }, "https://tfe.example.com/"],
    ["policy", { TFE_ADDRESS: "https://a", TFE_HOSTNAME: "b" }, "https://a/"],
  ] as const)("of %s, %j, is the address %s", (service, env, address) => {
    expect(origin(from(service, env))).toBe(address);
  });

  it.each([
    [{ VAULT_MAX_RETRIES: "many" }, /VAULT_MAX_RETRIES must be a small whole number/],
    [{ VAULT_MAX_RETRIES: "-1" }, /VAULT_MAX_RETRIES must be/],
    [{ VAULT_CLIENT_TIMEOUT: "soon" }, /VAULT_CLIENT_TIMEOUT is not a duration/],
    [{ VAULT_CLIENT_TIMEOUT: "500ms" }, /VAULT_CLIENT_TIMEOUT must be whole seconds/],
    [{ BAO_CLIENT_TIMEOUT: "-1s" }, /BAO_CLIENT_TIMEOUT must not be negative/],
  ])("that cannot be read, %j, is named", (env, message) => {
    expect(() => from("secrets", env)).toThrow(
      expect.objectContaining({ code: "ConfigError", message: expect.stringMatching(message) }),
    );
  });
});

describe("an entry of the configuration", () => {
  it("sets everything, and stands before the environment", () => {
    const env = {
      VAULT_ADDR: "https://env",
      VAULT_NAMESPACE: "env",
      VAULT_CACERT: "/env",
      VAULT_SKIP_VERIFY: "1",
      VAULT_MAX_RETRIES: "9",
      VAULT_CLIENT_TIMEOUT: "9",
    };
    const entry = {
      address: "https://config",
      namespace: "config",
      caCertFile: "/ca",
      clientCertFile: "/c",
      clientKeyFile: "/k",
      skipTlsVerify: false,
      maxRetries: 1,
      timeoutSeconds: 0.5,
      offline: true,
      rebuilt: true,
    };
    const {
      address: _,
      caCertFile,
      clientCertFile,
      clientKeyFile,
      skipTlsVerify,
      maxRetries,
      timeoutSeconds,
      ...same
    } = entry;
    const settings = from("secrets", env, entry);
    expect(settings).toMatchObject({
      ...same,
      tls: { ca: { value: caCertFile }, ...pairOf(clientCertFile, clientKeyFile).tls },
      skipVerify: skipTlsVerify,
      retries: maxRetries,
      timeoutMs: timeoutSeconds * 1000,
    });
    expect(origin(settings)).toBe("https://config/");
  });

  it("leaves what it does not say to the environment", () => {
    expect(origin(from("secrets", { VAULT_ADDR: "https://env" }, { offline: true }))).toBe("https://env/");
  });

  it("may call a namespace of Consul a partition", () => {
    expect(from("cluster", {}, { partition: "p" }).namespace).toBe("p");
  });
});

describe("TRUSTPLANE_REBUILT", () => {
  const connections = { west: { service: "cluster", address: "consul:8500" } };
  const rebuilt = (service: Service, name: string | undefined, text: string) =>
    settingsOf(service, name, config({ connections }), { TRUSTPLANE_REBUILT: text }).rebuilt;

  it.each([
    ["secrets", undefined, "secrets", true],
    ["secrets", undefined, "west, secrets", true],
    ["cluster", "west", "west,", true],
    ["cluster", "west", "cluster", false],
    ["cluster", undefined, "west", false],
    ["secrets", undefined, "true", false],
    ["secrets", undefined, "", false],
  ] as const)("of %s (%s), %j: %s", (service, name, text, expected) => {
    expect(rebuilt(service, name, text)).toBe(expected);
  });
});

describe("a named connection", () => {
  const connections = {
    east: { service: "cluster", address: "consul.east:8500", tokenEnv: "EAST" },
    bare: { service: "cluster" },
  };
  const named = (name: string, env: Environment = {}, service: Service = "cluster") =>
    settingsOf(service, name, config({ connections }), env);

  it("has its own settings, and takes none from the environment of the service", () => {
    const env = {
      CONSUL_HTTP_TOKEN: "t",
      CONSUL_CACERT: "/ca",
      CONSUL_PARTITION: "p",
      CONSUL_HTTP_SSL: "1",
      CONSUL_HTTP_SSL_VERIFY: "0",
      CONSUL_HTTP_TOKEN_FILE: "/t",
    };
    const settings = named("east", env);
    expect(settings).toMatchObject({
      name: "east",
      service: "cluster",
      namespace: undefined,
      tls: { ca: { value: undefined } },
      skipVerify: false,
    });
    expect(settings.token.places).toEqual([{ variable: "EAST" }]);
    expect(origin(settings)).toBe("http://consul.east:8500/");
  });

  it.each([
    ["west", "cluster", 'connection "west" is not in trustplane:connections; known are east, bare'],
    ["east", "secrets", 'connection "east" is for service cluster, not secrets'],
    ["bare", "cluster", 'connection "bare" has no address'],
  ] as const)("%s for %s is refused with the reason", (name, service, message) => {
    expect(() => named(name, {}, service)).toThrow(expect.objectContaining({ code: "ConfigError", message }));
  });

  it("is not known where none is configured", () => {
    expect(() => settingsOf("cluster", "east", config(), {})).toThrow(/none is configured/);
  });
});

describe("configuration that cannot be used", () => {
  const refused = (key: string, text: string) => () =>
    settingsOf(
      "secrets",
      key === "connections" ? "east" : undefined,
      (asked) => (asked === key ? text : undefined),
      {},
    );

  it.each([
    [
      "secrets",
      "https://vault.example.com",
      /trustplane:secrets is not an object; set it with `pulumi config set --plaintext --path trustplane:secrets\.address/,
    ],
    ["secrets", "null", /trustplane:secrets is not valid/],
    ["secrets", "[]", /trustplane:secrets is not valid/],
    ["secrets", '{"adress":"https://x"}', /trustplane:secrets is not valid: .*adress/],
    ["secrets", '{"service":"secrets"}', /trustplane:secrets is not valid: .*service/],
    ["secrets", '{"address":5}', /trustplane:secrets is not valid: address: /],
    ["secrets", '{"maxRetries":-1}', /maxRetries: must be at least 0$/],
    ["secrets", '{"maxRetries":21}', /maxRetries: must be at most 20$/],
    ["secrets", '{"timeoutSeconds":0}', /timeoutSeconds: must be more than 0$/],
    ["secrets", '{"token":""}', /token: must not be empty$/],
    ["secrets", '{"tokenEnv":"MY TOKEN"}', /tokenEnv: must be the name of an environment variable/],
    ["secrets", '{"address":"ftp://x"}', /address of connection "secrets" must be an http or https URL/],
    ["secrets", '{"address":"https://x/base/v1/"}', /address of connection "secrets" ends in \/v1: leave that out/],
    ["secrets", '{"address":"https://x/ui"}', /address of connection "secrets" ends in \/ui: leave that out/],
    ["secrets", '{"address":"https://"}', /address of connection "secrets" must be an http or https URL/],
    ["secrets", '{"address":"https://user:pass@x"}', /address of connection "secrets" must not hold credentials/],
    ["connections", '{"east":{"address":"https://x"}}', /east\.service: is required$/],
    ["connections", '{"east":{"service":"vault"}}', /east\.service: must be one of secrets, cluster, policy$/],
    ["connections", '{"east":{"service":"secrets","tokn":"x"}}', /trustplane:connections is not valid: east: .*tokn/],
  ])("in %s, %s, is named by its key", (key, text, message) => {
    expect(refused(key, text)).toThrow(
      expect.objectContaining({ code: "ConfigError", message: expect.stringMatching(message) }),
    );
  });

  it.each([
    ['{"token":["s-ecret"]}'],
    ['{"token":{"value":"s-ecret"}}'],
    ['{"token":"s-ecret","adress":"x"}'],
    ['{"address":"https://user:s-ecret@x"}'],
    ['{"token":"s-ecret"'],
  ])("does not show the secret in %s", (text) => {
    expect(refused("secrets", text)).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining("s-ecret") }),
    );
  });
});
