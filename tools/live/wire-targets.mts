import { openIssuer } from "../../test/wire/issuer.mts";
import type { Target } from "../../test/wire/run-scenario.mts";
import type { ServerName } from "../../test/wire/scenario.mts";
import {
  type LiveConsul,
  type LiveVault,
  startLiveConsul,
  startLiveMoto,
  startLiveOpenBao,
  startLiveVault,
} from "./live-servers.mts";

/** The real servers that scenarios are recorded on. */
export interface LiveTargets {
  open(server: Exclude<ServerName, "reference">): Promise<Target>;
  close(): Promise<void>;
}

const starts = {
  "vault-1.21": () => startLiveVault("1.21"),
  "vault-1.19": () => startLiveVault("1.19"),
  openbao: startLiveOpenBao,
} as const satisfies Readonly<Record<string, () => Promise<LiveVault>>>;

/** A Vault is there for one scenario; moto, and the Consul clusters "consul", "other" and "closed", serve all of them. */
export async function createLiveTargets(): Promise<LiveTargets> {
  const cloud = await startLiveMoto();
  let clusters: Promise<readonly [LiveConsul, LiveConsul, LiveConsul]> | undefined;

  async function openVault(start: () => Promise<LiveVault>): Promise<Target> {
    await cloud.reset();
    const opening = [start(), cloud.createUser("vault"), openIssuer()] as const;
    // The issuer's tokens are signed when it opens: an old one would give them less time.
    const [vault, root, issuer] = await Promise.all(opening);
    return {
      servers: { vault },
      places: { ...issuer.places, rootKey: root.accessKey, rootSecret: root.secretKey, cloud: cloud.address },
      addCloudUser: async (name) => void (await cloud.createUser(name)),
      async seal() {
        const headers = { "x-vault-token": vault.token };
        const answer = await fetch(`${vault.address}/v1/sys/seal`, { method: "PUT", headers });
        if (!answer.ok) throw new Error(`sealing was answered with ${answer.status}`);
      },
      stop: () => Promise.reject(new Error("a scenario of Vault stops no agent")),
      async close() {
        await Promise.all([vault.close(), issuer.close()]);
      },
    };
  }

  async function openConsul(): Promise<Target> {
    clusters ??= Promise.all([
      startLiveConsul({ datacenter: "dc1" }),
      startLiveConsul({ datacenter: "dc2" }),
      startLiveConsul({ datacenter: "dc3", peering: false }),
    ]);
    const [[consul, other, closed], issuer] = await Promise.all([clusters, openIssuer()]);
    let isStopped = false;
    return {
      servers: { consul, other, closed },
      places: issuer.places,
      addCloudUser: () => Promise.reject(new Error("a scenario of Consul has no cloud users")),
      seal: () => Promise.reject(new Error("a scenario of Consul seals nothing")),
      async stop() {
        isStopped = true;
        await consul.stop();
      },
      async close() {
        await Promise.all([issuer.close(), isStopped ? consul.start() : undefined]);
      },
    };
  }

  return {
    open: (server) => (server === "consul" ? openConsul() : openVault(starts[server])),
    async close() {
      const open = [cloud, ...((await clusters) ?? [])];
      await Promise.all(open.map((each) => each.close()));
    },
  };
}
