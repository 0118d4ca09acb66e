import type { Definition, Values } from "../core/definition";
import { givenInId } from "../core/record-id";
import { fill } from "../core/template";
import { titleOf } from "./operation";

/** Why two resources cannot have one record, by the names that the program gives them. */
export function bothDeclare(definition: Definition, values: Values, names: readonly (string | undefined)[]): string {
  const [one, other] = names.filter((name) => name !== undefined).map((name) => `\`${name}\``);
  const both = `${one} and ${other ?? "another resource of this program"} both`;
  const { label: _, ...unnamed } = definition;
  const id = fill(naturalId(definition), values);
  const [kind, ...tenant] = titleOf(unnamed, values).split(" ");
  const record = [kind, id, ...tenant].join(" ");
  return `${one === undefined ? "two resources of this program" : both} declare ${record}: remove one of the two`;
}

/** The template of the id, with the name of a record whose id the server gives. */
export function naturalId({ id, outputs, label }: Definition): string {
  return givenInId({ id, outputs }).reduce((text, name) => text.replace(`{${name}}`, `{${label}}`), id);
}
