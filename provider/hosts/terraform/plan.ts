import { createHash } from "node:crypto";
import { canonicalText, picked } from "../../core/canonical";
import { checkResource } from "../../core/check-set";
import type { Definition, Values } from "../../core/definition";
import { type Difference, diff } from "../../core/diff";
import { same } from "../../core/field";
import { DEFAULTS } from "../../core/members";
import { MAX_DELETES } from "../../core/set-rows";
import { FINGERPRINT_KEY, FINGERPRINTS } from "../../core/state-names";
import { placeholders } from "../../core/template";
import { hasUnknown, isRecord, UNKNOWN } from "../../core/unknowns";
import { withServer } from "../../engine/assert-server";
import type { Foreseeing } from "../../engine/foreseen-take-over";
import { type ForeseenDifference, NO_UNMANAGED } from "../../engine/foreseen-unmanaged";
import { foreseenLoss } from "../../engine/forgotten";
import { titleOf } from "../../engine/operation";
import { someOf } from "../../engine/unmanaged";
import { type Host, recordOf, type Said, tableOf } from "./call";
import { type Diagnostic, failureDiagnostics, pathOf, warning } from "./diagnostics";
import { bytesOf, keptIn } from "./kept";
import { attributeName } from "./names";
import type { Request } from "./protocol";
import { hasUnknownRecordSecret, withRecordPrints } from "./record-secrets";
import {
  misplaced,
  propertyValue,
  recordedIn,
  shownPrints,
  valuesIn,
  withOldSecrets,
  withoutSecrets,
} from "./recorded";
import {
  type Attribute,
  FINGERPRINTS_ATTRIBUTE,
  ID_ATTRIBUTE,
  INCOMPLETE_ATTRIBUTE,
  type ResourceTable,
} from "./table";
import { placeOf } from "./take-over";
import { TIMEOUTS_ATTRIBUTE, wrongTimeouts } from "./timeouts";
import { isEqual, isNullRaw, messageOf, type RawRecord, rawOf, UNKNOWN_RAW } from "./value";

/**
 * What an apply will leave. Terraform's rules: an attribute is planned as configured or, where it means the same, as it
 * was; never in another form. What only the server knows is unknown.
 */
export async function planResourceChange(host: Host, request: Request): Promise<Said<object>> {
  const table = tableOf(host, request);
  const [prior, config] = [recordOf(request.priorState), recordOf(request.config)];
  const { definition } = table;
  const olds = prior && recordedIn(table, prior, keptIn(request.priorPrivate));
  if (config === undefined) {
    if (prior && olds && host.session.isReady()) await noteEffect(host, definition, { prior, olds });
    const loss = olds && foreseenLoss(definition, olds);
    const diagnostics = loss === undefined || loss === "" ? [] : [warning(loss, host.tables.wording)];
    return { answer: { plannedState: messageOf(undefined), plannedPrivate: request.priorPrivate }, diagnostics };
  }
  const values = valuesIn(table, config);
  // Of what a destroy plans of the program, nothing is made: nothing else that wants or has the record refuses it.
  const isDestroy = host.session.isDestroying();
  // The apply checks once more, with what the server can do.
  const isAhead = isDestroy || (prior === undefined && !host.session.isReady());
  const checked = isAhead
    ? checkResource(definition, values)
    : await host.session.engine().check(definition, values, olds, host.session.declarer);
  const failures = [...misplaced(table, config, values), ...wrongTimeouts(config), ...checked.failures];
  if (failures.length > 0) return { answer: {}, diagnostics: failureDiagnostics(failures, host.tables.wording) };
  const shown = host.session.keepsSecrets ? config : withoutSecrets(table, config);
  const inputs = withRecordPrints(definition, checked.inputs, olds);
  if (prior === undefined || olds === undefined) {
    // That of a replacement has been noted with what it replaces.
    const isFirst = !isAhead && request.priorPrivate.length === 0;
    if (!isAhead && !isFirst) host.session.engine().remakes(definition, inputs);
    const { diagnostics, ...removals } = isFirst ? await noteEffect(host, definition, { values, inputs }) : NO_REMOVALS;
    const replacedBy = placeOf(definition, inputs);
    if (!isAhead) await foresee(host, definition, inputs, isFirst ? {} : { replaces: "plan" });
    const plannedState = messageOf(createdRecord(table, shown, inputs));
    // Terraform forgets what was kept of a tainted record. Its deletion then asks whether this is still the server of the plan.
    const server = isAhead ? undefined : (await host.session.engine().server(definition, inputs))?.identity;
    const kept = { server, ...keptIn(request.priorPrivate), ...removals, replacedBy };
    return { answer: { plannedState, plannedPrivate: bytesOf(kept) }, diagnostics };
  }
  const before = withOldSecrets(table, olds, inputs);
  const compared = () => host.session.engine().diff(definition, before, inputs);
  const difference = isDestroy ? diff(definition, before, inputs) : await compared();
  const planned = { prior, olds: before, inputs, difference };
  const { diagnostics, ...removals } = isDestroy ? NO_REMOVALS : await noteEffect(host, definition, planned);
  const hasChanged = difference.changed.length > 0 || prior[INCOMPLETE_ATTRIBUTE] === true;
  if (hasChanged && difference.replaces.length === 0 && !isDestroy)
    await foresee(host, definition, inputs, { olds: before });
  const change = { prior, config: shown, olds: before, inputs, difference, hasChanged };
  const record = changedRecord(table, change);
  const kept = { ...keptIn(request.priorPrivate), ...removals, isStateAlone: hasChanged ? undefined : true };
  const requiresReplace = replacing(table, difference, { planned: record, prior }).map(pathOf);
  return { answer: { plannedState: messageOf(record), plannedPrivate: bytesOf(kept), requiresReplace }, diagnostics };
}

/** Says in the plan what the apply takes over. @throws what it will be refused with */
function foresee({ session }: Host, definition: Definition, inputs: Values, told: Foreseeing): Promise<void> {
  return session.engine().foresee(definition, inputs, { ...told, showsOnlyWarnings: true });
}

/**
 * The attributes that need a new record. Terraform asks that one of them differs, as the id of a new record does; what is
 * write-only is never seen, and counts.
 */
function replacing({ inputs }: ResourceTable, { replaces }: Difference, { planned, prior }: Plans) {
  const names = replaces.map(attributeName);
  const isWriteOnly = inputs.some((each) => each.isWriteOnly && names.includes(each.name));
  const isSeen = isWriteOnly || !isEqual(picked(planned, names), picked(prior, names));
  return names.length === 0 || isSeen ? names : [ID_ATTRIBUTE];
}

interface Plans {
  readonly planned: RawRecord;
  readonly prior: RawRecord;
}

interface Planned {
  /** Undefined for a resource that is new. */
  readonly prior?: RawRecord;
  readonly olds?: Values;
  /** What the program says; undefined for a resource that is deleted. */
  readonly values?: Values;
  readonly inputs?: Values;
  /** Of a resource that the state and the program have. */
  readonly difference?: ForeseenDifference;
}

/**
 * Refuses the plan where this resource and another one have a record, and what they do with it is no common plan. Answers a
 * warning of what it deletes that the program has never named: no plan shows that otherwise.
 */
async function noteEffect({ session, tables }: Host, definition: Definition, planned: Planned): Promise<SetRemovals> {
  const { prior, olds, values, inputs, difference } = planned;
  const engine = session.engine();
  const isReplaced = difference !== undefined && difference.replaces.length > 0;
  const isMade = difference === undefined || isReplaced;
  // What the server gives stays as it is, and may be a part of the id.
  const given = isMade || !olds ? {} : picked(olds, Object.keys(definition.outputs));
  const found = inputs && isMade ? await engine.unmanaged(definition, inputs) : difference?.unmanaged;
  const { names, ids, held, clears } = found ?? NO_UNMANAGED;
  const title = titleOf(definition, inputs ?? {});
  const before = olds ? engine.records(definition, olds) : [];
  const server = inputs && (await engine.server(definition, inputs));
  session.effects.note({
    // What the program says can be long, and secret.
    by: prior ? String(prior[ID_ATTRIBUTE]) : digestOf([definition.token, values]),
    before,
    after: inputs && engine.records(definition, withServer({ ...given, ...inputs }, server)),
    isReplaced,
    isSet: definition.members !== undefined,
    unmanaged: held,
    exclusive: clears && { title, clears },
  });
  if (names.length === 0) return NO_REMOVALS;
  const count = names.length === 1 ? "1 record" : `${names.length} records`;
  const message = `${someOf(ids, MAX_DELETES)}. What is to stay belongs into \`ignore\` of the set, or into the set.`;
  const said = warning(message, tables.wording, `${title}: the apply deletes ${count} that the set does not name`);
  return { diagnostics: [said], removable: names };
}

/** What the plan says of an exclusive set, and what the apply may remove. */
interface SetRemovals {
  readonly diagnostics: readonly Diagnostic[];
  readonly removable?: readonly string[];
}

const NO_REMOVALS: SetRemovals = { diagnostics: [] };

function digestOf(value: unknown): string {
  return createHash("sha256").update(canonicalText(value)).digest("hex");
}

function createdRecord(table: ResourceTable, config: RawRecord, inputs: Values): RawRecord {
  const hasPrints = isRecord(inputs[FINGERPRINTS]) || hasUnknownSecret(table.definition, inputs);
  const known: RawRecord = {
    [ID_ATTRIBUTE]: UNKNOWN_RAW,
    [INCOMPLETE_ATTRIBUTE]: false,
    // Its key is random, and a plan is made twice.
    [FINGERPRINTS_ATTRIBUTE]: hasPrints ? UNKNOWN_RAW : {},
    [TIMEOUTS_ATTRIBUTE]: config[TIMEOUTS_ATTRIBUTE],
  };
  return Object.fromEntries([
    ...table.own.map((each) => [each.name, known[each.name]]),
    ...table.inputs.map((each) => [each.name, configured(table, each, config)]),
    ...table.outputs.map((each) => [each.name, UNKNOWN_RAW]),
  ]);
}

interface Change {
  readonly prior: RawRecord;
  readonly config: RawRecord;
  readonly olds: Values;
  readonly inputs: Values;
  readonly difference: Difference;
  /** Whether there is something to write. */
  readonly hasChanged: boolean;
}

function changedRecord(table: ResourceTable, change: Change): RawRecord {
  const { prior, config, olds, inputs, difference, hasChanged } = change;
  const { definition } = table;
  const isNew = difference.replaces.length > 0;
  const fixed = isNew ? [] : stableOutputs(definition, olds);
  const known: RawRecord = {
    [ID_ATTRIBUTE]: isNew ? UNKNOWN_RAW : prior[ID_ATTRIBUTE],
    [INCOMPLETE_ATTRIBUTE]: false,
    [FINGERPRINTS_ATTRIBUTE]: printsAfter(definition, olds, inputs),
    [TIMEOUTS_ATTRIBUTE]: config[TIMEOUTS_ATTRIBUTE],
  };
  const planned: RawRecord = Object.fromEntries([
    ...table.own.map((each) => [each.name, known[each.name]]),
    ...table.inputs.map((each) => [each.name, inputAfter(table, each, change)]),
    ...table.outputs.map((each) => [
      each.name,
      hasChanged && !fixed.includes(each.property) ? UNKNOWN_RAW : prior[each.name],
    ]),
  ]);
  // Terraform applies nothing whose attributes stay as they are.
  return hasChanged && isEqual(planned, prior) ? { ...planned, [INCOMPLETE_ATTRIBUTE]: UNKNOWN_RAW } : planned;
}

/** The prior value where the program's means the same, else the program's. */
function inputAfter(
  table: ResourceTable,
  each: Attribute,
  { prior, config, olds, inputs, difference }: Change,
): unknown {
  const wanted = configured(table, each, config);
  const was = prior[each.name] ?? null;
  if (isNullRaw(wanted) || isNullRaw(was)) return wanted;
  const field = table.definition.fields[each.property];
  if (!field) return wanted;
  if (isOtherwiseWritten(table.definition, each, { olds, inputs, difference })) return was;
  const written = same(field, propertyValue(each, prior), propertyValue(each, config));
  // What a check rewrites to another property says nothing about this one.
  const isKept = olds[each.property] !== undefined && inputs[each.property] !== undefined;
  return written || (isKept && same(field, olds[each.property], inputs[each.property])) ? was : wanted;
}

/** True for records, or defaults, of a set that make the same records with the other one as it was. */
function isOtherwiseWritten({ members }: Definition, { property }: Attribute, { olds, inputs, difference }: Compared) {
  if (members === undefined || difference.changed.includes(members.property)) return false;
  const { [property]: other } = { [members.property]: DEFAULTS, [DEFAULTS]: members.property };
  return other !== undefined && canonicalText(olds[other]) === canonicalText(inputs[other]);
}

type Compared = Pick<Change, "olds" | "inputs" | "difference">;

export function configured(
  { definition }: Pick<ResourceTable, "definition">,
  each: Attribute,
  config: RawRecord,
): unknown {
  const given = config[each.name] ?? null;
  if (!isNullRaw(given) || !each.isComputed) return given;
  return rawOf(each.type, definition.fields[each.property]?.fallback);
}

function printsAfter(definition: Definition, olds: Values, inputs: Values): unknown {
  if (hasUnknownSecret(definition, inputs)) return UNKNOWN_RAW;
  const prints = inputs[FINGERPRINTS];
  if (!isRecord(prints)) return {};
  if (olds[FINGERPRINT_KEY] === undefined) return UNKNOWN_RAW;
  return shownPrints(definition, prints);
}

function hasUnknownSecret(definition: Definition, inputs: Values): boolean {
  if (hasUnknownRecordSecret(definition, inputs)) return true;
  const { secrets, rotation } = definition;
  const flags = Object.values(secrets).flatMap((rule) =>
    typeof rule === "object" && "flag" in rule ? [rule.flag] : [],
  );
  const names = [...Object.keys(secrets), ...flags, ...(rotation ? [rotation.keyId] : [])];
  return names.some((name) => inputs[name] === UNKNOWN || hasUnknown(inputs[name]));
}

/** Outputs that an update leaves as they are. To repair a record that is broken it may make a new one. */
function stableOutputs({ id, outputs, stable, broken }: Definition, olds: Values): string[] {
  const isBroken = (broken?.(olds) ?? []).length > 0;
  return [...placeholders(id).filter((name) => name in outputs), ...(isBroken ? [] : stable)];
}
