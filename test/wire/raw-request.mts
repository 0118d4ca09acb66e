import { Agent } from "undici";

export interface RawRequest {
  readonly method: string;
  readonly address: string;
  /** Sent as it is: nothing is resolved or encoded. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Refused reads of a peering take a Consul agent up to 14 s. */
const agent = new Agent({ keepAliveTimeout: 1, headersTimeout: 60_000, bodyTimeout: 60_000 });

/** Sends one request with any verb, also LIST, and follows no redirect. */
export async function rawRequest({ method, address, path, headers, body }: RawRequest): Promise<RawAnswer> {
  const answer = await agent.request({
    origin: address,
    path,
    // The type names the usual verbs only.
    method: method as "GET",
    headers: { ...headers },
    ...(body === undefined ? {} : { body }),
  });
  const text = await answer.body.text();
  const pairs = Object.entries(answer.headers).map(([name, value]) => [name, [value ?? ""].flat().join(", ")]);
  return { status: answer.statusCode, headers: Object.fromEntries(pairs), text };
}
