import { connect } from "node:net";
import { afterAll, beforeAll, expect } from "vitest";
import { type Running, type ServeOptions, type ServiceAddress, startServers } from "../../server/serve";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly errors: readonly string[] | undefined;
  readonly data: Readonly<Record<string, unknown>> | null | undefined;
  readonly warnings: readonly string[] | null | undefined;
  readonly auth: Readonly<Record<string, unknown>> | null | undefined;
}

export interface Asking {
  /** `null` sends none; the root token is the default. */
  readonly token?: string | null;
  readonly headers?: Record<string, string>;
}

/** `METHOD path` without `/v1/`; a string body is sent as it is. */
export type Ask = (request: string, body?: unknown, asking?: Asking) => Promise<Answer>;

/** A server for this test file, closed when the file is done. */
export async function startForTests(options: ServeOptions = {}): Promise<Running> {
  const server = await startServers(options);
  afterAll(() => server.close());
  return server;
}

/** A server that runs while the tests of this file, or suite, do, and what asks its Vault. */
export function serving(options: ServeOptions = {}): { readonly server: () => Running; readonly ask: Ask } {
  let running: Running | undefined;
  beforeAll(async () => {
    running = await startForTests(options);
  });
  const server = () => running ?? expect.fail("the server runs only while tests do");
  return { server, ask: (...question) => askSecrets(server())(...question) };
}

export function askSecrets(server: { readonly secrets: ServiceAddress }): Ask {
  return (request, body, asking = {}) => {
    const [method = "", path = ""] = request.split(" ");
    return send(`${server.secrets.address}/v1/${path}`, { method, body, asking, token: server.secrets.token });
  };
}

interface Sending {
  readonly method: string;
  readonly body: unknown;
  readonly asking: Asking;
  readonly token: string;
}

async function send(url: string, { method, body, asking, token }: Sending): Promise<Answer> {
  const given = asking.token === undefined ? token : asking.token;
  const response = await fetch(url, {
    method,
    redirect: "manual",
    headers: { ...(given === null ? {} : { "x-vault-token": given }), ...asking.headers },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const json = text.startsWith("{") ? JSON.parse(text) : {};
  const { errors, data, warnings, auth } = json;
  return { status: response.status, headers: response.headers, text, errors, data, warnings, auth };
}

/** A token with one policy of the given text. */
export async function tokenWith(ask: Ask, policy: string, creation: Record<string, unknown> = {}): Promise<string> {
  const name = `p-${Math.random().toString(36).slice(2)}`;
  await ask(`POST sys/policies/acl/${name}`, { policy });
  const { auth } = await ask("POST auth/token/create", { policies: [name], ...creation });
  return String(auth?.["client_token"]);
}

/** Sends each part once the one before it was answered, over one connection; the answers together. */
export function rawExchange(address: string, parts: readonly string[]): Promise<string> {
  const { hostname, port } = new URL(address);
  const waiting = [...parts];
  return new Promise((resolve, reject) => {
    let received = "";
    const socket = connect(Number(port), hostname, sendNext);
    function sendNext() {
      const part = waiting.shift();
      if (part === undefined) socket.end();
      else socket.write(part);
    }
    socket.on("error", reject);
    socket.on("close", () => resolve(received));
    socket.on("data", (chunk) => {
      received += String(chunk);
      if (received.endsWith("}\n")) sendNext();
    });
  });
}

/** The one error text of an answer. */
export function errorOf({ status, errors }: Answer): [number, string | undefined] {
  return [status, errors?.join(" | ")];
}

export const wrapped = (text: string) => `1 error occurred:\n\t* ${text}\n\n`;
