import type { handleUnaryCall, UntypedServiceImplementation } from "@grpc/grpc-js";
import { type PluginAttach, PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { GetSchemaResponse } from "@pulumi/pulumi/proto/provider_pb";
import { configurationCalls } from "./configuration-calls";
import { type Exchange, exchangeOf, urnOf } from "./exchange";
import { functionCalls } from "./function-calls";
import { grpcStatus } from "./grpc-status";
import { withPlainProperties } from "./plain-structs";
import { resourceCalls } from "./resource-calls";
import { Empty } from "./sdk-copies";
import type { Session } from "./session";

/** Pulumi's resource provider service, with properties as plain values. */
export const providerService = withPlainProperties(ResourceProviderService);

/** What the package knows of itself. */
export interface PackageFacts {
  readonly version: string;
  /** The package's schema, as JSON text. */
  schema(): Promise<string>;
}

/** Pulumi's resource provider service. What is not here, gRPC answers as unimplemented by itself. */
export function createService(session: Session, { version, schema }: PackageFacts): UntypedServiceImplementation {
  const pluginCalls = {
    async getPluginInfo() {
      const info = new PluginInfo();
      info.setVersion(version);
      return info;
    },
    async attach(request: PluginAttach) {
      session.log.attach(request.getAddress());
      return new Empty();
    },
    async getSchema() {
      const response = new GetSchemaResponse();
      response.setSchema(await schema());
      return response;
    },
    /** Comes at the end of every run, and at a Ctrl-C. */
    async cancel() {
      await session.end();
      return new Empty();
    },
  };
  const calls = {
    ...pluginCalls,
    ...configurationCalls(session),
    ...functionCalls(session),
    ...resourceCalls(session),
  };
  // Each call gets the message of its own name: the service's definition, which has the types, sees to that.
  const handlers = Object.entries(calls) as [string, Call][];
  return Object.fromEntries(handlers.map(([name, call]) => [name, unary(session, call)]));
}

type Call = (request: unknown, exchange: Exchange) => Promise<unknown>;

function unary(session: Session, call: Call): handleUnaryCall<unknown, unknown> {
  return ({ request }, answer) => {
    const exchange = exchangeOf(request);
    session.log
      .about(urnOf(request), () => session.calls.during(exchange.sealer.scrub, () => call(request, exchange)))
      .then(
        (response) => answer(null, response),
        (error: unknown) => answer(grpcStatus(error, exchange)),
      );
  };
}
