import { lacking, type ServerInfo } from "../core/availability";
import { isEmpty, picked } from "../core/canonical";
import type { Checked } from "../core/check";
import { checkResource } from "../core/check-set";
import type { Definition, Parts, Values } from "../core/definition";
import { type Difference, diff, isEdited } from "../core/diff";
import { ProviderError } from "../core/errors";
import type { FunctionDefinition } from "../core/function";
import { addressIn, lookUpProperties, valuesFromId } from "../core/look-up";
import { recordsIn } from "../core/members";
import { isMoving } from "../core/move";
import { withLiveKey } from "../core/rotation";
import { FINGERPRINT_KEY, FINGERPRINTS } from "../core/state-names";
import { fill } from "../core/template";
import { tenantIn } from "../core/tenant";
import { hasUnknown } from "../core/unknowns";
import { dialects } from "../dialects";
import type { Dialect } from "../dialects/dialect";
import { partOf } from "../dialects/needs";
import { assertStays, serverNow, withServer } from "./assert-server";
import { type Connection, type OwnConnection, openConnection, type Surroundings } from "./connection";
import { noteCompared, noteDeclaration, noteDeclared, withDeleted } from "./declared";
import { foreseePlace } from "./foreseen-mount";
import { type Foreseeing, foresee } from "./foreseen-take-over";
import { type ForeseenDifference, NO_UNMANAGED, type Unmanaged, unmanagedOf, withRemovals } from "./foreseen-unmanaged";
import {
  type CallResult,
  callFunction,
  checkCall,
  type FunctionCall,
  type HeldResult,
  holdResult,
} from "./function-call";
import { type HeldRecord, heldIn } from "./held-record";
import * as lifecycle from "./lifecycle";
import { marking } from "./mount-marks";
import { foreseenMisfit } from "./mount-type";
import { noteAnew, notePlace, withPlace } from "./moves";
import { settingsFor } from "./named-settings";
import { doing, type Limits, type Operation, type Recorded, titleOf, type Verbs, warnOf } from "./operation";
import * as pair from "./pair";
import { areWanted, assertReplaceable, noteReplacement } from "./replacement";
import { createRun, type Declarer, type Run } from "./run";
import { noteHeld } from "./run-notes";
import * as set from "./set";
import type { Configuration } from "./settings";
import { unlessSilenced } from "./silence";
import { statePlacesOf } from "./state-places";
import { tenantFailures } from "./tenant-failures";

/** What a host asks of a resource, or of a function. Everything but the checks and `diff` talks to a server. */
export interface Engine {
  /** A run begins: what the one before it has written may be deleted again. */
  startRun(): void;
  /** Refuses a record that another resource of the run declares, where the host says of which resource it asks. */
  check(definition: Definition, news: Values, olds?: Values, declarer?: Declarer): Promise<Checked>;
  diff(definition: Definition, olds: Values, news: Values, limits?: Limits): Promise<ForeseenDifference>;
  /** The server of a resource with these values; undefined for a pair, and where nobody knows. */
  server(definition: Definition, values: Values): Promise<ServerInfo | undefined>;
  /**
   * The records that a resource with these values has on servers; none where a connection is not configured, or where it is
   * not known yet which they are.
   */
  records(definition: Definition, values: Values): readonly HeldRecord[];
  /** The records that are there, and that the creation of an exclusive set would remove. It says so, as `diff` does. */
  unmanaged(definition: Definition, inputs: Values): Promise<Unmanaged>;
  /** Says in a preview what a creation takes over. @throws what the creation is refused with */
  foresee(definition: Definition, inputs: Values, told?: Foreseeing): Promise<void>;
  /** A state has the record with these values: it is no other's. */
  holds(definition: Definition, state: Values): void;
  /** A preview, or a plan, has a resource of these inputs made anew. */
  remakes(definition: Definition, inputs: Values): void;
  create(definition: Definition, inputs: Values, limits?: Limits): Promise<Recorded>;
  /** Undefined where the record is gone. A look-up, which brings no more than the address, fails then. */
  read(definition: Definition, id: string, state: Values, limits?: Limits): Promise<Recorded | undefined>;
  update(definition: Definition, id: string, olds: Values, news: Values, limits?: Limits): Promise<Recorded>;
  delete(definition: Definition, id: string, state: Values, limits?: Limits): Promise<void>;
  /** Refuses arguments as `call` does; nothing is issued by it. */
  checkCall(definition: FunctionDefinition, args: Values, signal?: AbortSignal): Promise<Values>;
  call(definition: FunctionDefinition, args: Values, signal?: AbortSignal): Promise<CallResult>;
  /** A call of a host that gives back all that a call has issued. */
  hold(definition: FunctionDefinition, args: Values, signal?: AbortSignal): Promise<HeldResult>;
  /** A run ends: the tokens of its logins are revoked. */
  end(): Promise<void>;
}

export interface EngineOptions extends Surroundings {
  readonly config: Configuration;
  /** What the engines of one process share. */
  readonly run?: Run;
}

export function createEngine({ config, run = createRun(), ...surroundings }: EngineOptions): Engine {
  const { env, log } = surroundings;
  const connections = new Map<string, OwnConnection>();
  const writing = () => connections.forEach((connection) => void connection.forget());

  /** One guard for all that a record's requests have in common: the server, the login, and the tenant. */
  function connectionFor(definition: Definition | FunctionDefinition, values: Values): Connection {
    const own = ownConnection(definition, values);
    const tenant = tenantIn(definition.dialect, values);
    return tenant === undefined ? own : own.within(tenant);
  }

  function ownConnection(definition: Definition | FunctionDefinition, values: Values): OwnConnection {
    const dialect = dialects[definition.dialect];
    const name = (typeof values["connection"] === "string" && values["connection"]) || undefined;
    const key = `${dialect.service}/${name ?? ""}`;
    const known = connections.get(key);
    if (known) return known;
    const opened = openConnection(settingsFor(definition, values, config, env), dialect, { ...surroundings, writing });
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
    const side = (part: Definition, names: Readonly<Record<string, string>>) =>
      operation(part, partOf(names, values), limits);
    return {
      pair: side(definition, parts.issuerFields),
      parts,
      issuer: side(parts.issuer, parts.issuerFields),
      taker: { ...side(parts.taker, parts.takerFields), isFresh: true },
    };
  }

  /** The lifecycle of one resource: of a single record, a pair or a set. */
  function verbsOf(definition: Definition, values: Values, limits?: Limits): Verbs {
    const { parts, members } = definition;
    if (parts) return pair.verbs(pairOperation(definition, parts, values, limits));
    const one = operation(definition, values, limits);
    return marking(one, members ? set.verbs({ set: one, members }) : lifecycle.verbs(one));
  }

  async function serverOf(definition: Definition, values: Values): Promise<ServerInfo | undefined> {
    if (definition.parts || hasUnknown(values["connection"])) return undefined;
    return connectionFor(definition, values).server();
  }

  async function foreseen(definition: Definition, inputs: Values, told?: Foreseeing): Promise<void> {
    const places = statePlacesOf(definition, inputs).flatMap(({ names }) => Object.keys(names));
    if (hasUnknown(places.map((name) => inputs[name]))) return;
    if (told?.replaces && !areWanted(sidesOf(definition, inputs))) return;
    if (definition.parts) await pair.foresee(pairOperation(definition, definition.parts, inputs, told), inputs, told);
    else await foresee(operation(definition, inputs, told), inputs, told);
  }

  /** The records of a state, each with its connection; none where that is not configured any more. */
  function sidesOf(definition: Definition, state: Values): readonly (readonly [Operation, Values])[] {
    const { members } = definition;
    try {
      if (members) {
        const one = { ...operation(definition, state), definition: members.of };
        return [...recordsIn(definition, members, state).values()].map((record) => [one, record]);
      }
      if (!definition.parts) return [[operation(definition, state), state]];
      return pair.sidesOf(pairOperation(definition, definition.parts, state), state);
    } catch {
      return [];
    }
  }

  /** The changed names of connections and namespaces that lead to the place of the state: the record is the same. */
  async function renamed(definition: Definition, olds: Values, news: Values): Promise<readonly string[]> {
    const found = statePlacesOf(definition, olds).map(async ({ names, server }) => {
      const { tenancy }: Dialect = dialects[definition.dialect];
      const isTold = (own: string | undefined) => own === "connection" || tenancy?.isInIdentity === true;
      const changed = Object.keys(names).filter((name) => isTold(names[name]) && olds[name] !== news[name]);
      const place = partOf(names, news);
      if (isEmpty(server) || changed.length === 0 || hasUnknown(place)) return [];
      const now = await serverNow(connectionFor(definition, place), server);
      return now?.identity === server ? changed : [];
    });
    return (await Promise.all(found)).flat();
  }

  /** The difference of a record at the address that the program says now. */
  async function withAddress(definition: Definition, olds: Values, news: Values, difference: Difference) {
    const { replaces } = difference;
    const look = () => renamed(definition, olds, news);
    const same = replaces.length === 0 ? [] : await doing("updating", { definition }, news, look);
    const left = replaces.filter((name) => !same.includes(name));
    if (left.length > 0) return { ...difference, replaces: left };
    const moved = await withMove(definition, olds, news, { ...difference, replaces: [] });
    return withRemovals(operation(definition, news), { olds, news, difference: moved });
  }

  /** The difference of a record that the server moves, or that is made anew where the server cannot. */
  async function withMove(definition: Definition, olds: Values, news: Values, difference: Difference) {
    const { moves } = definition;
    if (!moves || !isMoving(definition, olds, news) || hasUnknown(news[moves.property])) return difference;
    const server = await serverOf(definition, news);
    if (server && lacking(moves.since, server) !== undefined) return { ...difference, replaces: [moves.property] };
    const [title, from] = [titleOf(definition, news), JSON.stringify(olds[moves.property])];
    log("info", `${title}: the server moves it from ${from}, with what is in it, and ends ${moves.ends}`);
    return difference;
  }

  return {
    startRun: () => run.start(),
    async check(definition, news, olds = {}, declarer) {
      const server = await serverOf(definition, news);
      const checked = checkResource(definition, news, olds, server);
      warnOf(definition, { ...checked, shown: declarer?.shown }, unlessSilenced(log, config, env));
      const settingsOf = (values: Values) => ownConnection(definition, values).settings;
      const failures = [...checked.failures, ...tenantFailures(definition, news, settingsOf, server)];
      if (failures.length === 0) {
        const said = { olds, inputs: withServer(checked.inputs, server), declarer };
        failures.push(...(await noteDeclaration(run, definition, (values) => sidesOf(definition, values), said)));
      }
      if (failures.length === 0 && server)
        failures.push(...(await foreseenMisfit(operation(definition, checked.inputs), olds, checked.inputs)));
      return { ...checked, failures };
    },
    async diff(definition, olds, news, limits) {
      const isNew = await assertStays(definition, { olds, news }, (place) => operation(definition, place));
      const [sides, wanted] = [sidesOf(definition, olds), sidesOf(definition, news)];
      const own = sides[0] && { ...sides[0][0], ...limits, definition };
      const now = withLiveKey(definition.rotation, news, olds);
      const edited = diff(definition, own ? withDeleted(own, olds) : olds, now);
      const placed = own ? await withPlace(own, olds, news, edited) : edited;
      const difference = await withAddress(definition, olds, news, placed);
      noteDeclared(sides, wanted, (values) => isEdited(definition, difference, values));
      if (own) notePlace(own, olds, news, difference);
      if (own && difference.changed.length > 0)
        await (isNew ? foreseen(definition, news) : foreseePlace(own, { olds, news, sides, difference }));
      const assertMade = (limits?: Limits) => foreseen(definition, news, { ...limits, replaces: "before" });
      if (difference.replaces.length > 0) noteReplacement(definition, sides, assertMade);
      noteCompared(run, wanted, difference.changed.length > 0 ? "differs" : "same");
      return difference;
    },
    server: serverOf,
    records: (definition, values) => heldIn(sidesOf(definition, values)),
    async unmanaged(definition, inputs) {
      const { members } = definition;
      if (!members || hasUnknown(inputs["connection"])) return NO_UNMANAGED;
      return unmanagedOf({ set: operation(definition, inputs), members }, { olds: {}, news: inputs });
    },
    foresee: foreseen,
    holds: (definition, state) => sidesOf(definition, state).forEach((side) => void noteHeld(...side)),
    remakes: (definition, inputs) => sidesOf(definition, inputs).forEach(([side]) => void noteAnew(side, inputs)),
    create: (definition, inputs, limits) => verbsOf(definition, inputs, limits).create(inputs),
    async read(definition, id, state, limits) {
      const known = lookUpProperties(definition);
      if (Object.keys(state).some((key) => !known.includes(key)))
        return verbsOf(definition, valuesFromId(definition, id, state), limits).read(id, state);
      const address = addressIn(definition, id);
      const values = { ...address.values, ...state };
      // An id may have the partition.
      const verbs = verbsOf(definition, valuesFromId(definition, address.id, values), limits);
      const found = await verbs.read(address.id, values);
      if (!found) throw new ProviderError("ApiError", `reading ${titleOf(definition, {})}: there is no ${id}.`);
      // It may have been asked for by another name than the server's.
      return { id: fill(definition.id, found.state), state: found.state };
    },
    update: (definition, id, olds, news, limits) => verbsOf(definition, news, limits).update(id, olds, news),
    async delete(definition, id, state, limits) {
      const values = valuesFromId(definition, id, state);
      await assertReplaceable(sidesOf(definition, values), limits);
      await verbsOf(definition, values, limits).remove(id, state);
    },
    checkCall: async (definition, args, signal) => checkCall(callOf(definition, args, signal), args),
    call: async (definition, args, signal) => callFunction(callOf(definition, args, signal), args),
    hold: async (definition, args, signal) => holdResult(callOf(definition, args, signal), args),
    end: async () => void (await Promise.all([...connections.values()].map((connection) => connection.end()))),
  };
}

/** The inputs that a state stands for: exactly what `check` would answer. */
export function inputsOf(definition: Definition, state: Values): Values {
  return picked(state, [...Object.keys(definition.fields), FINGERPRINTS, FINGERPRINT_KEY]);
}
