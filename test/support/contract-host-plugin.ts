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
import { onTestFinished } from "vitest";
import type { Definition, Values } from "../../provider/core/definition.ts";
import { hiddenProperties } from "../../provider/core/fingerprint.ts";
import { asSecret, isSealed } from "../../provider/core/secret-envelope.ts";
import { typeToken } from "../../provider/core/type-token.ts";
import { isRecord } from "../../provider/core/unknowns.ts";
import { definitions } from "../../provider/resources/index.ts";
import { createPulumiStack, type StackEntry } from "./contract-stack.ts";
import type { HostOptions, PulumiHost } from "./host-under-test.ts";
import { startPlugin } from "./plugin-server.ts";

interface Foreseeing {
  /** The preview of a creation, or of the update of what a state has. */
  foresee(inputs: Values, before?: StackEntry): Promise<void>;
}

/** A plugin on a socket of its own, called the way Pulumi's engine calls it. It ends with the test. */
export function openPluginHost({ resource, config }: HostOptions): PulumiHost & Foreseeing {
  const definition: Definition = definitions[resource];
  const urn = `urn:pulumi:dev::contract::${typeToken(definition.token)}::it`;
  const lines: string[] = [];
  const answers: string[] = [];
  const plugin = startPlugin({
    write: (level, message) => lines.push(`${level}: ${message}`),
    attach: () => {},
    about: (_, work) => work(),
    flush: async () => {},
  });
  onTestFinished(async () => (await plugin).close());

  /** The state holds secrets in envelopes, and so does what comes from it. */
  const sent = (values: Values) => {
    const hidden = hiddenProperties(definition, values);
    const sealed = Object.entries(values).map(([key, value]) => [key, hidden.includes(key) ? asSecret(value) : value]);
    // What is undefined is not there.
    return Struct.fromJavaScript(JSON.parse(JSON.stringify(Object.fromEntries(sealed))));
  };
  const received = (struct: Struct | undefined): Values => {
    const values = struct?.toJavaScript() ?? {};
    answers.push(JSON.stringify(values));
    return opened(values) as Values;
  };
  const call = async <Response>(ask: (client: ResourceProviderClient, done: Done<Response>) => unknown) => {
    const { client } = await plugin;
    return new Promise<Response>((resolve, reject) => {
      ask(client, (error, response) => (error ? reject(errorFrom(error)) : resolve(response)));
    });
  };
  const configure = () => {
    const request = new ConfigureRequest();
    request.setArgs(Struct.fromJavaScript(config));
    return call<ConfigureResponse>((client, done) => client.configure(request, done));
  };
  let configuring: Promise<unknown> | undefined;
  const configured = () => {
    configuring ??= configure();
    return configuring;
  };

  /** The run before this one ends: what a run has written it does not delete. */
  const newRun = async () => {
    await configured();
    await call<Empty>((client, done) => client.cancel(new Empty(), done));
  };

  const host: PulumiHost & Foreseeing = {
    stack: () => createPulumiStack(host),
    answers,
    log: () => lines,
    async check(olds, news) {
      await newRun();
      const request = new CheckRequest().setUrn(urn).setOlds(sent(olds)).setNews(sent(news));
      const response = await call<CheckResponse>((client, done) => client.check(request, done));
      const failures = response.getFailuresList().map((failure) => {
        const [first = "", ...rest] = failure.getReason().split(" ");
        const property = failure.getProperty();
        answers.push(JSON.stringify(failure.toObject()));
        return property === ""
          ? { property: first, reason: rest.join(" ") }
          : { property, reason: failure.getReason() };
      });
      return { inputs: received(response.getInputs()), failures };
    },
    async diff(id, olds, news, ignoring = []) {
      await configured();
      const request = new DiffRequest().setUrn(urn).setId(id).setOlds(sent(olds)).setNews(sent(news));
      request.setIgnorechangesList([...ignoring]);
      const response = await call<DiffResponse>((client, done) => client.diff(request, done));
      const differs = response.getChanges() === DiffResponse.DiffChanges.DIFF_SOME;
      const detailed = response.getDetaileddiffMap().getLength() > 0;
      if (differs !== detailed) throw new Error("a difference is shown where there is none, or not shown");
      return { differs, replaces: response.getDeletebeforereplace() ? response.getReplacesList() : [] };
    },
    async create(inputs) {
      await newRun();
      const request = new CreateRequest().setUrn(urn).setProperties(sent(inputs));
      const response = await call<CreateResponse>((client, done) => client.create(request, done));
      return { id: response.getId(), state: received(response.getProperties()) };
    },
    async foresee(inputs, before) {
      if (before) {
        const olds = new UpdateRequest().setUrn(urn).setId(before.id).setOlds(sent(before.outputs));
        const request = olds.setNews(sent(inputs)).setPreview(true);
        return void (await call<UpdateResponse>((client, done) => client.update(request, done)));
      }
      const request = new CreateRequest().setUrn(urn).setProperties(sent(inputs)).setPreview(true);
      await call<CreateResponse>((client, done) => client.create(request, done));
    },
    async read(id, olds) {
      await configured();
      const request = new ReadRequest().setUrn(urn).setId(id).setProperties(sent(olds));
      const response = await call<ReadResponse>((client, done) => client.read(request, done));
      if (response.getId() === "") return undefined;
      const state = received(response.getProperties());
      return { id: response.getId(), state, inputs: received(response.getInputs()) };
    },
    async update(id, olds, news, ignoring = []) {
      await newRun();
      const request = new UpdateRequest().setUrn(urn).setId(id).setOlds(sent(olds)).setNews(sent(news));
      request.setIgnorechangesList([...ignoring]);
      return received((await call<UpdateResponse>((client, done) => client.update(request, done))).getProperties());
    },
    async delete(id, olds) {
      await newRun();
      const request = new DeleteRequest().setUrn(urn).setId(id).setProperties(sent(olds));
      await call<Empty>((client, done) => client.delete(request, done));
    },
    end: newRun,
    leftBehind(error) {
      if (!(error instanceof PluginFailure) || error.left === undefined) return undefined;
      return { id: error.left.getId(), state: received(error.left.getProperties()) };
    },
  };
  return host;
}

type Done<Response> = (error: ServiceError | null, response: Response) => void;

/** A failed call as the engine sees it: a message, and what it is to record. */
class PluginFailure extends Error {
  readonly left: ErrorResourceInitFailed | undefined;

  constructor(message: string, left: ErrorResourceInitFailed | undefined) {
    super(message);
    this.left = left;
  }
}

function errorFrom({ details, metadata }: ServiceError): PluginFailure {
  const [packed] = metadata.get("grpc-status-details-bin");
  if (!Buffer.isBuffer(packed)) return new PluginFailure(details, undefined);
  const [detail] = Status.deserializeBinary(packed).getDetailsList();
  const left = detail?.unpack(ErrorResourceInitFailed.deserializeBinary, "pulumirpc.ErrorResourceInitFailed");
  return new PluginFailure(details, left ?? undefined);
}

/** The engine takes secrets out of their envelopes, at any depth. */
function opened(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(opened);
  if (isSealed(value)) return opened(value.value);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, opened(member)]));
}
