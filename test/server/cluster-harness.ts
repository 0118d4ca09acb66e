import { randomUUID } from "node:crypto";
import { connect } from "node:net";
import { expect, onTestFinished } from "vitest";
import { type ClusterServiceOptions, createClusterService } from "../../server/cluster/cluster-service";
import { fetchExchange } from "../../server/http/fetch-exchange";
import { openListener } from "../../server/http/listener";

interface Call {
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** `null` sends none. */
  readonly secret?: string | null;
}

/** Where nobody listens. */
export const nowhere = "127.0.0.1:9";

/** A cluster of its own that nobody can dial, and calls to it with its management token. */
export function setUpCluster(options: Partial<ClusterServiceOptions> = {}) {
  const token = randomUUID();
  const connection = { localAddress: nowhere };
  const exchangePace = { windowMs: 0, pauseMs: 1 };
  const service = createClusterService({ token, deleteDelayMs: 1, exchangePace, ...options });
  const send = async (line: string, { body, headers = {}, secret = token }: Call = {}) => {
    const [method = "", path = ""] = line.split(" ");
    const init: RequestInit = {
      method,
      headers: { ...(secret === null ? {} : { "x-consul-token": secret }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    };
    const sent = { ...connection, method, path: path.replace(/\?.*$/, "") };
    return service.fetch(new Request(`http://consul.test${path}`, init), sent);
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
  return { service, connection, token, tokenWith, send, call, read, generate, establish };
}

export type ClusterUnderTest = Awaited<ReturnType<typeof openCluster>>;

/** A cluster that listens, so that others can dial it, until the test is over or it is closed. */
export async function openCluster(options: Partial<ClusterServiceOptions> = {}) {
  const cluster = setUpCluster({ redialMs: 1, ...options });
  const { service } = cluster;
  const answers = { exchange: fetchExchange(service), tunnel: service.tunnel };
  const listener = await openListener({ service: "cluster", host: "127.0.0.1", port: 0, ...answers });
  cluster.connection.localAddress = new URL(listener.address).host;
  const close = async () => {
    service.close();
    await listener.close();
  };
  onTestFinished(close);
  const stateOf = async (name: string) => (await cluster.read(name)).State;
  return { ...cluster, address: cluster.connection.localAddress, stateOf, close };
}

/** Two clusters: `here` knows the other one as `east` and has issued it a token, with which `there` dials `west`. */
export async function openPair(
  options: { here?: Partial<ClusterServiceOptions>; there?: Partial<ClusterServiceOptions> } = {},
) {
  const here = await openCluster(options.here);
  const there = await openCluster({ datacenter: "dc2", ...options.there });
  return { here, there, token: await here.generate({ PeerName: "east" }) };
}

/** A pair that is peered. */
export async function openPeered(options?: Parameters<typeof openPair>[0]) {
  const pair = await openPair(options);
  expect(await pair.there.establish("west", pair.token)).toMatchObject({ status: 200, text: "{}" });
  await expectStates(pair, "ACTIVE", "ACTIVE");
  return pair;
}

/** Waits until the acceptor and the dialer of a pair read so. */
export async function expectStates(
  { here, there }: { readonly here: ClusterUnderTest; readonly there: ClusterUnderTest },
  ...states: readonly [acceptor: string, dialer: string]
): Promise<void> {
  await expect.poll(async () => [await here.stateOf("east"), await there.stateOf("west")], polling).toEqual(states);
}

/** What happens in the background takes milliseconds. */
export const polling = { interval: 2, timeout: 5000 };

/** What a listener says to these bytes until it closes the connection. */
export function say(address: string, bytes: string): Promise<string> {
  const [host, port] = address.split(":");
  return new Promise((resolve) => {
    let heard = "";
    const socket = connect(Number(port), host, () => socket.write(bytes));
    socket.on("data", (chunk) => {
      heard += String(chunk);
    });
    // A listener that has heard enough closes before everything is written.
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(heard));
  });
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
/** What a record keeps to itself, where there is nothing. */
export const nothingHidden = {
  ManualServerAddresses: [],
  EstablishmentSecret: "",
  PendingStreamSecret: "",
  StreamSecret: "",
};
