import type { SecretRule } from "../../provider/core/definition";
import { markdownTable } from "../markdown-table";
import type { PropertyModel } from "../package-model";
import { type Member, recordsIn, type Shape } from "../property-shape";
import { deprecation } from "../tsdoc";

/** What a program writes, as a table. */
export function inputTable(properties: readonly PropertyModel[]): string {
  const rows = properties.map((property) => [
    `\`${property.name}\``,
    typeOf(property),
    defaultText(property),
    told(property.description, ...notes(property)),
  ]);
  return markdownTable(["Property", "Type", "Default", "What it is"], rows);
}

/** What a server adds or returns, as a table. */
export function outputTable(properties: readonly PropertyModel[]): string {
  const rows = properties.map((property) => [
    `\`${property.name}\``,
    typeOf(property),
    told(property.description, ...notes(property), alwaysThere(property)),
  ]);
  return markdownTable(["Property", "Type", "What it is"], rows);
}

/** What a duration is, for pages whose tables have one. */
export function durationNote(properties: readonly PropertyModel[]): string {
  return properties.some(({ isDuration }) => isDuration)
    ? "A duration is a number of seconds, or text such as `90s`, `15m`, `1h30m` or `7d`."
    : "";
}

/** A section for every record that the properties refer to. `required` is what is said of members that are always there. */
export function recordSections(properties: readonly PropertyModel[], required: string): string[] {
  return recordsIn(properties.map(({ shape }) => shape)).map((record) => {
    const rows = record.members.map((member) => memberRow(member, required));
    const table = markdownTable(["Member", "Type", "What it is"], rows);
    return `### ${record.name}\n\n${record.description}\n\n${table}`;
  });
}

/** `name` and `name` and `name`, as a sentence has them. */
export function named(names: readonly string[]): string {
  const quoted = names.map((name) => `\`${name}\``);
  const last = quoted.pop();
  return quoted.length === 0 ? (last ?? "") : `${quoted.join(", ")} and ${last}`;
}

/** What makes a property secret, in words that follow "Secret". */
export function secretText(rule: SecretRule): string {
  if (rule === "always") return "";
  if ("flag" in rule) return ` while \`${rule.flag}\` is set`;
  return ` while it holds ${rule.members.map((member) => `\`${member}\``).join(" or ")}`;
}

function told(...sentences: readonly string[]): string {
  return sentences.filter(Boolean).join(" ");
}

function alwaysThere({ isAlwaysSet }: PropertyModel): string {
  return isAlwaysSet ? "Always set." : "";
}

/** More than this would push the other columns off the page. */
const LONGEST_DEFAULT = 40;

function defaultText({ isRequired, fallback = "" }: PropertyModel): string {
  if (isRequired) return "**required**";
  if (fallback.length > LONGEST_DEFAULT) return "see right";
  return /^["\d{[-]|^(true|false)$/.test(fallback) ? `\`${plain(fallback)}\`` : fallback;
}

/** A text without its quotes; its marks would be read as escapes of the page. */
function plain(fallback: string): string {
  return fallback.startsWith('"') ? String(JSON.parse(fallback)) : fallback;
}

function notes(property: PropertyModel): string[] {
  const { fallback = "" } = property;
  return [
    fallback.length > LONGEST_DEFAULT ? `Default: \`${plain(fallback)}\`.` : "",
    property.replaces ? "**Replaces.**" : "",
    property.secret === undefined ? "" : `**Secret**${secretText(property.secret)}.`,
    property.isReadable ? "" : "**Cannot be read back.**",
    property.availability === undefined ? "" : `Needs ${property.availability}.`,
    property.deprecated === undefined ? "" : `**Deprecated.** ${deprecation(property.deprecated)}`,
  ].filter(Boolean);
}

function memberRow({ name, shape, description, isRequired }: Member, required: string): string[] {
  return [`\`${name}\``, typeText(shape), told(description, isRequired ? required : "")];
}

function typeOf({ isDuration, shape }: PropertyModel): string {
  return isDuration ? "duration" : typeText(shape);
}

function typeText(shape: Shape): string {
  switch (shape.kind) {
    case "primitive":
      return shape.isWhole ? "integer" : shape.name;
    case "words":
      return shape.words.map((word) => `\`"${word}"\``).join(shape.words.length > 4 ? ", " : " or ");
    case "list":
      return `list of ${inner(shape.item)}`;
    case "map":
      return `map to ${inner(shape.value)}`;
    case "union":
      return shape.options.map(typeText).join(" or ");
    case "record":
      return `[${shape.name}](#${shape.name.toLowerCase()})`;
    case "anything":
      return "anything";
  }
}

function inner(shape: Shape): string {
  const isLong = shape.kind === "union" || (shape.kind === "words" && shape.words.length > 1);
  return isLong ? `(${typeText(shape)})` : typeText(shape);
}
