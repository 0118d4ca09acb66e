import { chmodSync, writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { serve } from "../support/loopback-server.ts";
import { folderOfTest } from "../support/temporary-folder.ts";
import { type DriftOptions, drift, openStack, role, run, type StateResource } from "./drift-harness.ts";

/** A server of somebody who has tampered with a state: what it is sent is what he has learned. */
async function openTrap() {
  const requests: IncomingMessage["headers"][] = [];
  const { origin } = await serve(({ headers }, answer) => {
    requests.push(headers);
    answer.end("{}");
  });
  return { origin, requests };
}

/** A role, and its state with another provider configuration, and on another connection. */
async function tampered(
  config: Readonly<Record<string, unknown>>,
  { connection = "", host = "dynamic" }: Tampered = {},
) {
  const stack = await openStack([role("ci")], { host });
  const [provider, ci] = stack.resources as [StateResource, StateResource];
  const prefix = host === "dynamic" ? "trustplane:" : "";
  const inputs = Object.fromEntries(
    Object.entries(config).map(([key, value]) => [key.includes(":") ? key : prefix + key, value]),
  );
  const at = connection === "" ? {} : { connection };
  const state = {
    deployment: {
      resources: [
        { ...provider, inputs },
        { ...ci, inputs: { ...ci.inputs, ...at }, outputs: { ...ci.outputs, ...at } },
      ],
    },
  };
  const { VAULT_TOKEN = "", VAULT_ADDR = "" } = stack.env;
  return { ...stack, state, token: VAULT_TOKEN, address: VAULT_ADDR };
}
interface Tampered extends Pick<DriftOptions, "host"> {
  readonly connection?: string;
}

const mark = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "v1:x" };

describe("a state that somebody has tampered with", () => {
  const refused = (label: string) =>
    expect.stringMatching(`only the state has the address of ${label} .*so nothing is sent there`);

  it.each(["dynamic", "plugin"] as const)("sends no token to an address of its own (%s host)", async (host) => {
    const { origin, requests } = await openTrap();
    const { state, token } = await tampered({ secrets: JSON.stringify({ address: origin }) }, { host });
    const { code, report } = await drift(state, { VAULT_TOKEN: token }, ["--json", "--unmanaged"]);
    expect([code, requests]).toEqual([1, []]);
    expect(report().resources).toMatchObject([{ status: "unknown", error: refused("secrets") }]);
    expect(report().resources[0]?.error).toMatch(
      /set VAULT_ADDR, or give --connection secrets=<address>, or run it where/,
    );
  });

  it.each(["tokenEnv", "tokenFile"])(
    "sends neither variables nor files to a server that it names (%s)",
    async (field) => {
      const { origin, requests } = await openTrap();
      const file = join(folderOfTest(), "key");
      writeFileSync(file, "of-the-user");
      const source = field === "tokenEnv" ? { tokenEnv: "AWS_SECRET_ACCESS_KEY" } : { tokenFile: file };
      const connections = { west: { service: "secrets", address: origin, ...source } };
      const { state } = await tampered({ connections: JSON.stringify(connections) }, { connection: "west" });
      const { code, report } = await drift(state, { AWS_SECRET_ACCESS_KEY: "of-the-user" }, ["--json"]);
      expect([code, requests]).toEqual([1, []]);
      expect(report().resources).toMatchObject([{ error: refused("west") }]);
      expect(report().resources[0]?.error).toContain("give --connection west=<address>,tokenEnv=<variable>");
    },
  );

  it("does not choose the token, the variable, the CA or the client certificate for the user's own server", async () => {
    const entry = {
      address: "https://vault.evil",
      tokenEnv: "AWS_SECRET_ACCESS_KEY",
      tokenFile: "/etc/passwd",
      token: "of-the-state",
      caCertFile: "/nowhere/ca.pem",
      clientKeyFile: "/nowhere/key.pem",
      skipTlsVerify: true,
    };
    const { state, env } = await tampered({ secrets: JSON.stringify(entry) });
    const { code, err, report } = await drift(state, { ...env, AWS_SECRET_ACCESS_KEY: "of-the-user" }, ["--json"]);
    expect([code, report().counts.unchanged]).toEqual([0, 1]);
    expect(err).toBe(
      "trustplane: settings of secrets that only the state has are not used: tokenEnv, tokenFile, token, caCertFile, clientKeyFile, skipTlsVerify (see --connection)\n",
    );
  });

  it("cannot have the token of the environment sent to a provider of the program", async () => {
    const { origin, requests } = await openTrap();
    const { state, env } = await tampered({ secrets: JSON.stringify({ address: origin }) }, { host: "plugin" });
    const text = JSON.stringify(state).replaceAll("::default", "::west");
    const { code, report } = await drift(JSON.parse(text), env, ["--json"]);
    expect([code, requests]).toEqual([1, []]);
    expect(report().resources[0]?.error).toMatch(
      /address of west\.secrets .* give --connection west\.secrets=<address>,tokenEnv/,
    );
  });
});

describe("a connection that the command line names", () => {
  const connections = (address: string) =>
    JSON.stringify({
      east: { service: "secrets", address: "https://east.evil", tokenEnv: "AWS_SECRET_ACCESS_KEY", namespace: "" },
      west: { service: "secrets", address },
    });

  it("is asked with the token that is named there", async () => {
    const { state, address, token } = await tampered({ connections: connections("https://x") }, { connection: "east" });
    const flags = ["--json", "--connection", `east=${address},tokenEnv=EAST_TOKEN`, "--connection", "west=https://w"];
    const { code, report } = await drift(state, { EAST_TOKEN: token }, flags);
    expect([code, report().counts.unchanged]).toEqual([0, 1]);
  });

  it("whose variable is unset is an error that names it", async () => {
    const { state, address, token } = await tampered({ connections: connections("https://x") }, { connection: "east" });
    const flags = ["--json", "--connection", `east=${address},tokenEnv=EAST_TOKEN`];
    const { code, report } = await drift(state, { VAULT_TOKEN: token }, flags);
    expect([code, report().resources[0]?.error]).toEqual([
      1,
      expect.stringContaining("which trustplane:connections.east names in tokenEnv, is empty or not set"),
    ]);
  });

  it("may be a service's own, and is sent the environment's token", async () => {
    const { state, address, token } = await tampered({ secrets: '{"address":"https://vault.evil"}' });
    const { code } = await drift(state, { VAULT_TOKEN: token }, ["--connection", `secrets=${address}`]);
    expect(code).toBe(0);
  });

  it("may be one of a provider of the program", async () => {
    const { state, address, token } = await tampered({ secrets: '{"address":"https://x"}' }, { host: "plugin" });
    const text = JSON.stringify(state).replaceAll("::default", "::west");
    const flags = ["--connection", `west.secrets=${address},tokenEnv=WEST`];
    expect(await drift(JSON.parse(text), { WEST: token }, flags)).toMatchObject({ code: 0, err: "" });
  });

  it("may be encrypted in the state, when its service is said as well", async () => {
    const { state, address, token } = await tampered({ connections: mark }, { connection: "east" });
    const flags = ["--connection", `east=${address},tokenEnv=EAST_TOKEN,service=secrets`];
    expect(await drift(state, { EAST_TOKEN: token }, flags)).toMatchObject({ code: 0 });
  });

  it.each([
    [
      "wset=https://x",
      /--connection wset: the stack has no such connection\. There are cluster, east, policy, secrets, west/,
    ],
    ["east", /It is name=address/],
    ["east=", /It is name=address/],
    ["=https://x", /It is name=address/],
    ["east=https://x,tokenEnv", /It is name=address/],
    ["east=https://x,token=s3cret", /Unrecognized key: "token". The fields are service, namespace/],
    ["east=https://x,headers=X-Pass: s3cret", /Unrecognized key: "headers". The fields are service, namespace/],
    ["east=https://x,clientKeyPem=s3cret", /Unrecognized key: "clientKeyPem". The fields are service, namespace/],
    ["east=https://x,httpAuthEnv=user:s3cret", /httpAuthEnv: must be the name of an environment variable/],
    ["east=https://x,tokenEnv=MY TOKEN", /tokenEnv: must be the name of an environment variable/],
  ])("as %j is refused with the reason", async (text, reason) => {
    const { state } = await tampered({ connections: connections("https://x") }, { connection: "east" });
    const { code, err, out } = await drift(state, {}, ["--connection", text]);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toMatch(reason);
  });
});

describe("the stack's configuration in the folder", () => {
  /** A stand-in for the CLI, which prints a state and a configuration. */
  async function inFolder(state: unknown, configuration: unknown, env: Readonly<Record<string, string>>) {
    const bin = folderOfTest();
    writeFileSync(join(bin, "state.json"), JSON.stringify(state));
    writeFileSync(join(bin, "config.json"), JSON.stringify(configuration ?? {}));
    const fails = `echo "error: no Pulumi.yaml" >&2; exit 255`;
    const config = configuration === undefined ? fails : `cat ${bin}/config.json`;
    writeFileSync(
      join(bin, "pulumi"),
      `#!/bin/sh\nif [ "$1" = config ]; then ${config}; else cat ${bin}/state.json; fi\n`,
    );
    chmodSync(join(bin, "pulumi"), 0o755);
    const PATH = [bin, process.env["PATH"]].join(delimiter);
    return run(["drift", "--stack", "dev", "--json"], { ...env, PATH });
  }
  const configured = (key: string, entry: object) => ({
    [`trustplane:${key}`]: { value: JSON.stringify(entry), secret: false },
  });
  const two = (address: string) => ({
    east: { service: "secrets", address, tokenEnv: "EAST_TOKEN" },
    west: { service: "secrets", address: "https://west", tokenEnv: "WEST_TOKEN" },
  });
  const evil = JSON.stringify({ east: { service: "secrets", address: "https://evil", tokenEnv: "HOME" } });

  it("says where the servers and their tokens are, whatever the state says", async () => {
    const { state, address, token } = await tampered({ connections: evil }, { connection: "east" });
    const { code, err, report } = await inFolder(state, configured("connections", two(address)), { EAST_TOKEN: token });
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(report().counts.unchanged).toBe(1);
  });

  it("says the address, and the environment the token", async () => {
    const { state, address, token } = await tampered({ secrets: '{"address":"https://evil"}' });
    const { code } = await inFolder(state, configured("secrets", { address }), { VAULT_TOKEN: token });
    expect(code).toBe(0);
  });

  it("that has no such connection any more does not confirm what the state says", async () => {
    const { state, token } = await tampered({ connections: evil }, { connection: "east" });
    const { code, report } = await inFolder(state, {}, { VAULT_TOKEN: token });
    expect([code, report().resources[0]?.error]).toEqual([
      1,
      expect.stringMatching(/only the state has the address of east/),
    ]);
  });

  it("in which an entry is encrypted leaves it to the environment, and says so", async () => {
    const { state, env } = await tampered({ secrets: '{"address":"https://evil"}' });
    const { code, err } = await inFolder(state, { "trustplane:secrets": { secret: true } }, env);
    expect(code).toBe(0);
    expect(err).toMatch(/^trustplane: trustplane:secrets is encrypted in the stack's configuration and not used: /);
  });

  it("that cannot be read is reported where it may matter, and the environment is enough", async () => {
    const { state, env } = await tampered({ secrets: '{"address":"https://evil"}' });
    const { code, err } = await inFolder(state, undefined, env);
    expect(code).toBe(0);
    expect(err).toMatch(/the stack's configuration cannot be read: pulumi config --json: error: no Pulumi\.yaml/);
    const plain = await tampered({});
    expect(await inFolder(plain.state, undefined, plain.env)).toMatchObject({ code: 0, err: "" });
  });
});

describe("what is encrypted", () => {
  it("of a connection's configuration is named where the connection is used, and the environment used", async () => {
    const { state, env } = await tampered({ secrets: mark, policy: mark });
    const { code, err } = await drift(state, env, []);
    expect(code).toBe(0);
    expect(err).toMatch(/^trustplane: trustplane:secrets is encrypted in the state and not used: .*--decrypt it\n$/);
  });

  it("of other projects' configuration is none of ours", async () => {
    const { state, env } = await tampered({ "aws:secretKey": mark, "lab:dbPassword": mark, "acme:secrets": mark });
    expect(await drift(state, env, [])).toMatchObject({ code: 0, err: "" });
  });
});
