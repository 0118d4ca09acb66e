import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { createPolicyService } from "../../server/policy/policy-service";

export const set = "polset-demo000000000001";
export const other = "polset-demo000000000002";
export const parameters = `/api/v2/policy-sets/${set}/parameters`;
export const mediaType = "application/vnd.api+json";

interface Call {
  readonly body?: unknown;
  readonly headers?: Record<string, string | null>;
}

/** A policy service of its own, and a way to call it as its owner. */
export function setUp(options: Partial<Parameters<typeof createPolicyService>[0]> = {}) {
  const token = randomUUID();
  const service = createPolicyService({ token, policySet: set, policySets: [other], ...options });
  const call = async (line: string, { body, headers = {} }: Call = {}) => {
    const [method = "", path = ""] = line.split(" ");
    const sent = { authorization: `Bearer ${token}`, "content-type": mediaType, ...headers };
    const init: RequestInit = {
      method,
      headers: Object.entries(sent).filter((entry): entry is [string, string] => entry[1] !== null),
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    };
    const request = new Request(`http://tfe.test${path}`, init);
    const response = await service.fetch(request, { remoteAddress: "127.0.0.1" });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === "" ? undefined : JSON.parse(text) };
  };
  const create = async (attributes: Record<string, unknown>, ps = set) => {
    const answer = await call(`POST /api/v2/policy-sets/${ps}/parameters`, { body: vars(attributes) });
    expect(answer.status).toBe(201);
    return answer.body.data as { id: string; attributes: Record<string, unknown> };
  };
  return { service, call, create };
}

export const vars = (attributes: Record<string, unknown>) => ({ data: { type: "vars", attributes } });
export const param = (attributes: Record<string, unknown> = {}) => ({
  key: "k",
  category: "policy-set",
  ...attributes,
});
export const invalid = (attribute: string, detail: string) => ({
  status: "422",
  title: "invalid attribute",
  detail,
  source: { pointer: `/data/attributes/${attribute}` },
});
export const unauthorized = { errors: [{ status: "401", title: "unauthorized" }] };
export const absent = { errors: [{ status: "404", title: "not found" }] };
