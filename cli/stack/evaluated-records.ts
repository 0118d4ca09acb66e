import type { Definition, Values } from "../../provider/core/definition";
import { step } from "../../provider/core/property-path";
import { fill, placeholders } from "../../provider/core/template";
import { hasUnknown } from "../../provider/core/unknowns";
import { rootOf } from "./property-paths";
import { evaluatedValues } from "./resource-changes";
import { holdsSecret, isFromDefaults, partsWhere, shownRecords } from "./shown-records";

/** A record as the rules see it: that of a resource, or one of a set with the defaults under its own settings. */
export interface EvaluatedRecord {
  readonly definition: Definition;
  /** Secrets are replaced by "unknown". */
  readonly values: Values;
  readonly of?: SetMember;
}

/** Of which record of a set. */
export interface SetMember {
  readonly name: string;
  /** The id that a single resource has; undefined while a part of it is not known. */
  readonly id?: string;
  /** The path of a property in the set. */
  pathOf(property: string): string;
  isFromDefaults(property: string): boolean;
}

/** What the rules look at in a resource, and what of it the program keeps secret. */
export interface Evaluated {
  readonly records: readonly EvaluatedRecord[];
  readonly secretByProgram: readonly string[];
  /** What is known after the update only, without what no rule looks at. */
  readonly notKnown: readonly string[];
}

/** A resource as a preview or a state has it. */
export interface Linted extends Evaluated {
  readonly urn: string;
  readonly name: string;
  readonly id?: string;
  /** `jwt.Role`. */
  readonly class: string;
  readonly definition: Definition;
  /** The URN of its provider, where a state has it. */
  readonly provider?: string;
}

const isNotKnown = (value: unknown) => hasUnknown(value) && !holdsSecret(value);

/** No rule looks at where a record is, which a first preview often does not know, nor what is secret by its kind. */
const isEvaluated = ({ id, fields, secrets }: Definition, name: string) =>
  fields[name] !== undefined && secrets[name] === undefined && !placeholders(id).includes(name);

/** Every record of a resource, as a preview or a state has it: secrets are in envelopes, or hidden. */
export function evaluated(definition: Definition, values: Values): Evaluated {
  const { members } = definition;
  if (!members) {
    const { values: seen, secretByProgram } = evaluatedValues(definition, values);
    const notKnown = Object.keys(values).filter((name) => isNotKnown(values[name]) && isEvaluated(definition, name));
    return { records: [{ definition, values: seen }], secretByProgram, notKnown };
  }
  const records = [...shownRecords(definition, members, values)].map(([name, record]): EvaluatedRecord => {
    const seen = evaluatedValues(members.of, record).values;
    const parts = placeholders(members.of.id).map((part) => seen[part]);
    return {
      definition: members.of,
      values: seen,
      of: {
        name,
        ...(hasUnknown(parts) ? {} : { id: fill(members.of.id, seen) }),
        pathOf: (property) => `${members.property}${step(name)}.${property}`,
        isFromDefaults: (property) => isFromDefaults(members, values, [name, rootOf(property)]),
      },
    };
  });
  return {
    records,
    secretByProgram: partsWhere(members, values, holdsSecret),
    notKnown: partsWhere(members, values, isNotKnown),
  };
}
