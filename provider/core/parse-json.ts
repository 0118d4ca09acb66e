/** The JSON of a text, or undefined when it is none, such as a proxy's HTML page. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The first number of a JSON text that JavaScript cannot hold: it would become another one. Undefined where all of them
 * stay what they are. Throws for a text that is no JSON.
 */
export function inexactNumber(text: string): string | undefined {
  let found: string | undefined;
  const look = (_: string, value: unknown, { source }: { readonly source?: string }) => {
    if (typeof value === "number" && source !== undefined && !isExact(source, value)) found ??= source;
    return value;
  };
  // The lib of TypeScript does not know the third argument yet, which Node has since 21.
  JSON.parse(text, look as (key: string, value: unknown) => unknown);
  return found;
}

function isExact(source: string, value: number): boolean {
  return Number.isFinite(value) && decimalOf(source) === decimalOf(String(value));
}

/** A decimal number in one form: its digits without zeros at either end, and the power of ten that they are multiplied with. */
function decimalOf(text: string): string {
  const [, sign = "", whole = "", fraction = "", power = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  const all = whole + fraction;
  let end = all.length;
  while (end > 0 && all[end - 1] === "0") end -= 1;
  const digits = all.slice(0, end).replace(/^0+/, "");
  return digits === "" ? "0" : `${sign}${digits}e${Number(power) + whole.length - end}`;
}
