import { openIssuer } from "../../test/wire/issuer.mts";
import type { Target } from "../../test/wire/run-scenario.mts";
import type { ServerName } from "../../test/wire/scenario.mts";
import { type LiveConsul, startLiveConsul, startLiveMoto, startLiveVault } from "./live-servers.mts";

/** The real servers that scenarios are recorded on. */
export interface LiveTargets {
  open(server: Exclude<ServerName, "reference">): Promise<Target>;
  close(): Promise<void>;
}

/** A Vault is there for one scenario; moto, and the Consul clusters "consul", "other" and "closed", serve all of them. */
export async function createLiveTargets(): Promise<LiveTargets> {
  const [cloud, issuer] = await Promise.all([startLiveMoto(), openIssuer()]);
  let clusters: Promise<readonly [LiveConsul, LiveConsul, LiveConsul]> | undefined;

  async function openVault(version: "1.21" | "1.19"): Promise<Target> {
    await fetch(`${cloud.address}/moto-api/reset`, { method: "POST" });
    const [vault, rootUser] = await Promise.all([startLiveVault(version), createRootUser(cloud.address)]);
    return {
      servers: { vault },
      places: { ...issuer.places, ...rootUser, cloud: cloud.address },
      addCloudUser: async (name) => void (await askCloud(cloud.address, { Action: "CreateUser", UserName: name })),
      async seal() {
        await ask(`${vault.address}/v1/sys/seal`, { method: "PUT", headers: { "x-vault-token": vault.token } });
      },
      stop: () => Promise.reject(new Error("a scenario of Vault stops no agent")),
      close: () => vault.close(),
    };
  }

  async function openConsul(): Promise<Target> {
    clusters ??= Promise.all([
      startLiveConsul({ datacenter: "dc1" }),
      startLiveConsul({ datacenter: "dc2" }),
      startLiveConsul({ datacenter: "dc3", peering: false }),
    ]);
    const [consul, other, closed] = await clusters;
    let isStopped = false;
    return {
      servers: { consul, other, closed },
      places: {},
      addCloudUser: () => Promise.reject(new Error("a scenario of Consul has no cloud users")),
      seal: () => Promise.reject(new Error("a scenario of Consul seals nothing")),
      async stop() {
        isStopped = true;
        await consul.stop();
      },
      async close() {
        if (isStopped) await consul.start();
      },
    };
  }

  return {
    open: (server) => (server === "consul" ? openConsul() : openVault(server === "vault-1.21" ? "1.21" : "1.19")),
    async close() {
      const open = [cloud, issuer, ...((await clusters) ?? [])];
      await Promise.all(open.map((each) => each.close()));
    },
  };
}

/** The user whose credentials a root configuration gets, as places of requests. */
async function createRootUser(cloud: string): Promise<Record<"rootKey" | "rootSecret", string>> {
  await askCloud(cloud, { Action: "CreateUser", UserName: "vault" });
  const answer = await askCloud(cloud, { Action: "CreateAccessKey", UserName: "vault" });
  const member = (name: string) => new RegExp(`<${name}>(.*)</${name}>`).exec(answer)?.[1] ?? "";
  return { rootKey: member("AccessKeyId"), rootSecret: member("SecretAccessKey") };
}

/** The scope of the signature is what leads moto to the service; the signature itself it does not look at. */
function askCloud(cloud: string, query: Readonly<Record<string, string>>): Promise<string> {
  const authorization =
    "AWS4-HMAC-SHA256 Credential=setup/20260101/us-east-1/iam/aws4_request, SignedHeaders=host, Signature=none";
  const body = new URLSearchParams({ ...query, Version: "2010-05-08" });
  return ask(cloud, { method: "POST", headers: { authorization }, body });
}

async function ask(url: string, options: RequestInit): Promise<string> {
  const answer = await fetch(url, options);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${text}`);
  return text;
}
