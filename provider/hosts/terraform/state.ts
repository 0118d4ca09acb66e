import { picked } from "../../core/canonical";
import type { Values } from "../../core/definition";
import { same } from "../../core/field";
import { secretProperties } from "../../core/fingerprint";
import { FINGERPRINT_KEY, FINGERPRINTS, INCOMPLETE, MOUNT_MARK, SERVER } from "../../core/state-names";
import { isRecord } from "../../core/unknowns";
import type { Recorded } from "../../engine/operation";
import type { Kept } from "./kept";
import { recordPrints, secretSettings, withRecordSecrets } from "./record-secrets";
import { normalised, shownPrints, valuesIn, withoutSecrets } from "./recorded";
import { renamed } from "./shape";
import {
  type Attribute,
  FINGERPRINTS_ATTRIBUTE,
  ID_ATTRIBUTE,
  INCOMPLETE_ATTRIBUTE,
  type ResourceTable,
} from "./table";
import { TIMEOUTS_ATTRIBUTE } from "./timeouts";
import { hasUnknownRaw, isNullRaw, type RawRecord, rawOf } from "./value";

/** A record as Terraform keeps it. */
export interface State {
  readonly record: RawRecord;
  readonly kept: Kept;
}

/** What was there before: its spelling stays where it means what the record has. */
export interface Before {
  readonly raw?: RawRecord | undefined;
  readonly kept?: Kept | undefined;
}

/** What the engine has recorded, as Terraform keeps it. Nothing secret is in it. */
export function stateOf(table: ResourceTable, recorded: Recorded, { raw = {}, kept = {} }: Before = {}): State {
  const { definition, inputs, outputs, own } = table;
  const { id } = recorded;
  const state = withRecordSecrets(definition, recorded.state, () => undefined);
  const hidden = hiddenIn(table, state, kept);
  const spelled = normalised(table, valuesIn(table, withoutSecrets(table, raw)));
  const isSame = ({ property }: Attribute) => {
    const field = definition.fields[property];
    return field === undefined || same(field, spelled[property], state[property]);
  };
  const hasDrifted = inputs.some((each) => !hidden.has(each.property) && !isSame(each));
  const inputOf = (each: Attribute): unknown => {
    if (each.isWriteOnly || hidden.has(each.property)) return null;
    const given = raw[each.name] ?? null;
    // A property in an older form stands for others, and says nothing once one of them has changed.
    const isOlderForm = !isNullRaw(given) && spelled[each.property] === undefined;
    if (isOlderForm ? !hasDrifted : isSame(each) && (!isNullRaw(given) || !each.isComputed)) return given;
    return encoded(each, state[each.property]);
  };
  const prints =
    secretSettings(definition).length > 0
      ? recordPrints(definition, recorded.state)
      : fingerprintsOf(table, { state, kept, hidden });
  const unfinished = state[INCOMPLETE];
  const known: RawRecord = {
    [ID_ATTRIBUTE]: id,
    [INCOMPLETE_ATTRIBUTE]: unfinished !== undefined && unfinished !== false,
    [FINGERPRINTS_ATTRIBUTE]: prints,
    [TIMEOUTS_ATTRIBUTE]: raw[TIMEOUTS_ATTRIBUTE] ?? null,
  };
  const entries = [
    ...own.map((each) => [each.name, known[each.name]] as const),
    ...inputs.map((each) => [each.name, inputOf(each)] as const),
    ...outputs.map((each) => [each.name, encoded(each, state[each.property])] as const),
  ];
  return { record: Object.fromEntries(entries), kept: keptOf(state, hidden) };
}

/** The state after an apply: what was planned, and what was not known then. */
export function appliedState(table: ResourceTable, recorded: Recorded, planned: RawRecord): State {
  const made = stateOf(table, recorded, { raw: planned });
  const entries = Object.entries(made.record).map(([name, value]) => {
    const wanted = planned[name] ?? null;
    return [name, hasUnknownRaw(wanted) ? value : wanted] as const;
  });
  const record = Object.fromEntries(entries);
  const { outputs, definition } = table;
  const other = outputs.filter(
    ({ name, property }) => definition.stable.includes(property) && record[name] !== made.record[name],
  );
  if (other.length === 0) return { record, kept: made.kept };
  const madeAnew = picked(
    recorded.state,
    other.map(({ property }) => property),
  );
  return { record, kept: { ...made.kept, madeAnew } };
}

function encoded({ type, shape }: Attribute, value: unknown): unknown {
  return rawOf(type, renamed(shape, value, "attribute"));
}

/** The properties that are secret under a condition, and are now; each with what of it is not secret. */
function hiddenIn({ definition }: ResourceTable, state: Values, kept: Kept): ReadonlyMap<string, unknown> {
  const secret = secretProperties(definition, state);
  const names = Object.entries(definition.secrets).flatMap(([name, rule]) => {
    const isHidden = secret.includes(name) || (kept.shown !== undefined && name in kept.shown);
    return typeof rule === "object" && isHidden ? [[name, shownPart(state[name], rule)] as const] : [];
  });
  return new Map(names);
}

function shownPart(value: unknown, rule: object): unknown {
  if (!("members" in rule) || !isRecord(value)) return undefined;
  const { members } = rule as { readonly members: readonly string[] };
  return Object.fromEntries(Object.entries(value).filter(([name]) => !members.includes(name)));
}

interface Found {
  readonly state: Values;
  readonly kept: Kept;
  readonly hidden: ReadonlyMap<string, unknown>;
}

/** The fingerprints that still say something: not of a secret beside which something has changed, or that is shown now. */
function fingerprintsOf({ definition }: ResourceTable, { state, kept, hidden }: Found): RawRecord {
  const prints = state[FINGERPRINTS];
  const says = ([name]: [string, unknown]) => {
    const [rule, field] = [definition.secrets[name], definition.fields[name]];
    if (typeof rule !== "object" || !field) return true;
    const before = kept.shown?.[name];
    return hidden.has(name) && (before === undefined || same(field, before as never, hidden.get(name) as never));
  };
  const entries = Object.entries(isRecord(prints) ? prints : {}).filter(says);
  return shownPrints(definition, Object.fromEntries(entries));
}

function keptOf(state: Values, hidden: ReadonlyMap<string, unknown>): Kept {
  const shown = [...hidden].filter(([, value]) => value !== undefined);
  return {
    server: state[SERVER],
    mountMark: state[MOUNT_MARK],
    fingerprintKey: state[FINGERPRINT_KEY],
    ...(Array.isArray(state[INCOMPLETE]) ? { incomplete: state[INCOMPLETE] } : {}),
    ...(shown.length > 0 ? { shown: Object.fromEntries(shown) } : {}),
  };
}
