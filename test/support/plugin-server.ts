import { credentials, Server, ServerCredentials } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import type { Journal } from "../../provider/engine/journal.ts";
import type { Environment } from "../../provider/engine/settings.ts";
import type { EngineLog } from "../../provider/hosts/plugin/engine-log.ts";
import { createService, providerService } from "../../provider/hosts/plugin/service.ts";
import { createSession } from "../../provider/hosts/plugin/session.ts";

/** A plugin in this process, on a socket of its own. */
export interface PluginServer {
  readonly client: ResourceProviderClient;
  close(): void;
}

export async function startPlugin(
  log: EngineLog,
  env: Environment = process.env,
  journal?: Journal,
): Promise<PluginServer> {
  const server = new Server();
  const facts = { version: "1.2.3", schema: async () => '{"name":"trustplane"}' };
  server.addService(providerService, createService(createSession(log, env, journal), facts));
  const port = await listenOnLoopback(server);
  const client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
  return {
    client,
    close() {
      client.close();
      server.forceShutdown();
    },
  };
}

/** Answers the port. */
export function listenOnLoopback(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    const bound = (error: Error | null, at: number) => (error ? reject(error) : resolve(at));
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), bound);
  });
}
