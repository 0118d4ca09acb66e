import { isRecord } from "../../../provider/core/unknowns";
import { doubleQuoted } from "../../text/quoted";
import type { Item, Piece } from "./layout";
import { capital } from "./names";
import { type NamedType, namedType, type TypeSpec } from "./property-types";

/** A value of JSON as an input of the SDK in Go, which has a type of its own for every kind of value. */
export function goValue(value: unknown, type: TypeSpec): Piece {
  const named = namedType(type);
  if (named?.members) return argsOf(value, named);
  if (named) return `${packageOf(named)}.${named.name}(${doubleQuoted(String(value))})`;
  if (type.type === "array" && Array.isArray(value))
    return goList(
      value.map((item) => goValue(item, type.items ?? {})),
      type,
    );
  if (type.type === "object" && isRecord(value)) return mapOf(value, type.additionalProperties ?? {});
  if (type.type === "string") return wrapped("String", text(String(value)));
  if (type.type === "boolean") return `pulumi.Bool(${String(value)})`;
  if (type.type === "integer") return `pulumi.Int(${String(value)})`;
  if (type.type === "number") return `pulumi.Float64(${String(value)})`;
  return wrapped("Any", goLiteral(value));
}

/** The package of the SDK above the others: it has what belongs to no module. */
export const ROOT_PACKAGE = "trustplane";

/** The package of the SDK that has a type. */
export function packageOf({ module }: Pick<NamedType, "module">): string {
  return module === "index" ? ROOT_PACKAGE : module;
}

/** A value of JSON as a plain value of Go. */
export function goLiteral(value: unknown): Piece {
  if (typeof value === "string") return text(value);
  if (Array.isArray(value))
    return { open: "[]any{", items: value.map((item) => ({ piece: goLiteral(item) })), close: "}" };
  if (isRecord(value)) {
    const items = Object.entries(value).map(([name, member]) => entry(name, goLiteral(member)));
    return { open: "map[string]any{", items, close: "}" };
  }
  return value === null || value === undefined ? "nil" : JSON.stringify(value);
}

function argsOf(value: unknown, named: NamedType): Piece {
  const { name, members = {} } = named;
  const given = isRecord(value) ? value : {};
  // A name of a member becomes code: only those of the SDK.
  const items = Object.entries(members).flatMap(([member, of]): Item[] =>
    given[member] === undefined ? [] : [{ before: `${capital(member)}: `, piece: goValue(given[member], of) }],
  );
  return { open: `&${packageOf(named)}.${name}Args{`, items, close: "}" };
}

/** These items as an input of the SDK that takes a list of this type. */
export function goList(items: readonly Piece[], { items: type = {} }: TypeSpec): Piece {
  return { open: `${collection(type, "Array")}{`, items: items.map((piece) => ({ piece })), close: "}" };
}

function mapOf(map: Readonly<Record<string, unknown>>, type: TypeSpec): Piece {
  const items = Object.entries(map).map(([name, member]) => entry(name, goValue(member, type)));
  return { open: `${collection(type, "Map")}{`, items, close: "}" };
}

function entry(name: string, piece: Piece): Item {
  return { before: `${doubleQuoted(name)}: `, piece };
}

/** The type of a list or a map: `pulumi.StringArray`, `jwt.JwksPairArray`, `pulumi.ArrayMap` of lists that hold anything. */
function collection(type: TypeSpec, kind: "Array" | "Map"): string {
  const named = namedType(type);
  return named ? `${packageOf(named)}.${named.name}${kind}` : `pulumi.${nameOf(type)}${kind}`;
}

function nameOf({ type = "", items = {} }: TypeSpec): string {
  if (type === "array") return `${nameOf(items)}Array`;
  return { string: "String", boolean: "Bool", integer: "Int", number: "Float64" }[type] ?? "";
}

function wrapped(name: string, piece: Piece): Piece {
  if (typeof piece === "string") return `pulumi.${name}(${piece})`;
  if ("lines" in piece) {
    const [first = "", ...rest] = piece.lines;
    const last = rest.length - 1;
    return {
      ...piece,
      lines: [`pulumi.${name}(${first}`, ...rest.map((line, index) => (index === last ? `${line})` : line))],
    };
  }
  return { ...piece, open: `pulumi.${name}(${piece.open}`, close: `${piece.close})` };
}

/** A long text is written line by line. */
function text(value: string): Piece {
  const lines = value.split(/(?<=\n)/);
  return lines.length < 3 ? doubleQuoted(value) : { lines: lines.map(doubleQuoted), sign: " +" };
}
