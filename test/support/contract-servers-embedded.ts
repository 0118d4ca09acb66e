import { startServers } from "../../server/serve.ts";
import type { CloudCredentials, ContractServers } from "./contract-servers.ts";

const otherPolicySet = "polset-demo000000000002";

/** The embedded server, twice: the second one is the cluster to peer with. Everything else goes over their admin interface. */
export async function startEmbedded(): Promise<ContractServers> {
  const options = { policySets: [otherPolicySet], peeringDeleteDelayMs: 1 };
  const [main, other] = await Promise.all([startServers(options), startServers(options)]);
  const admins = { secrets: main.admin, cluster: main.admin, policy: main.admin, peer: other.admin };
  return {
    secrets: main.secrets,
    cluster: main.cluster,
    peer: other.cluster,
    policy: main.policy,
    async stored(service, path) {
      const records = await admin<Record<string, Record<string, unknown>>>(admins[service], "GET records");
      // The cloud engine keeps its roles under a name of its own.
      return records[service === "peer" ? "cluster" : service]?.[path.replace(/\/roles\//, "/role/")];
    },
    async cloudUser(name): Promise<CloudCredentials> {
      const user = await admin<CloudUser>(main.admin, "POST cloud/users", { name, accessKeys: 1 });
      const [key] = user.accessKeys;
      if (key === undefined) throw new Error(`${name} has no access key`);
      return { access_key: key.accessKeyId, secret_key: key.secretKey };
    },
    close: async () => void (await Promise.all([main.close(), other.close()])),
  };
}

interface CloudUser {
  readonly accessKeys: readonly { readonly accessKeyId: string; readonly secretKey: string }[];
}

async function admin<T>(at: { address: string; token: string }, line: string, body?: unknown): Promise<T> {
  const [method = "", path = ""] = line.split(" ");
  const headers = { authorization: `Bearer ${at.token}` };
  const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
  const answer = await fetch(`${at.address}/${path}`, init);
  if (!answer.ok) throw new Error(`${line}: ${answer.status} ${await answer.text()}`);
  // What the admin interface answers is ours to know.
  return (await answer.json()) as T;
}
