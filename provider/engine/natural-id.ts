import type { Definition, Values } from "../core/definition";
import { givenInId } from "../core/record-id";
import { fill } from "../core/template";
import { titleOf } from "./operation";

type Names = readonly (string | undefined)[];

/** Why two resources cannot have one record, by the names that the program gives them. */
export function bothDeclare(definition: Definition, values: Values, names: Names): string {
  const { label: _, ...unnamed } = definition;
  const id = fill(naturalId(definition), values);
  const [kind, ...tenant] = titleOf(unnamed, values).split(" ");
  return bothSay([kind, id, ...tenant].join(" "), names);
}

/** The same of what is bound to something else, such as the alias of a group. */
export function bothBind({ attached }: Definition, values: Values, names: Names): string {
  return bothSay(
    `the ${attached?.property} ${JSON.stringify(attached?.named(values))} of ${attached?.boundTo(values)}`,
    names,
  );
}

function bothSay(what: string, names: Names): string {
  const [one, other] = names.filter((name) => name !== undefined).map((name) => `\`${name}\``);
  const both = `${one} and ${other ?? "another resource of this program"} both`;
  return `${one === undefined ? "two resources of this program" : both} declare ${what}: remove one of the two`;
}

/** The template of the id, with the name of a record whose id the server gives. */
export function naturalId({ id, outputs, label }: Definition): string {
  return givenInId({ id, outputs }).reduce((text, name) => text.replace(`{${name}}`, `{${label}}`), id);
}
