import { isEmpty } from "../core/canonical";
import { type TakeOver, takeOverSchema } from "../core/connection-entry";
import type { Definition, Values, WireRecord } from "../core/definition";
import { editedProperties } from "../core/diff";
import { ProviderError } from "../core/errors";
import { hiddenProperties, secretProperties } from "../core/fingerprint";
import { stateOf } from "../core/record";
import { removalOf } from "../core/removal";
import { deadCredentials } from "../core/rotation";
import { FINGERPRINTS } from "../core/state-names";
import { EXISTS_ALREADY } from "../core/take-over-words";
import { isRecord } from "../core/unknowns";
import type { Operation } from "./operation";
import { isHeld, leavesOf, recordKeys } from "./run-notes";

/** Whether the record with this state may be taken over; undefined where a state has it, so that nobody is asked. */
export function takeOverOf(operation: Operation, state: Values): TakeOver | undefined {
  if (operation.isOwn || isHeld(operation, state) || isBeside(operation, state)) return undefined;
  return settingOf(operation, state);
}

/** Whether another resource of the stack has the same record: a root key is its configuration's. */
function isBeside(operation: Operation, state: Values): boolean {
  const { beside } = operation.definition.adopt ?? {};
  if (!beside) return false;
  const other = { ...operation, definition: { ...operation.definition, ...beside } };
  const isThere = isHeld(other, state) || operation.run.said.has("stays", recordKeys(other, state));
  return isThere || leavesOf(other, state) === "record";
}

/** What the resource says of taking over, or else its connection. */
export function settingOf({ connection }: Operation, state: Values): TakeOver {
  const own = takeOverSchema.safeParse(state["takeOver"]);
  return own.success ? own.data : connection.settings.takeOver;
}

interface Found {
  readonly record: WireRecord;
  /** The record as a state: what the server does not show is as in `inputs`. */
  readonly live: Values;
  readonly inputs: Values;
  readonly takeOver: TakeOver;
  /** The secrets were issued for this very write: there is nothing to compare. */
  readonly isFresh?: boolean | undefined;
}

/** Refuses to take over what somebody else may have made, but for what was allowed. */
export function assertMayBeTakenOver(definition: Definition, found: Found): void {
  const { record, live, inputs, takeOver, isFresh } = found;
  if (takeOver === "always" || isNobodys(definition, record, inputs)) return;
  const unlike = changesBetween(definition, live, inputs);
  const isInDoubt = takeOver === "same" && unlike.length === 0 && !isFresh;
  const unseen = isInDoubt ? secretsInDoubt(definition, record, inputs) : [];
  if (takeOver === "same" && unlike.length === 0 && unseen.length === 0) return;
  const other = unlike.length > 0 ? ` with other content: ${unlike.join(", ")}` : "";
  const secret = unseen.length > 0 ? `, and no server shows ${unseen.join(" and ")}, so it cannot be compared` : "";
  const never = takeOver === "never" ? ", and `takeOver` is `never`" : "";
  const hasSecret = secretProperties(definition, inputs).some((name) => inputs[name] !== undefined);
  const ways = waysOut(
    unlike.length + unseen.length > 0 || hasSecret ? ["written over", "always"] : ["taken over", "same"],
  );
  throw new ProviderError("InputError", `${EXISTS_ALREADY}${other}${secret}${never}. ${ways}`, { todo: ways });
}

/** What a write of the inputs changes of a record, by property; of what is secret or long the name alone. */
export function changesBetween(definition: Definition, live: Values, inputs: Values): readonly string[] {
  const hidden = [live, inputs].flatMap((values) => hiddenProperties(definition, values));
  return (
    editedProperties(definition, live, inputs)
      // Whose key it is has a rule of its own.
      .filter((name) => name !== definition.rotation?.keyId)
      .map((name) => {
        const texts = [live[name], inputs[name]].map((value) =>
          value === undefined ? "unset" : JSON.stringify(value),
        );
        // A host takes out what the program alone marks as secret: it finds a text as a whole, and not the beginning of one.
        const isShown = texts.every(({ length }) => length <= LONGEST);
        return hidden.includes(name) || definition.secrets[name] !== undefined || !isShown
          ? name
          : `${name} ${texts.join(" → ")}`;
      })
  );
}

/** A rename that the stack does not tell of looks like a record of somebody else. */
export const RENAMED = "If this stack has it under another name, say that in `aliases`.";

/** No more is advised than would be enough. */
const waysOut = ([done, word]: readonly [string, TakeOver]) =>
  `Import it, choose another name, or have it ${done}: set its \`takeOver\` to \`${word}\`, or TRUSTPLANE_TAKE_OVER=${word} for one run. ${RENAMED}`;

/** What says which secrets a write goes over without having seen them, or ends; empty where there are none. */
export function notCompared(definition: Definition, record: WireRecord, inputs: Values): string {
  const live = stateOf(definition, record, {});
  const isAction = definition.update.sends === "nothing";
  const ended = Object.keys(definition.outputs).filter((name) => isAction && !isEmpty(live[name]));
  if (ended.length > 0) return `; this ends its ${ended.map((name) => `${name} ${String(live[name])}`).join(" and ")}`;
  const names = [...unseenSecrets(definition, record, inputs), ...issuedBy(definition)];
  return names.length === 0 ? "" : `; no server shows ${names.join(" and ")}: what is there is written over`;
}

/** The secrets that a write of the inputs sends. No server shows what it has in their place. */
function unseenSecrets(definition: Definition, record: WireRecord, inputs: Values): readonly string[] {
  const { rotation } = definition;
  const dead = rotation
    ? deadCredentials(rotation, stateOf(definition, record, {}), { olds: undefined, news: inputs })
    : [];
  // Terraform's state has no secret, and its fingerprint says that there is one.
  const { [FINGERPRINTS]: taken } = inputs;
  const isSet = (name: string) => inputs[name] !== undefined || (isRecord(taken) && name in taken);
  const names = secretProperties(definition, inputs).filter(isSet);
  return names.filter((name) => !dead.includes(name));
}

/** Those of which nobody has said that they may be written over: another key than the program's has a property for that. */
function secretsInDoubt(definition: Definition, record: WireRecord, inputs: Values): readonly string[] {
  const { rotation } = definition;
  const live = stateOf(definition, record, {});
  const settled = rotation && live[rotation.keyId] !== inputs[rotation.keyId] ? rotation.secret : undefined;
  return [...unseenSecrets(definition, record, inputs).filter((name) => name !== settled), ...issuedBy(definition)];
}

/** What a write issues anew: that ends what was issued before, and whoever was given it cannot use it any more. */
function issuedBy({ update, secretOutputs }: Definition): readonly string[] {
  return update.mints ? secretOutputs : [];
}

/** True for a configuration that cannot be deleted and is as a fresh mount has it. */
export function isNobodys(definition: Definition, record: WireRecord, inputs: Values): boolean {
  // Of an action the record is another resource's.
  if (removalOf(definition, inputs)?.method === "DELETE" || definition.update.sends === "nothing") return false;
  const shown = stateOf(definition, record, {});
  return Object.keys(definition.fields).every((name) => shown[name] === undefined);
}

/** The longest value that a message has room for. */
const LONGEST = 60;
