import type { Cluster } from "./cluster";

const buildDate = "1970-01-01T00:00:01Z";

/** `GET /v1/agent/version`, which needs no permission. */
export function agentVersion({ profile }: Cluster): Record<string, unknown> {
  return { SHA: "", BuildDate: buildDate, HumanVersion: profile.version, FIPS: "" };
}

/** As much of `GET /v1/agent/self` as tells a client which Consul it talks to. */
export function agentSelf({ profile, datacenter, nodeName, nodeId }: Cluster): Record<string, unknown> {
  return {
    Config: {
      Datacenter: datacenter,
      PrimaryDatacenter: datacenter,
      NodeName: nodeName,
      NodeID: nodeId,
      Revision: "",
      Server: true,
      Version: profile.version,
      BuildDate: buildDate,
      BindAddr: "127.0.0.1",
    },
    DebugConfig: { ACLsEnabled: true, ConnectEnabled: true, Datacenter: datacenter, PeeringEnabled: true },
    Meta: { "consul-network-segment": "", "consul-version": profile.version },
  };
}
