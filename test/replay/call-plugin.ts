import type { MethodDefinition } from "@grpc/grpc-js";
import { type ResourceProviderClient, ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { DiffResponse, PropertyDiff } from "@pulumi/pulumi/proto/provider_pb";
import { Message } from "google-protobuf";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { isRecord } from "../../provider/core/unknowns.ts";

type Json = Readonly<Record<string, unknown>>;
/** The stubs' definitions also have the class of the request, of which their types do not speak. */
type Method = MethodDefinition<Message, Message> & { readonly requestType: new () => Message };

/** Enumerations, which JSON has by their names. */
const NAMES: Readonly<Record<string, object>> = {
  changes: DiffResponse.DiffChanges,
  kind: PropertyDiff.Kind,
};

/** Makes a call that is written as protobuf writes JSON, but with small letters in the names of the answer's members. */
export function callPlugin(client: ResourceProviderClient, path: string, request: Json): Promise<Json> {
  // The stubs type each method by itself.
  const method = (Object.values(ResourceProviderService) as unknown as Method[]).find((each) => each.path === path);
  if (method === undefined) throw new Error(`Pulumi's service has no ${path}`);
  const { requestSerialize, responseDeserialize, requestType } = method;
  const message = filled(new requestType(), request);
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(path, requestSerialize, responseDeserialize, message, (error, answer) =>
      answer ? resolve(jsonOf(answer)) : reject(error),
    );
  });
}

/** Names of members as `jsonOf` writes them. */
export function withSmallNames(response: Json): Json {
  const { detailedDiff, failures } = response;
  const messages = {
    ...response,
    ...(isRecord(detailedDiff) ? { detailedDiff: mapped(detailedDiff, small) } : {}),
    ...(Array.isArray(failures) ? { failures: failures.map(small) } : {}),
  };
  return small(messages);
}

function small(message: unknown): Json {
  return Object.fromEntries(Object.entries(message ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
}

function mapped(map: Json, each: (value: unknown) => unknown): Json {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, each(value)]));
}

function filled(message: Message, json: Json): Message {
  const methods = accessorsOf(message);
  for (const [name, value] of Object.entries(json)) {
    const setter = Object.keys(methods).find((key) => key.toLowerCase() === `set${name}`.toLowerCase());
    if (setter === undefined) throw new Error(`Pulumi's message has no ${name}`);
    methods[setter]?.call(message, isRecord(value) ? Struct.fromJavaScript(JSON.parse(JSON.stringify(value))) : value);
  }
  return message;
}

/** Without what is empty, as protobuf leaves it out. */
function jsonOf(message: Message): Json {
  const getters = Object.entries(accessorsOf(message)).filter(([name]) => /^get[A-Z](?!.*_as)/.test(name));
  const members = getters.map(([getter, get]) => {
    const name = getter.replace(/^get|List$|Map$/g, "").toLowerCase();
    return [name, plainOf(name, get.call(message))] as const;
  });
  return Object.fromEntries(members.filter(([, value]) => !isDefault(value)));
}

function plainOf(name: string, value: unknown): unknown {
  if (value instanceof Struct) return value.toJavaScript();
  if (value instanceof Message) return jsonOf(value);
  if (Array.isArray(value)) return value.map((item) => plainOf(name, item));
  // The first word of an enumeration is left out, as what is empty.
  if (typeof value === "number" && value !== 0 && NAMES[name]) {
    return Object.entries(NAMES[name]).find(([, number]) => number === value)?.[0];
  }
  if (!isRecord(value) || typeof value["getEntryList"] !== "function") return value;
  // A map of the protobuf library: Object.fromEntries would take its messages undecoded.
  const map = value as unknown as { getLength(): number; keys(): Iterable<string>; get(key: string): unknown };
  if (map.getLength() === 0) return undefined;
  return Object.fromEntries([...map.keys()].map((key) => [key, plainOf("", map.get(key))]));
}

function isDefault(value: unknown): boolean {
  if (isRecord(value)) return false;
  return (
    value === undefined ||
    value === "" ||
    value === false ||
    value === 0 ||
    (Array.isArray(value) && value.length === 0)
  );
}

function accessorsOf(message: Message): Readonly<Record<string, (...args: unknown[]) => unknown>> {
  // A message's class is a prototype of generated functions.
  return Object.getPrototypeOf(message);
}
