import type { Definition, Values } from "../../../provider/core/definition";
import { ProviderError } from "../../../provider/core/errors";
import { valuesFromId } from "../../../provider/core/look-up";
import { DEFAULTS, recordsIn } from "../../../provider/core/members";
import { placeholders } from "../../../provider/core/template";
import { hasUnknown, isRecord } from "../../../provider/core/unknowns";
import { ANY_NAME, type Need, needsOf } from "../../../provider/dialects/needs";
import type { PreviewStep } from "../../stack/preview";
import type { StateStep } from "../../stack/state";
import type { Needy } from "./policy-of";

/** A resource's needs of one connection. */
export interface ResourceNeeds extends Needy {
  readonly urn: string;
  /** The provider of the state; empty where it is not known. */
  readonly provider: string;
  readonly service: Need["service"];
  /** The name in the program; undefined for the service's own connection. */
  readonly connection: string | undefined;
}

/** What a resource needs, once for each connection that it uses: before a run and after it. Of a state it is known what a path is made of. */
export function needsOfStep(step: PreviewStep | StateStep): readonly ResourceNeeds[] {
  const { definition, class: type, name, urn, provider = "" } = step;
  if (definition === undefined) return [];
  const needs = sidesOf(step, definition).flatMap((values) =>
    needsOf(definition, "values" in step ? values : withWildCards(definition, values)),
  );
  return byConnection(needs, { title: `${type} ${name}`, urn, provider });
}

/** The same for a policy, in which a path must not stand for other paths. */
export function grantableNeeds(step: PreviewStep | StateStep): readonly ResourceNeeds[] {
  const { definition, class: type, name } = step;
  if (definition) for (const values of sidesOf(step, definition)) assertLiteral(definition, values, `${type} ${name}`);
  return needsOfStep(step);
}

function sidesOf(step: PreviewStep | StateStep, definition: Definition): readonly Values[] {
  const { id = "", before, after } = step;
  if (!("values" in step))
    return [before && valuesFromId(definition, id, before), after].filter((side) => side !== undefined);
  const { desired, recorded } = step.values();
  return [valuesFromId(definition, id, { ...desired, ...recorded })];
}

/** What a policy of Vault takes for a wild card, or for a template. */
const NOT_LITERAL = /(^|\/)\+(\/|$)|\*$|\{\{/;

function assertLiteral(definition: Definition, values: Values, title: string): void {
  const { id, identity, members, dialect } = definition;
  if (dialect === "consul") return;
  if (members)
    for (const record of recordsIn(definition, members, values).values()) assertLiteral(members.of, record, title);
  const names = new Set([...placeholders(id), ...identity]);
  const found = [...names].find((name) => NOT_LITERAL.test(String(values[name] ?? "")));
  if (found === undefined) return;
  const what = `${found} of ${title} is ${JSON.stringify(values[found])}`;
  throw new ProviderError(
    "InputError",
    `${what}, which in a policy stands for other paths, too: no policy can allow it alone.`,
  );
}

/** Where a value is not known before the update, the policy has to allow any. */
function withWildCards({ fields, outputs, members }: Definition, values: Values): Values {
  const defaults = Object.entries(fields).map(([name, { fallback }]) => [name, values[name] ?? fallback] as const);
  const unknown = Object.keys(outputs).map((name) => [name, values[name] ?? ANY_NAME] as const);
  const known = [...Object.entries(values), ...defaults, ...unknown].filter(([, value]) => value !== undefined);
  const wild = Object.fromEntries(known.map(([name, value]) => [name, hasUnknown(value) ? ANY_NAME : value]));
  if (!members) return wild;
  // Of a record of a set, only the name is in a path.
  const records = values[members.property];
  const names = isRecord(records) ? Object.keys(records) : [ANY_NAME];
  return { ...wild, [DEFAULTS]: {}, [members.property]: Object.fromEntries(names.map((name) => [name, {}])) };
}

function byConnection(
  needs: readonly Need[],
  of: Pick<ResourceNeeds, "title" | "urn" | "provider">,
): readonly ResourceNeeds[] {
  const groups = Map.groupBy(needs, ({ service, connection }) => JSON.stringify([service, connection ?? ""]));
  return [...groups.values()].flatMap((own) => {
    const [first] = own;
    return first ? [{ ...of, needs: own, service: first.service, connection: first.connection }] : [];
  });
}
