import type { Values } from "../../core/definition";
import { diff } from "../../core/diff";
import { isProviderError, ProviderError } from "../../core/errors";
import { same } from "../../core/field";
import { secretProperties } from "../../core/fingerprint";
import { type IgnoredPath, withIgnored } from "../../core/ignored";
import { INCOMPLETE } from "../../core/state-names";
import { takeOverRow } from "../../core/tenant";
import type { Limits, Recorded } from "../../engine/operation";
import { type Host, recordOf, type Said, tableOf, turnsOf } from "./call";
import { type Diagnostic, errorDiagnostics, failureDiagnostics, warning } from "./diagnostics";
import { bytesOf, type Kept, keptIn } from "./kept";
import { attributeName } from "./names";
import { configured } from "./plan";
import type { Request } from "./protocol";
import { withRecordPrints } from "./record-secrets";
import { misplaced, printsIn, recordedIn, shownName, valuesIn, withOldSecrets } from "./recorded";
import { scrubberOf } from "./secrets-in";
import { appliedState, type State, stateOf } from "./state";
import { FINGERPRINTS_ATTRIBUTE, ID_ATTRIBUTE, INCOMPLETE_ATTRIBUTE, type ResourceTable } from "./table";
import { isTakenOver } from "./take-over";
import { timeLimitOf } from "./timeouts";
import { hasUnknownRaw, isEqual, messageOf, type RawRecord } from "./value";

/** Makes, changes or deletes a record. What a failure leaves goes along with it. */
export async function applyResourceChange(host: Host, request: Request): Promise<Said<object>> {
  const table = tableOf(host, request);
  const [prior, planned] = [recordOf(request.priorState), recordOf(request.plannedState)];
  const kept = keptIn(request.plannedPrivate);
  const before = prior && { prior, id: String(prior[ID_ATTRIBUTE] ?? ""), olds: recordedIn(table, prior, kept) };
  if (planned !== undefined) return written(host, table, { request, planned, before, kept });
  if (before === undefined) return { answer: { newState: messageOf(undefined) } };
  const { session, tables } = host;
  const place = kept.replacedBy;
  if (place !== undefined && isTakenOver(table.definition, before.prior, before.olds, place)) {
    session.leftovers.set(place, { record: before.prior, private: bytesOf({ ...kept, replacedBy: undefined }) });
    return { answer: { newState: messageOf(undefined) } };
  }
  try {
    await session.inTurn(turnsOf(host, table.definition, [before.olds]), () =>
      session.within(
        (limits) =>
          session.engine().delete(table.definition, before.id, before.olds, { ...limits, showsOnlyWarnings: true }),
        timeLimitOf(before.prior, "delete"),
      ),
    );
    return { answer: { newState: messageOf(undefined) } };
  } catch (error) {
    const answer = { newState: messageOf(before.prior), private: request.plannedPrivate };
    return { answer, diagnostics: errorDiagnostics(error, tables.wording) };
  }
}

interface Write {
  readonly request: Request;
  readonly planned: RawRecord;
  readonly before: { readonly prior: RawRecord; readonly id: string; readonly olds: Values } | undefined;
  readonly kept: Kept;
}

async function written(
  host: Host,
  table: ResourceTable,
  { request, planned, before, kept }: Write,
): Promise<Said<object>> {
  const { session, tables } = host;
  const { definition } = table;
  const said = recordOf(request.config) ?? {};
  const config = plannedConfig(table, planned, said);
  const values = valuesIn(table, config);
  const ignored = ignoredIn(table, said, config);
  const scrub = scrubberOf(table, values);
  const wording = (text: string) => scrub(tables.wording(text));
  const unchanged = { newState: messageOf(before?.prior), private: request.plannedPrivate };
  try {
    const checked = await session.engine().check(definition, values, before?.olds, session.declarer);
    const failures = [...misplaced(table, config, values), ...checked.failures];
    if (failures.length > 0) return { answer: unchanged, diagnostics: failureDiagnostics(failures, wording) };
    const inputs = withRecordPrints(definition, checked.inputs, before?.olds);
    assertPlannedSecrets(table, planned, inputs);
    if (before && kept.isStateAlone && !hasUnknownRaw(planned))
      return {
        answer: answerOf({ record: planned, kept: { ...kept, isStateAlone: undefined, removable: undefined } }),
      };
    const olds = before && withOldSecrets(table, before.olds, inputs);
    const write = (limits: Limits) => {
      const told = { ...limits, ignored, removable: kept.removable ?? [] };
      return before && olds
        ? session.engine().update(definition, before.id, olds, inputs, told)
        : session.engine().create(definition, inputs, told);
    };
    const limit = timeLimitOf(planned, before ? "update" : "create");
    const turns = turnsOf(host, definition, olds ? [olds, inputs] : [inputs]);
    const recorded = await session.inTurn(turns, () => session.within(write, limit));
    const wanted = withIgnored(definition, inputs, recorded.state, ignored);
    const diagnostics = storedOtherwise(table, wanted, recorded, wording);
    return { answer: answerOf(appliedState(table, recorded, planned)), diagnostics };
  } catch (error) {
    const diagnostics = errorDiagnostics(error, wording);
    const left = leftBy(error);
    const leftover = before ? undefined : session.leftovers.get(kept.replacedBy ?? "");
    if (left === undefined && leftover) {
      return { answer: { newState: messageOf(leftover.record), private: leftover.private }, diagnostics };
    }
    if (left === undefined) return { answer: unchanged, diagnostics };
    return {
      answer: answerOf(
        unfinished(stateOf(table, left, { raw: withoutUnknown(planned), kept }), left, before === undefined),
      ),
      diagnostics,
    };
  }
}

function answerOf({ record, kept }: State): object {
  return { newState: messageOf(record), private: bytesOf(kept) };
}

/** What a failure has left on the server, to be repaired by the next apply. */
function leftBy(error: unknown): Recorded | undefined {
  if (!isProviderError(error) || error.id === undefined) return undefined;
  return { id: error.id, state: error.properties ?? {} };
}

/** Terraform applies nothing that does not differ. What the engine has to repair it says itself. */
function unfinished({ record, kept }: State, { state }: Recorded, isNew: boolean): State {
  const incomplete = state[INCOMPLETE] ?? false;
  return {
    record: { ...record, [INCOMPLETE_ATTRIBUTE]: true },
    kept: { ...kept, incomplete, ...(isNew ? { isTainted: true } : {}) },
  };
}

/**
 * What the program says, as it was planned: for the apply Terraform reads the program anew, also what `ignore_changes` has it
 * leave as it was. The secrets are in no plan, and a rotated key is planned as the server has it.
 */
function plannedConfig({ definition, inputs }: ResourceTable, planned: RawRecord, config: RawRecord): RawRecord {
  const said = inputs.map((each) => {
    const [given, wanted] = [config[each.name] ?? null, planned[each.name] ?? null];
    // Its words are one to a comparison, so that the plan keeps the prior one.
    const isToTakeOver = Object.hasOwn(takeOverRow, each.property);
    const isRotated = each.property === definition.rotation?.keyId;
    const isOfProgram = each.isWriteOnly || isRotated || isToTakeOver || hasUnknownRaw(wanted);
    const isSame = isEqual({ value: configured({ definition }, each, config) }, { value: wanted });
    return [each.name, isOfProgram || isSame ? given : wanted] as const;
  });
  return { ...config, ...Object.fromEntries(said) };
}

/**
 * What `ignore_changes` has as it was, which the program says otherwise: others may have changed it since the plan. Where they say
 * the same nobody can tell.
 */
function ignoredIn(table: ResourceTable, said: RawRecord, config: RawRecord): IgnoredPath[] {
  const [given, kept] = [valuesIn(table, said), valuesIn(table, config)];
  return table.inputs
    .filter(({ name, property }) => {
      const field = table.definition.fields[property];
      return config[name] !== (said[name] ?? null) && field && !same(field, given[property], kept[property]);
    })
    .map(({ property }) => [property]);
}

function withoutUnknown(planned: RawRecord): RawRecord {
  return Object.fromEntries(Object.entries(planned).filter(([, value]) => !hasUnknownRaw(value)));
}

/** An ephemeral value may be another one now. Terraform plans again and sees it first; another CLI may not. */
function assertPlannedSecrets(table: ResourceTable, planned: RawRecord, inputs: Values): void {
  if (hasUnknownRaw(planned[FINGERPRINTS_ATTRIBUTE])) return;
  const wanted = printsIn(table, planned);
  const now = inputs["fingerprints"] as Values | undefined;
  const names = [...Object.keys(wanted), ...Object.keys(now ?? {})];
  const other = names.find((name) => wanted[name] !== now?.[name]);
  if (other === undefined) return;
  const reason = `${shownName(table.definition, other)} has another value now than in the plan, as an ephemeral value has that is new each time`;
  throw new ProviderError("InputError", `${reason}. Nothing was written. Give it a value that stays the same.`);
}

/** Terraform wants the state to have what was planned, so it is said where the server has something else. */
function storedOtherwise(
  { definition }: ResourceTable,
  inputs: Values,
  { state }: Recorded,
  wording: (text: string) => string,
): Diagnostic[] {
  const hidden = [...secretProperties(definition, inputs), ...definition.writeOnly];
  const others = diff(definition, state, inputs)
    .changed.filter((name) => name in definition.fields && !hidden.includes(name))
    .map(attributeName);
  if (others.length === 0) return [];
  const what = `the server has stored another value of ${others.join(" and ")} than it was sent`;
  return [warning(`${what}. The next plan shows it.`, wording)];
}
