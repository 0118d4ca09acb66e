import {
  type LiveCloud,
  type LiveConsul,
  type LiveVault,
  type LiveVaultVersion,
  startLiveConsul,
  startLiveMoto,
  startLiveOpenBao,
  startLiveVault,
} from "../../tools/live/live-servers.mts";
import { rawApi } from "./contract-raw.ts";
import { startEmbedded } from "./contract-servers-embedded.ts";
import type { CloudCredentials, ContractServers, ServiceAddress } from "./servers-under-test.ts";

/** A real Vault with moto for its cloud; the other services are embedded. */
export function startWithVault(version: LiveVaultVersion): Promise<ContractServers> {
  return startWith(() => startLiveVault(version));
}

/** The same of a real OpenBao. */
export function startWithOpenBao(): Promise<ContractServers> {
  return startWith(startLiveOpenBao);
}

async function startWith(start: () => Promise<LiveVault>): Promise<ContractServers> {
  const [rest, secrets, cloud] = await Promise.all([startEmbedded(), start(), startLiveMoto()]);
  return {
    ...rest,
    secrets,
    stored: async (service, path) =>
      service === "secrets" ? dataOf(await shown(secrets, "secrets", path)) : rest.stored(service, path),
    cloudUser: (name) => userOf(cloud, name),
    tokenService: cloud.address,
    close: async () => void (await Promise.all([rest.close(), secrets.close(), cloud.close()])),
  };
}

export interface ConsulServers extends ContractServers {
  readonly cluster: LiveConsul;
  readonly peer: LiveConsul;
}

/** Two real Consul clusters that can peer; the other services are embedded. */
export async function startWithConsul(): Promise<ConsulServers> {
  const [rest, cluster, peer] = await Promise.all([
    startEmbedded(),
    startLiveConsul({ datacenter: "dc1" }),
    startLiveConsul({ datacenter: "dc2" }),
  ]);
  return {
    ...rest,
    cluster,
    peer,
    stored: (service, path) =>
      service === "cluster" || service === "peer"
        ? shown(service === "cluster" ? cluster : peer, service, path)
        : rest.stored(service, path),
    close: async () => void (await Promise.all([rest.close(), cluster.close(), peer.close()])),
  };
}

/** A real Vault and two real Consul clusters. The policy API has no server to build: its part runs on the embedded one. */
export async function startWithVaultAndConsul(version: LiveVaultVersion): Promise<ContractServers> {
  const [vault, consul] = await Promise.all([startWithVault(version), startWithConsul()]);
  return {
    ...vault,
    cluster: consul.cluster,
    peer: consul.peer,
    stored: (service, path) => (service === "cluster" || service === "peer" ? consul : vault).stored(service, path),
    close: async () => void (await Promise.all([vault.close(), consul.close()])),
  };
}

/** The record as the server shows it: a real one cannot be looked into. */
async function shown(at: ServiceAddress, service: "secrets" | "cluster" | "peer", path: string): Promise<unknown> {
  const { status, body } = await rawApi(service, at).ask(`GET ${path}`);
  if (status === 404 || (status === 400 && isUnmounted(body))) return undefined;
  if (status !== 200) throw new Error(`GET ${path}: ${status} ${JSON.stringify(body)}`);
  return body;
}

/** A mount that is not there has a status of its own. */
function isUnmounted(body: unknown): boolean {
  return /"No (auth engine|secret engine mount) at /.test(JSON.stringify(body));
}

function dataOf(answer: unknown): unknown {
  return typeof answer === "object" && answer !== null && "data" in answer ? answer.data : undefined;
}

/** A user of the cloud with a key, and where that cloud is. */
async function userOf({ address, createUser }: LiveCloud, name: string): Promise<CloudCredentials> {
  const { accessKey, secretKey } = await createUser(name);
  return {
    access_key: accessKey,
    secret_key: secretKey,
    region: "us-east-1",
    iam_endpoint: address,
    sts_endpoint: address,
  };
}
