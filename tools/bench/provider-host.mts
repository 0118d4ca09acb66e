import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { installPackedPackage } from "../pulumi/packed-package.mts";
import type { HostName } from "./hosts.mts";
import { runWorker, startServing } from "./run-worker.mts";

// The copies that the SDK's generated stubs use: another copy's messages would be refused as foreign objects.
const sdk = createRequire(createRequire(import.meta.url).resolve("@pulumi/pulumi"));
const grpc: typeof import("@grpc/grpc-js") = sdk("@grpc/grpc-js");
const { Struct }: typeof import("google-protobuf/google/protobuf/struct_pb.js") = sdk(
  "google-protobuf/google/protobuf/struct_pb.js",
);
const messages: typeof import("@pulumi/pulumi/proto/provider_pb.js") = sdk("@pulumi/pulumi/proto/provider_pb.js");

/** Properties of a resource as they travel. */
export type Props = Readonly<Record<string, unknown>>;
type Method = "Configure" | "Check" | "Diff" | "Create" | "GetPluginInfo";

/** The real host of dynamic providers, or the plugin, spoken to as the engine does. */
export interface ProviderHost {
  /** From spawn until it printed its port. */
  readonly startMs: number;
  readonly pid: number;
  /** Sends a request that was encoded before, and answers the bytes: what is measured is the host, not this client. */
  call(method: Method, request: Uint8Array): Promise<Uint8Array>;
  stop(): Promise<void>;
}

/** Makes a folder with the packed package in it, and answers the text that Pulumi keeps for its provider of roles. */
export async function prepareProgram(folder: string): Promise<{ programFolder: string; provider: string }> {
  const programFolder = join(folder, "program");
  mkdirSync(programFolder, { recursive: true });
  writeFileSync(join(programFolder, "package.json"), JSON.stringify({ name: "bench", private: true }));
  await installPackedPackage(programFolder);
  const { provider } = await runWorker<{ provider: string }>("provider-text.cjs", { cwd: programFolder });
  return { programFolder, provider };
}

/** Starts `@pulumi/pulumi/cmd/dynamic-provider`, or the package's plugin, in a program's folder. */
export async function startProviderHost(
  name: HostName,
  programFolder: string,
  env: Readonly<Record<string, string>>,
): Promise<ProviderHost> {
  const served = await startServing(commandOf[name](programFolder), { cwd: programFolder, env });
  const client = new grpc.Client(`127.0.0.1:${served.firstLine}`, grpc.credentials.createInsecure());
  const asItIs = (bytes: Uint8Array) => Buffer.from(bytes);
  return {
    startMs: served.startMs,
    pid: served.pid,
    call: (method, request) =>
      new Promise((resolve, reject) => {
        client.makeUnaryRequest(
          `/pulumirpc.ResourceProvider/${method}`,
          asItIs,
          asItIs,
          request,
          (error: Error | null, answer?: Uint8Array) => (answer ? resolve(answer) : reject(error)),
        );
      }),
    stop: async () => {
      client.close();
      await served.stop();
    },
  };
}

const commandOf: Readonly<Record<HostName, (programFolder: string) => readonly string[]>> = {
  // The address of an engine must be there, and is not used.
  dynamic: (folder) => [
    createRequire(join(folder, "package.json")).resolve("@pulumi/pulumi/cmd/dynamic-provider"),
    "127.0.0.1:1",
  ],
  plugin: (folder) => [join(folder, "node_modules/trustplane/bin/pulumi-resource-trustplane")],
};

/** The dynamic host looks at the provider's text, the plugin at the type in this name. */
const ROLE_URN = "urn:pulumi:dev::bench::trustplane:jwt/role:Role::role";

/** An encoded `ConfigureRequest` without configuration: everything comes from the environment. */
export function configureRequest(): Uint8Array {
  const request = new messages.ConfigureRequest();
  request.setArgs(structOf({}));
  return request.serializeBinary();
}

/** An encoded `CheckRequest`. */
export function checkRequest(olds: Props, news: Props): Uint8Array {
  const request = new messages.CheckRequest();
  request.setUrn(ROLE_URN);
  request.setOlds(structOf(olds));
  request.setNews(structOf(news));
  return request.serializeBinary();
}

/** An encoded `DiffRequest`. */
export function diffRequest(id: string, olds: Props, news: Props): Uint8Array {
  const request = new messages.DiffRequest();
  request.setUrn(ROLE_URN);
  request.setId(id);
  request.setOlds(structOf(olds));
  request.setNews(structOf(news));
  return request.serializeBinary();
}

/** An encoded `CreateRequest`. */
export function createRequest(properties: Props): Uint8Array {
  const request = new messages.CreateRequest();
  request.setUrn(ROLE_URN);
  request.setProperties(structOf(properties));
  return request.serializeBinary();
}

/** What a Create answered. */
export function created(answer: Uint8Array): { id: string; state: Props } {
  const response = messages.CreateResponse.deserializeBinary(answer);
  return { id: response.getId(), state: propsOf(response.getProperties()) };
}

/** What a Check answered. Throws when it refused the inputs: a refusal takes another way through the code. */
export function checkedInputs(answer: Uint8Array): Props {
  const response = messages.CheckResponse.deserializeBinary(answer);
  const failures = response.getFailuresList().map((failure) => `${failure.getProperty()} ${failure.getReason()}`);
  if (failures.length > 0) throw new Error(`the inputs were refused: ${failures.join("; ")}`);
  return propsOf(response.getInputs());
}

/** Whether a Diff found changes; undefined when it leaves that to the engine. */
export function diffChanges(answer: Uint8Array): boolean | undefined {
  const changes = messages.DiffResponse.deserializeBinary(answer).getChanges();
  const { DIFF_NONE, DIFF_SOME } = messages.DiffResponse.DiffChanges;
  return changes === DIFF_NONE ? false : changes === DIFF_SOME ? true : undefined;
}

function propsOf(struct: { toJavaScript(): unknown } | undefined): Props {
  // A Struct is an object by definition.
  return (struct?.toJavaScript() ?? {}) as Props;
}

function structOf(props: Props) {
  // The stubs' type allows JSON values; the properties come from JSON.
  return Struct.fromJavaScript(props as Parameters<typeof Struct.fromJavaScript>[0]);
}
