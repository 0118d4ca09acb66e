import { expect } from "vitest";
import type { Running } from "../../server/serve";
import { mediaType, vars } from "./policy-harness";

/** What a model knows of a server: what was put there, by name. */
export interface Model {
  /** In front of every name, so that several models can share a server. */
  readonly prefix: string;
  /** Mounts by path, each with the subjects of its roles. */
  readonly mounts: Map<string, Map<string, string>>;
  /** Peerings with their metadata. */
  readonly peers: Map<string, string>;
  /** Parameters by key; a sensitive one is never told. */
  readonly parameters: Map<string, Parameter>;
}

export interface Parameter {
  readonly id: string;
  readonly value: string;
  readonly sensitive: boolean;
}

export interface World {
  readonly model: Model;
  readonly server: Running;
}

export function emptyModel(prefix = ""): Model {
  return { prefix, mounts: new Map(), peers: new Map(), parameters: new Map() };
}

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the test compares what it finds in it
  readonly json: any;
}

export async function askVault(server: Running, line: string, body?: unknown): Promise<Answer> {
  const headers = { "x-vault-token": server.secrets.token };
  return ask(`${server.secrets.address}/v1/`, { line, headers, body });
}

export async function askConsul(server: Running, line: string, body?: unknown): Promise<Answer> {
  const headers = { "x-consul-token": server.cluster.token };
  return ask(`${server.cluster.address}/v1/`, { line, headers, body });
}

/** About the parameters of the set that exists from the start. */
export async function askPolicy(server: Running, line: string, attributes?: object): Promise<Answer> {
  const headers = { authorization: `Bearer ${server.policy.token}`, "content-type": mediaType };
  const body = attributes === undefined ? undefined : vars({ ...attributes });
  return ask(`${server.policy.address}/api/v2/policy-sets/${server.policy.policySet}/`, { line, headers, body });
}

interface Asking {
  readonly line: string;
  readonly headers: Record<string, string>;
  readonly body: unknown;
}

async function ask(base: string, { line, headers, body }: Asking): Promise<Answer> {
  const [method = "", path = ""] = line.split(" ");
  const init: RequestInit = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  const response = await fetch(base + path, init);
  const text = await response.text();
  expect(response.status).toBeLessThan(500);
  return { status: response.status, json: /^[{["]/.test(text) ? JSON.parse(text) : text };
}
