import type { ServiceError } from "@grpc/grpc-js";
import { ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { isProviderError } from "../../core/errors";
import type { Exchange } from "./exchange";
import { withPlainStructs } from "./plain-structs";
import { Any, grpc } from "./sdk-copies";

/** A failure as gRPC carries it. What a half-way failure left on the server goes along, to be recorded. */
export function grpcStatus(error: unknown, { sealer, seal }: Exchange): Partial<ServiceError> {
  const details = sealer.scrub(error instanceof Error ? error.message : String(error));
  const code = grpc.status.UNKNOWN;
  if (!isProviderError(error) || error.id === undefined) return { code, details };
  const left = new ErrorResourceInitFailed();
  left.setId(error.id);
  left.setProperties(seal(error.properties ?? {}));
  left.setReasonsList([details]);
  const packed = new Any();
  packed.pack(
    withPlainStructs(() => left.serializeBinary()),
    "pulumirpc.ErrorResourceInitFailed",
  );
  const whole = new Status();
  whole.setCode(code);
  whole.setMessage(details);
  whole.addDetails(packed);
  const metadata = new grpc.Metadata();
  // Where gRPC keeps the parts of a status that are messages; this library does not fill it in by itself.
  metadata.add("grpc-status-details-bin", Buffer.from(whole.serializeBinary()));
  return { code, details, metadata };
}
