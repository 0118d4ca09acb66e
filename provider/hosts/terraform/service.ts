import type { handleUnaryCall, UntypedServiceImplementation } from "@grpc/grpc-js";
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
import { moveResourceState } from "./move";
import { planResourceChange } from "./plan";
import type { ProviderCall, Request } from "./protocol";
import { configureProvider, validateProviderConfig, validateResourceConfig } from "./provider-calls";
import { callFunction, functionSchemas } from "./provider-functions";
import { metadataAnswer, schemaAnswer } from "./provider-schema";
import { importResourceState, readResource, upgradeResourceState } from "./read";

type Call = (host: Host, request: Request) => Promise<Said<object>>;

const CALLS: Readonly<Record<ProviderCall, Call>> = {
  GetMetadata: async ({ tables }) => ({ answer: metadataAnswer(tables) }),
  GetProviderSchema: async ({ tables }) => ({ answer: schemaAnswer(tables) }),
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
  return Object.fromEntries(Object.entries(CALLS).map(([name, call]) => [name, unary(host, call)]));
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

async function answered(host: Host, call: Call, request: Request): Promise<object> {
  const { wording } = host.tables;
  const work = () =>
    call(host, request).catch((error: unknown) => ({ answer: {}, diagnostics: errorDiagnostics(error, wording) }));
  const { answer: said, warnings } = await host.session.listening(work);
  const heard = warnings.map((text) => warning(text, wording));
  const diagnostics = [...(said.diagnostics ?? []), ...heard];
  return diagnostics.length > 0 ? { ...said.answer, diagnostics } : said.answer;
}
