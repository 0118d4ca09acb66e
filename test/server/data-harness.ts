import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { type Running, type ServeOptions, startServers } from "../../server/serve";
import { freePorts } from "../../tools/live/free-ports.mts";
import { folderOfTest } from "../support/temporary-folder";

/** A path for a data file that is gone with the test. */
export function newDataFile(): string {
  const folder = folderOfTest();
  return join(folder, "data.db");
}

/** What a process that was killed now would leave: a copy of the files as they are. */
export function killedNow(file: string): string {
  const copy = newDataFile();
  for (const ending of ["", "-wal"]) if (existsSync(file + ending)) cpSync(file + ending, copy + ending);
  return copy;
}

/** A server that can be ended and started again on its data. */
export interface LastingServer {
  readonly file: string;
  /** The one that runs now. */
  running(): Running;
  restart(options?: ServeOptions): Promise<Running>;
  /** Without a new start. */
  end(): Promise<void>;
  /** A request with the token of the service; the path as it is on the wire. It must succeed. */
  ok<T = Record<string, unknown>>(service: ServiceName, request: string, body?: unknown): Promise<T>;
}

export type ServiceName = "secrets" | "cluster" | "policy" | "admin";

export async function startLasting(options: ServeOptions = {}): Promise<LastingServer> {
  const data = newDataFile();
  let server = await startServers({ data, ...options });
  let isRunning = true;
  const end = async () => {
    if (isRunning) await server.close();
    isRunning = false;
  };
  onTestFinished(end);
  return {
    file: data,
    running: () => server,
    end,
    async restart(changed = {}) {
      await end();
      server = await startServers({ data, ...options, ...changed });
      isRunning = true;
      return server;
    },
    async ok<T>(service: ServiceName, request: string, body?: unknown) {
      const { status, text } = await ask(server[service], { service, request, body });
      expect(status, `${request}: ${text}`).toBeLessThan(300);
      // The test knows what it asks for.
      return (text === "" ? {} : JSON.parse(text)) as T;
    },
  };
}

/** Ports for a server that starts again where its peer, or a state, looks for it. */
export async function lastingPorts(): Promise<Record<ServiceName, number>> {
  const [secrets = 0, cluster = 0, policy = 0, admin = 0] = await freePorts(4);
  return { secrets, cluster, policy, admin };
}

interface Asked {
  readonly service: ServiceName;
  readonly request: string;
  readonly body?: unknown;
}

/** One request with the token of its service. */
export async function ask(
  { address, token }: { readonly address: string; readonly token: string },
  { service, request, body }: Asked,
): Promise<{ status: number; text: string }> {
  const [method = "", path = ""] = request.split(" ");
  const answer = await fetch(address + path, {
    method,
    headers: {
      ...credentials[service](token),
      ...(body === undefined ? {} : { "content-type": contentType(service) }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, text: await answer.text() };
}

const credentials: Readonly<Record<ServiceName, (token: string) => Record<string, string>>> = {
  secrets: (token) => ({ "x-vault-token": token }),
  cluster: (token) => ({ "x-consul-token": token }),
  policy: (token) => ({ authorization: `Bearer ${token}`, "content-type": "application/vnd.api+json" }),
  admin: (token) => ({ authorization: `Bearer ${token}` }),
};

function contentType(service: ServiceName): string {
  return service === "policy" ? "application/vnd.api+json" : "application/json";
}

/** As much of an answer of the secrets service as these tests look at. */
export interface Shown {
  readonly auth: { readonly client_token: string };
  readonly lease_id: string;
  readonly data: Readonly<Record<string, never>>;
}

const issuing = '{"Version":"2012-10-17","Statement":[]}';

/** Root credentials, and a role that makes users. */
export async function prepareCloud({ ok }: LastingServer): Promise<void> {
  const { accessKeys } = await ok<{ accessKeys: readonly { accessKeyId: string; secretKey: string }[] }>(
    "admin",
    "POST /cloud/users",
    { name: "root", accessKeys: 1 },
  );
  const [key] = accessKeys;
  await ok("secrets", "POST /v1/cloud/config/root", { access_key: key?.accessKeyId, secret_key: key?.secretKey });
  await ok("secrets", "POST /v1/cloud/roles/maker", { credential_type: "iam_user", policy_document: issuing });
}
