import { picked } from "../../provider/core/canonical";
import type { Definition, Members, Values } from "../../provider/core/definition";
import { DEFAULTS, recordsIn, settingRows } from "../../provider/core/members";
import { isSealed } from "../../provider/core/secret-envelope";
import { fill } from "../../provider/core/template";
import { isRecord } from "../../provider/core/unknowns";
import { opened } from "./sealed-values";

/** One record of a set of the state, as the state would have a single resource. */
export interface RecordedMember {
  readonly name: string;
  readonly id: string;
  /** Undefined where the program, or the last write or read, did not have it. */
  readonly desired: Values | undefined;
  readonly recorded: Values | undefined;
  readonly secret: ReadonlySet<string>;
  readonly encrypted: ReadonlySet<string>;
  /** Properties that do not come from the defaults. */
  readonly own: ReadonlySet<string>;
}

/** The inputs or the outputs of a set: what of its settings can be read, and what of them is secret. */
interface Half {
  /** The whole set's values, without encrypted parts. */
  readonly values: Values;
  readonly records: ReadonlyMap<string, Settings>;
  readonly defaults: Settings;
}

interface Settings {
  readonly readable: Values;
  readonly names: ReadonlySet<string>;
  readonly secret: ReadonlySet<string>;
  readonly encrypted: ReadonlySet<string>;
}

/** The records of a set, and its properties that hold them. A setting that is encrypted is left out alone: the others can still be compared. */
export function recordedSet(definition: Definition, members: Members, sealedInputs: Values, sealedOutputs: Values) {
  const names = settingRows(definition, members).map(([name]) => name);
  const [ins, outs] = [half(members, names, sealedInputs), half(members, names, sealedOutputs)];
  const [desired, recorded] = [ins, outs].map(({ values }) => recordsIn(definition, members, values));
  const records = [...new Set([...ins.records.keys(), ...outs.records.keys()])].map((name): RecordedMember => {
    const sides = [ins, outs].flatMap(({ records: all, defaults }) => {
      const settings = all.get(name);
      return settings ? [settings, without(defaults, settings.names)] : [];
    });
    const encrypted = new Set(sides.flatMap((side) => [...side.encrypted]));
    const readable = (values: Values | undefined) =>
      values && Object.fromEntries(Object.entries(values).filter(([key]) => !encrypted.has(key)));
    const found = { desired: readable(desired?.get(name)), recorded: readable(recorded?.get(name)) };
    return {
      name,
      id: fill(members.of.id, found.recorded ?? found.desired ?? {}),
      ...found,
      secret: new Set(sides.flatMap((side) => [...side.secret])),
      encrypted,
      own: new Set([ins, outs].flatMap(({ records: all }) => [...(all.get(name)?.names ?? [])])),
    };
  });
  const settings = [DEFAULTS, members.property];
  return { desired: picked(ins.values, settings), recorded: picked(outs.values, settings), records };
}

function half(members: Members, names: readonly string[], values: Values): Half {
  const sealed = values[members.property];
  const isSecret = isSealed(sealed);
  const plain = isSecret ? opened(sealed).value : sealed;
  const entries = Object.entries(isRecord(plain) ? plain : {});
  const records = new Map(entries.map(([name, each]) => [name, settingsIn(each, names, isSecret)]));
  const defaults = settingsIn(values[DEFAULTS], names, false);
  const readable = Object.fromEntries([...records].map(([name, settings]) => [name, settings.readable]));
  const rest = Object.entries(values).map(([name, value]) => [name, opened(value).value]);
  return {
    records,
    defaults,
    values: {
      ...Object.fromEntries(rest),
      [DEFAULTS]: values[DEFAULTS] === undefined ? undefined : defaults.readable,
      [members.property]: isRecord(plain) ? readable : undefined,
    },
  };
}

/** The settings of one record, or the defaults. In an envelope, all of them are secret. */
function settingsIn(value: unknown, all: readonly string[], isSecret: boolean): Settings {
  const whole = isSealed(value) ? opened(value) : undefined;
  const plain = whole ? whole.value : value;
  const parts = Object.entries(isRecord(plain) ? plain : {}).map(([name, each]) => [name, opened(each)] as const);
  const those = (is: (part: { isSecret: boolean; isEncrypted: boolean }) => boolean) =>
    parts.filter(([, part]) => is(part)).map(([name]) => name);
  const encrypted = new Set(whole?.isEncrypted ? all : those((part) => part.isEncrypted));
  return {
    readable: Object.fromEntries(
      parts.filter(([name]) => !encrypted.has(name)).map(([name, part]) => [name, part.value]),
    ),
    names: new Set([...parts.map(([name]) => name), ...encrypted]),
    secret: new Set(whole || isSecret ? all : those((part) => part.isSecret)),
    encrypted,
  };
}

/** The defaults of a record that has settings of these names of its own. */
function without(defaults: Settings, names: ReadonlySet<string>): Settings {
  const left = (all: ReadonlySet<string>) => new Set([...all].filter((name) => !names.has(name)));
  return { ...defaults, secret: left(defaults.secret), encrypted: left(defaults.encrypted) };
}
