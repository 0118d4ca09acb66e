import { Agent, createServer, request as forward, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { ServiceName } from "../support/contract-raw.ts";
import { type FaultName, isPerformed, strike } from "./disturbance.ts";
import { type Answer, type Asked, type Lag, type Moment, Replicas } from "./replicas.ts";

/** The two servers: the stack's own one, and another that it must leave alone. */
export type Side = "home" | "away";

export interface SeenRequest {
  readonly side: Side;
  readonly service: ServiceName;
  readonly method: string;
  readonly url: string;
}

/** What happens to the requests of a run. */
export interface Disturbance {
  /** The request that is hit, counted from 1; those that ask which server this is do not count. */
  readonly nth?: number | undefined;
  readonly fault?: FaultName | undefined;
  /** The provider dies at this request: nothing of it is heard of any more. The server has it done where `after`. */
  readonly dies?: "before" | "after" | undefined;
  /** Every question which server this is. */
  readonly health?: FaultName | undefined;
}

/** What passes on all ways of one life. */
export class Traffic implements Moment {
  seen: SeenRequest[] = [];
  /** The request that was hit. */
  struck: SeenRequest | undefined;
  isDead = false;
  #disturbance: Disturbance = {};
  #count = 0;
  /** Says another cluster id from then on: a server that was restored into a new cluster. */
  generation = 0;
  /** Nodes that are behind answer reads; none where it is not set. */
  lag: Lag | undefined;
  run = 0;
  waits = 0;
  staleReads = 0;
  /** Reads that were answered as before a write that is not of the same run: who reads cannot know it. */
  misledAt: string[] = [];

  /** All nodes are waited for: they have seen what was written so far. */
  catchUp(): void {
    this.waits += 1;
  }

  noteStale(run: number, url: string): void {
    this.staleReads += 1;
    if (run !== this.run) this.misledAt.push(url);
  }

  begin(disturbance: Disturbance): void {
    this.run += 1;
    this.seen = [];
    this.struck = undefined;
    this.isDead = false;
    this.#disturbance = disturbance;
    this.#count = 0;
  }

  take(request: SeenRequest): FaultName | "dies before" | "dies after" | undefined {
    const { nth, fault, dies, health } = this.#disturbance;
    if (this.isDead) return "cut before";
    this.seen.push(request);
    if (isProbe(request)) return health;
    this.#count += 1;
    if (this.#count !== nth) return undefined;
    this.struck = request;
    if (dies === undefined) return fault;
    this.isDead = true;
    return `dies ${dies}`;
  }
}

const PROBES = ["/v1/sys/health", "/v1/sys/seal-status", "/v1/connect/ca/roots"];

/** Asks which server it is. */
export function isProbe({ url }: Pick<SeenRequest, "url">): boolean {
  return PROBES.some((path) => url.startsWith(path));
}

/** A proxy before one service. Where it leads can change: a server that was rebuilt has the same address. */
export interface Way {
  readonly address: string;
  readonly replicas: Replicas;
  leadTo(target: string): void;
  close(): Promise<void>;
}

const kept = new Agent({ keepAlive: true });

export async function openWay(side: Side, service: ServiceName, traffic: Traffic): Promise<Way> {
  const sockets = new Set<Socket>();
  let target = "";
  const askTarget = (asked: Asked, body: Buffer) => ask(target, asked, body);
  const replicas = new Replicas(askTarget, traffic, { isVault: service === "secrets" });
  const server = createServer(async (incoming, outgoing) => {
    const body = await bodyOf(incoming);
    const request = { side, service, method: incoming.method ?? "", url: incoming.url ?? "" };
    const taken = traffic.take(request);
    const pass = () => (isProbe(request) ? askTarget(incoming, body) : replicas.pass(incoming, body));
    if (taken === undefined) {
      const answer = await pass();
      return answerWith(outgoing, answer && isProbe(request) ? reborn(answer, traffic.generation) : answer);
    }
    if (taken === "dies after" || (taken !== "dies before" && isPerformed(taken))) await pass();
    if (taken === "dies before" || taken === "dies after") return void outgoing.destroy();
    strike(taken, { service, incoming, body, outgoing });
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A listening TCP server has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  const way: Way = {
    address: `http://127.0.0.1:${port}`,
    replicas,
    leadTo: (next) => {
      target = next;
      replicas.forget();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
  return way;
}

async function bodyOf(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function ask(target: string, { method, url, headers }: Asked, body: Buffer): Promise<Answer | undefined> {
  const { host: _, ...own } = headers;
  return new Promise((resolve) => {
    const options = { method: method ?? "GET", headers: own, agent: kept };
    const onward = forward(new URL(url ?? "/", target), options, async (answer) => {
      resolve({ status: answer.statusCode ?? 502, headers: answer.headers, body: await bodyOf(answer) });
    });
    onward.on("error", () => resolve(undefined));
    onward.end(body);
  });
}

function answerWith(outgoing: ServerResponse, answer: Answer | undefined): void {
  if (answer === undefined) return void outgoing.destroy();
  const { "transfer-encoding": _, ...headers } = answer.headers;
  outgoing.writeHead(answer.status, { ...headers, "content-length": answer.body.length });
  outgoing.end(answer.body);
}

function reborn(answer: Answer, generation: number): Answer {
  if (generation === 0) return answer;
  const text = answer.body
    .toString()
    .replace(/("cluster_id":"|"TrustDomain":")([0-9a-f]{8})/g, `$1${marked(generation)}`);
  return { ...answer, body: Buffer.from(text) };
}

function marked(generation: number): string {
  return generation.toString(16).padStart(8, "0");
}
