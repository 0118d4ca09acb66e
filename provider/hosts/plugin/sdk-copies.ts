import { createRequire } from "node:module";

/**
 * gRPC and Protobuf as the program's Pulumi SDK has them. The SDK's generated messages and clients refuse objects of
 * another copy of these libraries, and a project may well hold several.
 */
const ofSdk = createRequire(require.resolve("@pulumi/pulumi"));

// What a package of this name exports: the SDK depends on it as our types do.
type Grpc = typeof import("@grpc/grpc-js");
type StructFile = typeof import("google-protobuf/google/protobuf/struct_pb");
type EmptyFile = typeof import("google-protobuf/google/protobuf/empty_pb");
type AnyFile = typeof import("google-protobuf/google/protobuf/any_pb");

export const grpc = ofSdk("@grpc/grpc-js") as Grpc;
export const { Struct } = ofSdk("google-protobuf/google/protobuf/struct_pb.js") as StructFile;
export const { Empty } = ofSdk("google-protobuf/google/protobuf/empty_pb.js") as EmptyFile;
export const { Any } = ofSdk("google-protobuf/google/protobuf/any_pb.js") as AnyFile;

export type Struct = import("google-protobuf/google/protobuf/struct_pb").Struct;
