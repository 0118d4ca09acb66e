import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Client, ClientReadableStream, GrpcObject, ServiceError } from "@grpc/grpc-js";
import type { Diagnostic } from "../../provider/hosts/terraform/diagnostics.ts";
import type { PluginAddress } from "../../provider/hosts/terraform/handshake.ts";
import { grpc } from "../../provider/hosts/terraform/libraries.ts";
import { serviceDefinition, type UnaryCall, type WireValue } from "../../provider/hosts/terraform/protocol.ts";
import { type PackageSchema, type ResourceTable, type Tables, tablesOf } from "../../provider/hosts/terraform/table.ts";
import { definitions } from "../../provider/resources/index.ts";
import { repository } from "../../tools/steps/repository.mjs";
import type { ResourceName } from "./host-under-test.ts";

/** An answer of any call: each has some of these. */
export interface Answer {
  readonly diagnostics: readonly Diagnostic[];
  readonly newState: WireValue | null;
  readonly plannedState: WireValue | null;
  readonly plannedPrivate: Uint8Array;
  readonly requiresReplace: readonly { readonly steps: readonly { readonly attributeName: string }[] }[];
  readonly private: Uint8Array;
  readonly upgradedState: WireValue | null;
  readonly importedResources: readonly { readonly state: WireValue; readonly private: Uint8Array }[];
}

/** A record in a list, or what is to be said about it. */
export interface ListEvent {
  readonly identity: { readonly identityData: WireValue } | null;
  readonly displayName: string;
  readonly resourceObject: WireValue | null;
  readonly diagnostic: readonly Diagnostic[];
}

/** Terraform's side of the wire. */
export interface TerraformClient {
  ask(call: UnaryCall, request: object): Promise<Answer>;
  /** All events of a list, or as many as are wanted: then it is cancelled, as Terraform does. */
  list(request: object, wanted?: number): Promise<readonly ListEvent[]>;
  close(): void;
}

let made: Tables | undefined;

/** The resources of the host as they are built, from the committed schema. */
export function terraformTables(): Tables {
  made ??= tablesOf(
    Object.values(definitions),
    JSON.parse(readFileSync(join(repository, "schema/schema.json"), "utf8")) as PackageSchema,
  );
  return made;
}

/** Throws for a resource that Terraform does not have. */
export function terraformTable(resource: ResourceName): ResourceTable {
  const found = [...terraformTables().resources.values()].find(
    ({ definition }) => definition === definitions[resource],
  );
  if (found === undefined) throw new Error(`Terraform has no resource ${resource}`);
  return found;
}

const service = serviceDefinition("tfplugin6.Provider");
const Provider = grpc.makeGenericClientConstructor(service, "Provider") as unknown as new (
  ...args: ConstructorParameters<typeof Client>
) => Client & GrpcObject;

export function terraformClient({ network, text }: PluginAddress): TerraformClient {
  const client = new Provider(network === "unix" ? `unix:${text}` : text, grpc.credentials.createInsecure());
  return {
    ask: (call, request) =>
      new Promise((resolve, reject) => {
        const ask = client[call] as unknown as Ask;
        ask.call(client, request, (error, answer) => (error ? reject(error) : resolve(answer)));
      }),
    list: (request, wanted = Number.POSITIVE_INFINITY) =>
      new Promise((resolve, reject) => {
        const list = client["ListResource"] as unknown as List;
        const stream = list.call(client, request);
        const events: ListEvent[] = [];
        stream.on("data", (event: ListEvent) => {
          if (events.length < wanted) events.push(event);
          if (events.length === wanted) stream.cancel();
        });
        stream.on("end", () => resolve(events));
        stream.on("error", (error) => (events.length === wanted ? resolve(events) : reject(error)));
      }),
    close: () => client.close(),
  };
}

type Ask = (request: object, done: (error: ServiceError | null, answer: Answer) => void) => void;
type List = (request: object) => ClientReadableStream<ListEvent>;
