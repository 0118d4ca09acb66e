import type { Definition, Values } from "../../../provider/core/definition";
import { ProviderError } from "../../../provider/core/errors";
import { valuesFromId } from "../../../provider/core/look-up";
import { DEFAULTS, recordsIn } from "../../../provider/core/members";
import { placeholders } from "../../../provider/core/template";
import { hasUnknown, isRecord } from "../../../provider/core/unknowns";
import { ANY_NAME, type Need, needsOf } from "../../../provider/dialects/needs";
import { assertWhole, leftOutText } from "../../stack/desired-stack";
import type { Preview, PreviewStep } from "../../stack/preview";
import type { RecordedResource } from "../../stack/recorded-stack";
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

/** What a resource of a state needs, once for each connection that it uses. */
export function needsOfRecorded(resource: RecordedResource): readonly ResourceNeeds[] {
  const { definition, token, name, urn, id, inputs, outputs, provider } = resource;
  if (definition === undefined) return [];
  const title = `${token.replace(":", ".")} ${name}`;
  return byConnection(needsOf(definition, valuesFromId(definition, id, { ...inputs, ...outputs })), {
    title,
    urn,
    provider,
  });
}

/** The same for a policy, in which a path of the state must not stand for other paths. */
export function grantableNeeds(resource: RecordedResource): readonly ResourceNeeds[] {
  const { definition, token, name, id, inputs, outputs } = resource;
  if (definition)
    assertLiteral(definition, valuesFromId(definition, id, { ...inputs, ...outputs }), `${token} ${name}`);
  return needsOfRecorded(resource);
}

/**
 * What the resources of a preview need: before and after it.
 *
 * @throws InputError when it failed or leaves something out: a token whose policy is written from the rest could do too little.
 */
export function needsOfPreview(preview: Preview): readonly ResourceNeeds[] {
  if (preview.errors.length > 0)
    throw new ProviderError(
      "InputError",
      "the preview failed, so some resources are missing from it: correct it first.",
    );
  assertWhole({ leftOut: leftOutText(preview) });
  return [...preview.steps, ...preview.same].flatMap(needsOfStep);
}

function needsOfStep({ definition, class: type, name, urn, id, before, after }: PreviewStep): readonly ResourceNeeds[] {
  if (definition === undefined) return [];
  const sides = [before && valuesFromId(definition, id ?? "", before), after].filter((side) => side !== undefined);
  for (const values of sides) assertLiteral(definition, values, `${type} ${name}`);
  const needs = sides.flatMap((values) => needsOf(definition, withWildCards(definition, values)));
  return byConnection(needs, { title: `${type} ${name}`, urn, provider: "" });
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
  const what = `${found} of ${title.replace(":", ".")} is ${JSON.stringify(values[found])}`;
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
