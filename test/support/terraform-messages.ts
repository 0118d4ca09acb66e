import type { Failure } from "../../provider/core/errors.ts";
import type { ResourceTable } from "../../provider/hosts/terraform/table.ts";
import { InputsRefused } from "./inputs-refused.ts";

/** What the CLI says, read from what it prints: a line of JSON for each message, or text where a command has no JSON. */
export interface CliMessages {
  readonly problems: readonly Problem[];
  /** What it is about to do, by the address of a resource. */
  readonly actions: Readonly<Record<string, string>>;
}

export interface Problem {
  readonly severity: string;
  readonly summary: string;
  readonly detail: string;
}

export function messagesIn(text: string): CliMessages {
  const messages = text.split("\n").flatMap((line) => (line.startsWith("{") ? [JSON.parse(line) as Message] : []));
  const problems = messages.flatMap(({ diagnostic }) => diagnostic ?? []);
  const changes = messages.flatMap(({ type, change }) => (type === "planned_change" && change ? [change] : []));
  return {
    problems: messages.length > 0 ? problems : problemsIn(text),
    actions: Object.fromEntries(changes.map(({ resource, action }) => [resource.addr, action])),
  };
}

/** As much of a message as is read here. */
interface Message {
  readonly type?: string;
  readonly diagnostic?: Problem;
  readonly change?: { readonly resource: { readonly addr: string }; readonly action: string };
}

/** The CLI breaks the lines of a detail, which trustplane never does, and indents what it says of the place. */
function problemsIn(text: string): readonly Problem[] {
  const [, ...parts] = text.split(/^(Error|Warning): /m);
  return parts.flatMap((part, at) => {
    if (at % 2 === 0) return [];
    const [summary = "", ...lines] = part.split("\n");
    const detail = lines.filter((line) => line !== "" && !line.startsWith("  ")).join(" ");
    return [{ severity: String(parts[at - 1]).toLowerCase(), summary, detail }];
  });
}

/** What ended a command, by the names of the tables. */
export function errorOf(table: ResourceTable, problems: readonly Problem[], text: string): Error {
  const errors = problems.filter(({ severity }) => severity === "error");
  const failures = errors.flatMap((each) => failureOf(table, each) ?? []);
  if (failures.length > 0 && failures.length === errors.length) return new InputsRefused(failures);
  return new Error(errors.map(({ summary, detail }) => detail || summary).join("; ") || text);
}

/** Terraform's own words for a value of another type, and for none. */
const MISTYPED = /^Inappropriate value for attribute "(\w+)": (.+)\.$/s;
const MISSING = /^The argument "(\w+)" is required/;

/** What is wrong with a value of the program; undefined where something else is. */
function failureOf({ inputs }: ResourceTable, { summary, detail }: Problem): Failure | undefined {
  const propertyOf = (name: string) => inputs.find((each) => each.name === name)?.property ?? name;
  const [, mistyped, wanted] = MISTYPED.exec(detail) ?? [];
  if (mistyped) return { property: propertyOf(mistyped), reason: `must be of another type: ${wanted}` };
  const [, missing] = MISSING.exec(detail) ?? [];
  if (missing) return { property: propertyOf(missing), reason: "is required" };
  if (summary !== "Invalid value") return undefined;
  const [path = "", ...reason] = detail.split(" ");
  const [name = ""] = path.split(/[.[]/);
  return { property: propertyOf(name) + path.slice(name.length), reason: reason.join(" ") };
}
