import type { ServiceError } from "@grpc/grpc-js";
import type { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import {
  CheckRequest,
  type CheckResponse,
  ConfigureRequest,
  type ConfigureResponse,
  CreateRequest,
  type CreateResponse,
  DeleteRequest,
  DiffRequest,
  DiffResponse,
  ErrorResourceInitFailed,
  ReadRequest,
  type ReadResponse,
  UpdateRequest,
  type UpdateResponse,
} from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import type { Journal } from "../../provider/engine/journal.ts";
import type { EngineLog } from "../../provider/hosts/plugin/engine-log.ts";
import { startPlugin } from "../support/plugin-server.ts";
import { type Marked, wired } from "./marks.ts";
import type { Config, ProviderProcess } from "./provider-process.ts";

/** The plugin on a socket of its own, which takes secrets in their envelopes and has to give them back so. */
export async function openPluginProcess(config: Config, journal: Journal): Promise<ProviderProcess> {
  const lines: string[] = [];
  const log: EngineLog = {
    write: (level, message) => lines.push(`${level}: ${message}`),
    attach: () => {},
    about: (_, work) => work(),
    flush: async () => {},
  };
  const plugin = await startPlugin(log, process.env, journal);
  const call = <Response>(ask: (client: ResourceProviderClient, done: Done<Response>) => unknown) =>
    new Promise<Response>((resolve, reject) => {
      ask(plugin.client, (error, response) => (error ? reject(failureFrom(error)) : resolve(response)));
    });
  const configuring = new ConfigureRequest().setArgs(Struct.fromJavaScript(config));
  await call<ConfigureResponse>((client, done) => client.configure(configuring, done));

  return {
    async check({ urn, olds, news }) {
      const request = new CheckRequest().setUrn(urn).setOlds(sent(olds)).setNews(sent(news));
      const response = await call<CheckResponse>((client, done) => client.check(request, done));
      const failures = response.getFailuresList().map((one) => ({
        property: one.getProperty(),
        reason: one.getReason(),
      }));
      return { inputs: received(response.getInputs()), failures };
    },
    async diff({ urn, id, inputs, outputs, news }) {
      const request = new DiffRequest().setUrn(urn).setId(id).setOlds(sent(outputs)).setNews(sent(news));
      request.setOldInputs(sent(inputs));
      const response = await call<DiffResponse>((client, done) => client.diff(request, done));
      return {
        differs: response.getChanges() === DiffResponse.DiffChanges.DIFF_SOME,
        replaces: response.getReplacesList(),
      };
    },
    async foresee({ urn, news }) {
      const request = new CreateRequest().setUrn(urn).setProperties(sent(news)).setPreview(true);
      await call<CreateResponse>((client, done) => client.create(request, done));
    },
    async create({ urn, news }) {
      const request = new CreateRequest().setUrn(urn).setProperties(sent(news));
      const response = await call<CreateResponse>((client, done) => client.create(request, done));
      return { id: response.getId(), outputs: received(response.getProperties()) };
    },
    async read({ urn, id, inputs, outputs }) {
      const request = new ReadRequest().setUrn(urn).setId(id).setProperties(sent(outputs)).setInputs(sent(inputs));
      const response = await call<ReadResponse>((client, done) => client.read(request, done));
      if (response.getId() === "") return undefined;
      const [state, read] = [response.getProperties(), response.getInputs()];
      return { id: response.getId(), outputs: received(state), inputs: received(read) };
    },
    async update({ urn, id, inputs, outputs, news }) {
      const request = new UpdateRequest().setUrn(urn).setId(id).setOlds(sent(outputs)).setNews(sent(news));
      request.setOldInputs(sent(inputs));
      return received((await call<UpdateResponse>((client, done) => client.update(request, done))).getProperties());
    },
    async delete({ urn, id, outputs }) {
      const request = new DeleteRequest().setUrn(urn).setId(id).setProperties(sent(outputs));
      await call<Empty>((client, done) => client.delete(request, done));
    },
    leftBehind(error) {
      if (!(error instanceof PluginFailure) || error.left === undefined) return undefined;
      return { id: error.left.getId(), outputs: received(error.left.getProperties()) };
    },
    log: () => lines,
    async end() {
      await call<Empty>((client, done) => client.cancel(new Empty(), done));
      plugin.close();
    },
  };
}

type Done<Response> = (error: ServiceError | null, response: Response) => void;

function sent(values: Marked): Struct {
  // JSON, which is all that a struct takes.
  return Struct.fromJavaScript(wired(values) as Parameters<typeof Struct.fromJavaScript>[0]);
}

function received(struct: Struct | undefined): Marked {
  return struct?.toJavaScript() ?? {};
}

class PluginFailure extends Error {
  readonly left: ErrorResourceInitFailed | undefined;

  constructor(message: string, left: ErrorResourceInitFailed | undefined) {
    super(message);
    this.left = left;
  }
}

function failureFrom({ details, metadata }: ServiceError): PluginFailure {
  const [packed] = metadata.get("grpc-status-details-bin");
  if (!Buffer.isBuffer(packed)) return new PluginFailure(details, undefined);
  const [detail] = Status.deserializeBinary(packed).getDetailsList();
  const left = detail?.unpack(ErrorResourceInitFailed.deserializeBinary, "pulumirpc.ErrorResourceInitFailed");
  return new PluginFailure(details, left ?? undefined);
}
