import type { FoundToken } from "../../../provider/auth/token";
import { dialects } from "../../../provider/dialects";
import type { Answer, Dialect, Question } from "../../../provider/dialects/dialect";
import { type Asker, createSender, NOBODY } from "../../../provider/engine/send-request";
import { openSession, type Session } from "../../../provider/engine/session";
import type { Environment, Settings } from "../../../provider/engine/settings";
import type { ForwardProxy } from "../../../provider/http/proxy";
import { redactor } from "../../../provider/http/redact";
import { addressVariables } from "../../sources/trusted-configuration";
import type { Target } from "./targets";

/** What one inspection knows, and what its checks find out for those after them. */
export interface Inspection {
  readonly target: Target;
  readonly settings: Settings;
  readonly dialect: Dialect;
  readonly env: Environment;
  /** The settings by which a user changes the address. */
  readonly addressSetting: string;
  proxy?: ForwardProxy;
  /** The answer that tells the product, and when it came. */
  probe?: Probe;
  found?: FoundToken;
  /** Finds the token, or logs in; to be ended, which revokes what a login has issued. */
  readonly session: Session;
  /** Asks without a token. */
  asNobody(question: Question): Promise<Answer>;
  /** Asks with the token, in the namespace of the connection or in that which a record names. */
  asToken(question: Question & { readonly members?: unknown }): Promise<Answer>;
  /** Asks about the token, in the namespace that issued it. */
  aboutToken(question: Question): Promise<Answer>;
}

export interface Probe {
  readonly answer: Answer;
  readonly sentAt: number;
  readonly answeredAt: number;
}

/** The longest time for one answer: a person waits for the report. */
const PATIENCE_MS = 20_000;

export function openInspection(target: Target, settings: Settings, env: Environment): Inspection {
  const dialect: Dialect = Object.values<Dialect>(dialects).find(
    ({ service }) => service === target.service,
  ) as Dialect;
  const send = createSender(
    { ...settings, retries: 0, timeoutMs: Math.min(settings.timeoutMs, PATIENCE_MS) },
    dialect,
    { log: () => {} },
  );
  const ask = (question: Question & { readonly members?: unknown }, asker: Asker) =>
    send({ ...question, method: question.method as "GET" | "POST" }, asker);
  const askAs = (question: Question & { readonly members?: unknown }, namespace: string | undefined) => {
    const token = inspection.found?.token;
    return ask(question, { token, namespace, redact: redactor([token, ...settings.headers.secrets]) });
  };
  const inspection: Inspection = {
    target,
    settings,
    dialect,
    env,
    addressSetting: addressSettingOf(target, settings),
    session: openSession(settings, dialect, { env, log: () => {}, send }),
    asNobody: (question) => ask(question, NOBODY),
    asToken: (question) => {
      const { tenant } = question;
      const own = settings.namespace;
      return askAs(question, tenant === undefined ? own : (dialect.tenancy?.within(own, tenant) ?? own));
    },
    aboutToken: (question) =>
      askAs(question, inspection.found?.from === "login" ? inspection.found.namespace : settings.namespace),
  };
  return inspection;
}

function addressSettingOf({ addressFrom, name, service }: Target, { configKey }: Settings): string {
  if (addressFrom !== undefined) return addressFrom;
  const inConfiguration = `\`address\` in ${configKey}`;
  return name === undefined ? `${addressVariables(service).at(-1)} or ${inConfiguration}` : inConfiguration;
}
