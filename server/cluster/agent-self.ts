import type { Cluster } from "./cluster";

/** As much of `GET /v1/agent/self` as tells a client which Consul it talks to. */
export function agentSelf({ datacenter, nodeName, nodeId }: Cluster): Record<string, unknown> {
  return {
    Config: {
      Datacenter: datacenter,
      PrimaryDatacenter: datacenter,
      NodeName: nodeName,
      NodeID: nodeId,
      Revision: "",
      Server: true,
      Version: "1.22.0",
      BuildDate: "1970-01-01T00:00:01Z",
      BindAddr: "127.0.0.1",
    },
    DebugConfig: { ACLsEnabled: true, ConnectEnabled: true, Datacenter: datacenter, PeeringEnabled: true },
    Meta: { "consul-network-segment": "", "consul-version": "1.22.0" },
  };
}
