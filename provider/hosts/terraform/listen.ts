import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Server } from "@grpc/grpc-js";
import type { Host } from "./call";
import { type OwnCertificate, ownCertificate } from "./certificate";
import type { PluginAddress } from "./handshake";
import { grpc } from "./libraries";
import { serviceDefinition } from "./protocol";
import { controllerCalls, providerCalls } from "./service";

/** What Terraform allows messages to have; gRPC's own limit is 4 MiB. */
const LARGEST_MESSAGE_BYTES = 256 * 1024 * 1024;

/** A plugin that is served. */
export interface Listening {
  readonly address: PluginAddress;
  readonly certificate: OwnCertificate | undefined;
  close(): void;
}

/**
 * Serves the plugin to this user alone. `clientPem` is the certificate of the CLI, without which nothing is encrypted; `end`
 * is done when the CLI wants the plugin to end.
 */
export async function listen(host: Host, clientPem: string | undefined, end: () => void): Promise<Listening> {
  const server = new grpc.Server({ "grpc.max_receive_message_length": LARGEST_MESSAGE_BYTES });
  server.addService(serviceDefinition("tfplugin6.Provider"), providerCalls(host));
  server.addService(serviceDefinition("plugin.GRPCController"), controllerCalls(end));
  const certificate = clientPem === undefined ? undefined : ownCertificate();
  const folder = process.platform === "win32" ? undefined : mkdtempSync(join(tmpdir(), "trustplane-tf-"));
  const place = folder === undefined ? "127.0.0.1:0" : `unix:${join(folder, "plugin")}`;
  const port = await bind(server, place, certificate, clientPem);
  return {
    address: folder ? { network: "unix", text: join(folder, "plugin") } : { network: "tcp", text: `127.0.0.1:${port}` },
    certificate,
    close() {
      server.forceShutdown();
      if (folder) rmSync(folder, { recursive: true, force: true });
    },
  };
}

function bind(server: Server, place: string, own: OwnCertificate | undefined, clientPem = ""): Promise<number> {
  const { ServerCredentials } = grpc;
  const pair = own && { private_key: Buffer.from(own.keyPem), cert_chain: Buffer.from(own.certificatePem) };
  const credentials = pair
    ? ServerCredentials.createSsl(Buffer.from(clientPem), [pair], true)
    : ServerCredentials.createInsecure();
  return new Promise((resolve, reject) => {
    server.bindAsync(place, credentials, (error, port) => (error ? reject(error) : resolve(port)));
  });
}
