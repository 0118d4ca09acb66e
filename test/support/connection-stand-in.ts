import type { RequestListener } from "node:http";
import { dialects } from "../../provider/dialects/index.ts";
import { type Connection, openConnection } from "../../provider/engine/connection.ts";
import type { Service, Settings } from "../../provider/engine/settings.ts";
import { serve } from "./loopback-server.ts";

/** A connection to a server of the test's own. */
export interface StandIn {
  readonly connection: Connection;
  readonly origin: string;
  /** What it was asked, such as `GET /v1/sys/auth`. */
  readonly asked: readonly string[];
  /** What was said to the user. */
  readonly log: readonly string[];
}

type DialectName = keyof typeof dialects;

interface StandInOptions extends Partial<Omit<Settings, "token">> {
  readonly token?: string;
}

/** Opens a connection of this API family to a server that does what the listener says. */
export async function standIn(
  dialect: DialectName,
  listener: RequestListener,
  { token, ...over }: StandInOptions = {},
): Promise<StandIn> {
  const [asked, log]: [string[], string[]] = [[], []];
  const { origin } = await serve((incoming, outgoing) => {
    asked.push(`${incoming.method} ${incoming.url}`);
    listener(incoming, outgoing);
  });
  const settings = { ...settingsFor(origin, dialects[dialect].service), ...over };
  const connection = openConnection(settings, dialects[dialect], {
    env: token === undefined ? {} : { STAND_IN_TOKEN: token },
    log: (level, message) => log.push(`${level}: ${message}`),
  });
  return { connection, origin, asked, log };
}

const NO_FILE = { kind: "file", value: undefined, namedBy: "" } as const;

export function settingsFor(origin: string, service: Service): Settings {
  return {
    name: service,
    configKey: `trustplane:${service}`,
    service,
    address: new URL(origin),
    namespace: undefined,
    login: undefined,
    token: { places: [{ variable: "STAND_IN_TOKEN" }], advice: "" },
    tls: { ca: NO_FILE, certificate: NO_FILE, key: NO_FILE, serverName: undefined, serverNameBy: "" },
    headers: { sent: {}, secrets: [] },
    skipVerify: false,
    retries: 0,
    timeoutMs: 20_000,
    offline: false,
    followRedirects: true,
    rebuilt: false,
    takeOver: "always",
  };
}

/** A listener that gives every request the same answer. */
export function always(status: number, body: unknown, headers: Record<string, string> = {}): RequestListener {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return (_, outgoing) => void outgoing.writeHead(status, headers).end(text);
}
