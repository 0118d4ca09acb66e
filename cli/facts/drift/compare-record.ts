import { randomBytes } from "node:crypto";
import { isEmpty } from "../../../provider/core/canonical";
import type { Definition, Values } from "../../../provider/core/definition";
import { diff } from "../../../provider/core/diff";
import { type Field, same } from "../../../provider/core/field";
import { fingerprint, secretProperties } from "../../../provider/core/fingerprint";
import { FINGERPRINT_KEY, FINGERPRINTS } from "../../../provider/core/state-names";
import { isRecord } from "../../../provider/core/unknowns";
import { resourceChanges } from "../../stack/resource-changes";
import type { RecordedValues } from "../../stack/state";
import type { IgnoredBecause, PropertyDrift, ResourceReport } from "./report";
import { writeOnlyValues } from "./write-only-values";

/** A property that differs, and both values. */
export interface Differing {
  readonly name: string;
  readonly field: Field | undefined;
  readonly expected: unknown;
  readonly actual: unknown;
}

/** What differs between a record of the state and the live one. `ignored` tells why a property does not count. */
export function compareRecord(
  values: RecordedValues,
  definition: Definition,
  live: Values,
  ignored: (differing: Differing) => IgnoredBecause | undefined,
): Pick<ResourceReport, "properties" | "writeOnly"> {
  const { desired, recorded, encrypted } = values;
  const { changed, replaces } = diff(definition, live, desired);
  const broken = definition.broken?.(live) ?? [];
  // A property that is encrypted in this state is not among what is desired. That is no difference.
  const names = [
    ...changed.filter((name) => broken.includes(name) || !encrypted.has(name)),
    ...changedOutputs(definition, recorded, live).filter((name) => !changed.includes(name)),
  ];
  const properties = [...new Set(names)].map((name): PropertyDrift => {
    const because = ignored({
      name,
      field: definition.fields[name] ?? definition.outputs[name],
      expected: (name in definition.fields ? desired : recorded)[name],
      actual: live[name],
    });
    return {
      ...propertyDrift(values, definition, live, name),
      ...(replaces.includes(name) ? { replaces: true as const } : {}),
      ...(because ? { ignored: because } : {}),
    };
  });
  return { properties, writeOnly: writeOnlyValues(values, definition, live) };
}

/** Outputs that the server has changed since: the id of a record that was created again, a rotated key. */
function changedOutputs(definition: Definition, recorded: Values, live: Values): string[] {
  const { outputs, secretOutputs, stable } = definition;
  // What no update changes was recorded with the record, unless the version that did so did not know it.
  const isNewer = (name: string) => stable.includes(name) && isEmpty(recorded[name]);
  return Object.entries(outputs)
    .filter(([name]) => !secretOutputs.includes(name) && !isNewer(name))
    .filter(([name, field]) => !same(field, recorded[name], live[name]))
    .map(([name]) => name);
}

function propertyDrift(values: RecordedValues, definition: Definition, live: Values, name: string): PropertyDrift {
  const { desired, recorded, secret } = values;
  const isInput = name in definition.fields;
  const kind = isInput ? "input" : name in definition.outputs ? "output" : "repair";
  const [expected, actual] = [(isInput ? desired : recorded)[name], live[name]];
  const isSecret = [desired, recorded, live].some((each) => secretProperties(definition, each).includes(name));
  if (isSecret || secret.has(name)) {
    return { property: name, kind, changes: [], secret: true, ...fingerprints(values, name, expected, actual) };
  }
  return {
    property: name,
    kind,
    changes: resourceChanges(definition, { [name]: expected }, { [name]: actual }),
    ...(isEmpty(expected) ? {} : { expected }),
    ...(isEmpty(actual) ? {} : { actual }),
  };
}

/** The state has no fingerprint of a value that only the program made secret. This key makes both, for this run only. */
const RUN_KEY = randomBytes(16).toString("base64url");

/** The state has the recorded fingerprint as plain text. That of another value needs the state's key, which is a secret. */
function fingerprints(
  { desired, recorded, encrypted }: RecordedValues,
  name: string,
  expected: unknown,
  actual: unknown,
) {
  const known = isRecord(desired[FINGERPRINTS]) ? desired[FINGERPRINTS][name] : undefined;
  const key = known === undefined ? RUN_KEY : recorded[FINGERPRINT_KEY];
  const taken = (value: unknown) => (typeof key === "string" && !isEmpty(value) ? fingerprint(key, value) : undefined);
  const before = typeof known === "string" ? known : encrypted.has(name) ? undefined : taken(expected);
  const after = taken(actual);
  return {
    ...(before === undefined ? {} : { expectedFingerprint: before }),
    ...(after === undefined ? {} : { actualFingerprint: after }),
  };
}
