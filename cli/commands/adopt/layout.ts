/** A piece of a program in a language whose brackets hug what they hold, as those of Python and Go do. */
export type Piece = string | Bracket | Lines;

export interface Bracket {
  readonly open: string;
  readonly items: readonly Item[];
  readonly close: string;
  /** Each item on a line of its own, also where one line would do. */
  readonly isTall?: boolean;
}

/** An item, with what stands before it, such as `name=` or `Name: `. */
export interface Item {
  readonly before?: string;
  readonly piece: Piece;
}

/** A text over several lines, each with this sign after it but the last one. */
export interface Lines {
  readonly lines: readonly string[];
  readonly sign: string;
  /** What stands on a line of its own behind them. */
  readonly end?: string;
}

export interface Layout {
  readonly step: string;
  readonly width: number;
  /** What stands behind names is aligned, as gofmt does. */
  readonly isAligned?: boolean;
}

/** The piece behind `used` columns of a line with this indent: in one line where it fits, else over several. */
export function laidOut(piece: Piece, layout: Layout, indent: string, used: number): string {
  const { step, width, isAligned = false } = layout;
  const flat = flatText(piece);
  if (flat !== undefined && used + flat.length <= width) return flat;
  if (typeof piece === "string") return piece;
  const inner = indent + step;
  if ("lines" in piece)
    return piece.lines.join(`${piece.sign}\n${inner}`) + (piece.end === undefined ? "" : `\n${indent}${piece.end}`);
  const items = piece.items.map(({ before = "", piece: held }) => ({
    before,
    text: laidOut(held, layout, inner, inner.length + before.length + 1),
  }));
  const befores = isAligned ? aligned(items) : items.map(({ before }) => before);
  const lines = items.map(({ text }, index) => `${inner}${befores[index]}${text},\n`);
  return `${piece.open}\n${lines.join("")}${indent}${piece.close}`;
}

/** The piece in one line; undefined where it has to take several. */
export function flatText(piece: Piece): string | undefined {
  if (typeof piece === "string") return piece;
  if ("lines" in piece || (piece.isTall && piece.items.length > 0)) return undefined;
  const texts = piece.items.map(({ before = "", piece: held }) => {
    const text = flatText(held);
    return text === undefined ? undefined : before + text;
  });
  return texts.every((text) => text !== undefined) ? `${piece.open}${texts.join(", ")}${piece.close}` : undefined;
}

interface LaidOutItem {
  readonly before: string;
  readonly text: string;
}

/** Below this size of a name, gofmt aligns without a look at the sizes of the others. */
const SMALL = 40;
const RATIO = 2.5;

/** The names with spaces behind them: those of lines that stand together, and whose sizes are not too different, end alike. */
function aligned(items: readonly LaidOutItem[]): string[] {
  const sections: LaidOutItem[][] = [];
  let sizes: number[] = [];
  let before = 0;
  for (const item of items) {
    const size = item.text.includes("\n") ? 0 : Buffer.byteLength(item.before) - 2;
    const isNext = size > 0 && before > 0 && isAboutAsLong(size, before, sizes);
    if (!isNext) sizes = [];
    if (size > 0) sizes.push(size);
    if (isNext) sections.at(-1)?.push(item);
    else sections.push([item]);
    before = size;
  }
  return sections.flatMap((section) => {
    const longest = Math.max(...section.map((item) => [...item.before].length));
    return section.map((item) => item.before + " ".repeat(longest - [...item.before].length));
  });
}

function isAboutAsLong(size: number, before: number, sizes: readonly number[]): boolean {
  if (sizes.length === 0 || (before <= SMALL && size <= SMALL)) return true;
  const mean = Math.exp(sizes.reduce((sum, each) => sum + Math.log(each), 0) / sizes.length);
  return RATIO * size > mean && size < RATIO * mean;
}
