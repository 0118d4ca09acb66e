import { execFile } from "node:child_process";
import type { ServiceName } from "../support/contract-raw.ts";
import type { ContractServers } from "../support/contract-servers.ts";

/** A step of the program in this folder. */
export interface ClientStep {
  readonly resource: string;
  readonly step: string;
  readonly ok: boolean;
  /** What was compared, or what is wrong. */
  readonly detail: string;
}

export interface ClientsRun {
  readonly exitCode: number;
  readonly steps: readonly ClientStep[];
}

interface RunOptions {
  /** The built program. */
  readonly program: string;
  readonly services: readonly Exclude<ServiceName, "peer">[];
}

/** Runs the program with the official clients on these servers, with users at their cloud that are made for it. */
export async function runClients(
  servers: Omit<ContractServers, "stored" | "close">,
  { program, services }: RunOptions,
): Promise<ClientsRun> {
  const [root] = await Promise.all([servers.cloudUser("clients-root"), servers.cloudUser("clients-app")]);
  // Nothing of the caller's environment: the clients read a lot of it.
  const env = {
    VAULT_ADDR: servers.secrets.address,
    VAULT_TOKEN: servers.secrets.token,
    AWS_ACCESS_KEY_ID: root.access_key,
    AWS_SECRET_ACCESS_KEY: root.secret_key,
    AWS_ENDPOINT_URL: String(root["iam_endpoint"] ?? ""),
    CLOUD_STATIC_USER: "clients-app",
    CONSUL_HTTP_ADDR: servers.cluster.address,
    CONSUL_HTTP_TOKEN: servers.cluster.token,
    CONSUL_PEER_HTTP_ADDR: servers.peer.address,
    CONSUL_PEER_HTTP_TOKEN: servers.peer.token,
    TFE_ADDRESS: servers.policy.address,
    TFE_TOKEN: servers.policy.token,
    TFE_POLICY_SET: servers.policy.policySet,
    TFE_ORGANIZATION: "demo",
  };
  return new Promise((resolve, reject) => {
    const child = execFile(program, services, { env, timeout: 120_000 }, (error, stdout, stderr) => {
      const exitCode = child.exitCode;
      if (exitCode !== 0 && exitCode !== 1) return reject(new Error(`${error?.message ?? ""} ${stderr}`));
      resolve({ exitCode, steps: stepsOf(stdout) });
    });
  });
}

function stepsOf(stdout: string): ClientStep[] {
  // The program's own lines.
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as ClientStep);
}

const record = ["create", "read", "list", "update", "error", "delete"];
/** The API can neither list nor delete it. */
const singleton = ["create", "read", "update", "error"];

/** What is done with every resource, by the service that it belongs to. */
export const clientSteps = {
  secrets: {
    "sys.AuthMount": record,
    "jwt.Config": singleton,
    "jwt.Role": record,
    "identity.Group": record,
    "sys.SecretsMount": record,
    "cloud.RootConfig": singleton,
    "cloud.LeaseConfig": singleton,
    "cloud.Role": record,
    "cloud.StaticRole": record,
    "cloud.RootRotation": singleton,
    "sys.Policy": record,
  },
  cluster: {
    "cluster.PeeringToken": record,
    "cluster.Peering": record,
    "cluster.ExportedServices": record,
    "cluster.Intention": record,
  },
  policy: { "policy.Parameter": record, "policy.PolicySet": record },
} as const satisfies Record<Exclude<ServiceName, "peer">, Readonly<Record<string, readonly string[]>>>;

/** The steps of a run in the form of the table above. */
export function stepsByResource(steps: readonly ClientStep[]): Readonly<Record<string, readonly string[]>> {
  const grouped = Map.groupBy(steps, ({ resource }) => resource);
  return Object.fromEntries([...grouped].map(([resource, its]) => [resource, its.map(({ step }) => step)]));
}
