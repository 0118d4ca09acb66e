import type { Definition, Values } from "../../core/definition";
import { joined, type Received, type Sealer, sealerOf } from "../../core/seal";
import { structOf } from "./plain-structs";
import { received } from "./property-values";
import { resourceOf } from "./requested-table";
import type { Struct } from "./sdk-copies";

/** Where requests have properties. */
const NEW = ["News", "Args"] as const;
const RECORDED = ["Properties", "Inputs"] as const;
const OLD = ["Olds", "OldInputs"] as const;
type Part = (typeof NEW | typeof RECORDED | typeof OLD)[number];

/**
 * The properties of a call, and what seals its answer or its error: `seal` knows what was secret on the way in.
 */
export interface Exchange {
  /** The table of the resource that the call is about; throws for a type that there is none of. */
  table(): Definition;
  /** Properties of the request; none where it has none. */
  readonly given: Readonly<Record<Part, Received>>;
  readonly sealer: Sealer;
  /** Properties for the answer; `also` are secret as a whole. */
  seal(values: Values, also?: readonly string[]): Struct;
}

export function exchangeOf(request: unknown): Exchange {
  const urn = urnOf(request);
  const table = () => resourceOf(urn);
  const part = (name: Part) => received(structIn(request, name));
  const parts = [...NEW, ...RECORDED, ...OLD].map((name) => [name, part(name)] as const);
  // Every name is there.
  const given = Object.fromEntries(parts) as Readonly<Record<Part, Received>>;
  const all = (names: readonly Part[]) => joined(...names.map((name) => given[name]));
  const sealer = sealerOf({ definition: known(table), says: all([...NEW, ...RECORDED]), had: all(OLD) });
  return { table, given, sealer, seal: (values, also) => structOf(sealer.seal(values, also)) };
}

/** Requests about a resource, or a provider, have its URN. */
export function urnOf(request: unknown): string {
  const { getUrn } = request as { getUrn?: () => string | undefined };
  return getUrn?.call(request) ?? "";
}

function structIn(request: unknown, part: Part): Struct | undefined {
  const { [`get${part}`]: get } = request as Record<string, (() => Struct | undefined) | undefined>;
  return get?.call(request);
}

/** Providers and functions are in no table of resources. */
function known(table: () => Definition): Definition | undefined {
  try {
    return table();
  } catch {
    return undefined;
  }
}
