import { canonicalText } from "../../core/canonical";
import { parseWrittenDuration } from "../../core/duration";
import { inexactNumber, parseJson } from "../../core/parse-json";
import { cutText } from "../../core/plain-text";
import type { Host, Said } from "./call";
import type { Request } from "./protocol";
import { messageWith, valueIn } from "./value";

/** A function of a program that asks no server: one text goes in. */
interface ProviderFunction {
  readonly summary: string;
  readonly description: string;
  readonly parameter: { readonly name: string; readonly description: string };
  readonly returns: "number" | "string";
  call(text: string): { readonly value: number | string } | { readonly problem: string };
}

/** Characters of a number in a message. */
const LONGEST_SHOWN = 40;

const FUNCTIONS: Readonly<Record<string, ProviderFunction>> = {
  duration_seconds: {
    summary: "Seconds of a duration",
    description: "The seconds of a duration as the servers write it, such as `1h`, `1h30m`, `2d` or `3600`.",
    parameter: { name: "duration", description: "Duration, or a number of seconds." },
    returns: "number",
    call(text) {
      const seconds = parseWrittenDuration(text);
      return typeof seconds === "number" ? { value: seconds } : { problem: seconds };
    },
  },
  canonical_document: {
    summary: "A JSON document in one form",
    description:
      "A JSON document, such as a policy of a cloud role, with its members sorted and without blanks: equal texts mean equal documents. A number with more digits than a double keeps is an error.",
    parameter: { name: "document", description: "JSON text." },
    returns: "string",
    call(text) {
      const document = parseJson(text);
      if (document === undefined) return { problem: "is not JSON" };
      const inexact = inexactNumber(text);
      return inexact === undefined ? { value: canonicalText(document) } : { problem: inexactProblem(inexact) };
    },
  },
};

/** What a program may call, for the schema. */
export function functionSchemas(): object {
  const schemas = Object.entries(FUNCTIONS).map(([name, { summary, description, parameter, returns }]) => [
    name,
    {
      summary,
      description,
      parameters: [{ ...parameter, type: typeText("string") }],
      return: { type: typeText(returns) },
    },
  ]);
  return Object.fromEntries(schemas);
}

export const functionNames = () => Object.keys(FUNCTIONS).map((name) => ({ name }));

/** A failure stands at the argument: Terraform shows the line. */
export async function callFunction(_host: Host, { name, arguments: given }: Request): Promise<Said<object>> {
  const called = FUNCTIONS[name];
  if (!called) return { answer: { error: { text: `this version of trustplane has no function ${name}` } } };
  const answer = called.call(String(valueIn(given[0]?.msgpack)));
  if ("value" in answer) return { answer: { result: messageWith(answer.value) } };
  return { answer: { error: { text: `${called.parameter.name} ${answer.problem}`, functionArgument: 0 } } };
}

function inexactProblem(number: string): string {
  return `has the number ${cutText(number, LONGEST_SHOWN)}, of which only a rounded value can be kept: write it as a text, in quotes`;
}

function typeText(type: string): Uint8Array {
  return Buffer.from(JSON.stringify(type));
}
