import { afterEach, expect } from "vitest";
import { type Running, type ServeOptions, startServers } from "../../server/serve";
import { type Ask, askSecrets } from "./frame-harness";

const open: Running[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

export interface Envelope {
  readonly status: number;
  readonly lease_id: string;
  readonly lease_duration: number;
  readonly renewable: boolean;
  readonly data: Readonly<Record<string, string | number | null>>;
  readonly warnings: readonly string[] | null;
  readonly errors: readonly string[] | undefined;
}

export const documentText =
  '{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"s3:ListBucket","Resource":"*"}]}';
export const roleArn = "arn:aws:iam::123456789012:role/deployer";

/** A refusal of the engine. */
export const failed = (text: string) => ({ status: 400, errors: [text] });

/** An error of the cloud, as the engine passes it on. */
export const cloudError = (code: string, text: string, status = 400) =>
  `${code}: ${text}\n\tstatus code: ${status}, request id: <id>`;

export interface CloudServer {
  readonly server: Running;
  readonly ask: Ask;
  /** A request and its whole answer; request ids of the cloud read `<id>`. */
  call(request: string, body?: unknown, asking?: Parameters<Ask>[2]): Promise<Envelope>;
  /** A request that must succeed. */
  ok(request: string, body?: unknown): Promise<Envelope>;
  /** One request of the admin interface. */
  admin(request: string, body?: unknown): Promise<{ status: number; body: Record<string, unknown> }>;
  /** Moves the clock, through the admin interface. */
  advance(seconds: number): Promise<void>;
  /** The names of the users that the engine has made. */
  made(): readonly string[];
}

/** A server with root credentials of the user `root`, as programs meet it: all over HTTP. It is closed after the test. */
export async function startCloud(options: ServeOptions = {}): Promise<CloudServer> {
  const server = await startServers(options);
  open.push(server);
  const ask = askSecrets(server);
  const call: CloudServer["call"] = async (request, body, asking) => {
    const { status, text } = await ask(request, body, asking);
    const scrubbed = text.replace(/request id: [\da-f-]{36}/g, "request id: <id>");
    return { status, ...(scrubbed === "" ? {} : JSON.parse(scrubbed)) };
  };
  const ok: CloudServer["ok"] = async (request, body) => {
    const answer = await call(request, body);
    expect(answer, request).toMatchObject({ status: expect.toSatisfy((status) => status < 300) });
    return answer;
  };
  const admin: CloudServer["admin"] = async (request, body) => {
    const [method = "", path = ""] = request.split(" ");
    const answer = await fetch(`${server.admin.address}/${path}`, {
      method,
      headers: { authorization: `Bearer ${server.admin.token}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === "" ? {} : JSON.parse(text) };
  };
  const [key] = server.cloud.addUser("root", { accessKeys: 1 }).accessKeys;
  await ok("POST cloud/config/root", { access_key: key?.accessKeyId, secret_key: key?.secretKey });
  return {
    server,
    ask,
    call,
    ok,
    admin,
    advance: async (seconds) => {
      expect((await admin("POST clock", { advanceSeconds: seconds })).status).toBe(200);
    },
    made: () => server.cloud.users().flatMap(({ name }) => (/^vault-/.test(name) ? [name] : [])),
  };
}
