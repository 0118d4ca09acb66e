import type { Values } from "../../../provider/core/definition";
import { ProviderError } from "../../../provider/core/errors";
import { asSecret } from "../../../provider/core/secret-envelope";
import { isRecord } from "../../../provider/core/unknowns";
import { type Kept, keptIn } from "../../../provider/hosts/terraform/kept";
import { partsOfAddress } from "../../stack/address";
import { otherProvider } from "../../stack/not-compared";
import type { StackRow, StackRows } from "../../stack/stack-row";
import { terraformTable } from "../../stack/terraform-tables";
import { type Instance, instanceValues, markedAttributes } from "./instance-values";
import { assertState, type TerraformJson } from "./terraform-json";

/** Begins the types of this package's resources. */
export const PREFIX = "trustplane_";

/** The resources of this package in a state. Their values are read when they are asked for, because states are large. */
export function stateRows(json: TerraformJson): StackRows {
  assertState(json);
  const isWhole = json.kind === "state";
  const objects = isWhole ? keptObjects(json.content) : shownObjects(json.content["values"]);
  const found = objects.filter(isOurs);
  const providers = new Set(found.map(({ provider }) => provider));
  return {
    name: undefined,
    resources: found.map(rowOf),
    others: objects
      .filter((each) => !isOurs(each) && !each.isDeposed)
      .flatMap(({ provider }) => otherProvider(provider) ?? []),
    providers: new Map(
      [...providers].map((provider) => [provider, { name: partsOfAddress(provider).name, values: {}, encrypted: [] }]),
    ),
    ...(isWhole || found.length === 0 ? {} : { lacks: LACKS_SERVERS }),
  };
}

const LACKS_SERVERS =
  "`terraform show -json` does not say to which servers the state belongs, so another server with the same paths would not be noticed: give the state as `terraform state pull` prints it";

/** An object of a state. */
export interface StateObject {
  readonly address: string;
  readonly type: string;
  readonly provider: string;
  readonly isDeposed: boolean;
  readonly id: unknown;
  instance(): Instance;
}

function rowOf({ address, type, provider, isDeposed, id, instance }: StateObject): StackRow {
  const table = terraformTable(type);
  const read = () => (table ? guarded(address, () => instanceValues(table, instance(), openSecret)) : NOTHING);
  return {
    urn: address,
    type,
    id: typeof id === "string" ? id : "",
    custom: true,
    delete: isDeposed,
    external: false,
    get inputs() {
      return read().inputs;
    },
    get outputs() {
      return read().outputs;
    },
    provider: `${provider}::`,
    additionalSecretOutputs: [],
    ignoreChanges: [],
  };
}

const NOTHING: { readonly inputs: Values; readonly outputs: Values } = { inputs: {}, outputs: {} };

/** As Pulumi exports a secret in plain text: it is compared, and never shown. */
function openSecret(value: unknown): unknown {
  return { ...(asSecret(undefined) as object), plaintext: JSON.stringify(value) };
}

/** A state that somebody has written by hand may hold anything. */
function guarded<T>(address: string, read: () => T): T {
  try {
    return read();
  } catch {
    throw new ProviderError(
      "InputError",
      `the values of ${address} in the state cannot be read: they were changed by hand, or by a newer release of trustplane.`,
    );
  }
}

/** Those of a state as it is kept. */
function keptObjects(content: Readonly<Record<string, unknown>>): StateObject[] {
  return keptInstances(content).map(({ address, type, provider, instance }) => ({
    ...{ address, type, provider, isDeposed: "deposed" in instance },
    id: isRecord(instance["attributes"]) ? instance["attributes"]["id"] : undefined,
    instance: () => ({
      values: untyped(type, instance["attributes"]),
      sensitive: sensitiveIn(instance["sensitive_attributes"]),
      kept: keptOf(instance["private"]),
    }),
  }));
}

/** An instance of a managed resource of any provider, as a state keeps it. */
export interface KeptInstance {
  readonly address: string;
  readonly type: string;
  /** The module that it is in, with a dot at its end. */
  readonly path: string;
  readonly name: string;
  readonly key: unknown;
  readonly provider: string;
  readonly instance: Values;
}

/** `quoted` writes the keys of instances. */
export function keptInstances(content: Values, quoted: (key: string) => string = JSON.stringify): KeptInstance[] {
  return recordsIn(content["resources"]).flatMap(({ mode, type, name, module, provider, instances }) => {
    if (mode !== "managed" || typeof type !== "string") return [];
    const path = typeof module === "string" ? `${module}.` : "";
    return recordsIn(instances).map((instance) => {
      const { index_key: key } = instance;
      const index = key === undefined ? "" : `[${typeof key === "string" ? quoted(key) : String(key)}]`;
      const address = `${path}${type}.${String(name)}${index}`;
      // OpenTofu has the provider at the instance where a program repeats it.
      return {
        address,
        type,
        path,
        name: String(name),
        key,
        provider: String(instance["provider"] ?? provider),
        instance,
      };
    });
  });
}

/** Those of a state as `terraform show -json` prints it. */
export function shownObjects(values: unknown): StateObject[] {
  const inModule = (module: unknown): StateObject[] => {
    if (!isRecord(module)) return [];
    const own = recordsIn(module["resources"]).flatMap((resource): StateObject[] => {
      const { mode, type, address, provider_name: provider } = resource;
      if (mode !== "managed" || typeof type !== "string" || typeof address !== "string") return [];
      const instance = {
        values: isRecord(resource["values"]) ? resource["values"] : {},
        sensitive: markedAttributes(resource["sensitive_values"]),
        kept: {},
      };
      const at = `provider[${JSON.stringify(provider)}]`;
      const { id } = instance.values;
      return [{ address, type, provider: at, isDeposed: "deposed_key" in resource, id, instance: () => instance }];
    });
    return [...own, ...recordsIn(module["child_modules"]).flatMap(inModule)];
  };
  return inModule(isRecord(values) ? values["root_module"] : undefined);
}

export function recordsIn(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

export function isOurs({ type }: Pick<StateObject, "type">): boolean {
  return type.startsWith(PREFIX);
}

/** Beside an attribute of any type, a state keeps the type. */
function untyped(type: string, attributes: unknown): Readonly<Record<string, unknown>> {
  const table = terraformTable(type);
  if (!isRecord(attributes) || !table) return isRecord(attributes) ? attributes : {};
  const dynamic = table.inputs.filter((each) => each.type === "dynamic" && isRecord(attributes[each.name]));
  const plain = dynamic.map(({ name }) => [name, (attributes[name] as Values)["value"]] as const);
  return { ...attributes, ...Object.fromEntries(plain) };
}

/** The attributes in the paths that the state lists. */
function sensitiveIn(paths: unknown): ReadonlySet<string> {
  const first = (Array.isArray(paths) ? paths : []).map((path: unknown) => recordsIn(path)[0]?.["value"]);
  return new Set(first.filter((name) => typeof name === "string"));
}

function keptOf(text: unknown): Kept {
  if (typeof text !== "string") return {};
  try {
    return keptIn(Buffer.from(text, "base64"));
  } catch {
    return {};
  }
}
