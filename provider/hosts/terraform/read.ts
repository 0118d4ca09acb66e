import { ProviderError } from "../../core/errors";
import { valuesFromId } from "../../core/look-up";
import { isRecord } from "../../core/unknowns";
import { type Host, recordOf, type Said, tableOf } from "./call";
import { identityOf, idFrom } from "./identity";
import { bytesOf, damagedState, type Kept, keptIn } from "./kept";
import { attributeName } from "./names";
import type { Request } from "./protocol";
import { recordedIn, withoutSecrets } from "./recorded";
import { type State, stateOf } from "./state";
import {
  type Attribute,
  FINGERPRINTS_ATTRIBUTE,
  ID_ATTRIBUTE,
  INCOMPLETE_ATTRIBUTE,
  type ResourceTable,
} from "./table";
import { timeLimitOf } from "./timeouts";
import { messageOf, type RawRecord, type ValueType } from "./value";

/** What the server has now. No record is answered only where there really is none. */
export async function readResource(host: Host, request: Request): Promise<Said<object>> {
  const table = tableOf(host, request);
  const current = recordOf(request.currentState);
  if (current === undefined) return { answer: { newState: messageOf(undefined) } };
  const kept = keptIn(request.private);
  const id = String(current[ID_ATTRIBUTE] ?? "");
  const { session } = host;
  const found = await session.within(
    (limits) =>
      session
        .engine()
        .read(table.definition, id, recordedIn(table, current, kept), { ...limits, showsOnlyWarnings: true }),
    timeLimitOf(current, "read"),
  );
  // The state of another provider does not say which server its record is on.
  if (found === undefined && kept.isMoved) {
    const hint = "Check that this provider is configured for the server that has it";
    throw new ProviderError("ApiError", `there is no ${id}, which was to be moved here. ${hint}.`, { status: 404 });
  }
  if (found === undefined) return { answer: { newState: messageOf(undefined) } };
  const state = withTaint(stateOf(table, found, { raw: current, kept }), kept);
  const record = session.keepsSecrets ? withSecrets(table, state.record, current) : state.record;
  return { answer: { newState: messageOf(record), private: bytesOf(state.kept) } };
}

/** What a failed creation has left stays marked for the creation that takes it over, whatever the server has by now. */
function withTaint(state: State, { isTainted, incomplete }: Kept): State {
  if (isTainted !== true) return state;
  return {
    record: { ...state.record, [INCOMPLETE_ATTRIBUTE]: true },
    kept: { ...state.kept, isTainted, incomplete: state.kept.incomplete ?? incomplete },
  };
}

/** The secrets that an older CLI has in its state, but for those whose fingerprint says nothing any more. */
function withSecrets({ inputs }: ResourceTable, record: RawRecord, before: RawRecord): RawRecord {
  const [was, is] = [before, record].map((each) => Object(each[FINGERPRINTS_ATTRIBUTE]));
  const isLost = (name: string) => name in was && !(name in is);
  const kept = inputs.filter(({ isWriteOnly, property }) => isWriteOnly && !isLost(attributeName(property)));
  return { ...record, ...Object.fromEntries(kept.map(({ name }) => [name, before[name]])) };
}

/** The record of an id, such as `auth/jwt/role/ci` or, on another connection, `auth/jwt/role/ci?connection=east`. */
export async function importResourceState(host: Host, request: Request): Promise<Said<object>> {
  const table = tableOf(host, request);
  const { session } = host;
  const id = request.id === "" ? idFrom(table, request.identity?.identityData) : request.id;
  const found = await session.within((limits) => session.engine().read(table.definition, id, {}, limits));
  if (found === undefined) throw new ProviderError("ApiError", `there is no ${id}`, { status: 404 });
  const { record, kept } = stateOf(table, found);
  const imported = {
    typeName: table.typeName,
    state: messageOf(record),
    private: bytesOf(kept),
    identity: identityOf(table, record),
  };
  return { answer: { importedResources: [imported] } };
}

/** A state with the attributes of today. There has been one form so far. */
export async function upgradeResourceState(host: Host, request: Request): Promise<Said<object>> {
  const table = tableOf(host, request);
  const json = request.rawState?.json;
  if (!json || json.length === 0 || request.version !== 0) {
    throw new ProviderError(
      "InputError",
      `the state of ${table.typeName} was written by a newer version of trustplane`,
    );
  }
  const state: unknown = JSON.parse(new TextDecoder().decode(json));
  const upgraded = Object.fromEntries(
    allAttributes(table).map((each) => {
      const value = valueIn(state, each);
      if (!isFitting(each.type, value)) {
        throw damagedState(`the state of ${table.typeName} is damaged: ${each.name} has a wrong type`);
      }
      return [each.name, fitted(each.type, value)];
    }),
  );
  // A record that is tainted is planned like one that is new: no other call tells that the state has it.
  if (host.session.isReady()) {
    const values = valuesFromId(
      table.definition,
      String(upgraded[ID_ATTRIBUTE] ?? ""),
      recordedIn(table, upgraded, {}),
    );
    host.session.engine().holds(table.definition, values);
  }
  // An older CLI may have made the state.
  const today = host.session.keepsSecrets ? upgraded : withoutSecrets(table, upgraded);
  return { answer: { upgradedState: { json: Buffer.from(JSON.stringify(today)) } } };
}

function allAttributes({ own, inputs, outputs }: ResourceTable): readonly Attribute[] {
  return [...own, ...inputs, ...outputs];
}

function valueIn(state: unknown, { name }: Attribute): unknown {
  return isRecord(state) ? (state[name] ?? null) : null;
}

/** Whether Terraform can read the value as one of the type. It converts single values into each other. */
function isFitting(type: ValueType, value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (type === "dynamic") return isRecord(value) && "type" in value && "value" in value;
  if (typeof type === "string") return typeof value !== "object";
  const [kind, inside] = type;
  if (kind === "list" || kind === "set") {
    return Array.isArray(value) && value.every((item) => isFitting(inside as ValueType, item));
  }
  if (!isRecord(value)) return false;
  const typeOfMember = (key: string) => (isObject(kind, inside) ? inside[key] : (inside as ValueType));
  return Object.entries(value).every(([key, item]) => {
    const of = typeOfMember(key);
    return of === undefined || isFitting(of, item);
  });
}

/** The value with all members of its type, and no others: each has to be there. */
function fitted(type: ValueType, value: unknown): unknown {
  if (typeof type === "string" || value === null || value === undefined) return value ?? null;
  const [kind, inside] = type;
  // A list, a map and an object have types inside, each as Terraform writes it.
  const of = inside as ValueType;
  if (Array.isArray(value)) return value.map((item) => fitted(of, item));
  if (!isRecord(value)) return value;
  const types = isObject(kind, inside) ? inside : Object.fromEntries(Object.keys(value).map((key) => [key, of]));
  return Object.fromEntries(Object.entries(types).map(([key, type]) => [key, fitted(type, value[key])]));
}

function isObject(kind: string, inside: unknown): inside is Readonly<Record<string, ValueType>> {
  return kind === "object" && isRecord(inside);
}
