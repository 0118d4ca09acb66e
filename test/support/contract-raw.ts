/** A server's own HTTP API, spoken without any of our client code: for what happens behind the provider's back. */
export interface RawApi {
  /** `call("POST auth/jwt/role/ci", {…})`; throws unless the answer is a success. */
  call(line: string, body?: unknown): Promise<unknown>;
  /** The same, with whatever status. */
  ask(line: string, body?: unknown): Promise<{ readonly status: number; readonly body: unknown }>;
}

/** `peer` is the cluster that `cluster` peers with. */
export const serviceNames = ["secrets", "cluster", "peer", "policy"] as const;
export type ServiceName = (typeof serviceNames)[number];

const prefixes: Readonly<Record<ServiceName, string>> = {
  secrets: "/v1/",
  cluster: "/v1/",
  peer: "/v1/",
  policy: "/api/v2/",
};
const credentials: Readonly<Record<ServiceName, (token: string) => Record<string, string>>> = {
  secrets: (token) => ({ "x-vault-token": token }),
  cluster: (token) => ({ "x-consul-token": token }),
  peer: (token) => ({ "x-consul-token": token }),
  policy: (token) => ({ authorization: `Bearer ${token}`, "content-type": "application/vnd.api+json" }),
};

export function rawApi(service: ServiceName, at: { readonly address: string; readonly token: string }): RawApi {
  const ask: RawApi["ask"] = async (line, body) => {
    const [method = "", path = ""] = line.split(" ");
    const answer = await fetch(at.address + prefixes[service] + path, {
      method,
      headers: credentials[service](at.token),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: jsonOf(text) };
  };
  return {
    ask,
    async call(line, body) {
      const answer = await ask(line, body);
      if (answer.status < 200 || answer.status > 299) {
        throw new Error(`${line}: ${answer.status} ${JSON.stringify(answer.body)}`);
      }
      return answer.body;
    },
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
