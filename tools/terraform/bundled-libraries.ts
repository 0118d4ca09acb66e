// What provider/hosts/terraform/libraries.ts finds in an installed package: a bundle has everything in one file.
export * as grpc from "@grpc/grpc-js";
export const protobuf = () => require("protobufjs");
