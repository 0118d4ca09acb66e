import { type ServeOptions, startServers } from "../../server/serve.ts";
import type { CloudCredentials, ContractServers } from "./servers-under-test.ts";

const otherPolicySet = "polset-demo000000000002";

/** Both servers have them, which no API can make of one id: as many as a long test of sets needs. */
const freshPolicySets = Array.from({ length: 500 }, (_, at) => `polset-fresh${String(at).padStart(11, "0")}`);

const options = { policySets: [otherPolicySet, ...freshPolicySets], peeringDeleteDelayMs: 0 };

/** The embedded server, twice: the second one is the cluster to peer with. */
export async function startEmbedded(...[first = {}, second = {}]: readonly ServeOptions[]): Promise<ContractServers> {
  const [main, other] = await Promise.all([
    startServers({ ...options, ...first }),
    startServers({ ...options, ...second }),
  ]);
  const unused = freshPolicySets.values();
  return {
    secrets: main.secrets,
    cluster: main.cluster,
    peer: other.cluster,
    policy: main.policy,
    freshPolicySet() {
      const { value } = unused.next();
      if (value === undefined) throw new Error("a test uses more policy sets than there are");
      return value;
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
