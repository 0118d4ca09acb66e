import { createAwsBackend } from "../../server/aws/aws-backend";
import { createCloudIdentity } from "../../server/cloud/cloud-identity";
import type { Operation } from "../../server/framework/backend";
import { dispatch } from "../../server/framework/dispatch";
import { readJson } from "../../server/framework/json-reader";
import { withoutLacking } from "../../server/framework/lacking";
import { Failure, multierrorText, Refusal } from "../../server/framework/refusal";
import { createStorage } from "../../server/framework/storage";
import { isWireObject, wireValue } from "../../server/framework/wire-value";
import { vault } from "../../server/profiles/vault";

export interface Answer {
  readonly status: number;
  readonly error?: string;
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly warnings?: readonly string[];
}

const mount = { path: "cloud/", type: "aws", defaultLeaseSeconds: 2_764_800, maxLeaseSeconds: 2_764_800 };
const caller = { token: "", displayName: "token", policies: ["root"], hasSudo: true };

/** One mount of the engine on a cloud of its own, called through the framework. Errors come with the texts of the wire. */
export function setUpCloud({ identity = createCloudIdentity(), now = () => new Date() } = {}) {
  const storage = createStorage();
  const { lacks, coercion, aws: profile } = vault;
  const backend = withoutLacking(createAwsBackend({ storage, now, identity, profile }), lacks.aws);

  async function call(operation: Operation, relativePath: string, body: unknown = {}): Promise<Answer> {
    const wire = wireValue(readJson(JSON.stringify(body)));
    if (!isWireObject(wire)) throw new Error("a body is an object");
    try {
      const request = {
        operation,
        relativePath,
        body: wire,
        mount,
        caller,
        remoteAddress: "127.0.0.1",
        wrapSeconds: 0,
        clientCertificates: undefined,
        coercion,
      };
      const reply = await dispatch(backend, request);
      if (reply === undefined) return { status: operation === "read" ? 404 : 204 };
      return { status: 200, data: reply.data ?? null, warnings: reply.warnings ?? [] };
    } catch (error) {
      if (error instanceof Refusal) return { status: error.status, error: error.message };
      if (error instanceof Failure) return { status: error.status, error: multierrorText([error.message]) };
      throw error;
    }
  }

  return {
    identity,
    storage,
    read: (path: string) => call("read", path),
    write: (path: string, body?: unknown) => call("update", path, body),
    remove: (path: string) => call("delete", path),
    list: (path: string) => call("list", `${path}/`),
    /** Root credentials that the cloud will adopt. */
    configure: () => call("update", "config/root", { access_key: "AKIAFIRST", secret_key: "first-secret" }),
  };
}

/** A 500 that carries one bare error. */
export const wrapped = (text: string) => `1 error occurred:\n\t* ${text}\n\n`;

/** The error with the cloud's request id taken out, which is another each time. */
export const withoutRequestId = ({ error, ...answer }: Answer): Answer => ({
  ...answer,
  ...(error === undefined ? {} : { error: error.replace(/request id: [\da-f-]{36}/, "request id: <id>") }),
});
