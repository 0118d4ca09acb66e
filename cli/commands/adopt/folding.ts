import { canonicalText } from "../../../provider/core/canonical";
import type { Definition } from "../../../provider/core/definition";
import { type Argument, type ProgramResource, secretsOf } from "./program";

/** Many alike resources: what they have in common, and what is of each. */
export interface Loop {
  readonly definition: Definition;
  /** What stands before the record's name in the name of the resource. */
  readonly prefix: string;
  readonly common: readonly Argument[];
  /** The record's name, and the arguments that not all have. */
  readonly entries: readonly (readonly [name: string, own: readonly Argument[]])[];
  /** The resources, in the order of the entries. */
  readonly resources: readonly ProgramResource[];
}

export type Statement = { readonly resource: ProgramResource } | { readonly loop: Loop };

const FEWEST = 3;

/** Folds alike resources into data and a loop where that makes the text shorter. */
export function folded(
  resources: readonly ProgramResource[],
  linesOf: (statements: readonly Statement[]) => number,
): readonly Statement[] {
  const single = (resource: ProgramResource): Statement => ({ resource });
  const groups = Map.groupBy(resources, (resource) =>
    isFoldable(resource) ? `${resource.definition.token} ${resource.prefix}` : resource.name,
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first || group.length < FEWEST || !isFoldable(first)) return group.map(single);
    const byShape = [...Map.groupBy(group, shapeOf).values()];
    const ways = [
      group.map(single),
      [loopOf(group)],
      byShape.flatMap((alike) => (alike.length < FEWEST ? alike.map(single) : [loopOf(alike)])),
    ];
    return ways.reduce((best, way) => (linesOf(way) < linesOf(best) ? way : best));
  });
}

/** A loop names each resource after its record, and refers to nothing, and says nothing, that only one of them has. */
function isFoldable(resource: ProgramResource): boolean {
  const { prefix, variable, definition, args, note } = resource;
  if (note !== undefined) return false;
  const label = args.find(({ property }) => property === definition.label);
  const isNamed = label !== undefined && "literal" in label.value && typeof label.value.literal === "string";
  return prefix !== undefined && variable === undefined && isNamed && secretsOf(resource).length === 0;
}

function shapeOf({ args }: ProgramResource): string {
  return args.map(({ property }) => property).join(" ");
}

function loopOf(group: readonly ProgramResource[]): Statement {
  const [first] = group as [ProgramResource];
  const { definition, prefix = "" } = first;
  const textOf = ({ value }: Argument) => canonicalText(value);
  const common = first.args.filter((argument) =>
    group.every(({ args }) =>
      args.some((other) => other.property === argument.property && textOf(other) === textOf(argument)),
    ),
  );
  const isOwn = ({ property }: Argument) =>
    property !== definition.label && !common.some((each) => each.property === property);
  const entries = group.map(({ args }) => [labelOf(args, definition), args.filter(isOwn)] as const);
  return { loop: { definition, prefix, common, entries, resources: group } };
}

function labelOf(args: readonly Argument[], { label }: Definition): string {
  const value = args.find(({ property }) => property === label)?.value;
  return value && "literal" in value ? String(value.literal) : "";
}
