import { openIssuer } from "../../test/wire/issuer.mts";
import type { Target } from "../../test/wire/run-scenario.mts";
import type { ServerName } from "../../test/wire/scenario.mts";
import { type LiveConsul, startLiveConsul, startLiveMoto, startLiveVault } from "./live-servers.mts";

/** The real servers that scenarios are recorded on. */
export interface LiveTargets {
  open(server: Exclude<ServerName, "reference">): Promise<Target>;
  close(): Promise<void>;
}

/** A Vault is there for one scenario; moto, and the Consul clusters "consul" and "other", serve all of them. */
export async function createLiveTargets(): Promise<LiveTargets> {
  const [cloud, issuer] = await Promise.all([startLiveMoto(), openIssuer()]);
  let clusters: Promise<readonly [LiveConsul, LiveConsul]> | undefined;

  async function openVault(version: "1.21" | "1.19"): Promise<Target> {
    await fetch(`${cloud.address}/moto-api/reset`, { method: "POST" });
    const vault = await startLiveVault(version);
    return {
      servers: { vault },
      places: { ...issuer.places, cloud: cloud.address },
      addCloudUser: (name) => createUser(cloud.address, name),
      seal: () => ask(`${vault.address}/v1/sys/seal`, { method: "PUT", headers: { "x-vault-token": vault.token } }),
      stop: () => Promise.reject(new Error("a scenario of Vault stops no agent")),
      close: () => vault.close(),
    };
  }

  async function openConsul(): Promise<Target> {
    clusters ??= Promise.all([startLiveConsul({ datacenter: "dc1" }), startLiveConsul({ datacenter: "dc2" })]);
    const [consul, other] = await clusters;
    let isStopped = false;
    return {
      servers: { consul, other },
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

/** The scope of the signature is what leads moto to the service; the signature itself it does not look at. */
function createUser(cloud: string, name: string): Promise<void> {
  const authorization =
    "AWS4-HMAC-SHA256 Credential=setup/20260101/us-east-1/iam/aws4_request, SignedHeaders=host, Signature=none";
  const body = new URLSearchParams({ Action: "CreateUser", UserName: name, Version: "2010-05-08" });
  return ask(cloud, { method: "POST", headers: { authorization }, body });
}

async function ask(url: string, options: RequestInit): Promise<void> {
  const answer = await fetch(url, options);
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
}
