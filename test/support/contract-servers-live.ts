import {
  type LiveConsul,
  type LiveVaultVersion,
  startLiveConsul,
  startLiveMoto,
  startLiveVault,
} from "../../tools/live/live-servers.mts";
import { rawApi } from "./contract-raw.ts";
import type { CloudCredentials, ContractServers, ServiceAddress } from "./contract-servers.ts";
import { startEmbedded } from "./contract-servers-embedded.ts";

/** A real Vault with moto for its cloud; the other services are embedded. */
export async function startWithVault(version: LiveVaultVersion): Promise<ContractServers> {
  const [rest, secrets, cloud] = await Promise.all([startEmbedded(), startLiveVault(version), startLiveMoto()]);
  return {
    ...rest,
    secrets,
    stored: async (service, path) =>
      service === "secrets" ? dataOf(await shown(secrets, "secrets", path)) : rest.stored(service, path),
    cloudUser: (name) => userAt(cloud.address, name),
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

/** A user of moto with a key, and where its cloud is. */
async function userAt(address: string, name: string): Promise<CloudCredentials> {
  await query(address, { Action: "CreateUser", UserName: name });
  const key = await query(address, { Action: "CreateAccessKey", UserName: name });
  return {
    access_key: textOf(key, "AccessKeyId"),
    secret_key: textOf(key, "SecretAccessKey"),
    region: "us-east-1",
    iam_endpoint: address,
    sts_endpoint: address,
  };
}

async function query(address: string, parameters: Readonly<Record<string, string>>): Promise<string> {
  const answer = await fetch(address, {
    method: "POST",
    // moto tells its services apart by the credential scope of the signature, which it does not verify.
    headers: { authorization: "AWS4-HMAC-SHA256 Credential=AKIATEST/20260101/us-east-1/iam/aws4_request" },
    body: new URLSearchParams({ ...parameters, Version: "2010-05-08" }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${parameters["Action"]}: ${answer.status} ${text}`);
  return text;
}

function textOf(xml: string, element: string): string {
  const found = new RegExp(`<${element}>([^<]+)</${element}>`).exec(xml);
  if (found?.[1] === undefined) throw new Error(`there is no ${element} in ${xml}`);
  return found[1];
}
