const width = 120;

/** Prints JSON with every object and list on one line where that fits, so that a reader sees more than brackets. */
export function fittedJson(value: unknown): string {
  return `${printed(value, { indent: "", before: 0 })}\n`;
}

/** `before`: how many characters stand before the value on its line. */
function printed(value: unknown, { indent, before }: { indent: string; before: number }): string {
  const line = inOneLine(value);
  if (typeof value !== "object" || value === null || before + line.length <= width) return line;
  const inner = `${indent}  `;
  const lines = Array.isArray(value)
    ? value.map((element) => inner + printed(element, { indent: inner, before: inner.length }))
    : Object.entries(value).map(([name, member]) => {
        const start = `${inner}${JSON.stringify(name)}: `;
        return start + printed(member, { indent: inner, before: start.length });
      });
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return [open, lines.join(",\n"), `${indent}${close}`].join("\n");
}

function inOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inOneLine).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${inOneLine(member)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}
