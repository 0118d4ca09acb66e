import type { ProfileName } from "../../server/profiles/profiles.ts";
import { type Running, startServers } from "../../server/serve.ts";
import { openIssuer } from "./issuer.mts";
import type { Target } from "./run-scenario.mts";
import type { Scenario, ServerName, Service } from "./scenario.mts";

/** Long enough to be met while it goes, and shorter than the scenarios wait. */
const underWay = { peeringDeleteDelayMs: 500 };

/** What the embedded server passes for in place of a recorded one. */
const profileOf: Readonly<Record<ServerName, ProfileName>> = {
  "vault-1.21": "vault",
  "vault-1.19": "vault-1.19",
  openbao: "openbao",
  consul: "vault",
  reference: "vault",
};

/** The embedded server as scenarios meet a real one: nothing is mounted yet, and two clusters are there to peer. */
export async function openEmbedded(scenario: Scenario, imitated: ServerName): Promise<Target> {
  const { service } = scenario;
  const text = JSON.stringify(scenario);
  const server = await startServers({ ...underWay, profile: profileOf[imitated] });
  const [other, closed] = service === "cluster" ? await startClusters() : [];
  const issuer = await openIssuer((name) => text.includes(`{${name}}`));
  if (service === "secrets") await unmount(server);
  const servers: Readonly<Record<Service, Target["servers"]>> = {
    secrets: { vault: server.secrets },
    cluster: { consul: server.cluster, ...(other && closed && { other: other.cluster, closed: closed.cluster }) },
    policy: { policy: server.policy },
  };
  return {
    servers: servers[service],
    // The embedded cloud is inside the server: nothing listens there.
    places: {
      ...issuer.places,
      ...rootUser(server),
      cloud: "http://127.0.0.1:1/embedded-cloud",
      policySet: server.policy.policySet,
    },
    // Long enough for what it does in the background; what it never does is a difference.
    tries: 30,
    addCloudUser: async (name) => void server.cloud.addUser(name),
    seal: async () => server.seal(),
    stop: () => server.close(),
    async close() {
      await Promise.all([server, other, closed, issuer].map((each) => each?.close()));
    },
  };
}

function rootUser({ cloud }: Running): Record<"rootKey" | "rootSecret", string> {
  const [key] = cloud.addUser("vault", { accessKeys: 1 }).accessKeys;
  if (key === undefined) throw new Error("the user of the root configuration has no access key");
  return { rootKey: key.accessKeyId, rootSecret: key.secretKey };
}

/** One to peer with, and one that may have no peerings. */
function startClusters(): Promise<[Running, Running]> {
  return Promise.all([
    startServers({ ...underWay, datacenter: "dc2" }),
    startServers({ datacenter: "dc3", peeringEnabled: false }),
  ]);
}

async function unmount({ secrets }: Running): Promise<void> {
  for (const mount of ["auth/jwt", "mounts/cloud"]) {
    const headers = { "x-vault-token": secrets.token };
    await fetch(`${secrets.address}/v1/sys/${mount}`, { method: "DELETE", headers });
  }
}
