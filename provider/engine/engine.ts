import type { ServerInfo } from "../core/availability";
import { isEmpty, picked } from "../core/canonical";
import { type Checked, check as checkInputs } from "../core/check";
import type { Definition, Parts, Values } from "../core/definition";
import { type Difference, diff } from "../core/diff";
import { ProviderError } from "../core/errors";
import type { FunctionDefinition } from "../core/function";
import { addressIn, lookUpProperties } from "../core/look-up";
import { withLiveKey } from "../core/rotation";
import { FINGERPRINT_KEY, FINGERPRINTS } from "../core/state-names";
import { fill } from "../core/template";
import { hasUnknown } from "../core/unknowns";
import { dialects } from "../dialects";
import { type Connection, openConnection, type Surroundings } from "./connection";
import { type CallResult, callFunction, checkCall, type FunctionCall } from "./function-call";
import * as lifecycle from "./lifecycle";
import { type Limits, type Operation, type Recorded, type Run, titleOf, warnOf } from "./operation";
import * as pair from "./pair";
import { noteDeclared } from "./run";
import { type Configuration, settingsOf } from "./settings";

/** What a host asks of a resource, or of a function. Everything but the checks and `diff` talks to a server. */
export interface Engine {
  /** A run begins: what the one before it has written may be deleted again. */
  startRun(): void;
  check(definition: Definition, news: Values, olds?: Values): Promise<Checked>;
  diff(definition: Definition, olds: Values, news: Values): Promise<Difference>;
  create(definition: Definition, inputs: Values, limits?: Limits): Promise<Recorded>;
  /** Undefined where the record is gone. A look-up, which brings no more than the address, fails then. */
  read(definition: Definition, id: string, state: Values, limits?: Limits): Promise<Recorded | undefined>;
  update(definition: Definition, id: string, olds: Values, news: Values, limits?: Limits): Promise<Recorded>;
  delete(definition: Definition, id: string, state: Values, limits?: Limits): Promise<void>;
  /** Refuses arguments as `call` does; nothing is issued by it. */
  checkCall(definition: FunctionDefinition, args: Values, signal?: AbortSignal): Promise<Values>;
  call(definition: FunctionDefinition, args: Values, signal?: AbortSignal): Promise<CallResult>;
  /** A run ends: the tokens of its logins are revoked. */
  end(): Promise<void>;
}

export interface EngineOptions extends Surroundings {
  readonly config: Configuration;
}

export function createEngine({ config, ...surroundings }: EngineOptions): Engine {
  const { env, log } = surroundings;
  const connections = new Map<string, Connection>();
  const run: Run = new Map();
  const writing = () => {
    for (const connection of connections.values()) connection.forget();
  };

  function connectionFor(definition: Pick<Definition, "dialect">, values: Values): Connection {
    const dialect = dialects[definition.dialect];
    const name =
      typeof values["connection"] === "string" && values["connection"] !== "" ? values["connection"] : undefined;
    const key = `${dialect.service}/${name ?? ""}`;
    const known = connections.get(key);
    if (known) return known;
    const opened = openConnection(settingsOf(dialect.service, name, config, env), dialect, { ...surroundings, writing });
    connections.set(key, opened);
    return opened;
  }

  const operation = (definition: Definition, values: Values, limits: Limits = {}): Operation => ({
    definition,
    connection: connectionFor(definition, values),
    run,
    log,
    ...limits,
  });

  const callOf = (definition: FunctionDefinition, args: Values, signal?: AbortSignal): FunctionCall => ({
    definition,
    connection: connectionFor(definition, args),
    log,
    signal,
  });

  /** The two operations of a pair, each on the connection that the pair names for it. */
  function pairOperation(definition: Definition, parts: Parts, values: Values, limits?: Limits): pair.PairOperation {
    const side = (part: Definition, names: Readonly<Record<string, string>>) => {
      const [connection = ""] = Object.entries(names).find(([, name]) => name === "connection") ?? [];
      return operation(part, { connection: values[connection] }, limits);
    };
    return {
      pair: side(definition, parts.issuerFields),
      parts,
      issuer: side(parts.issuer, parts.issuerFields),
      taker: { ...side(parts.taker, parts.takerFields), isFresh: true },
    };
  }

  function readRecord(definition: Definition, id: string, state: Values, limits?: Limits) {
    if (definition.parts) return pair.read(pairOperation(definition, definition.parts, state, limits), id, state);
    return lifecycle.read(operation(definition, state, limits), id, state);
  }

  async function serverOf(definition: Definition, values: Values): Promise<ServerInfo | undefined> {
    if (definition.parts || hasUnknown(values["connection"])) return undefined;
    return connectionFor(definition, values).server();
  }

  /** The records of a state, each with its connection; none where that is not configured any more. */
  function sidesOf(definition: Definition, state: Values): readonly (readonly [Operation, Values])[] {
    try {
      if (!definition.parts) return [[operation(definition, state), state]];
      return pair.sidesOf(pairOperation(definition, definition.parts, state), state);
    } catch {
      return [];
    }
  }

  /** The changed connection names that lead to the server of the state: the record is the same. */
  async function renamed(definition: Definition, olds: Values, news: Values): Promise<readonly string[]> {
    const found = pair.connectionsOf(definition, olds).map(async ({ property, server }) => {
      if (isEmpty(server) || olds[property] === news[property] || hasUnknown(news[property])) return [];
      const now = await connectionFor(definition, { connection: news[property] }).server();
      return now?.identity === server ? [property] : [];
    });
    return (await Promise.all(found)).flat();
  }

  return {
    startRun: () => run.clear(),
    async check(definition, news, olds = {}) {
      const checked = checkInputs(definition, news, olds, await serverOf(definition, news));
      warnOf(definition, checked, log);
      return checked;
    },
    async diff(definition, olds, news) {
      // A check sees the inputs of the last run only: what the server has done since is in the state.
      const { changed, replaces } = diff(definition, olds, withLiveKey(definition.rotation, news, olds));
      for (const [side, values] of sidesOf(definition, olds))
        noteDeclared(side, values, { changes: changed.length > 0 });
      if (replaces.length === 0) return { changed, replaces };
      const same = await renamed(definition, olds, news);
      return { changed, replaces: replaces.filter((name) => !same.includes(name)) };
    },
    create(definition, inputs, limits) {
      if (definition.parts) return pair.create(pairOperation(definition, definition.parts, inputs, limits), inputs);
      return lifecycle.create(operation(definition, inputs, limits), inputs);
    },
    async read(definition, id, state, limits) {
      const known = lookUpProperties(definition);
      if (Object.keys(state).some((key) => !known.includes(key))) return readRecord(definition, id, state, limits);
      const address = addressIn(definition, id);
      const found = await readRecord(definition, address.id, { ...address.values, ...state }, limits);
      if (!found) throw new ProviderError("ApiError", `reading ${titleOf(definition, {})}: there is no ${id}.`);
      // It may have been asked for by another name than the server's.
      return { id: fill(definition.id, found.state), state: found.state };
    },
    update(definition, id, olds, news, limits) {
      if (definition.parts) return pair.update(pairOperation(definition, definition.parts, news, limits), olds, news);
      return lifecycle.update(operation(definition, news, limits), id, olds, news);
    },
    delete(definition, id, state, limits) {
      if (definition.parts) return pair.remove(pairOperation(definition, definition.parts, state, limits), state);
      return lifecycle.remove(operation(definition, state, limits), id, state);
    },
    checkCall: async (definition, args, signal) => checkCall(callOf(definition, args, signal), args),
    call: async (definition, args, signal) => callFunction(callOf(definition, args, signal), args),
    async end() {
      await Promise.all([...connections.values()].map((connection) => connection.end()));
    },
  };
}

/** The inputs that a state stands for: exactly what `check` would answer. */
export function inputsOf(definition: Definition, state: Values): Values {
  return picked(state, [...Object.keys(definition.fields), FINGERPRINTS, FINGERPRINT_KEY]);
}
