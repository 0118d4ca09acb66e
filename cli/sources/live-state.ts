import { SERVICE_NAMES, type Service } from "../../provider/core/connection-entry";
import { ProviderError } from "../../provider/core/errors";
import { typeToken } from "../../provider/core/type-token";
import { createEngine, type Engine } from "../../provider/engine/engine";
import { progressOn } from "../io/progress";
import { say, type Terminal } from "../io/terminal";
import type { Entities } from "../stack/entities";
import { notLookedAtText } from "../stack/login-collections";
import type { NamedConnections } from "./connection-flag";
import { DEFAULT } from "./engines";
import { type OtherLogin, type OtherLogins, otherLogins } from "./other-logins";
import { readOnly } from "./read-only";
import { type LiveRecords, readLive } from "./servers/read-servers";
import type { Reader } from "./servers/search";
import { namesService, trustedConfiguration } from "./trusted-configuration";

/** A state or a preview, and what is not in it, in sentences. */
export interface SourceText {
  readonly text: string;
  /** Of servers, what else gives policies there. */
  readonly logins: readonly OtherLogin[];
  /** Of servers, where they were asked for. */
  readonly entities?: Entities | undefined;
  readonly notLookedAt: readonly string[];
}

/** What becomes of logins that no resource of ours stands for. */
export type LoginsRead = "read" | "entities" | "counted" | "none";

const READS = { read: "all", entities: "entities", counted: "none" } as const;

/** Requests at once: those of drift detection. */
const PARALLEL = 16;

/** Policy sets give nobody anything. */
const ASKED: readonly Service[] = SERVICE_NAMES.filter((name) => name !== "policy");

/**
 * What the servers have that the environment and `--connection` name, as the state of a stack that has all of it. They are
 * only read.
 *
 * @throws ConfigError where no server is named; InputError where a record cannot be read, because an answer without it could be wrong.
 */
export async function liveState(
  terminal: Terminal,
  others: LoginsRead,
  named: NamedConnections = new Map(),
): Promise<SourceText> {
  const own = ASKED.filter((name) => namesService(name, process.env) || named.has(name));
  const more = namedServers(named);
  if (own.length + more.length === 0)
    throw new ProviderError(
      "ConfigError",
      "it is not known which servers to read: set VAULT_ADDR or CONSUL_HTTP_ADDR, or give --connection.",
    );
  const { progress, clear } = progressOn(terminal, (done, all) => `read ${done} of ${all} records`);
  const warn = (message: string) => {
    clear();
    say(message, terminal);
  };
  const { env } = process;
  const config = trustedConfiguration(DEFAULT, { env, stack: undefined, named }, warn);
  const engine = createEngine({ config, env, log: (_, message) => warn(message), around: readOnly });
  try {
    const found: object[] = [];
    const beside: OtherLogins[] = [];
    const entities: Entities[] = [];
    const look = async (reader: Reader, services: readonly Service[], connection?: string) => {
      const records = await everything(reader, services, progress);
      found.push(...resourcesOf(records, connection));
      if (others === "none" || !services.includes("secrets")) return;
      const where = connection === undefined ? "" : ` of ${connection}`;
      const there = await otherLogins(reader, records.live, { parallel: PARALLEL, reads: READS[others], where });
      beside.push(there);
      entities.push(entitiesIn(there, connection));
    };
    await look(engine, own);
    for (const { connection, service } of more) await look(at(connection, engine), [service], connection);
    const unseen = beside.flatMap(({ notLookedAt }) => notLookedAt);
    const logins = beside.flatMap((each) => each.logins);
    return {
      text: JSON.stringify({ version: 3, deployment: { resources: found } }),
      logins,
      entities:
        others === "entities"
          ? { known: entities.flatMap(({ known }) => known), unread: entities.flatMap(({ unread }) => unread) }
          : undefined,
      notLookedAt: unseen.map(notLookedAtText),
    };
  } finally {
    clear();
    await engine.end();
  }
}

function entitiesIn({ logins, notLookedAt }: OtherLogins, connection: string | undefined): Entities {
  const own = connection === undefined ? {} : { connection };
  return {
    known: logins
      .flatMap(({ entity }) => entity ?? [])
      .filter(({ policies }) => policies.length > 0)
      .map((entity) => ({ ...entity, ...own })),
    unread: notLookedAt
      .filter(({ isOfEntities }) => isOfEntities)
      .map(({ what, reason = what }) => ({ reason, ...own })),
  };
}

/** The servers beside the services' own ones. */
function namedServers(named: NamedConnections) {
  return [...named].flatMap(([connection, { service }]) => {
    const asked = ASKED.find((name) => name === service);
    if (asked && !isService(connection)) return [{ connection, service: asked }];
    if (isService(connection) && connection !== "policy") return [];
    const reason = [connection, service].includes("policy")
      ? "policy sets give nobody anything, so --live does not read them"
      : `add ${ASKED.map((name) => `service=${name}`).join(" or ")}`;
    throw new ProviderError("ConfigError", `--connection ${connection}: ${reason}.`);
  });
}

const isService = (name: string) => SERVICE_NAMES.some((service) => service === name);

/** The engine, of whose connections only this one is used. */
function at(connection: string, { call, read, server }: Engine): Reader {
  return {
    call: (definition, args, signal) => call(definition, { ...args, connection }, signal),
    read: (definition, id, state, limits) => read(definition, id, { ...state, connection }, limits),
    server: (definition, values) => server(definition, { ...values, connection }),
  };
}

function everything(reader: Reader, services: readonly Service[], progress: (done: number, all: number) => void) {
  const all = { mounts: [], organizations: [], policySets: [], include: [], exclude: [] };
  return readLive(reader, { services, ...all, parallel: PARALLEL, progress });
}

function resourcesOf({ live, unread }: LiveRecords, connection?: string): readonly object[] {
  const [first] = unread;
  if (first !== undefined) {
    const more = unread.length > 1 ? `, and ${unread.length - 1} more` : "";
    const where = connection === undefined ? "" : ` of ${connection}`;
    throw new ProviderError("InputError", `${first.what}${where} cannot be read${more}: ${first.reason}`);
  }
  const own = connection === undefined ? {} : { connection };
  return live.map(({ definition, id, values, state }) => {
    const type = typeToken(definition.token);
    const name = connection === undefined ? id : `${connection}:${id}`;
    const urn = `urn:pulumi:live::servers::${type}::${name}`;
    return { urn, type, custom: true, id, inputs: { ...values, ...own }, outputs: state };
  });
}
