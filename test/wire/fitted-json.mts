const width = 120;

/**
 * Prints JSON with every object and list on one line where that fits, and otherwise with as many short members on a line as
 * fit, so that a reader sees more than brackets.
 */
export function fittedJson(value: unknown): string {
  return `${printed(value, { indent: "", before: 0 })}\n`;
}

/** `before`: how many characters stand before the value on its line. */
function printed(value: unknown, { indent, before }: { indent: string; before: number }): string {
  const line = inOneLine(value);
  if (typeof value !== "object" || value === null || before + line.length <= width) return line;
  const inner = `${indent}  `;
  const members = Array.isArray(value)
    ? value.map((member) => ["", member] as const)
    : Object.entries(value).map(([name, member]) => [`${JSON.stringify(name)}: `, member] as const);
  const lines: string[] = [];
  let takesMore = false;
  for (const [start, member] of members) {
    const text = start + inOneLine(member);
    const last = lines.at(-1) ?? "";
    const isShort = inner.length + text.length < width;
    if (takesMore && isShort && last.length + text.length + 3 <= width) {
      lines[lines.length - 1] = `${last}, ${text}`;
    } else {
      lines.push(inner + start + printed(member, { indent: inner, before: inner.length + start.length }));
      takesMore = isShort;
    }
  }
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return [open, lines.join(",\n"), `${indent}${close}`].join("\n");
}

function inOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inOneLine).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${inOneLine(member)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}
