import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Agent, request } from "undici";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createIdentity } from "../support/certificates";
import { folderOfTest } from "../support/temporary-folder";
import { run } from "./command-run";
import { newDataFile } from "./data-harness";

describe("trustplane serve", () => {
  it("passes for another product by its profile, and for none that it does not know", async () => {
    const { exitCode, output, end } = run("serve", "--json", "--profile", "openbao");
    const { secrets } = JSON.parse(await output());
    const health = await fetch(`${secrets.address}/v1/sys/health`);
    expect(await health.json()).not.toHaveProperty("enterprise");
    end();
    expect(await exitCode).toBe(0);
    expect(await run("serve", "--profile", "vault-0.1").exitCode).toBe(1);
  });

  // @covers cloud: Authentication > 3: environment
  it("takes root credentials and regions that are not configured from CLOUD_… of its environment", async () => {
    onTestFinished(() => void vi.unstubAllEnvs());
    const environment = { CLOUD_ACCESS_KEY: "AKIAOUTSIDE", CLOUD_SECRET_KEY: "x", CLOUD_REGION: "eu-west-1" };
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    const { exitCode, output, end } = run("serve", "--json");
    const { secrets, admin } = JSON.parse(await output());
    const headers = { "x-vault-token": secrets.token };
    const body = '{"credential_type":"session_token"}';
    await fetch(`${secrets.address}/v1/cloud/roles/r`, { method: "POST", headers, body });
    expect((await fetch(`${secrets.address}/v1/cloud/creds/r`, { headers })).status).toBe(200);
    const sessions = await fetch(`${admin.address}/cloud/sessions`, {
      headers: { authorization: `Bearer ${admin.token}` },
    });
    const issuedTo = "arn:aws:iam::123456789012:user/root-AKIAOUTSIDE";
    expect(await sessions.json()).toMatchObject({ sessions: [{ issuedTo, region: "eu-west-1" }] });
    end();
    expect(await exitCode).toBe(0);
  });

  it("prints one line of JSON once everything listens, and ends with 0 when it is told to", async () => {
    const { exitCode, output, end } = run("serve", "--json", "--policy-set", "polset-x", "--cloud-user", "a");
    const text = await output();
    expect(text.split("\n")).toEqual([expect.any(String), ""]);
    const addresses = JSON.parse(text);
    const service = { address: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/), token: expect.any(String) };
    expect(addresses).toEqual({
      secrets: service,
      cluster: service,
      policy: { ...service, policySet: "polset-x" },
      admin: service,
    });
    const health = await fetch(`${addresses.secrets.address}/v1/sys/health`);
    expect(health.status).toBe(200);
    end();
    expect(await exitCode).toBe(0);
    await expect(fetch(`${addresses.secrets.address}/v1/sys/health`)).rejects.toThrow();
  });

  it.each([["--issuer"], ["--issuer-port", "0"]])(
    "runs an identity provider with %s, and prints its client",
    async (...flags) => {
      const { exitCode, output, end } = run("serve", "--json", ...flags);
      const { issuer } = JSON.parse(await output());
      expect(issuer).toEqual({
        address: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
        clientId: "trustplane",
        clientSecret: expect.stringMatching(/^\w{40}$/),
      });
      expect((await fetch(`${issuer.address}/.well-known/openid-configuration`)).status).toBe(200);
      end();
      expect(await exitCode).toBe(0);
      await expect(fetch(issuer.address)).rejects.toThrow();
    },
  );

  it("prints for people what to configure for the identity provider", async () => {
    const { exitCode, output, end } = run("serve", "--issuer");
    const text = await output();
    end();
    await exitCode;
    expect(text).toMatch(
      /^export TRUSTPLANE_ISSUER=http:\S+ TRUSTPLANE_CLIENT_ID=trustplane TRUSTPLANE_CLIENT_SECRET=\w{40}$/m,
    );
  });

  it("speaks HTTPS with a certificate of the user's", async () => {
    const { certificate, key } = createIdentity("127.0.0.1", { isAuthority: true, addresses: ["127.0.0.1"] });
    const folder = folderOfTest();
    const [certFile, keyFile] = [join(folder, "cert.pem"), join(folder, "key.pem")];
    writeFileSync(certFile, certificate);
    writeFileSync(keyFile, key);
    const { exitCode, output, end } = run("serve", "--json", "--tls-cert-file", certFile, "--tls-key-file", keyFile);
    const { secrets, cluster } = JSON.parse(await output());
    expect([secrets.address, cluster.address]).toEqual([
      expect.stringMatching(/^https:\/\/127\.0\.0\.1:\d+$/),
      expect.stringMatching(/^http:/),
    ]);
    const dispatcher = new Agent({ connect: { ca: certificate } });
    onTestFinished(() => dispatcher.close());
    expect((await request(`${secrets.address}/v1/sys/health`, { dispatcher })).statusCode).toBe(200);
    end();
    expect(await exitCode).toBe(0);
    for (const [flags, says] of [
      [["--tls-cert-file", certFile], "--tls-cert-file needs --tls-key-file"],
      [["--tls-key-file", keyFile], "--tls-key-file needs --tls-cert-file"],
      [["--tls-cert-file", keyFile, "--tls-key-file", keyFile], `cannot speak HTTPS with ${keyFile} and ${keyFile}: `],
      [["--tls-cert-file", certFile, "--tls-key-file", join(folder, "none")], "ENOENT"],
    ] as const) {
      const refused = run("serve", ...flags);
      expect(await refused.output()).toContain(says);
      expect(await refused.exitCode).toBe(1);
    }
  });

  it("prints lines for a shell without --json", async () => {
    const { exitCode, output, end } = run("serve");
    const text = await output();
    end();
    await exitCode;
    expect(text).toMatch(/^export VAULT_ADDR=http:\S+ VAULT_TOKEN=\S+$/m);
    expect(text).toMatch(/^export CONSUL_HTTP_ADDR=http:\S+ CONSUL_HTTP_TOKEN=\S+$/m);
    expect(text).toMatch(/^export TFE_ADDRESS=http:\S+ TFE_TOKEN=\S+$/m);
  });

  it("says where its data is, and that the file holds secrets", async () => {
    const file = newDataFile();
    const { exitCode, output, end } = run("serve", "--data", file);
    const text = await output();
    end();
    await exitCode;
    expect(text).toContain(`with its data in ${file}, until Ctrl-C`);
    expect(await run("serve", "--help").output()).toMatch(
      /--data <file>\s+keep [^-]*secrets\s+included\s+\(mode\s+0600\)/,
    );
  });

  it("takes fault scripts, several of them", async () => {
    const { exitCode, output, end } = run(
      "serve",
      "--json",
      "--fail",
      "GET sys/health 500 x1",
      "--fail",
      "* sys/init 429",
    );
    const { secrets } = JSON.parse(await output());
    const status = async (path: string) => (await fetch(`${secrets.address}/v1/${path}`)).status;
    expect([await status("sys/health"), await status("sys/health"), await status("sys/init")]).toEqual([500, 200, 429]);
    end();
    await exitCode;
  });

  it.each(["secrets", "cluster", "policy", "admin"])("says in one line which port of %s is taken", async (service) => {
    const first = run("serve", "--json");
    const port = new URL(JSON.parse(await first.output())[service].address).port;
    const second = run("serve", `--${service}-port`, port);
    expect(await second.exitCode).toBe(1);
    expect(await second.output()).toBe(
      `trustplane: cannot listen on 127.0.0.1:${port} (${service}): the port is in use\n`,
    );
    first.end();
    await first.exitCode;
  });

  it.each([
    [["serve", "--nope"], "error: unknown option '--nope'"],
    [["serve", "--secrets-port", "x"], "A port is a number from 0 to 65535."],
    [["serve", "--secrets-port", "70000"], "A port is a number from 0 to 65535."],
    [["serve", "--policy-rate-limit", "0"], "A rate limit is a number of requests a second, from 1."],
    [["serve", "--fail", "GET x 200"], '"200" is not an action'],
    [["nope"], "error: unknown command 'nope'"],
  ])("%j ends with 2 and says why", async (words, reason) => {
    const { exitCode, output } = run(...words);
    expect(await exitCode).toBe(1);
    expect(await output()).toContain(reason);
  });
});

describe("trustplane", () => {
  it("tells its version", async () => {
    const { exitCode, output } = run("--version");
    const manifest = JSON.parse(readFileSync(join(__dirname, "..", "..", "package.json"), "utf8"));
    expect(await output()).toBe(`${manifest.version}\n`);
    expect(await exitCode).toBe(0);
  });

  it("explains itself and the fault scripts", async () => {
    for (const [words, text] of [
      [["--help"], "serve"],
      [["serve", "--help"], "METHOD PATH ACTION"],
      [["serve", "--help"], "--issuer-port <port>"],
    ] as const) {
      const { exitCode, output } = run(...words);
      expect(await output()).toContain(text);
      expect(await exitCode).toBe(0);
    }
  });
});
