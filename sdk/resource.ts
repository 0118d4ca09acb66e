import * as pulumi from "@pulumi/pulumi";

/** What makes a property secret: always, while a boolean property is set, or while it holds one of these members. */
export type Secrecy = "always" | { readonly flag: string } | { readonly members: readonly string[] };

/** What a class knows of its resource; generated from the resource's table. */
export interface Traits {
  /** Pulumi's name of the type. */
  readonly token: string;
  /** Inputs and outputs. */
  readonly properties: readonly string[];
  readonly secrets: Readonly<Record<string, Secrecy>>;
  readonly secretOutputs: readonly string[];
  /** What a look-up needs besides the id. */
  readonly lookUp: readonly string[];
}

type Args = Readonly<Record<string, unknown>>;

/** Kept beside secret values, so that a change of one shows without showing the value. */
const FINGERPRINT_KEY = "fingerprintKey";

/** What is registered: the arguments with their secrets marked, and every other property by name, for its Output. */
export function propsOf(traits: Traits, args: object | undefined, opts?: pulumi.CustomResourceOptions): pulumi.Inputs {
  const given: Args = { ...args };
  const names = Object.fromEntries(traits.properties.map((name) => [name, undefined]));
  if (opts?.id !== undefined) {
    // More than the address would look like a recorded state to the provider, which may be of a record that is gone.
    return { ...names, ...Object.fromEntries(traits.lookUp.map((name) => [name, given[name]])) };
  }
  const secrets = secretArgs(traits, given).filter((name) => given[name] !== undefined);
  return { ...names, ...given, ...Object.fromEntries(secrets.map((name) => [name, pulumi.secret(given[name])])) };
}

/**
 * The caller's options and ours. A replacement deletes first, whatever the caller says: the engine would otherwise
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
  return { ...opts, additionalSecretOutputs, deleteBeforeReplace: true };
}

/** True for a resource of this type, also when another copy of the package made it. */
export function isOfType(traits: Traits, value: unknown): boolean {
  return pulumi.Resource.isInstance(value) && Reflect.get(value, "__pulumiType") === traits.token;
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
