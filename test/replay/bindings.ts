import { isRecord } from "../../provider/core/unknowns.ts";

const PLACEHOLDER = /<[a-z]+(?:-[a-z]+)*(?:-\d+)?>/g;

/** What the placeholders of a recording stand for in its replay. */
export interface Bindings {
  /** A recorded request, with the values of this replay. */
  filled<T>(recorded: T): T;
  /**
   * A recorded answer as this replay should give it. What it has for the first time stands for what the actual answer has
   * in its place.
   */
  expected(recorded: unknown, actual: unknown): unknown;
}

export function createBindings(known: Readonly<Record<string, string>>): Bindings {
  const values = new Map(Object.entries(known).map(([name, value]) => [`<${name}>`, value]));
  const fill = (text: string) => text.replace(PLACEHOLDER, (found) => values.get(found) ?? found);

  /** Only where the rest of the text is the same, so that a changed form of an id is seen. */
  function learn(recorded: string, actual: string): void {
    const names = recorded.match(PLACEHOLDER) ?? [];
    const rest = recorded.split(PLACEHOLDER).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    const found = new RegExp(`^${rest.join("([\\w.:+/=-]+)")}$`, "s").exec(actual)?.slice(1) ?? [];
    for (const [index, value] of found.entries()) {
      const name = names[index] ?? "";
      if (!values.has(name)) values.set(name, value);
    }
  }

  function mapped(value: unknown, each: (text: string) => string): unknown {
    if (typeof value === "string") return each(value);
    if (Array.isArray(value)) return value.map((item) => mapped(item, each));
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapped(member, each)]));
  }

  function expected(recorded: unknown, actual: unknown): unknown {
    if (typeof recorded === "string") {
      if (typeof actual === "string") learn(recorded, actual);
      return fill(recorded);
    }
    if (Array.isArray(recorded)) {
      const items = Array.isArray(actual) ? actual : [];
      return recorded.map((item, index) => expected(item, items[index]));
    }
    if (!isRecord(recorded)) return recorded;
    const members = isRecord(actual) ? actual : {};
    return Object.fromEntries(
      Object.entries(recorded).map(([name, member]) => [name, expected(member, members[name])]),
    );
  }

  // The shape stays.
  return { filled: <T>(recorded: T) => mapped(recorded, fill) as T, expected };
}
