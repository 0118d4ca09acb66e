import type { dynamic } from "@pulumi/pulumi";
import { canonicalText } from "../../core/canonical";
import type { Definition, Values } from "../../core/definition";
import { type EditedRecord, editedProperties } from "../../core/diff";
import { isProviderError } from "../../core/errors";
import { withIgnored } from "../../core/ignored";
import { plainText } from "../../core/plain-text";
import { type Sealer, sealerOf } from "../../core/seal";
import { shownFailure } from "../../core/shown-failure";
import { IGNORED_CHANGES } from "../../core/state-names";
import { assertKeysAreRead } from "../../core/unread-key";
import { inputsOf } from "../../engine/engine";
import type { Journal } from "../../engine/journal";
import { callLog, type Log } from "../../engine/log";
import { definitions } from "../../resources";
import { engineFor } from "./engine-for";
import { ignoredIn, PROVIDER, type Props, received, withPaths } from "./property-values";
import { quietError } from "./quiet-error";

export type DefinitionName = keyof typeof definitions;

/** The functions of a dynamic provider, over the engine. */
export interface Host {
  check(olds: Props, news: Props): Promise<dynamic.CheckResult>;
  diff(id: string, olds: Props, news: Props): Promise<dynamic.DiffResult>;
  create(inputs: Props): Promise<dynamic.CreateResult>;
  read(id: string, props: Props): Promise<dynamic.ReadResult>;
  update(id: string, olds: Props, news: Props): Promise<dynamic.UpdateResult>;
  delete(id: string, props: Props): Promise<void>;
}

/** The properties of a call without their envelopes, and what seals the answer. */
interface Exchange {
  readonly says: Values;
  readonly had: Values;
  readonly sealer: Sealer;
  seal(values: Values): Record<string, unknown>;
}

export interface HostConfiguration {
  readonly config: Readonly<Record<string, string | undefined>>;
  /** All keys of this package's name in the stack's configuration. */
  readonly keys?: readonly string[];
  /** What the processes of a command tell each other; that of this process where none is given. */
  readonly journal?: Journal | undefined;
}

export function createHost(name: DefinitionName, { config, keys = [], journal }: HostConfiguration): Host {
  const definition: Definition = definitions[name];
  const engine = engineFor(config, calls.write, journal);

  /** Does the work of a call. Answers and errors leave through the sealer, which knows what was secret on the way in. */
  async function call<T>(says: Props, had: Props, work: (exchange: Exchange) => Promise<T>): Promise<T> {
    const [now, before] = [received(definition, says), received(definition, had)];
    const sealer = sealerOf({ definition, says: now, had: before });
    const seal = (values: Values) => withPaths(definition, values, sealer.seal(values));
    try {
      return await calls.during(sealer.scrub, () => work({ says: now.values, had: before.values, sealer, seal }));
    } catch (error) {
      const quiet = quietError(error, sealer.scrub);
      if (!isProviderError(error) || error.code !== "PartialError" || error.id === undefined) throw quiet;
      // What was written before a failure is recorded; without the provider it could not be used again.
      const properties = { ...seal(error.properties ?? {}), [PROVIDER]: says[PROVIDER] };
      throw Object.assign(quiet, { id: error.id, properties, reasons: [quiet.message] });
    }
  }

  return {
    check: (olds, news) =>
      call(news, olds, async ({ says, had, sealer, seal }) => {
        // Whatever is written has been checked.
        assertKeysAreRead(keys);
        // Pulumi does not tell which resource it is.
        const checked = await engine.check(definition, says, had, { shown: sealer.shown });
        const now = inputsKey(definition, checked.inputs);
        // A preview asks nothing else about a resource that is new.
        if (checked.failures.length === 0 && Object.keys(had).length === 0) {
          await engine.unmanaged(definition, checked.inputs);
          // What is replaced is checked a second time, as if it were new.
          if (!known.has(now)) await engine.foresee(definition, checked.inputs, { isEarly: true });
        }
        unchanged[inputsKey(definition, had) === now ? "add" : "delete"](now);
        if (Object.keys(had).length > 0) known.add(now);
        const failures = checked.failures.map((failure) => shownFailure(definition, checked.inputs, failure, sealer));
        const told = news[IGNORED_CHANGES] === undefined ? {} : { [IGNORED_CHANGES]: news[IGNORED_CHANGES] };
        return { inputs: { ...seal(checked.inputs), ...told }, failures };
      }),
    diff: (_id, olds, news) =>
      call(news, olds, async ({ says: said, had }) => {
        const key = inputsKey(definition, said);
        compared.add(key);
        const ignored = ignoredIn(news);
        const says = withIgnored(definition, said, had, ignored);
        const {
          changed,
          replaces,
          records = [],
        } = await engine.diff(definition, had, says, { ignored, isUnread: true });
        const isReplaced = replaces.length > 0;
        if (isReplaced) await engine.unmanaged(definition, says);
        if (changed.length > 0)
          await engine.foresee(definition, says, {
            isEarly: true,
            ...(isReplaced ? { replaces: "ahead" } : { olds: had }),
          });
        if (changed.length === 0) return { changes: isOfPlugin(olds, news) };
        // Undefined lets the engine show the difference itself, nested; it sees inputs only.
        const inInputs =
          editedProperties(definition, had, says).length > 0 || records.some((one) => isInInputs(definition, one));
        const isSeen = inInputs && !unchanged.has(key);
        return { ...(isSeen ? {} : { changes: true }), replaces: [...replaces], deleteBeforeReplace: true };
      }),
    create: (inputs) =>
      call(inputs, {}, async ({ says, seal }) => {
        const key = inputsKey(definition, says);
        const isAnew = compared.has(key) && !known.has(key) ? true : undefined;
        const { id, state } = await engine.create(definition, says, { isAnew });
        return { id, outs: seal(state) };
      }),
    read: (id, props) =>
      call(props, {}, async ({ says, seal }) => {
        const found = await engine.read(definition, id, says);
        if (!found) return {};
        return { id: found.id, props: seal(found.state), inputs: seal(inputsOf(definition, found.state)) };
      }),
    update: (id, olds, news) =>
      call(news, olds, async ({ says, had, seal }) => {
        // All that such a state lacks is the provider, which Pulumi adds to whatever is answered.
        const lacksProvider = isOfPlugin(olds, news) && isWhole(definition, had);
        if (lacksProvider && (await engine.diff(definition, had, says)).changed.length === 0) {
          // Only Pulumi's engine knows that a write could not be confirmed, and it tells the plugin alone.
          const isThere = (await engine.read(definition, id, had)) !== undefined;
          if (isThere) return { outs: seal({ ...had, ...says }) };
        }
        const { state } = await engine.update(definition, id, had, says, { ignored: ignoredIn(news) });
        return { outs: seal(state) };
      }),
    delete: (id, props) =>
      call(props, {}, ({ says }) => {
        assertKeysAreRead(keys);
        return engine.delete(definition, id, says);
      }),
  };
}

/**
 * Inputs that are those of the last run. A check sees these, and a difference only the state: where that has what the server
 * has, the two are not the same.
 */
const unchanged = new Set<string>();

/**
 * Inputs that were checked beside old ones, and inputs that were compared with a state. A resource that a failed run has
 * deleted to make it anew is compared only: Pulumi checks it as a new one.
 */
const [known, compared] = [new Set<string>(), new Set<string>()];

function inputsKey({ token }: Definition, inputs: Values): string {
  return `${token} ${canonicalText(inputs)}`;
}

/** Pulumi sees neither a record that only the server has, nor one of which it is open what the last run wrote. */
function isInInputs({ members }: Definition, { before, after }: EditedRecord): boolean {
  if (members && before && after) return editedProperties(members.of, before, after).length > 0;
  return after !== undefined || (before !== undefined && Object.keys(before).length > 0);
}

/** The state of a resource that came from the native classes: Pulumi could not read or delete it as it is. */
function isOfPlugin(olds: Props, news: Props): boolean {
  return olds[PROVIDER] === undefined && news[PROVIDER] !== undefined;
}

/** True unless the write of the record was cut off before it was read back. */
function isWhole(definition: Definition, state: Values): boolean {
  return Object.entries(definition.outputs).every(([name, field]) => !field.required || state[name] !== undefined);
}

function log(level: Parameters<Log>[0], message: string): void {
  // A status would stay among the diagnostics.
  if (level === "status") return;
  // The engine shows the standard streams of a dynamic provider among the diagnostics.
  process.stderr.write(`${level}: ${plainText(message)}\n`);
}

const calls = callLog(log);
