import type { Summary } from "./statistics.mts";

/** A cell: text as it is, a number as `figure` writes it, or nothing because there is nothing to say. */
export type Cell = string | number | undefined;

/** A Markdown table; a column whose cells are all numbers (or missing) is aligned to the right. */
export function table(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const isNumeric = header.map((_, column) => {
    const cells = rows.map((row) => row[column]).filter((cell) => cell !== undefined);
    return cells.length > 0 && cells.every((cell) => typeof cell === "number");
  });
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [
    line(header),
    line(isNumeric.map((right) => (right ? "--:" : "---"))),
    ...rows.map((row) => line(header.map((_, column) => text(row[column])))),
  ].join("\n");
}

/** The cells of the first table in a text, its header first, as `table` has written them. */
export function cellsIn(text: string): string[][] {
  const lines = text.split("\n").filter((line) => line.startsWith("| "));
  const cells = lines.map((line) => line.slice(2, -2).split(" | "));
  return cells.filter((_, index) => index !== 1).map((row) => row.map((cell) => cell.replaceAll("\\|", "|")));
}

/** Three cells of a table, beside the columns of `summaryHeader`. */
export function summaryCells({ min, median, max }: Summary): readonly [number, number, number] {
  return [min, median, max];
}

export const summaryHeader = ["min", "median", "max"] as const;

/** A number with as many digits as are worth reading: three, and all of them before the decimal point. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) throw new Error(`${value} is not a figure`);
  return value.toLocaleString("en", {
    maximumSignificantDigits: Math.max(3, Math.trunc(Math.abs(value)).toString().length),
  });
}

function text(cell: Cell): string {
  if (cell === undefined) return "–";
  // A bar would end the cell, a line break the table.
  return (typeof cell === "number" ? figure(cell) : cell).replaceAll("|", "\\|").replace(/\s*\n\s*/g, " ");
}
