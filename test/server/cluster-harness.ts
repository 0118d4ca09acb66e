import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { createClusterService } from "../../server/cluster/cluster-service";

interface Call {
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** `null` sends none. */
  readonly secret?: string | null;
}

/** A cluster of its own, and calls to it with its management token. */
export function setUpCluster(options: Partial<Parameters<typeof createClusterService>[0]> = {}) {
  const token = randomUUID();
  const service = createClusterService({ token, deleteDelayMs: 1, ...options });
  const send = async (line: string, { body, headers = {}, secret = token }: Call = {}) => {
    const [method = "", path = ""] = line.split(" ");
    const init: RequestInit = {
      method,
      headers: { ...(secret === null ? {} : { "x-consul-token": secret }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    };
    return service.fetch(new Request(`http://consul.test${path}`, init), { remoteAddress: "127.0.0.1" });
  };
  const call = async (line: string, options: Call = {}) => {
    const response = await send(line, options);
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const read = async (name: string) => JSON.parse((await call(`GET /v1/peering/${name}`)).text);
  const generate = async (body: Record<string, unknown>) => {
    const answer = await call("POST /v1/peering/token", { body });
    expect(answer.status).toBe(200);
    return String(JSON.parse(answer.text).PeeringToken);
  };
  /** The secret of a token with these rules. */
  const tokenWith = async (Rules: string) => {
    const Name = randomUUID();
    expect((await call("PUT /v1/acl/policy", { body: { Name, Rules } })).status).toBe(200);
    const answer = await call("PUT /v1/acl/token", { body: { Policies: [{ Name }] } });
    return String(JSON.parse(answer.text).SecretID);
  };
  const establish = (PeerName: string, PeeringToken: string, more: Record<string, unknown> = {}) =>
    call("POST /v1/peering/establish", { body: { PeerName, PeeringToken, ...more } });
  return { service, token, tokenWith, send, call, read, generate, establish };
}

export const decode = (peeringToken: string) => JSON.parse(Buffer.from(peeringToken, "base64").toString());
export const encode = (content: unknown) =>
  Buffer.from(typeof content === "string" ? content : JSON.stringify(content)).toString("base64");
export const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
/** The stream status of a peering that has never been connected. */
export const idle = {
  ImportedServices: null,
  ExportedServices: null,
  LastHeartbeat: null,
  LastReceive: null,
  LastSend: null,
};
