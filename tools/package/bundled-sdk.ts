// What provider/hosts/plugin/sdk-copies.ts finds in the program's SDK: a bundle has one copy of everything.
export * as grpc from "@grpc/grpc-js";
export { Any } from "google-protobuf/google/protobuf/any_pb.js";
export { Empty } from "google-protobuf/google/protobuf/empty_pb.js";
export { Struct } from "google-protobuf/google/protobuf/struct_pb.js";
