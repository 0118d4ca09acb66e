import type { Definition } from "../../core/definition";
import type { FunctionDefinition } from "../../core/function";
import { hasOwnRecord, listCallOf } from "../../engine/find-records";
import type { Attribute } from "./attribute";

/** A list of the records of a resource, made of the resource's table. */
export interface ListTable {
  readonly typeName: string;
  readonly description: string;
  /** What says where to look: the part of the identity above the record. */
  readonly inputs: readonly Attribute[];
  readonly call: FunctionDefinition;
}

/** What of a resource's table is needed. */
interface Listable {
  readonly typeName: string;
  readonly definition: Definition;
  readonly inputs: readonly Attribute[];
}

/** Undefined for what no server lists: a pair of records, a set of them, or an action. */
export function listTable({ typeName, definition, inputs }: Listable): ListTable | undefined {
  if (!hasOwnRecord(definition)) return undefined;
  const call = listCallOf(definition);
  return {
    typeName,
    description: `The records on a server that \`${typeName}\` can manage.`,
    // Nothing is answered in these, so no default either.
    inputs: inputs
      .filter(({ property }) => property in call.fields)
      .map((each) => ({ ...each, isOptional: !each.isRequired, isComputed: false })),
    call,
  };
}
