import { readJsonStream } from "../framework/json-reader";
import { ConsulRefusal } from "./consul-refusal";
import { decodeGoStruct, type GoStruct, type GoValue } from "./go-struct";

export const generateTokenRequest = {
  package: "api",
  name: "PeeringGenerateTokenRequest",
  fields: {
    PeerName: "string",
    Partition: "string",
    Meta: "map[string]string",
    ServerExternalAddresses: "[]string",
  },
} as const satisfies GoStruct;

export const establishRequest = {
  package: "api",
  name: "PeeringEstablishRequest",
  fields: { PeerName: "string", PeeringToken: "string", Partition: "string", Meta: "map[string]string" },
} as const satisfies GoStruct;

export const aclPolicyRequest = {
  package: "structs",
  name: "ACLPolicy",
  fields: { Name: "string", Description: "string", Rules: "string" },
} as const satisfies GoStruct;

export const aclTokenRequest = {
  package: "structs",
  name: "ACLToken",
  fields: {
    Description: "string",
    Policies: { elements: { package: "structs", name: "ACLTokenPolicyLink", fields: { Name: "string" } } },
  },
} as const satisfies GoStruct;

/** The body as Consul reads it: a byte order mark counts, which `Request.text` would drop. */
export async function bodyText(request: Request): Promise<string> {
  return Buffer.from(await request.arrayBuffer()).toString("utf8");
}

/**
 * Decodes a body strictly: unknown keys are refused, what follows the first value is not read.
 * @throws ConsulRefusal 400
 */
export function decodeRequestBody<T extends GoStruct>(type: T, body: string, what = "Body"): Exclude<GoValue<T>, null> {
  try {
    return decodeGoStruct(type, readJsonStream(body), { refusesUnknown: true });
  } catch (failure) {
    if (!(failure instanceof Error)) throw failure;
    throw new ConsulRefusal(400, `${what} decoding failed: ${failure.message}`);
  }
}
