import type { IncomingHttpHeaders } from "node:http";

/** Nodes behind one address that answer reads, of which some have not seen the last write yet. */
export interface Lag {
  /** Of the reads of one path after a write, in turn: whether a node answers that has not seen it. */
  readonly behind: readonly boolean[];
  /** Such a node has not seen the writes before that one either, until it has answered so often. */
  readonly isFar: boolean;
  /**
   * Vault Enterprise and HCP answer a write with its position, and a read that names it is sent on to the active node by one
   * that is not as far. Open source Vault, whose standbys ask the active node, OpenBao and others know no position.
   */
  readonly hasIndex: boolean;
}

/** Every node has seen a write by then, on the model's fast clock; the provider looks for longer. */
const CATCHES_UP_MS = 2_000;

/** The writes of others are of no run. */
export const OF_OTHERS = -1;

export interface Asked {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export type Ask = (asked: Asked, body: Buffer) => Promise<Answer | undefined>;

/** What the nodes need to know of the life that they are in. */
export interface Moment {
  readonly lag: Lag | undefined;
  /** The run that writes and reads now. */
  readonly run: number;
  /** How often all nodes have been waited for. */
  readonly waits: number;
  /** A read was answered as before a write of this run. */
  noteStale(run: number, url: string): void;
}

interface Owed {
  readonly answer: Answer;
  readonly turns: boolean[];
  readonly index: number;
  readonly run: number;
  readonly waits: number;
  readonly until: number;
}

/** The nodes of one service. What they answer before they have seen a write is asked of the server just before it. */
export class Replicas {
  readonly #ask: Ask;
  readonly #moment: Moment;
  readonly #isVault: boolean;
  readonly #read = new Map<string, Asked>();
  readonly #owed = new Map<string, Owed>();
  #index = 0;

  constructor(ask: Ask, moment: Moment, { isVault }: { readonly isVault: boolean }) {
    this.#ask = ask;
    this.#moment = moment;
    this.#isVault = isVault;
  }

  pass(asked: Asked, body: Buffer): Promise<Answer | undefined> {
    if (this.#moment.lag === undefined) return this.#ask(asked, body);
    return asked.method === "GET" ? this.#show(asked) : this.#write(asked, body);
  }

  /** Nodes have not seen yet what is written next. */
  async fallBehind(run: number): Promise<void> {
    const { lag, waits } = this.#moment;
    if (lag === undefined) return;
    const index = ++this.#index;
    const shown = await Promise.all(
      [...this.#read].map(async ([url, asked]) => [url, await this.#ask(asked, NONE)] as const),
    );
    for (const [url, answer] of shown) {
      const isOwed = this.#owed.has(url) && !this.#isPast(url);
      if (answer === undefined || answer.status === 403 || (lag.isFar && isOwed)) continue;
      const until = Date.now() + CATCHES_UP_MS;
      this.#owed.set(url, { answer, turns: [...lag.behind], index, run, waits, until });
    }
  }

  /** Another server is there, which knows nothing of it. */
  forget(): void {
    this.#read.clear();
    this.#owed.clear();
  }

  async #write(asked: Asked, body: Buffer): Promise<Answer | undefined> {
    for (const read of readsOf(asked)) if (!this.#read.has(read.url)) this.#read.set(read.url, read);
    await this.fallBehind(this.#moment.run);
    const answer = await this.#ask(asked, body);
    if (answer === undefined || !this.#hasIndex) return answer;
    return { ...answer, headers: { ...answer.headers, "x-vault-index": textOf(this.#index) } };
  }

  async #show(asked: Asked): Promise<Answer | undefined> {
    const url = asked.url ?? "";
    const now = await this.#ask(asked, NONE);
    // A run that is led elsewhere has another token, which this server refuses.
    if (now?.status === 200 || !this.#read.has(url)) this.#read.set(url, asked);
    const owed = this.#owed.get(url);
    if (now === undefined || ![200, 404].includes(now.status)) return now;
    if (owed === undefined || this.#isPast(url) || this.#isAsked(owed, asked)) return now;
    // A write of something else leaves no trace here.
    if (contentOf(now) === contentOf(owed.answer) || owed.turns.shift() !== true) return now;
    this.#moment.noteStale(owed.run, url);
    return owed.answer;
  }

  #isPast(url: string): boolean {
    const { waits = 0, until = 0, turns = [] } = this.#owed.get(url) ?? {};
    return turns.length === 0 || waits < this.#moment.waits || Date.now() >= until;
  }

  /** The client names this write, and a node that has not seen it asks the active one. */
  #isAsked({ index }: Owed, { headers }: Asked): boolean {
    const position = headers["x-vault-index"];
    return this.#hasIndex && typeof position === "string" && indexIn(position) >= index;
  }

  get #hasIndex(): boolean {
    return this.#isVault && this.#moment.lag?.hasIndex === true;
  }
}

const NONE = Buffer.alloc(0);

/** What shows a record that is written next: it, and the list that it is in, which may be read for the first time. */
function readsOf({ url = "", headers }: Asked) {
  const { "content-length": _, "content-type": __, "transfer-encoding": ___, ...others } = headers;
  const [path = ""] = url.split("?");
  const list = path.slice(0, path.lastIndexOf("/"));
  return [path, list, `${list}?list=true`].map((each) => ({ method: "GET", url: each, headers: others }));
}

/** Source: https://developer.hashicorp.com/vault/docs/enterprise/consistency */
function textOf(index: number): string {
  return Buffer.from(`v1:model:${index}:0:hmac`).toString("base64");
}

function indexIn(position: string): number {
  return Number(Buffer.from(position, "base64").toString().split(":")[2]);
}

/** Each answer of Vault has an id of its own. */
function contentOf({ status, body }: Answer): string {
  return `${status} ${body.toString().replace(/"request_id":"[^"]*"/, "")}`;
}
