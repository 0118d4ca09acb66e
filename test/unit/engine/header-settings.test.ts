import { describe, expect, it } from "vitest";
import { type Configuration, type Environment, type Service, settingsOf } from "../../../provider/engine/settings";

const headersOf = (env: Environment, entry: object = {}, service: Service = "secrets", of?: Configuration["of"]) => {
  const config = (key: string) => (key === service ? JSON.stringify(entry) : undefined);
  return settingsOf(service, undefined, Object.assign(config, of && { of }), env).headers;
};
const addressSaid = (env: Environment, address: string, of: Configuration["of"] = "stack") => {
  const config = (key: string) => (key === "secrets" ? JSON.stringify({ address }) : undefined);
  return settingsOf("secrets", undefined, Object.assign(config, { of }), env).otherAddress;
};
const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString("base64")}` });

describe("the headers of a connection", () => {
  it.each<[Environment, object, object]>([
    [{}, {}, {}],
    [{}, { headers: { "X-Pass": "a b" } }, { "X-Pass": "a b" }],
    [{ VAULT_HEADERS: '{"X-Pass":"v"}' }, {}, { "X-Pass": "v" }],
    [{ VAULT_HEADERS: '{"X-Pass":"v"}', BAO_HEADERS: '{"X-Pass":"b"}' }, {}, { "X-Pass": "b" }],
    [{ VAULT_HEADERS: '{"X-Pass":"v"}' }, { headers: { "X-Own": "o" } }, { "X-Own": "o" }],
    [{ VAULT_HEADERS: '{"X-Pass":"v"}' }, { headers: {} }, {}],
    [{ VAULT_HEADERS: "" }, {}, {}],
    [{ VAULT_HEADERS: '{"Proxy-Authorization":"Bearer t"}' }, {}, { "Proxy-Authorization": "Bearer t" }],
  ])("with %j and the entry %j are %j", (env, entry, sent) => {
    expect(headersOf(env, entry)).toEqual({ sent, secrets: Object.values(sent) });
  });

  const names = [
    "X-Vault-Token",
    "x-vault-namespace",
    "X-Consul-Token",
    "Host",
    "user-agent",
    "Content-Type",
    "Expect",
  ];
  it.each(names)("cannot be %s, which the client sets, wherever it is given", (name) => {
    const headers = { [name]: "s-ecret" };
    const refusal = (place: string) =>
      expect.objectContaining({
        code: "ConfigError",
        message: expect.stringMatching(new RegExp(`${place}.*${name}:? is set by the client itself: remove it$`)),
      });
    expect(() => headersOf({}, { headers })).toThrow(refusal("configuration trustplane:secrets is not valid"));
    expect(() => headersOf({ VAULT_HEADERS: JSON.stringify(headers) })).toThrow(refusal("variable VAULT_HEADERS"));
  });

  it.each<[object, RegExp]>([
    [{ Authorization: "s-ecret" }, /Authorization carries a token of the client's own: remove it; .*`httpAuthEnv`/],
    [{ "X Pass": "s-ecret" }, /X Pass is no name of a header/],
    [{ "X-Pass": "s-ecret", "x-pass": "s-ecret" }, /X-Pass is there twice/],
    [{ "X-Pass": "s-ecret\r\nHost: x" }, /X-Pass has a value that no header can carry/],
    [{ "X-Pass": 5, "X-More": "s-ecret" }, /must be a JSON object of texts/],
    [["s-ecret"], /must be a JSON object of texts/],
  ])("of the variable %j are refused with the reason, and no value", (headers, reason) => {
    const read = () => headersOf({ VAULT_HEADERS: JSON.stringify(headers) });
    expect(read).toThrow(expect.objectContaining({ code: "ConfigError", message: expect.stringMatching(reason) }));
    expect(read).not.toThrow("s-ecret");
  });

  it("must be JSON where a variable holds them, which is not shown", () => {
    expect(() => headersOf({ BAO_HEADERS: "X-Pass: s-ecret" })).toThrow(
      expect.objectContaining({
        message: 'the environment variable BAO_HEADERS: must be a JSON object of texts, such as {"X-Proxy-Key":"…"}',
      }),
    );
  });
});

describe("basic authentication", () => {
  it.each<[Environment, object, object]>([
    [{ CONSUL_HTTP_AUTH: "user:pass:word" }, {}, basic("user:pass:word")],
    [{ CONSUL_HTTP_AUTH: "user" }, {}, basic("user:")],
    [{ CONSUL_HTTP_AUTH: " " }, {}, {}],
    [{ CONSUL_HTTP_AUTH: "a:b", MINE: "c:d" }, { httpAuthEnv: "MINE" }, basic("c:d")],
    [{ MINE: "c:d" }, { httpAuthEnv: "MINE", headers: { "X-Pass": "v" } }, { "X-Pass": "v", ...basic("c:d") }],
  ])("with %j and the entry %j sends %j", (env, entry, sent) => {
    const found = headersOf(env, entry, "cluster");
    expect(found.sent).toEqual(sent);
    for (const value of Object.values(sent)) expect(found.secrets).toContain(value.replace(/^Basic /, ""));
  });

  it("hides the password by itself, too", () => {
    expect(headersOf({ CONSUL_HTTP_AUTH: "user:pass:word" }, {}, "cluster").secrets).toContain("pass:word");
  });

  it.each<[Service, object, string]>([
    [
      "cluster",
      { httpAuthEnv: "MINE" },
      "the environment variable MINE, which httpAuthEnv in trustplane:cluster names, is not set or blank: set it to user:password",
    ],
    ["secrets", { httpAuthEnv: "MINE" }, "httpAuthEnv in trustplane:secrets: only Consul has it; remove it"],
  ])("of %s by %j is refused with the reason", (service, entry, message) => {
    expect(() => headersOf({ MINE: service === "secrets" ? "a:b" : "" }, entry, service)).toThrow(
      expect.objectContaining({ code: "ConfigError", message }),
    );
  });
});

it.each(["program", "stack"] as const)(
  "those of the environment are sent to the environment's own server only, whatever server a %s names",
  (of) => {
    const env = { VAULT_ADDR: "https://here", VAULT_HEADERS: '{"X-Pass":"v"}' };
    expect(headersOf(env, { address: "https://there" }, "secrets", of).sent).toEqual({});
    expect(headersOf(env, { address: "https://here" }, "secrets", of).sent).toEqual({ "X-Pass": "v" });
    const cluster = { CONSUL_HTTP_ADDR: "https://here", CONSUL_HTTP_AUTH: "a:b" };
    expect(headersOf(cluster, { address: "https://there" }, "cluster", of).sent).toEqual({});
    // The environment names none, and the stack does.
    const alone = headersOf({ CONSUL_HTTP_AUTH: "a:b" }, { address: "https://there" }, "cluster", of).sent;
    expect(alone).toEqual(of === "stack" ? basic("a:b") : {});
  },
);

it("an address in a stack's configuration that is not the environment's is said, and that of a program's provider is not", () => {
  const [own, other] = ["https://a.example:8200", "https://b.example:8200"];
  expect(addressSaid({ VAULT_ADDR: other }, own)).toBe(
    `trustplane:secrets.address is ${own}, which is used; VAULT_ADDR names another server`,
  );
  expect(addressSaid({ VAULT_ADDR: `${own}/` }, own)).toBeUndefined();
  expect(addressSaid({ VAULT_ADDR: other }, own, "program")).toBeUndefined();
  expect(addressSaid({}, own)).toBeUndefined();
});
