import { randomUUID } from "node:crypto";

/** An error of the cloud's API, as its SDK prints it and the engine returns it. */
export class CloudFailure extends Error {
  /** Whether the same call may succeed later. */
  get isThrottling(): boolean {
    return this.message.startsWith("Throttling: ");
  }
}

export function cloudFailure(code: string, message: string, status: number): CloudFailure {
  return new CloudFailure(`${code}: ${message}\n\tstatus code: ${status}, request id: ${randomUUID()}`);
}

/** The cloud's answer to a caller that asks too often. */
export function throttling(): CloudFailure {
  return cloudFailure("Throttling", "Rate exceeded", 400);
}

/** What the SDK says when it finds credentials nowhere. */
export function noCredentials(): CloudFailure {
  return new CloudFailure(
    "NoCredentialProviders: no valid providers in chain. Deprecated.\n\tFor verbose messaging see aws.Config.CredentialsChainVerboseErrors",
  );
}

/** The cloud's answer to a key that it does not know, or not yet. */
export function unknownKey(): CloudFailure {
  return cloudFailure("InvalidClientTokenId", "The security token included in the request is invalid.", 403);
}

export function wrongSignature(): CloudFailure {
  return cloudFailure(
    "SignatureDoesNotMatch",
    "The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details.",
    403,
  );
}

export function wrongRegion(): CloudFailure {
  return cloudFailure("SignatureDoesNotMatch", "Credential should be scoped to a valid region. ", 403);
}
