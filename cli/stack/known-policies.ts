import { isEmpty } from "../../provider/core/canonical";
import type { Definition, Values } from "../../provider/core/definition";
import { tenantIn } from "../../provider/core/tenant";
import { hasUnknown } from "../../provider/core/unknowns";

/** What is known of the policy that a role names. */
export interface KnownPolicy {
  /** Undefined where the program does not declare it, or where its text is not known. */
  readonly text?: string;
  /** Why the policy will not be there; undefined where it is, or may be. */
  readonly missing?: string;
}

/** By the values of who names the policy: those of its connection and namespace are meant. */
export type PolicyLookup = (name: string, values: Values) => KnownPolicy;

/** The names of all policies of a namespace, by what `placeOf` answers. */
export type LivePolicies = ReadonlyMap<string, readonly string[]>;

/** A namespace of a server, as a state has it. */
export interface Place {
  /** The provider's URN; undefined where only the connection is known. */
  readonly provider: string | undefined;
  readonly connection: unknown;
  readonly namespace?: unknown;
}

export function placeOf({ provider = "", ...values }: Place): string {
  return JSON.stringify([provider, ...placeIn(values)]);
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

export function isPolicy(definition: Pick<Definition, "token"> | undefined): boolean {
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
  return (provider) =>
    (name, { connection, namespace }) => {
      const key = keyOf({ name, connection, namespace });
      const own = texts.get(key);
      if (own !== undefined) {
        const [policy] = own.map((values) => values["policy"]);
        return typeof policy === "string" && !hasUnknown(policy) ? { text: policy } : {};
      }
      // A name or a namespace that is not known yet may turn out to be this one.
      const isOpen = [namespace, ...declared.flatMap((values) => [values["name"], values["namespace"]])].some(
        hasUnknown,
      );
      if (BUILT_IN.includes(nameIn(name)) || isOpen) return {};
      if (gone.has(key)) return { missing: "a policy that this preview deletes" };
      const names = live.get(placeOf({ provider, connection, namespace }));
      if (names === undefined || names.includes(nameIn(name))) return {};
      return { missing: "a policy that neither the program nor the server has" };
    };
}

/** The server keeps the first, which a delete only forgets. */
export const BUILT_IN = ["default", "root"];

function keyOf({ name, ...values }: Values): string {
  return JSON.stringify([...placeIn(values), nameIn(name)]);
}

/** The server takes names in any case, and without the spaces around them. */
function nameIn(name: unknown): string {
  return String(name).trim().toLowerCase();
}

/** The connection and the namespace of a record of Vault. */
export function placeIn(values: Values): readonly [connection: string, namespace: string] {
  const { connection } = values;
  return [isEmpty(connection) ? "" : String(connection), tenantIn("vault", values) ?? ""];
}
