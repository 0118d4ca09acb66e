import type { MethodDefinition, ServiceDefinition } from "@grpc/grpc-js";
import type { BinaryReader, BinaryWriter } from "google-protobuf";
import { ProviderError } from "../../core/errors";
import { isRecord } from "../../core/unknowns";
import { Struct } from "./sdk-copies";

/** The properties of a message as plain values. */
export type Plain = Readonly<Record<string, unknown>>;

/**
 * The library makes a map of message objects of each object, which takes most of a call's time, and loses a member called
 * `__proto__`. So a Struct of ours is read and written without them.
 */
const plain = new WeakMap<Struct, Plain>();

/** What was read of the message; nothing of a message that is not there. */
export function plainOf(struct: Struct | undefined): Plain {
  if (struct === undefined) return {};
  const values = plain.get(struct);
  // Taken for empty, it would delete what it holds.
  if (values === undefined) throw new ProviderError("BugError", "a message was not read with plain properties");
  return values;
}

/** A message with these properties, of which JSON can say each. */
export function structOf(values: Plain): Struct {
  const struct = new Struct();
  plain.set(struct, values);
  return struct;
}

/** The service, for messages with plain properties. */
export function withPlainProperties(service: ServiceDefinition): ServiceDefinition {
  const plainly = (method: MethodDefinition<unknown, unknown>) => ({
    ...method,
    requestDeserialize: (bytes: Buffer) => withPlainStructs(() => method.requestDeserialize(bytes)),
    responseSerialize: (message: unknown) => withPlainStructs(() => method.responseSerialize(message)),
  });
  return Object.fromEntries(Object.entries(service).map(([name, method]) => [name, plainly(method)]));
}

/** Messages that the work reads or writes have plain properties; others of the process stay as the library makes them. */
export function withPlainStructs<T>(work: () => T): T {
  const { deserializeBinaryFromReader, serializeBinaryToWriter } = Struct;
  Object.assign(Struct, { deserializeBinaryFromReader: readInto, serializeBinaryToWriter: write });
  try {
    return work();
  } finally {
    Object.assign(Struct, { deserializeBinaryFromReader, serializeBinaryToWriter });
  }
}

// The numbers are those of google/protobuf/struct.proto: a map entry has a key and a value, a value one of its kinds.
const MEMBERS = 1;
const ENTRY = { key: 1, value: 2 } as const;
const VALUE = { null: 1, number: 2, string: 3, bool: 4, struct: 5, list: 6 } as const;

const ORDINARY = { enumerable: true, configurable: true, writable: true } as const;

function readInto(struct: Struct, reader: BinaryReader): Struct {
  plain.set(struct, readMembers(reader));
  return struct;
}

function readMembers(reader: BinaryReader): Plain {
  const entries: Entry[] = [];
  eachField(reader, (field) => {
    if (field === MEMBERS) entries.push(inside(reader, readEntry));
    else reader.skipField();
  });
  const members: Record<string, unknown> = {};
  // Pulumi's engine writes them in another order each time, and a text made of an object would be another one each time.
  for (const { key, value } of entries.sort((a, b) => (a.key < b.key ? -1 : 1))) {
    if (key === "__proto__") Object.defineProperty(members, key, { value, ...ORDINARY });
    else members[key] = value;
  }
  return members;
}

interface Entry {
  readonly key: string;
  readonly value: unknown;
}

function readEntry(reader: BinaryReader): Entry {
  const entry = { key: "", value: null as unknown };
  eachField(reader, (part) => {
    if (part === ENTRY.key) entry.key = reader.readString();
    else if (part === ENTRY.value) entry.value = inside(reader, readValue);
    else reader.skipField();
  });
  return entry;
}

function readValue(reader: BinaryReader): unknown {
  let value: unknown = null;
  eachField(reader, (kind) => {
    if (kind === VALUE.string) value = reader.readString();
    else if (kind === VALUE.number) value = reader.readDouble();
    else if (kind === VALUE.bool) value = reader.readBool();
    else if (kind === VALUE.struct) value = inside(reader, readMembers);
    else if (kind === VALUE.list) value = inside(reader, readItems);
    else reader.skipField();
  });
  return value;
}

function readItems(reader: BinaryReader): readonly unknown[] {
  const items: unknown[] = [];
  eachField(reader, (field) => {
    if (field === MEMBERS) items.push(inside(reader, readValue));
    else reader.skipField();
  });
  return items;
}

/** Reads the message that the field holds. */
function inside<T>(reader: BinaryReader, read: (reader: BinaryReader) => T): T {
  const found: T[] = [];
  reader.readMessage(found, () => found.push(read(reader)));
  // The library calls back once, at once.
  return found[0] as T;
}

function eachField(reader: BinaryReader, read: (field: number) => void): void {
  while (reader.nextField() && !reader.isEndGroup()) read(reader.getFieldNumber());
}

function write(struct: Struct, writer: BinaryWriter): void {
  writeMembers(plainOf(struct), writer);
}

function writeMembers(values: Plain, writer: BinaryWriter): void {
  for (const [key, value] of Object.entries(values)) {
    if (value === undefined) continue;
    within(writer, MEMBERS, () => {
      writer.writeString(ENTRY.key, key);
      within(writer, ENTRY.value, () => writeValue(value, writer));
    });
  }
}

function writeValue(value: unknown, writer: BinaryWriter): void {
  if (typeof value === "string") writer.writeString(VALUE.string, value);
  else if (typeof value === "number") writer.writeDouble(VALUE.number, value);
  else if (typeof value === "boolean") writer.writeBool(VALUE.bool, value);
  else if (Array.isArray(value)) within(writer, VALUE.list, () => writeItems(value, writer));
  else if (isRecord(value)) within(writer, VALUE.struct, () => writeMembers(value, writer));
  else writer.writeEnum(VALUE.null, 0);
}

function writeItems(items: readonly unknown[], writer: BinaryWriter): void {
  for (const item of items) within(writer, MEMBERS, () => writeValue(item, writer));
}

/** The library writes a message only for something that is not null, which here is said by what is inside. */
function within(writer: BinaryWriter, field: number, write: () => void): void {
  writer.writeMessage(field, true, write);
}
