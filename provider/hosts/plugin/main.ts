import { fstatSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { openJournal } from "../../engine/run-folder";
import { createEngineLog } from "./engine-log";
import { grpc } from "./sdk-copies";
import { createService, providerService } from "./service";
import { createSession } from "./session";

/** What Pulumi allows messages to have; gRPC's own limit is 4 MiB. */
const LARGEST_MESSAGE_BYTES = 400 * 1024 * 1024;

/** Serves until Pulumi is done. `packageFolder` is where package.json is. */
export async function main(packageFolder: string): Promise<void> {
  const log = createEngineLog();
  // Without one it was started by hand; the engine then gives its address when it attaches.
  const engineAddress = process.argv.slice(2).find((argument) => !argument.startsWith("-"));
  if (engineAddress !== undefined) log.attach(engineAddress);
  const session = createSession(log, process.env, engineAddress === undefined ? undefined : openJournal(engineAddress));
  const { version } = JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8")) as { version: string };
  const schema = () => readFile(join(packageFolder, "schema", "schema.json"), "utf8");
  const server = new grpc.Server({ "grpc.max_receive_message_length": LARGEST_MESSAGE_BYTES });
  server.addService(providerService, createService(session, { version, schema }));
  const port = await new Promise<number>((resolve, reject) => {
    const bound = (error: Error | null, at: number) => (error ? reject(error) : resolve(at));
    server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), bound);
  });
  const end = () => void session.end().then(() => process.exit(0));
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, end);
  whenAlone(end);
  process.stdout.write(`${port}\n`);
}

/** Ends the plugin when Pulumi is killed: Pulumi holds the other end of the standard input. */
function whenAlone(end: () => void): void {
  const input = fstatSync(0);
  if (!input.isFIFO() && !input.isSocket()) return;
  process.stdin.on("end", end).on("error", end).resume();
}
