import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { connect } from "node:tls";
import { repository } from "../steps/repository.mjs";
import { freePorts } from "./free-ports.mts";
import { liveBinaryPath, pythonPath } from "./live-binaries.mts";

/** A real server on a free loopback port, with a token that may do everything. */
export interface LiveServer {
  readonly address: string;
  readonly token: string;
  close(): Promise<void>;
}

export interface LiveVault extends LiveServer {
  /** Unseals it again, after `PUT sys/seal`. */
  readonly unsealKey: string;
}

/** A Vault that listens with TLS, too, and asks for a client certificate there without demanding one. */
export interface LiveTlsVault extends LiveVault {
  readonly tls: {
    readonly address: string;
    /** In PEM. */
    readonly ca: string;
  };
}

export interface LiveConsul extends LiveServer {
  /** Ends the agent; its data stays. */
  stop(): Promise<void>;
  /** Starts it again, at the same address and with the data that it had. */
  start(): Promise<void>;
}

/** The releases that are built, as their module files name them. */
export const liveVaultReleases = { "1.21": "1.21.1", "1.19": "1.19.0" } as const;
export type LiveVaultVersion = keyof typeof liveVaultReleases;

/** An own Vault: everything is in memory, and gone when it is closed. */
export async function startLiveVault(version: LiveVaultVersion): Promise<LiveTlsVault> {
  const { vault, said } = await startVault(liveBinaryPath(`vault-${version}`), `Vault ${version}`);
  const { tlsAddress: address, tlsCa: ca } = said;
  if (!address || !ca) throw new Error(`Vault ${version} did not say where it listens with TLS`);
  return { ...vault, tls: { address, ca } };
}

/** An own OpenBao, of the binary that `TRUSTPLANE_OPENBAO` names: its modules are in no registry (see test/live/README.md). */
export async function startLiveOpenBao(): Promise<LiveVault> {
  const binary = openBaoBinary();
  if (binary === undefined) throw new Error("TRUSTPLANE_OPENBAO names no OpenBao: see test/live/README.md");
  return (await startVault(binary, "OpenBao")).vault;
}

export function openBaoBinary(env: NodeJS.ProcessEnv = process.env): string | undefined {
  return env["TRUSTPLANE_OPENBAO"] || undefined;
}

async function startVault(binary: string, title: string) {
  // Its log repeats what its answers say: tests provoke refusals by the hundred.
  const child = start(binary, ["-listen", "127.0.0.1:0", "-log", "off"]);
  const said = await firstLine(child);
  const { address, token, unsealKey } = said;
  if (!address || !token || !unsealKey) throw new Error(`${title} did not say where it listens`);
  const vault: LiveVault = { address, token, unsealKey, close: () => end(child) };
  return { vault, said };
}

/** The cloud API that a Vault's `iam_endpoint` and `sts_endpoint` point at. */
export interface LiveCloud {
  readonly address: string;
  /** Makes a user, and one access key for it. */
  createUser(name: string): Promise<CloudKey>;
  /** Forgets all users. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

export interface CloudKey {
  readonly accessKey: string;
  readonly secretKey: string;
}

export async function startLiveMoto(): Promise<LiveCloud> {
  const child = start(pythonPath("moto"), [join(repository, "test/live/moto/serve.py")]);
  const { address } = await firstLine(child);
  if (!address) throw new Error("moto did not say where it listens");
  return {
    address,
    async createUser(name) {
      await askCloud(address, { Action: "CreateUser", UserName: name });
      const answer = await askCloud(address, { Action: "CreateAccessKey", UserName: name });
      const member = (element: string) => new RegExp(`<${element}>(.*)</${element}>`).exec(answer)?.[1] ?? "";
      return { accessKey: member("AccessKeyId"), secretKey: member("SecretAccessKey") };
    },
    reset: async () => void (await fetch(`${address}/moto-api/reset`, { method: "POST" })),
    close: () => end(child),
  };
}

/** The scope of the signature is what leads moto to the service; the signature itself it does not look at. */
async function askCloud(address: string, query: Readonly<Record<string, string>>): Promise<string> {
  const authorization =
    "AWS4-HMAC-SHA256 Credential=setup/20260101/us-east-1/iam/aws4_request, SignedHeaders=host, Signature=none";
  const body = new URLSearchParams({ ...query, Version: "2010-05-08" });
  const answer = await fetch(address, { method: "POST", headers: { authorization }, body });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`the cloud answered ${query.Action} with ${answer.status}: ${text}`);
  return text;
}

export interface LiveConsulOptions {
  readonly datacenter: string;
  /** Without it, everything about peerings is refused. @default true */
  readonly peering?: boolean;
}

/** An own Consul cluster of one agent, with ACLs (default: deny) and peering. Ready when other clusters can peer with it. */
export async function startLiveConsul(options: LiveConsulOptions): Promise<LiveConsul> {
  // A port that was free can be taken before the agent listens there.
  for (let left = 4; left > 0; left--) {
    try {
      return await startConsulOnce(options);
    } catch (error) {
      if (!(error instanceof AgentEndedError)) throw error;
    }
  }
  return startConsulOnce(options);
}

class AgentEndedError extends Error {}

async function startConsulOnce({ datacenter, peering = true }: LiveConsulOptions): Promise<LiveConsul> {
  const token = randomUUID();
  const folder = mkdtempSync(join(tmpdir(), "trustplane-consul-"));
  const ports = await freePorts(6);
  writeFileSync(join(folder, "agent.json"), JSON.stringify(agentConfig({ datacenter, peering, folder, token, ports })));
  const address = `http://127.0.0.1:${ports[0]}`;
  const isReady = () => (peering ? canPeer(address, token) : hasRoots(address));
  let child: ChildProcess;
  let isWanted = true;
  const run = async () => {
    const agent = start(liveBinaryPath("consul"), ["agent", "-config-file", join(folder, "agent.json")]);
    await untilReady(agent, isReady);
    child = agent;
    agent.on("exit", () => {
      if (isWanted && agent === child) void runAgain();
    });
  };
  // Consul 1.22 panics when a peering is deleted while its stream is being established. A supervisor would start it again.
  const runAgain = async () => {
    await run();
    if (!isWanted) await end(child);
  };
  const stop = async () => {
    isWanted = false;
    await end(child);
  };
  await run();
  return {
    address,
    token,
    stop,
    async start() {
      isWanted = true;
      await run();
    },
    async close() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface AgentOptions {
  readonly datacenter: string;
  readonly peering: boolean;
  readonly folder: string;
  readonly token: string;
  readonly ports: readonly number[];
}

function agentConfig({
  datacenter,
  peering,
  folder,
  token,
  ports: [http, grpc, grpcTls, server, lan, wan],
}: AgentOptions) {
  return {
    node_name: datacenter,
    datacenter,
    server: true,
    bootstrap_expect: 1,
    data_dir: join(folder, "data"),
    performance: { raft_multiplier: 1 },
    bind_addr: "127.0.0.1",
    client_addr: "127.0.0.1",
    advertise_addr: "127.0.0.1",
    advertise_addr_wan: "127.0.0.1",
    ports: { http, grpc, grpc_tls: grpcTls, https: -1, dns: -1, server, serf_lan: lan, serf_wan: wan },
    peering: { enabled: peering },
    connect: { enabled: true },
    disable_update_check: true,
    log_level: "error",
    acl: { enabled: true, default_policy: "deny", tokens: { initial_management: token } },
  };
}

async function untilReady(child: ChildProcess, isReady: () => Promise<boolean>): Promise<void> {
  let lastWords = "";
  child.stdout?.on("data", (words) => {
    lastWords = `${lastWords}${words}`.trim().slice(-500);
  });
  for (let left = 600; left > 0; left--) {
    const { exitCode } = child;
    if (exitCode !== null) throw new AgentEndedError(`the Consul agent ended with code ${exitCode}: ${lastWords}`);
    if (await isReady().catch(() => false)) return;
    await delay(50);
  }
  throw new Error("the Consul agent was not ready in time");
}

/**
 * Issues a token for a peering that is removed at once, and knocks at the address in it: the agent makes its certificate
 * for other clusters beside everything else, and until then refuses each of them.
 */
async function canPeer(address: string, token: string): Promise<boolean> {
  const headers = { "x-consul-token": token };
  const body = JSON.stringify({ PeerName: "ready" });
  const answer = await fetch(`${address}/v1/peering/token`, { method: "POST", headers, body });
  if (!answer.ok) return false;
  const { PeeringToken } = (await answer.json()) as { PeeringToken: string };
  await fetch(`${address}/v1/peering/ready`, { method: "DELETE", headers });
  return hasCertificate(JSON.parse(Buffer.from(PeeringToken, "base64").toString()));
}

async function hasCertificate({ ServerAddresses, ServerName }: PeeringTokenContent): Promise<boolean> {
  const { hostname: host, port } = new URL(`tcp://${ServerAddresses[0]}`);
  const socket = connect({ host, port: Number(port), servername: ServerName, rejectUnauthorized: false });
  try {
    await once(socket, "secureConnect");
    return true;
  } finally {
    socket.destroy();
  }
}

interface PeeringTokenContent {
  readonly ServerAddresses: readonly string[];
  readonly ServerName: string;
}

async function hasRoots(address: string): Promise<boolean> {
  return (await fetch(`${address}/v1/connect/ca/roots`)).ok;
}

/** The programs end when their stdin does: none of them outlives the tests, however these end. */
function start(command: string, args: readonly string[]): ChildProcess {
  return spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
}

async function firstLine(child: ChildProcess): Promise<Readonly<Record<string, string>>> {
  if (child.stdout === null) throw new Error("the server has no stdout");
  const failed = new Promise<never>((_, reject) => {
    child.on("error", reject);
    child.on("exit", (code) => reject(new Error(`the server ended with code ${code} before it listened`)));
  });
  const lines = createInterface({ input: child.stdout });
  const line = await Promise.race([new Promise<string>((resolve) => lines.once("line", resolve)), failed]);
  return JSON.parse(line);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.on("exit", resolve));
  child.stdin?.end();
  child.kill("SIGKILL");
  await ended;
}
