import * as pulumi from "@pulumi/pulumi";

/** What makes a property secret: always, while a boolean property is set, or while it holds one of these members. */
export type Secrecy = "always" | { readonly flag: string } | { readonly members: readonly string[] };

/** What a class knows of its resource; generated from the resource's table. */
export interface Traits {
  /** Pulumi's name of the type. */
  readonly token: string;
  /** Its name in the other kind of classes, dynamic or native: what those have made becomes this class's own. */
  readonly otherToken: string;
  /** Inputs and outputs. */
  readonly properties: readonly string[];
  readonly secrets: Readonly<Record<string, Secrecy>>;
  readonly secretOutputs: readonly string[];
  /** Of a set, the property that holds its records, and what makes a setting of one secret. */
  readonly records?: { readonly property: string; readonly secrets: Readonly<Record<string, Secrecy>> };
  /** What a look-up needs besides the id. */
  readonly lookUp: readonly string[];
}

type Args = Readonly<Record<string, unknown>>;

/** Kept beside secret values, so that a change of one shows without showing the value. */
const FINGERPRINT_KEY = "fingerprintKey";
/** Where the provider is told which parts of the arguments the program keeps secret. */
const SECRET_INPUTS = "secretInputs";
/** Where the provider is told what the program leaves to others. */
const IGNORED_CHANGES = "ignoredChanges";

type Path = readonly (string | number)[];

/** What is registered: the arguments with their secrets marked, and every other property by name, for its Output. */
export function propsOf(traits: Traits, args: object | undefined, opts?: pulumi.CustomResourceOptions): pulumi.Inputs {
  const given: Args = { ...args };
  const names = Object.fromEntries(traits.properties.map((name) => [name, undefined]));
  if (opts?.id !== undefined) {
    // More than the address would look like a recorded state to the provider, which may be of a record that is gone.
    return { ...names, ...Object.fromEntries(traits.lookUp.map((name) => [name, given[name]])) };
  }
  assertNames(given, []);
  const secrets = secretArgs(traits, given).filter((name) => given[name] !== undefined);
  const marked = Object.fromEntries(secrets.map((name) => [name, pulumi.secret(given[name])]));
  return { ...names, ...given, ...marked, ...recordsOf(traits, given) };
}

/** The records of a set, and their defaults, with the secret settings marked. */
function recordsOf({ records }: Traits, { defaults, ...given }: Args): pulumi.Inputs {
  if (!records || Object.keys(records.secrets).length === 0) return {};
  const mark = (settings: unknown, usual: unknown, secrets: Traits["secrets"]): unknown =>
    inside(settings, (own) => {
      const all = { ...(isPlain(usual) ? usual : {}), ...own };
      const hidden = Object.keys(secrets).filter(
        (name) => isSet(own[name]) && isSecret(secrets[name] ?? "always", own[name], all),
      );
      return { ...own, ...Object.fromEntries(hidden.map((name) => [name, pulumi.secret(own[name])])) };
    });
  const all = inside(given[records.property], (byName) =>
    Object.fromEntries(
      Object.entries(byName).map(([name, settings]) => [name, mark(settings, defaults, records.secrets)]),
    ),
  );
  // Defaults may be secret in one record and not in another.
  const always = Object.fromEntries(Object.keys(records.secrets).map((name) => [name, "always" as const]));
  const usual = defaults === undefined ? {} : { defaults: mark(defaults, {}, always) };
  return { [records.property]: all, ...usual };
}

/** Changes an object, now or once it is known. */
function inside(value: unknown, change: (known: Args) => unknown): unknown {
  if (pulumi.Output.isInstance(value) || value instanceof Promise) {
    return pulumi.output(value).apply((known) => inside(known, change));
  }
  return isPlain(value) ? change(value) : value;
}

function isPlain(value: unknown): value is Args {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !pulumi.Output.isInstance(value);
}

/** What a dynamic class registers: with what the host of dynamic providers does not tell the provider. */
export function toldPropsOf(
  traits: Traits,
  args: object | undefined,
  opts: pulumi.CustomResourceOptions = {},
): pulumi.Inputs {
  const props = withSecretPaths(traits, propsOf(traits, args, opts));
  const { id, ignoreChanges = [] } = opts;
  return id !== undefined || ignoreChanges.length === 0 ? props : { ...props, [IGNORED_CHANGES]: ignoreChanges };
}

/**
 * The same properties, with the paths of the Outputs in them that are secret: the host of dynamic providers hands secrets
 * to the provider as plain values.
 */
function withSecretPaths(traits: Traits, props: pulumi.Inputs): pulumi.Inputs {
  const known = new Set(Object.keys(traits.secrets));
  const outputs = Object.entries(props).flatMap(([name, value]) => (known.has(name) ? [] : outputsIn(value, [name])));
  return outputs.length === 0 ? props : { ...props, [SECRET_INPUTS]: secretPaths(outputs) };
}

/**
 * The caller's options and ours. What the native class has made becomes this class's own. A replacement deletes first, whatever the caller says: the engine would otherwise
 * create the new record and then delete the same id, the record that it has just written, without asking the provider.
 */
export function optionsOf(
  traits: Traits,
  args: object | undefined,
  opts: pulumi.CustomResourceOptions = {},
): pulumi.CustomResourceOptions {
  const hidden = [...secretArgs(traits, { ...args }), ...traits.secretOutputs];
  const key = Object.keys(traits.secrets).length > 0 ? [FINGERPRINT_KEY] : [];
  const additionalSecretOutputs = [...new Set([...hidden, ...key, ...(opts.additionalSecretOutputs ?? [])])];
  const aliases = [...(opts.aliases ?? []), { type: traits.otherToken }];
  return { ...opts, aliases, additionalSecretOutputs, deleteBeforeReplace: true };
}

/** True for a resource of this type, also when another copy of the package made it. */
export function isOfType(traits: Traits, value: unknown): boolean {
  return pulumi.Resource.isInstance(value) && Reflect.get(value, "__pulumiType") === traits.token;
}

interface Found {
  readonly path: Path;
  readonly output: pulumi.Output<unknown>;
}

function outputsIn(value: unknown, path: Path): readonly Found[] {
  if (pulumi.Output.isInstance(value) || value instanceof Promise) return [{ path, output: pulumi.output(value) }];
  if (Array.isArray(value)) return value.flatMap((item, index) => outputsIn(item, [...path, index]));
  if (typeof value !== "object" || value === null || pulumi.Resource.isInstance(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => outputsIn(member, [...path, key]));
}

/** Undefined, which is no property at all, where nothing is secret. */
async function secretPaths(outputs: readonly Found[]): Promise<Path[] | undefined> {
  const found = await Promise.all(
    // Of an Output that fails, the registration of the resource says so.
    outputs.map(async ({ path, output }) => ({ path, isSecret: await pulumi.isSecret(output).catch(() => true) })),
  );
  const paths = found.filter(({ isSecret }) => isSecret).map(({ path }) => path);
  return paths.length === 0 ? undefined : paths;
}

/** Pulumi loses a member of this name on the way, without a word: a claim that was to bind a role, say. */
function assertNames(value: unknown, path: Path): void {
  if (typeof value !== "object" || value === null || pulumi.Output.isInstance(value)) return;
  if (value instanceof Promise || pulumi.Resource.isInstance(value)) return;
  if (Object.hasOwn(value, "__proto__")) {
    const where = path.length === 0 ? "the arguments" : path.join(".");
    throw new Error(`${where}: a member cannot be called "__proto__": Pulumi would lose it`);
  }
  for (const [key, member] of Object.entries(value)) assertNames(member, [...path, key]);
}

function secretArgs(traits: Traits, args: Args): string[] {
  return Object.entries(traits.secrets)
    .filter(([name, secrecy]) => isSecret(secrecy, args[name], args))
    .map(([name]) => name);
}

/** What is not known yet is taken for secret. */
function isSecret(secrecy: Secrecy, value: unknown, args: Args): boolean {
  if (secrecy === "always") return true;
  if ("flag" in secrecy) return isSet(args[secrecy.flag]) && args[secrecy.flag] !== false;
  if (!isSet(value)) return false;
  // A look into an Output, a promise or what is no object at all shows nothing.
  if (pulumi.Output.isInstance(value) || value instanceof Promise || typeof value !== "object" || value === null) {
    return true;
  }
  return secrecy.members.some((member) => isSet(Reflect.get(value, member)));
}

/** The provider, too, takes an empty text for nothing. */
function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}
