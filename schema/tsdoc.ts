import type { SecretRule } from "../provider/core/definition";
import type { PropertyModel } from "./package-model";

const width = 120;

/** A comment of paragraphs and tags, each on lines of its own; a line that begins a code block is taken as it is. */
export function comment(paragraphs: readonly string[], indent = ""): string {
  const room = width - indent.length - " * ".length;
  const lines = paragraphs.flatMap((text, index) => [
    ...(index > 0 && !paragraphs[index - 1]?.startsWith("@") ? [""] : []),
    ...(text.includes("\n") ? text.split("\n") : wrapped(text, room)),
  ]);
  const safe = lines.map((line) => line.replaceAll("*/", "*\\/"));
  const [only] = safe;
  if (safe.length === 1 && only !== undefined && only.length <= room - " */".length) return `${indent}/** ${only} */`;
  return [`${indent}/**`, ...safe.map((line) => `${indent} *${line && ` ${line}`}`), `${indent} */`].join("\n");
}

/** What is said about a property: the row's comment, and what the row says without words. */
export function propertyProse(property: PropertyModel): string {
  const sentences = [
    property.description,
    property.replaces ? "Changing it replaces the resource." : "",
    property.secret === undefined ? "" : secretSentence(property.secret),
    property.isReadable ? "" : "It cannot be read back from the server, so a change made there is not seen.",
    property.availability === undefined ? "" : `Needs ${property.availability}.`,
  ];
  return sentences.filter(Boolean).join(" ");
}

/** The same as a comment, with what has a tag of its own. */
export function propertyComment(property: PropertyModel, indent: string): string {
  const tags = [
    property.fallback === undefined ? "" : `@default ${asDefault(property.fallback)}`,
    property.deprecated === undefined ? "" : `@deprecated ${deprecation(property.deprecated)}`,
  ];
  return comment([propertyProse(property), ...tags.filter(Boolean)], indent);
}

/** What to use instead, as a sentence. */
export function deprecation(instead: string): string {
  return `${instead.charAt(0).toUpperCase()}${instead.slice(1)}.`;
}

export function secretSentence(rule: SecretRule): string {
  if (rule === "always") return "Secret.";
  if ("flag" in rule) return `Secret while \`${rule.flag}\` is set.`;
  return `Secret while it holds ${rule.members.map((member) => `\`${member}\``).join(" or ")}.`;
}

/** Braces would begin a tag. */
function asDefault(fallback: string): string {
  return fallback.includes("{") ? `\`${JSON.parse(fallback)}\`` : fallback;
}

function wrapped(text: string, room: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && `${last} ${word}`.length <= room) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
