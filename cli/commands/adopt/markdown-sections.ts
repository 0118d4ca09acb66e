import type { NotAdopted } from "../../sources/servers/found-record";
import { codeSpan } from "../../text/markdown";
import { visibleLine } from "../../text/visible-text";

/** A section with a list; none where it is empty. */
export function listSection(title: string, text: string, list: readonly NotAdopted[]): string[] {
  if (list.length === 0) return [];
  const lines = list.map(({ what, reason }) => `* ${codeSpan(what)}: ${codeSpan(visibleLine(reason))}`);
  return [`## ${title}\n\n${text}\n\n${lines.join("\n")}`];
}

/** Commands as a block of code. */
export function shell(commands: string): string {
  return `\`\`\`sh\n${commands}\n\`\`\``;
}

/** Any text as one argument of a shell. */
export function argument(text: string): string {
  return `'${visibleLine(text).replaceAll("'", "'\\''")}'`;
}
