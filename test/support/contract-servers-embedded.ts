import { type ServeOptions, startServers } from "../../server/serve.ts";
import { rawApi } from "./contract-raw.ts";
import type { CloudCredentials, ContractServers } from "./servers-under-test.ts";

const otherPolicySet = "polset-demo000000000002";

const options = { policySets: [otherPolicySet], peeringDeleteDelayMs: 0 };

/** The embedded server, twice: the second one is the cluster to peer with. */
export async function startEmbedded(...[first = {}, second = {}]: readonly ServeOptions[]): Promise<ContractServers> {
  const [main, other] = await Promise.all([
    startServers({ ...options, ...first }),
    startServers({ ...options, ...second }),
  ]);
  const sets = rawApi("policy", main.policy);
  let made = 0;
  return {
    secrets: main.secrets,
    cluster: main.cluster,
    peer: other.cluster,
    policy: main.policy,
    async freshPolicySet() {
      const data = { type: "policy-sets", attributes: { name: `fresh-${made++}` } };
      const answer = await sets.call("POST organizations/sandbox/policy-sets", { data });
      // What the API answers to a creation.
      return (answer as { data: { id: string } }).data.id;
    },
    stored(service, path) {
      const records = service === "peer" ? other.records().cluster : main.records()[service];
      // The cloud engine keeps its roles under a name of its own.
      const record = records[path.replace(/\/roles\//, "/role/")];
      // As the admin interface shows it; asking for all records over HTTP would be most of the suite's time.
      return Promise.resolve(record === undefined ? undefined : JSON.parse(JSON.stringify(record)));
    },
    async cloudUser(name): Promise<CloudCredentials> {
      const user = await admin<CloudUser>(main.admin, "POST cloud/users", { name, accessKeys: 1 });
      const [key] = user.accessKeys;
      if (key === undefined) throw new Error(`${name} has no access key`);
      return { access_key: key.accessKeyId, secret_key: key.secretKey };
    },
    tokenService: `${main.admin.address}/cloud/sts`,
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
