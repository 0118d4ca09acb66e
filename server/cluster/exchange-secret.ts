import type { Duplex } from "node:stream";
import { goQuoted } from "../framework/go-quoted";
import { ConsulRefusal } from "./consul-refusal";
import { DialFailure, type Dialling, openTunnel } from "./open-tunnel";
import { pause } from "./pause";
import { firstMessage, messagesFrom, sendMessage } from "./peer-messages";

/** How long a dialer tries to exchange a secret, and how often. */
export interface ExchangePace {
  readonly windowMs: number;
  readonly pauseMs: number;
}

export interface SecretExchange extends Omit<Dialling, "address"> {
  readonly addresses: readonly string[];
  readonly peerId: string;
  readonly establishmentSecret: string;
  readonly pace: ExchangePace;
}

/**
 * Exchanges the secret of a token for the secret of a stream, at the token's addresses in turn.
 * @throws ConsulRefusal 403 when the other cluster refuses the secret; 503 when it cannot be reached, with every failure.
 */
export async function exchangeSecret({ addresses, pace, ...exchange }: SecretExchange): Promise<string> {
  const failures: (Failure & { readonly address: string })[] = [];
  const end = Date.now() + pace.windowMs;
  for (let attempt = 0; ; attempt++) {
    const address = addresses[attempt % addresses.length] ?? "";
    const outcome = await attemptAt({ ...exchange, address });
    if (typeof outcome === "string") return outcome;
    if (outcome.code === "PermissionDenied") {
      throw new ConsulRefusal(403, `a new peering token must be generated: ${outcome.text}`);
    }
    failures.push({ ...outcome, address });
    // A quarter more or less, so that clusters do not dial in step.
    await pause(pace.pauseMs * (0.75 + Math.random() / 2), exchange.signal);
    if (Date.now() >= end || exchange.signal.aborted) break;
  }
  const isUnreachable = failures.every(({ code }) => code === "Unavailable");
  throw new ConsulRefusal(
    isUnreachable ? 503 : 500,
    severalErrors(
      failures.map(
        ({ address, code, text }) =>
          `failed to exchange peering secret through address ${goQuoted(address)}: rpc error: code = ${code} desc = ${text}`,
      ),
    ),
  );
}

type Attempt = Omit<SecretExchange, "addresses" | "pace"> & Dialling;
type Failure = { readonly code: string; readonly text: string };

async function attemptAt(attempt: Attempt): Promise<string | Failure> {
  const unavailable = (text: string): Failure => ({ code: "Unavailable", text });
  let socket: Duplex;
  try {
    socket = await openTunnel(attempt);
  } catch (error) {
    if (!(error instanceof DialFailure)) throw error;
    return unavailable(`connection error: desc = ${error.message}`);
  }
  try {
    const { peerId, establishmentSecret } = attempt;
    sendMessage(socket, { exchange: { peerId, establishmentSecret } });
    const answer = await firstMessage({ socket, messages: messagesFrom(socket) }, attempt.handshakeMs);
    if (answer !== undefined && "exchanged" in answer) return answer.exchanged.streamSecret;
    if (answer !== undefined && "refused" in answer) return answer.refused;
    return unavailable("error reading from server: EOF");
  } catch {
    return unavailable("error reading from server: connection reset by peer");
  } finally {
    socket.destroy();
  }
}

/** As Go's multierror prints them. */
function severalErrors(texts: readonly string[]): string {
  const count = texts.length === 1 ? "1 error" : `${texts.length} errors`;
  return `${count} occurred:\n${texts.map((text) => `\t* ${text}\n`).join("")}\n`;
}
