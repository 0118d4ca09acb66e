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
  fields: {
    ID: "string",
    Name: "string",
    Description: "string",
    Rules: "string",
    Datacenters: "[]string",
    Hash: "any",
    CreateIndex: "any",
    ModifyIndex: "any",
  },
} as const satisfies GoStruct;

const policyLinks = {
  elements: { package: "structs", name: "ACLTokenPolicyLink", fields: { ID: "string", Name: "string" } },
} as const;
const roleLinks = {
  elements: { package: "structs", name: "ACLTokenRoleLink", fields: { ID: "string", Name: "string" } },
} as const;

export const aclTokenRequest = {
  package: "structs",
  name: "ACLToken",
  fields: {
    AccessorID: "string",
    SecretID: "string",
    Description: "string",
    Policies: policyLinks,
    Roles: roleLinks,
    ServiceIdentities: "any",
    NodeIdentities: "any",
    TemplatedPolicies: "any",
    Local: "any",
    AuthMethod: "string",
    ExpirationTime: "any",
    ExpirationTTL: "any",
    CreateTime: "any",
    Hash: "any",
    CreateIndex: "any",
    ModifyIndex: "any",
  },
} as const satisfies GoStruct;

export const aclRoleRequest = {
  package: "structs",
  name: "ACLRole",
  fields: { Name: "string", Description: "string", Policies: policyLinks },
} as const satisfies GoStruct;

export const authMethodRequest = {
  package: "structs",
  name: "ACLAuthMethod",
  fields: {
    Name: "string",
    Type: "string",
    DisplayName: "string",
    Description: "string",
    MaxTokenTTL: "any",
    TokenLocality: "string",
    Config: "any",
  },
} as const satisfies GoStruct;

export const bindingRuleRequest = {
  package: "structs",
  name: "ACLBindingRule",
  fields: {
    ID: "string",
    Description: "string",
    AuthMethod: "string",
    Selector: "string",
    BindType: "string",
    BindName: "string",
  },
} as const satisfies GoStruct;

export const loginRequest = {
  package: "structs",
  name: "ACLLoginParams",
  fields: { AuthMethod: "string", BearerToken: "string", Meta: "map[string]string" },
} as const satisfies GoStruct;

/** The body as Consul reads it: a byte order mark counts, which `Request.text` would drop. */
export async function bodyText(request: Request): Promise<string> {
  return Buffer.from(await request.arrayBuffer()).toString("utf8");
}

/**
 * Decodes a body strictly: unknown keys are refused, what follows the first value is not read.
 * @throws ConsulRefusal 400
 */
export function decodeRequestBody<T extends GoStruct>(
  type: T,
  body: string,
  problem = "Body decoding failed",
): Exclude<GoValue<T>, null> {
  try {
    return decodeGoStruct(type, readJsonStream(body), { refusesUnknown: true });
  } catch (failure) {
    if (!(failure instanceof Error)) throw failure;
    const isNamespace = failure.message === 'json: unknown field "Namespace"';
    const why = isNamespace ? " - Namespaces are a Consul Enterprise feature" : "";
    throw new ConsulRefusal(400, `${problem}: ${failure.message}${why}`);
  }
}
