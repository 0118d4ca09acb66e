import { once } from "node:events";
import type { handleServerStreamingCall, handleUnaryCall, UntypedServiceImplementation } from "@grpc/grpc-js";
import { applyResourceChange } from "./apply";
import type { Host, Said } from "./call";
import { errorDiagnostics, warning } from "./diagnostics";
import {
  closeEphemeralResource,
  openEphemeralResource,
  readDataSource,
  renewEphemeralResource,
  validateDataResourceConfig,
  validateEphemeralResourceConfig,
} from "./function-calls";
import { identified, identitySchemas, upgradeResourceIdentity } from "./identity";
import { type Listing, listResource, validateListResourceConfig } from "./list-resource";
import { moveResourceState } from "./move";
import { planResourceChange } from "./plan";
import type { Request, StreamCall, UnaryCall } from "./protocol";
import { configureProvider, validateProviderConfig, validateResourceConfig } from "./provider-calls";
import { callFunction, functionSchemas } from "./provider-functions";
import { metadataAnswer, schemaAnswer } from "./provider-schema";
import { importResourceState, readResource, upgradeResourceState } from "./read";

type Call = (host: Host, request: Request) => Promise<Said<object>>;

/** A call with many answers, each of which goes to `listing`. */
type Stream = (host: Host, request: Request, listing: Listing) => Promise<void>;

const STREAMS: Readonly<Record<StreamCall, Stream>> = { ListResource: listResource };

const CALLS: Readonly<Record<UnaryCall, Call>> = {
  GetMetadata: async ({ tables }) => ({ answer: metadataAnswer(tables) }),
  GetProviderSchema: async ({ tables, schemaMessage }) => ({ answer: schemaMessage?.() ?? schemaAnswer(tables) }),
  ValidateProviderConfig: validateProviderConfig,
  ConfigureProvider: configureProvider,
  ValidateResourceConfig: validateResourceConfig,
  UpgradeResourceState: upgradeResourceState,
  ReadResource: identified(readResource, "newState", "newIdentity"),
  PlanResourceChange: identified(planResourceChange, "plannedState", "plannedIdentity"),
  ApplyResourceChange: identified(applyResourceChange, "newState", "newIdentity"),
  ImportResourceState: importResourceState,
  MoveResourceState: identified(moveResourceState, "targetState", "targetIdentity"),
  ValidateDataResourceConfig: validateDataResourceConfig,
  ReadDataSource: readDataSource,
  ValidateEphemeralResourceConfig: validateEphemeralResourceConfig,
  OpenEphemeralResource: openEphemeralResource,
  RenewEphemeralResource: renewEphemeralResource,
  CloseEphemeralResource: closeEphemeralResource,
  ValidateListResourceConfig: validateListResourceConfig,
  GetResourceIdentitySchemas: async (host) => ({ answer: identitySchemas(host) }),
  UpgradeResourceIdentity: upgradeResourceIdentity,
  GetFunctions: async () => ({ answer: { functions: functionSchemas() } }),
  CallFunction: callFunction,
  /** Comes at a Ctrl-C: Terraform then waits for what is running. */
  StopProvider: async ({ session }) => {
    session.stop();
    return { answer: {} };
  },
};

/** The service that Terraform calls. An error is a diagnostic: Terraform shows it at its resource. */
export function providerCalls(host: Host): UntypedServiceImplementation {
  const answers = Object.entries(CALLS).map(([name, call]) => [name, unary(host, call)]);
  const streams = Object.entries(STREAMS).map(([name, call]) => [name, streaming(host, call)]);
  return Object.fromEntries([...answers, ...streams]);
}

/** The service by which Terraform ends a plugin. */
export function controllerCalls(end: () => void): UntypedServiceImplementation {
  const shutdown: handleUnaryCall<unknown, object> = (_call, answer) => {
    answer(null, {});
    end();
  };
  return { Shutdown: shutdown };
}

function unary(host: Host, call: Call): handleUnaryCall<unknown, object> {
  return ({ request }, answer) => {
    // The service's definition sees to it that each call gets its own message.
    answered(host, call, request as Request).then((value) => answer(null, value));
  };
}

function streaming(host: Host, call: Stream): handleServerStreamingCall<unknown, object> {
  return (stream) => {
    const cancelled = new AbortController();
    const { signal } = cancelled;
    stream.on("cancelled", () => cancelled.abort());
    const emit = async (event: object) => {
      if (signal.aborted || stream.write(event)) return;
      // Whoever cancels reads no more.
      await once(stream, "drain", { signal }).catch(() => undefined);
    };
    // The service's definition sees to it that each call gets its own message.
    streamed(host, call, { request: stream.request as Request, listing: { emit, signal } }).finally(() => stream.end());
  };
}

async function streamed(
  host: Host,
  call: Stream,
  { request, listing }: { readonly request: Request; readonly listing: Listing },
): Promise<void> {
  const { wording } = host.tables;
  const work = () =>
    call(host, request, listing).catch((error: unknown) =>
      listing.emit({ diagnostic: errorDiagnostics(error, wording) }),
    );
  const { warnings } = await host.session.listening(work);
  if (warnings.length > 0) await listing.emit({ diagnostic: warnings.map((text) => warning(text, wording)) });
}

async function answered(host: Host, call: Call, request: Request): Promise<object> {
  const { wording } = host.tables;
  const work = () =>
    call(host, request).catch((error: unknown) => ({ answer: {}, diagnostics: errorDiagnostics(error, wording) }));
  const { answer: said, warnings } = await host.session.listening(work);
  const heard = warnings.map((text) => warning(text, wording));
  const diagnostics = [...(said.diagnostics ?? []), ...heard];
  return diagnostics.length > 0 ? { ...said.answer, diagnostics } : said.answer;
}
