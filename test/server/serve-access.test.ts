import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Agent, request } from "undici";
import { describe, expect, it, onTestFinished } from "vitest";
import { createOwnCertificate } from "../../server/http/own-certificate";
import { type ServeOptions, startServers } from "../../server/serve";
import { folderOfTest } from "../support/temporary-folder";
import { run } from "./command-run";
import { newDataFile } from "./data-harness";
import { askSecrets } from "./frame-harness";

async function served(options: ServeOptions) {
  const server = await startServers(options);
  onTestFinished(() => server.close());
  return server;
}

describe("--tls", () => {
  it("makes a certificate at the start, for all three services, and shows its authority alone", async () => {
    const caFile = join(folderOfTest(), "ca.pem");
    const { exitCode, output, end } = run("serve", "--json", "--tls", caFile);
    const text = await output();
    const { secrets, cluster, policy, admin, ...others } = JSON.parse(text);
    const ca = readFileSync(caFile, "utf8");
    expect([others, ca]).toEqual([{ caFile }, expect.stringMatching(/^-----BEGIN CERTIFICATE-----/)]);
    expect(ca + text).not.toContain("PRIVATE");
    expect(ca.match(/BEGIN/g)).toHaveLength(1);
    const dispatcher = new Agent({ connect: { ca } });
    onTestFinished(() => dispatcher.close());
    const status = async (url: string, headers: Record<string, string>) => {
      const answer = await request(url, { dispatcher, headers });
      await answer.body.dump();
      return answer.statusCode;
    };
    const named = secrets.address.replace("127.0.0.1", "localhost");
    expect(await status(`${named}/v1/sys/mounts`, { "x-vault-token": secrets.token })).toBe(200);
    expect(await status(`${cluster.address}/v1/peerings`, { "x-consul-token": cluster.token })).toBe(200);
    const set = `${policy.address}/api/v2/policy-sets/${policy.policySet}`;
    expect(await status(set, { authorization: `Bearer ${policy.token}` })).toBe(200);
    await expect(fetch(`${secrets.address}/v1/sys/health`)).rejects.toThrow();
    expect(admin.address).toMatch(/^http:/);
    end();
    expect(await exitCode).toBe(0);
  });

  it("tells a shell which authority to trust", async () => {
    const caFile = join(folderOfTest(), "ca.pem");
    const { exitCode, output, end } = run("serve", "--tls", caFile);
    const text = await output();
    end();
    await exitCode;
    expect(text).toContain(`export VAULT_CACERT=${caFile} CONSUL_CACERT=${caFile} SSL_CERT_FILE=${caFile}\n`);
    expect(text).toMatch(/^export VAULT_ADDR=https:/m);
  });

  it.each([
    [["--tls-cert-file", "x"], "--tls makes a certificate: give no other"],
    [[], "cannot write the certificate authority to"],
  ])("%j beside a file that cannot be written is refused: %s", async (more, says) => {
    const refused = run("serve", "--tls", join(folderOfTest(), "none", "ca.pem"), ...more);
    expect(await refused.output()).toContain(says);
    expect(await refused.exitCode).toBe(1);
  });

  it("clusters peer over it, too", async () => {
    const encrypted = { tls: createOwnCertificate("127.0.0.1").identity, tlsServices: ["cluster"] as const };
    const [acceptor, dialer] = [await served(encrypted), await served({ ...encrypted, datacenter: "dc2" })];
    const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
    onTestFinished(() => dispatcher.close());
    const ask = async ({ cluster }: typeof acceptor, line: string, body?: object) => {
      const [method = "", path = ""] = line.split(" ");
      const headers = { "x-consul-token": cluster.token };
      const sent = body === undefined ? null : JSON.stringify(body);
      const answer = await request(`${cluster.address}/v1/${path}`, {
        method: method as "GET",
        headers,
        body: sent,
        dispatcher,
      });
      return { status: answer.statusCode, text: await answer.body.text() };
    };
    const { PeeringToken } = JSON.parse((await ask(acceptor, "POST peering/token", { PeerName: "two" })).text);
    expect(await ask(dialer, "POST peering/establish", { PeerName: "one", PeeringToken })).toMatchObject({
      status: 200,
    });
    await expect.poll(async () => JSON.parse((await ask(dialer, "GET peering/one")).text).State).toBe("ACTIVE");
  });
});

describe("tokens", () => {
  it("are those that the flags name", async () => {
    const flags = ["--token", "root", "--consul-token", "manager", "--tfe-token", "team.atlasv1.x"];
    const { exitCode, output, end } = run("serve", "--json", ...flags);
    const { secrets, cluster, policy } = JSON.parse(await output());
    expect([secrets.token, cluster.token, policy.token]).toEqual(["root", "manager", "team.atlasv1.x"]);
    const ask = askSecrets({ secrets });
    expect((await ask("GET auth/token/lookup-self")).data).toMatchObject({ policies: ["root"], orphan: true });
    const headers = { "x-consul-token": "manager" };
    expect((await fetch(`${cluster.address}/v1/peerings`, { headers })).status).toBe(200);
    end();
    await exitCode;
  });

  it.each(["--token", "--consul-token", "--tfe-token"])("%s without blanks", async (flag) => {
    const refused = run("serve", flag, "a b");
    expect(await refused.output()).toContain("A token is a text of ASCII characters without blanks.");
    expect(await refused.exitCode).toBe(1);
  });

  it("of a data file stay, until others are named: then the old ones are void, and what they made is not", async () => {
    const data = newDataFile();
    const first = await startServers({ data });
    const { auth } = await askSecrets(first)("POST auth/token/create", { policies: ["default"] });
    await first.close();
    const second = await startServers({ data });
    expect([second.secrets.token, second.cluster.token]).toEqual([first.secrets.token, first.cluster.token]);
    await second.close();
    const third = await served({ data, tokens: { secrets: "root" } });
    const status = async (token: string) =>
      (await askSecrets(third)("GET auth/token/lookup-self", undefined, { token })).status;
    const made = String(auth?.["client_token"]);
    expect([await status("root"), await status(first.secrets.token), await status(made)]).toEqual([200, 403, 200]);
  });
});

it("--no-mounts starts without an auth method and an engine", async () => {
  const { exitCode, output, end } = run("serve", "--json", "--no-mounts");
  const ask = askSecrets(JSON.parse(await output()));
  expect(Object.keys((await ask("GET sys/auth")).data ?? {})).toEqual(["token/"]);
  expect(Object.keys((await ask("GET sys/mounts")).data ?? {})).not.toContain("cloud/");
  end();
  await exitCode;
});
