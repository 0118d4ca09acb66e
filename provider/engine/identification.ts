import type { ServerInfo } from "../core/availability";
import { type Answer, adviceOn, type Dialect, isAboutToken } from "../dialects/dialect";
import { redactor } from "../http/redact";
import { saidIn, withoutQuery } from "./answer";
import type { Log } from "./log";
import type { Settings } from "./settings";
import { unlessAborted } from "./unless-aborted";

/** A server that did not say which one it is, is asked again after this time, and not by every operation. */
const ASKED_AGAIN_AFTER_MS = 5000;

/** What is expected at the address of each kind of server. */
const PRODUCTS = { secrets: "Vault or OpenBao", cluster: "Consul", policy: "HCP Terraform" };

export interface Identification {
  /** Which server this is; asked until it says so. Undefined when it does not. */
  server(signal?: AbortSignal): Promise<ServerInfo | undefined>;
  /** Why `server` does not know it, which is what was answered the last time or that nothing was, and what to do. */
  whyUnknown(): string;
}

type Ask = (path: string) => Promise<Answer>;

/**
 * Finds out which server this is: asked once when it says so, and again by later operations as long as it does not. All
 * namespaces of a server share the answer.
 */
export function createIdentification(settings: Settings, dialect: Dialect, ask: Ask, log: Log) {
  const at = (namespace: string | undefined) => ({ host: settings.address.host, namespace });
  const redact = redactor(settings.headers.secrets);
  const warnOnce = once((text) => log("warning", text));
  let known: Promise<Answer | undefined> | undefined;
  let answeredAt = Number.POSITIVE_INFINITY;
  let reason = "";
  let todo = "";

  /** The answer that tells which server this is. */
  async function identify(paths: readonly string[]): Promise<Answer | undefined> {
    /** What was said, and where. */
    const said = new Map<string, string[]>();
    const note = (words: string, ...where: string[]) => said.set(words, [...(said.get(words) ?? []), ...where]);
    const statuses: number[] = [];
    todo = `Run again; where the server never says so, set \`offline: true\` in ${settings.configKey}.`;
    for (const path of paths) {
      try {
        const answer = await ask(path);
        if (dialect.server(answer, at(undefined))) return answer;
        const hindrance = dialect.hindrance?.(answer);
        const question = { method: "GET", path };
        // A question without a token is not refused for its token.
        const advice = isAboutToken(dialect, question, answer) ? undefined : adviceOn(dialect, question, answer);
        todo = hindrance?.todo ?? advice ?? todo;
        const words = [String(answer.status), saidIn(dialect, answer, redact).join("; ")];
        note(hindrance?.why ?? words.filter(Boolean).join(" "), `GET ${withoutQuery(path)}`);
        statuses.push(answer.status);
      } catch (error) {
        note(error instanceof Error ? error.message : String(error));
        todo = "";
        break; // no answer at all: there is nothing else to ask
      }
    }
    if (statuses.length === paths.length && statuses.every((status) => status === 404))
      todo = `This is not the API of ${PRODUCTS[settings.service]}, or something before it keeps these paths: check the address.`;
    const parts = [...said].map(([words, where]) => (where.length === 0 ? words : `${words} (${where.join(", ")})`));
    reason = parts.join("; ").replace(/\.$/, "");
    warnOnce(`the ${settings.name} server was not checked: ${reason}. ${todo}`.trim());
    return undefined;
  }

  async function serverAt(namespace: string | undefined, signal?: AbortSignal): Promise<ServerInfo | undefined> {
    if (!dialect.probes) return dialect.server(undefined, at(namespace));
    if (settings.offline) {
      const where = `\`offline: true\` in ${settings.configKey}`;
      warnOnce(`nothing verifies which server is at ${settings.address.origin}: ${where} keeps it from being asked`);
      return undefined;
    }
    if (Date.now() - answeredAt >= ASKED_AGAIN_AFTER_MS) known = undefined;
    if (known === undefined) {
      answeredAt = Number.POSITIVE_INFINITY;
      known = identify(dialect.probes);
      known.then((answer) => {
        if (answer === undefined) answeredAt = Date.now();
      });
    }
    const answer = await unlessAborted(known, signal);
    return answer && dialect.server(answer, at(namespace));
  }

  return (namespace: string | undefined): Identification => ({
    server: (signal) => serverAt(namespace, signal),
    whyUnknown: () => `${reason}. ${todo}`.trim(),
  });
}

function once(say: (text: string) => void): (text: string) => void {
  let isSaid = false;
  return (text) => {
    if (!isSaid) say(text);
    isSaid = true;
  };
}
