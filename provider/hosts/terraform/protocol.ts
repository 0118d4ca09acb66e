import { lazily } from "../../core/lazily";
import { type MessageType, protobuf } from "./libraries";

/**
 * The part of Terraform's plugin protocol 6 that is spoken here, in Protobuf's own language. Names and numbers are the
 * protocol's (hashicorp/terraform-plugin-go, tfprotov6); a field that is missing here is skipped when it comes.
 */
const SOURCE = `
syntax = "proto3";
package tfplugin6;

message DynamicValue { bytes msgpack = 1; bytes json = 2; }
message Step { string attribute_name = 1; }
message AttributePath { repeated Step steps = 1; }
message Diagnostic { int32 severity = 1; string summary = 2; string detail = 3; AttributePath attribute = 4; }
message RawState { bytes json = 1; }
message ClientCapabilities { bool write_only_attributes_allowed = 2; }
message ServerCapabilities { bool plan_destroy = 1; bool get_provider_schema_optional = 2; bool move_resource_state = 3; }

message Nested { repeated Attribute attributes = 1; int32 nesting = 3; }
message Attribute {
  string name = 1;
  bytes type = 2;
  string description = 3;
  bool required = 4;
  bool optional = 5;
  bool computed = 6;
  bool sensitive = 7;
  int32 description_kind = 8;
  bool deprecated = 9;
  Nested nested_type = 10;
  bool write_only = 11;
}
message Block { int64 version = 1; repeated Attribute attributes = 2; string description = 4; int32 description_kind = 5; }
message Schema { int64 version = 1; Block block = 2; }
message Named { string type_name = 1; }
message NamedFunction { string name = 1; }
message Parameter { string name = 1; bytes type = 2; string description = 5; int32 description_kind = 6; }
message Return { bytes type = 1; }
message Function {
  repeated Parameter parameters = 1;
  Return return = 3;
  string summary = 4;
  string description = 5;
  int32 description_kind = 6;
}
message FunctionError { string text = 1; optional int64 function_argument = 2; }
message FunctionsAnswer { map<string, Function> functions = 1; repeated Diagnostic diagnostics = 2; }
message FunctionCall { string name = 1; repeated DynamicValue arguments = 2; }
message FunctionAnswer { DynamicValue result = 1; FunctionError error = 2; }

message IdentityAttribute {
  string name = 1;
  bytes type = 2;
  bool required_for_import = 3;
  bool optional_for_import = 4;
  string description = 5;
}
message IdentitySchema { int64 version = 1; repeated IdentityAttribute identity_attributes = 2; }
message IdentityData { DynamicValue identity_data = 1; }
message IdentitySchemasAnswer { map<string, IdentitySchema> identity_schemas = 1; repeated Diagnostic diagnostics = 2; }
message UpgradeIdentity { string type_name = 1; int64 version = 2; RawState raw_identity = 3; }
message UpgradeIdentityAnswer { IdentityData upgraded_identity = 1; repeated Diagnostic diagnostics = 2; }

message Nothing {}
message StopAnswer { string Error = 1; }
message Diagnosed1 { repeated Diagnostic diagnostics = 1; }
message Diagnosed2 { repeated Diagnostic diagnostics = 2; }

message MetadataAnswer {
  ServerCapabilities server_capabilities = 1;
  repeated Named data_sources = 3;
  repeated Named resources = 4;
  repeated NamedFunction functions = 5;
  repeated Named ephemeral_resources = 6;
  repeated Named list_resources = 7;
}
message SchemaAnswer {
  Schema provider = 1;
  map<string, Schema> resource_schemas = 2;
  map<string, Schema> data_source_schemas = 3;
  ServerCapabilities server_capabilities = 6;
  map<string, Function> functions = 7;
  map<string, Schema> ephemeral_resource_schemas = 8;
  map<string, Schema> list_resource_schemas = 9;
}
message ProviderConfig { DynamicValue config = 1; }
message Configure { string terraform_version = 1; DynamicValue config = 2; }
message ResourceConfig { string type_name = 1; DynamicValue config = 2; ClientCapabilities client_capabilities = 3; }
message Upgrade { string type_name = 1; int64 version = 2; RawState raw_state = 3; }
message UpgradeAnswer { DynamicValue upgraded_state = 1; repeated Diagnostic diagnostics = 2; }
message Read { string type_name = 1; DynamicValue current_state = 2; bytes private = 3; }
message ReadAnswer {
  DynamicValue new_state = 1;
  repeated Diagnostic diagnostics = 2;
  bytes private = 3;
  IdentityData new_identity = 5;
}
message Plan {
  string type_name = 1;
  DynamicValue prior_state = 2;
  DynamicValue config = 4;
  bytes prior_private = 5;
}
message PlanAnswer {
  DynamicValue planned_state = 1;
  repeated AttributePath requires_replace = 2;
  bytes planned_private = 3;
  repeated Diagnostic diagnostics = 4;
  IdentityData planned_identity = 7;
}
message Apply {
  string type_name = 1;
  DynamicValue prior_state = 2;
  DynamicValue planned_state = 3;
  DynamicValue config = 4;
  bytes planned_private = 5;
}
message ApplyAnswer {
  DynamicValue new_state = 1;
  bytes private = 2;
  repeated Diagnostic diagnostics = 3;
  IdentityData new_identity = 5;
}
message Import { string type_name = 1; string id = 2; IdentityData identity = 4; }
message Imported { string type_name = 1; DynamicValue state = 2; bytes private = 3; IdentityData identity = 4; }
message ReadData { string type_name = 1; DynamicValue config = 2; }
message ReadDataAnswer { DynamicValue state = 1; repeated Diagnostic diagnostics = 2; }
message ListConfig { string type_name = 1; DynamicValue config = 2; }
message List { string type_name = 1; DynamicValue config = 2; bool include_resource_object = 3; int64 limit = 4; }
message ListEvent {
  IdentityData identity = 1;
  string display_name = 2;
  DynamicValue resource_object = 3;
  repeated Diagnostic diagnostic = 4;
}
message Timestamp { int64 seconds = 1; int32 nanos = 2; }
message Open { string type_name = 1; DynamicValue config = 2; }
message OpenAnswer {
  repeated Diagnostic diagnostics = 1;
  Timestamp renew_at = 2;
  DynamicValue result = 3;
  bytes private = 4;
}
message Opened { string type_name = 1; bytes private = 2; }
message RenewAnswer { repeated Diagnostic diagnostics = 1; Timestamp renew_at = 2; bytes private = 3; }
message Move {
  string source_type_name = 2;
  RawState source_state = 4;
  string target_type_name = 5;
}
message MoveAnswer {
  DynamicValue target_state = 1;
  repeated Diagnostic diagnostics = 2;
  bytes target_private = 3;
  IdentityData target_identity = 4;
}
message ImportAnswer { repeated Imported imported_resources = 1; repeated Diagnostic diagnostics = 2; }
`;

/** The calls of the two services, each with its message and its answer, or a stream of answers. What is not here is answered as unimplemented. */
const SERVICES = {
  "tfplugin6.Provider": {
    GetMetadata: ["Nothing", "MetadataAnswer"],
    GetProviderSchema: ["Nothing", "SchemaAnswer"],
    ValidateProviderConfig: ["ProviderConfig", "Diagnosed2"],
    ConfigureProvider: ["Configure", "Diagnosed1"],
    ValidateResourceConfig: ["ResourceConfig", "Diagnosed1"],
    UpgradeResourceState: ["Upgrade", "UpgradeAnswer"],
    ReadResource: ["Read", "ReadAnswer"],
    PlanResourceChange: ["Plan", "PlanAnswer"],
    ApplyResourceChange: ["Apply", "ApplyAnswer"],
    ImportResourceState: ["Import", "ImportAnswer"],
    MoveResourceState: ["Move", "MoveAnswer"],
    ValidateDataResourceConfig: ["ResourceConfig", "Diagnosed1"],
    ReadDataSource: ["ReadData", "ReadDataAnswer"],
    ValidateEphemeralResourceConfig: ["ResourceConfig", "Diagnosed1"],
    OpenEphemeralResource: ["Open", "OpenAnswer"],
    RenewEphemeralResource: ["Opened", "RenewAnswer"],
    CloseEphemeralResource: ["Opened", "Diagnosed1"],
    ValidateListResourceConfig: ["ListConfig", "Diagnosed1"],
    ListResource: ["List", "ListEvent", "stream"],
    GetResourceIdentitySchemas: ["Nothing", "IdentitySchemasAnswer"],
    UpgradeResourceIdentity: ["UpgradeIdentity", "UpgradeIdentityAnswer"],
    GetFunctions: ["Nothing", "FunctionsAnswer"],
    CallFunction: ["FunctionCall", "FunctionAnswer"],
    StopProvider: ["Nothing", "StopAnswer"],
  },
  // Without it Terraform waits two seconds for the end of every process.
  "plugin.GRPCController": { Shutdown: ["Nothing", "Nothing"] },
} as const;

type Services = typeof SERVICES;
export type ServiceName = keyof Services;
export type ProviderCall = keyof Services["tfplugin6.Provider"];
/** The calls that are answered as often as there is something to say. */
export type StreamCall = {
  [C in ProviderCall]: Services["tfplugin6.Provider"][C] extends readonly [string, string, "stream"] ? C : never;
}[ProviderCall];
export type UnaryCall = Exclude<ProviderCall, StreamCall>;

export interface WireValue {
  readonly msgpack?: Uint8Array;
  readonly json?: Uint8Array;
}

/** A state as it is kept. */
export interface WireState {
  readonly json?: Uint8Array;
}

/** A message of any call: each has some of these. */
export interface Request {
  readonly typeName: string;
  readonly id: string;
  readonly version: number;
  readonly terraformVersion: string;
  readonly config: WireValue;
  readonly rawState: WireState | null;
  readonly rawIdentity: WireState | null;
  readonly identity: { readonly identityData: WireValue | null } | null;
  readonly name: string;
  readonly arguments: readonly WireValue[];
  readonly sourceTypeName: string;
  readonly sourceState: WireState | null;
  readonly targetTypeName: string;
  readonly currentState: WireValue;
  readonly priorState: WireValue;
  readonly plannedState: WireValue;
  readonly private: Uint8Array;
  readonly priorPrivate: Uint8Array;
  readonly plannedPrivate: Uint8Array;
  readonly includeResourceObject: boolean;
  readonly limit: number;
  readonly clientCapabilities: { readonly writeOnlyAttributesAllowed: boolean } | null;
}

/** With the first call: the CLI connects before. */
const parsed = lazily(() => protobuf().parse(SOURCE));

function type(name: string): MessageType {
  return parsed().root.lookupType(`tfplugin6.${name}`);
}

/** A service as gRPC wants it: paths, and how messages are read and written. */
export function serviceDefinition(service: ServiceName) {
  const calls = Object.entries<readonly [string, string, "stream"?]>(SERVICES[service]);
  return Object.fromEntries(
    calls.map(([name, [request, answer, stream]]) => {
      const method = methodAt(`/${service}/${name}`, request, answer);
      return [name, { ...method, responseStream: stream !== undefined }];
    }),
  );
}

function methodAt(path: string, request: string, answer: string) {
  return {
    path,
    requestStream: false,
    requestSerialize: (value: object) => written(type(request), value),
    requestDeserialize: (bytes: Uint8Array) => read(type(request), bytes),
    // What the build has written is sent as it is.
    responseSerialize: (value: object) => (Buffer.isBuffer(value) ? value : written(type(answer), value)),
    responseDeserialize: (bytes: Uint8Array) => read(type(answer), bytes),
  };
}

function written(type: MessageType, value: object): Buffer {
  return Buffer.from(type.encode(type.fromObject(value)).finish());
}

function read(type: MessageType, bytes: Uint8Array): object {
  return type.toObject(type.decode(bytes), { defaults: true, longs: Number });
}
