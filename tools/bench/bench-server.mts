import { join } from "node:path";
import type { ServerAddresses } from "../demo/embedded-server.mts";
import { repository } from "../steps/repository.mjs";
import { type Served, startServing } from "./run-worker.mts";

/** An embedded server of this build, in a process of its own. */
export interface BenchServer extends ServerAddresses, Served {
  /** With these variables a program finds it. */
  readonly env: Readonly<Record<string, string>>;
  /** The requests since the last call, and forgets them. */
  takeRequests(): Promise<readonly CountedRequest[]>;
}

/** A request as the server's log keeps it. */
export interface CountedRequest {
  readonly service: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
}

export async function startBenchServer(flags: readonly string[] = []): Promise<BenchServer> {
  const served = await startServing([join(repository, "dist", "cli", "trustplane.js"), "serve", "--json", ...flags]);
  const addresses: ServerAddresses = JSON.parse(served.firstLine);
  const ask = async (method: string) => {
    const headers = { authorization: `Bearer ${addresses.admin.token}` };
    const response = await fetch(`${addresses.admin.address}/requests`, { method, headers });
    if (!response.ok) throw new Error(`${method} /requests: ${response.status} ${await response.text()}`);
    return response;
  };
  return {
    ...addresses,
    ...served,
    env: environmentOf(addresses),
    async takeRequests() {
      const answer = await (await ask("GET")).json();
      await ask("DELETE");
      // The admin interface of this very build answers.
      const { requests } = answer as { requests: CountedRequest[] };
      return requests;
    },
  };
}

function environmentOf({ secrets, cluster, policy }: ServerAddresses): Record<string, string> {
  return {
    VAULT_ADDR: secrets.address,
    VAULT_TOKEN: secrets.token,
    CONSUL_HTTP_ADDR: cluster.address,
    CONSUL_HTTP_TOKEN: cluster.token,
    TFE_ADDRESS: policy.address,
    TFE_TOKEN: policy.token,
  };
}

/** Does the work with a server of its own. */
export async function withServer<T>(work: (server: BenchServer) => Promise<T>): Promise<T> {
  const server = await startBenchServer();
  try {
    return await work(server);
  } finally {
    await server.stop();
  }
}
