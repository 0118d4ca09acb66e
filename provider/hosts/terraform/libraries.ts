import { createRequire } from "node:module";
import { lazily } from "../../core/lazily";

// gRPC comes with Pulumi's SDK, and Protobuf with gRPC: the package has them installed already.
const ofSdk = createRequire(require.resolve("@pulumi/pulumi"));
const ofGrpc = createRequire(ofSdk.resolve("@grpc/grpc-js"));
const ofLoader = createRequire(ofGrpc.resolve("@grpc/proto-loader"));

type Grpc = typeof import("@grpc/grpc-js");

/** What is used of Protobuf: a definition in its own language, and messages by their names. */
interface Protobuf {
  parse(source: string): { readonly root: { lookupType(name: string): MessageType } };
}

export interface MessageType {
  decode(bytes: Uint8Array): object;
  toObject(message: object, options: { readonly defaults: boolean; readonly longs: NumberConstructor }): object;
  fromObject(plain: object): object;
  encode(message: object): { finish(): Uint8Array };
}

export const grpc = ofSdk("@grpc/grpc-js") as Grpc;
/** Loads it with the first message, which comes after the start. */
export const protobuf = lazily(() => ofLoader("protobufjs") as Protobuf);
