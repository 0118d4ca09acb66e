import { randomBytes } from "node:crypto";
import { isEmpty } from "../../provider/core/canonical";
import type { Definition, Values } from "../../provider/core/definition";
import { diff } from "../../provider/core/diff";
import { type Field, same } from "../../provider/core/field";
import { fingerprint, secretProperties } from "../../provider/core/fingerprint";
import { FINGERPRINT_KEY, FINGERPRINTS } from "../../provider/core/state-names";
import { isRecord } from "../../provider/core/unknowns";
import type { Engine } from "../../provider/engine/engine";
import { messageOf } from "../../provider/engine/operation";
import { resourceChanges } from "../changes/resource-changes";
import { type IgnoreList, rootOf } from "./ignore-file";
import type { RecordedResource } from "./recorded-stack";
import type { IgnoredBecause, PropertyDrift, ResourceReport } from "./report";
import { withoutPaths } from "./without-paths";
import { writeOnlyValues } from "./write-only-values";

/** Compares a resource with its record, as a refresh and then a preview do. A failure gives the status `unknown`. */
export async function compare(
  engine: () => Engine,
  resource: RecordedResource,
  ignores: IgnoreList,
): Promise<ResourceReport> {
  const about = aboutOf(resource);
  const { definition, id, inputs, outputs } = resource;
  const unknown = (error: string): ResourceReport => ({ ...about, status: "unknown", error });
  if (!definition) return unknown(`this release of trustplane does not know ${about.type}.`);
  try {
    const found = await engine().read(definition, id, outputs);
    if (!found) {
      const ignored = ignores.whole(about);
      return ignored ? { ...about, status: "ignored", ignored } : { ...about, status: "missing" };
    }
    const live = found.state;
    const { changed, replaces } = diff(definition, live, inputs);
    const broken = definition.broken?.(live) ?? [];
    // A property that is encrypted in this state is missing from the inputs. That is no difference.
    const names = [
      ...changed.filter((name) => broken.includes(name) || !resource.encrypted.has(name)),
      ...changedOutputs(definition, outputs, live).filter((name) => !changed.includes(name)),
    ];
    const properties = [...new Set(names)].map((name) => {
      const drift = propertyDrift(resource, definition, live, name);
      const ignored = ignoredBecause(resource, definition, live, name, ignores);
      return {
        ...drift,
        ...(replaces.includes(name) ? { replaces: true as const } : {}),
        ...(ignored ? { ignored } : {}),
      };
    });
    return {
      ...about,
      status: statusOf(properties),
      properties,
      writeOnly: writeOnlyValues(resource, definition, live),
    };
  } catch (error) {
    return unknown(messageOf(error));
  }
}

function aboutOf({ urn, token, name, id, outputs, declaredAt }: RecordedResource) {
  const { connection } = outputs;
  return {
    urn,
    type: token.replace(":", "."),
    name,
    id,
    ...(typeof connection === "string" && connection !== "" ? { connection } : {}),
    ...(declaredAt === undefined ? {} : { declaredAt }),
    properties: [],
    writeOnly: [],
  };
}

function statusOf(properties: readonly PropertyDrift[]): ResourceReport["status"] {
  if (properties.length === 0) return "unchanged";
  return properties.every(({ ignored }) => ignored) ? "ignored" : "changed";
}

/** Outputs that the server has changed since: the id of a record that was created again, a rotated key. */
function changedOutputs(definition: Definition, recorded: Values, live: Values): string[] {
  return Object.entries(definition.outputs)
    .filter(([name, field]) => !definition.secretOutputs.includes(name) && !same(field, recorded[name], live[name]))
    .map(([name]) => name);
}

function propertyDrift(resource: RecordedResource, definition: Definition, live: Values, name: string): PropertyDrift {
  const { inputs, outputs, secret } = resource;
  const isInput = name in definition.fields;
  const recorded = isInput ? inputs : outputs;
  const kind = isInput ? "input" : name in definition.outputs ? "output" : "repair";
  const [expected, actual] = [recorded[name], live[name]];
  const isSecret = [inputs, outputs, live].some((values) => secretProperties(definition, values).includes(name));
  if (isSecret || secret.has(name)) {
    return { property: name, kind, changes: [], secret: true, ...fingerprints(resource, name, expected, actual) };
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
  { inputs, outputs, encrypted }: RecordedResource,
  name: string,
  expected: unknown,
  actual: unknown,
) {
  const recorded = isRecord(inputs[FINGERPRINTS]) ? inputs[FINGERPRINTS][name] : undefined;
  const key = recorded === undefined ? RUN_KEY : outputs[FINGERPRINT_KEY];
  const taken = (value: unknown) => (typeof key === "string" && !isEmpty(value) ? fingerprint(key, value) : undefined);
  const before = typeof recorded === "string" ? recorded : encrypted.has(name) ? undefined : taken(expected);
  const after = taken(actual);
  return {
    ...(before === undefined ? {} : { expectedFingerprint: before }),
    ...(after === undefined ? {} : { actualFingerprint: after }),
  };
}

function ignoredBecause(
  resource: RecordedResource,
  definition: Definition,
  live: Values,
  name: string,
  ignores: IgnoreList,
): IgnoredBecause | undefined {
  const field: Field | undefined = definition.fields[name] ?? definition.outputs[name];
  const recorded = name in definition.fields ? resource.inputs : resource.outputs;
  const differsWithout = (paths: readonly string[]) =>
    field === undefined || !same(field, withoutPaths(recorded[name], paths), withoutPaths(live[name], paths));
  const byFile = ignores.part(aboutOf(resource), name, differsWithout);
  if (byFile) return byFile;
  const own = resource.ignoreChanges.filter((path) => path === "*" || rootOf(path) === name);
  const isIgnored = own.some((path) => path === "*" || path === name) || (own.length > 0 && !differsWithout(own));
  return isIgnored ? { reason: "the program ignores changes of it (ignoreChanges)" } : undefined;
}
