import { isEmpty } from "../../provider/core/canonical";
import type { Definition, Values } from "../../provider/core/definition";
import { hasUnknown } from "../../provider/core/unknowns";

/** What is known of the policy that a role names. */
export interface KnownPolicy {
  /** Undefined where the program does not declare it, or where its text is not known. */
  readonly text?: string;
  /** Why the policy will not be there; undefined where it is, or may be. */
  readonly missing?: string;
}

export type PolicyLookup = (name: string, connection: unknown) => KnownPolicy;

/** The names of all policies of a server, by what `placeOf` answers. */
export type LivePolicies = ReadonlyMap<string, readonly string[]>;

/** A server, as a state has it. */
export interface Place {
  /** The provider's URN; undefined where only the connection is known. */
  readonly provider: string | undefined;
  readonly connection: unknown;
}

export function placeOf({ provider = "", connection }: Place): string {
  return JSON.stringify([provider, connectionIn(connection)]);
}

/** Where policies are known from. */
export interface PolicySources {
  /** Those of the program, as it will have them. */
  readonly declared: readonly Values[];
  /** Those that it had. */
  readonly before?: readonly Values[];
  /** Nothing of a server that was not asked. */
  readonly live?: LivePolicies;
}

export function isPolicy(definition: Definition | undefined): boolean {
  return definition?.token === "sys:Policy";
}

/** Looks policies up by name. What is not known is never called missing: policies are also made elsewhere. */
export function policyLookup({
  declared,
  before = [],
  live = new Map(),
}: PolicySources): (provider?: string) => PolicyLookup {
  const texts = Map.groupBy(declared, keyOf);
  const gone = new Set(before.map(keyOf));
  return (provider) => (name, connection) => {
    const key = keyOf({ name, connection });
    const own = texts.get(key);
    if (own !== undefined) {
      const [policy] = own.map((values) => values["policy"]);
      return typeof policy === "string" && !hasUnknown(policy) ? { text: policy } : {};
    }
    // A name that is not known yet may turn out to be this one.
    if (BUILT_IN.includes(nameIn(name)) || declared.some((values) => hasUnknown(values["name"]))) return {};
    if (gone.has(key)) return { missing: "a policy that this preview deletes" };
    const names = live.get(placeOf({ provider, connection }));
    if (names === undefined || names.includes(nameIn(name))) return {};
    return { missing: "a policy that neither the program nor the server has" };
  };
}

/** The server keeps the first, which a delete only forgets. */
const BUILT_IN = ["default", "root"];

function keyOf({ name, connection }: Values): string {
  return JSON.stringify([connectionIn(connection), nameIn(name)]);
}

/** The server takes names in any case, and without the spaces around them. */
function nameIn(name: unknown): string {
  return String(name).trim().toLowerCase();
}

function connectionIn(connection: unknown): string {
  return isEmpty(connection) ? "" : String(connection);
}
