import { type Member, type RecordShape, recordsIn, type Shape } from "./property-shape";
import { comment } from "./tsdoc";

/** The type of a value that is known. */
export function plainType(shape: Shape): string {
  switch (shape.kind) {
    case "primitive":
      return shape.name;
    case "words":
      return shape.words.map((word) => JSON.stringify(word)).join(" | ");
    case "list":
      return `${inParentheses(plainType(shape.item))}[]`;
    case "map":
      return `Record<string, ${plainType(shape.value)}>`;
    case "union":
      return shape.options.map(plainType).join(" | ");
    case "record":
      return shape.name;
    case "anything":
      return "unknown";
  }
}

/** The type of what a program may write: at every level the value, or a promise of it. */
export function inputType(shape: Shape, options: { isOptional?: boolean } = {}): string {
  // `unknown` takes everything in.
  if (shape.kind === "anything") return "unknown";
  return `pulumi.Input<${looseType(shape)}${options.isOptional ? " | undefined" : ""}>`;
}

/** The interfaces that results refer to: nobody writes them. */
export function resultTypes(shapes: readonly Shape[]): string[] {
  return recordsIn(shapes).map((record) => declaration(record.name, record, (member) => plainType(member.shape)));
}

/** The interfaces that the properties refer to, in their two forms. */
export function recordTypes(shapes: readonly Shape[]): string[] {
  return recordsIn(shapes).flatMap((record) => [
    declaration(`${record.name}Args`, record, (member) => inputType(member.shape, { isOptional: !member.isRequired })),
    declaration(record.name, record, (member) => plainType(member.shape)),
  ]);
}

/** The names of these interfaces, in their plain form. */
export function recordNames(shapes: readonly Shape[]): string[] {
  return recordsIn(shapes).map(({ name }) => name);
}

function looseType(shape: Shape): string {
  switch (shape.kind) {
    case "list":
      return `${inputType(shape.item)}[]`;
    case "map":
      return `Record<string, ${inputType(shape.value)}>`;
    case "union":
      return shape.options.map(looseType).join(" | ");
    case "record":
      return `${shape.name}Args`;
    default:
      return plainType(shape);
  }
}

function declaration(name: string, record: RecordShape, typeOf: (member: Member) => string): string {
  const members = record.members.map(
    (member) =>
      `${comment([member.description], "  ")}\n  ${member.name}${member.isRequired ? "" : "?"}: ${typeOf(member)};`,
  );
  return `${comment([record.description])}\nexport interface ${name} {\n${members.join("\n")}\n}`;
}

function inParentheses(type: string): string {
  return type.includes(" ") ? `(${type})` : type;
}
