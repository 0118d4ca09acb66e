// Sends so many requests over so many kept connections, and prints how many a second were answered.
import { Agent, request } from "node:http";

/** What to send. */
export interface Load {
  readonly requests: number;
  readonly connections: number;
  /** Each request takes the next one, over and over. */
  readonly urls: readonly string[];
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Any other answer is a failure. */
  readonly status: number;
}

/** What came of it. */
export interface LoadResult {
  readonly perSecond: number;
}

// Its own caller wrote the argument.
const load = JSON.parse(process.argv[2] ?? "") as Load;
const agent = new Agent({ keepAlive: true, maxSockets: load.connections });

await sendAll(Math.ceil(load.requests / 10));
const startedAt = performance.now();
await sendAll(load.requests);
const result: LoadResult = { perSecond: (1000 * load.requests) / (performance.now() - startedAt) };
process.stdout.write(JSON.stringify(result));
agent.destroy();

async function sendAll(count: number): Promise<void> {
  let sent = 0;
  const lane = async () => {
    while (sent < count) {
      const url = load.urls[sent % load.urls.length] ?? "";
      sent += 1;
      await send(url);
    }
  };
  await Promise.all(Array.from({ length: load.connections }, lane));
}

function send(url: string): Promise<void> {
  const { method, headers, body, status } = load;
  return new Promise((resolve, reject) => {
    const sending = request(url, { agent, method, headers }, (response) => {
      if (response.statusCode !== status) reject(new Error(`${method} ${url}: ${response.statusCode}`));
      response.resume().on("end", resolve);
    });
    sending.on("error", reject).end(body);
  });
}
