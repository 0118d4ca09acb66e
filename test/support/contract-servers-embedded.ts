import { randomUUID } from "node:crypto";
import { createCloudBackend } from "../../server/cloud/cloud-backend.ts";
import { createCloudIdentity } from "../../server/cloud/cloud-identity.ts";
import { createClusterService } from "../../server/cluster/cluster-service.ts";
import type { Exchange } from "../../server/http/exchange.ts";
import { fetchExchange } from "../../server/http/fetch-exchange.ts";
import { openListener } from "../../server/http/listener.ts";
import { createJwtBackend } from "../../server/jwt/jwt-backend.ts";
import { createPolicyService } from "../../server/policy/policy-service.ts";
import { createSecretsService } from "../../server/secrets/secrets-service.ts";
import type { Service } from "../../server/service.ts";
import type { CatalogEntry } from "../../server/sys/engine-catalog.ts";
import type { ContractServers } from "./contract-servers.ts";

/** The embedded server. */
export async function startEmbedded(): Promise<ContractServers> {
  const token = randomUUID();
  const policySet = "polset-demo000000000001";
  const identity = createCloudIdentity();
  const cluster = createClusterService({ token, deleteDelayMs: 1 });
  const peer = createClusterService({ token, deleteDelayMs: 1, datacenter: "dc2" });
  const policy = createPolicyService({ token, policySet, policySets: ["polset-demo000000000002"] });
  const runningVersion = "v1.21.1+builtin.vault";
  const secrets = createSecretsService({
    catalog: new Map<string, CatalogEntry>([
      ["jwt", { kind: "auth", runningVersion, create: createJwtBackend }],
      ["oidc", { kind: "auth", runningVersion, create: createJwtBackend }],
      ["aws", { kind: "secret", runningVersion, create: (options) => createCloudBackend({ ...options, identity }) }],
    ]),
    mounts: [],
  });
  const open = (service: Service, exchange: Exchange) =>
    openListener({ service, exchange, host: "127.0.0.1", port: 0 });
  const listeners = await Promise.all([
    open("secrets", secrets.exchange),
    open("cluster", fetchExchange(cluster)),
    open("cluster", fetchExchange(peer)),
    open("policy", fetchExchange(policy)),
  ]);
  const [secretsAt, clusterAt, peerAt, policyAt] = listeners.map(({ address }) => address) as [
    string,
    string,
    string,
    string,
  ];
  const records = { secrets, cluster, peer, policy };
  return {
    secrets: { address: secretsAt, token: secrets.rootToken },
    cluster: { address: clusterAt, token },
    peer: { address: peerAt, token },
    policy: { address: policyAt, token, policySet },
    // The cloud engine keeps its roles under a name of its own.
    stored: (service, path) => Promise.resolve(records[service].records()[path.replace(/\/roles\//, "/role/")]),
    async cloudUser(name) {
      const { accessKeyId, secretKey } = identity.addUser(name, { accessKeys: 1 }).accessKeys[0] ?? {
        accessKeyId: "",
        secretKey: "",
      };
      return { access_key: accessKeyId, secret_key: secretKey };
    },
    close: async () => void (await Promise.all(listeners.map((listener) => listener.close()))),
  };
}
