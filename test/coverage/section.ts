import type { functions } from "../../provider/functions/index.ts";
import type { definitions } from "../../provider/resources/index.ts";

/** A resource or a function, by its name in the index. */
export type Subject = keyof typeof definitions | keyof typeof functions;

/**
 * One statement of a document and what became of it. Its tests are those that carry its tag: the line
 * `// @covers <section> > <row>` above them (see `tags.ts`). Tests below `live/` show what real servers do.
 */
export interface Row {
  /** What the document says, in our words; absent where none describes it. */
  readonly says?: string;
  /** What real servers do; absent where that is as documented. */
  readonly real?: string;
  /** How that is known, beside the tests on real servers: `wire <recording>`, `reference <part> <section>`. Absent where it is the section's. */
  readonly evidence?: readonly string[];
  /** What the tests hold on to. */
  readonly asserted: string;
}

/** A table, list or paragraph of a document, by its rows. */
export interface Section<R = Row> {
  /** Whose properties its rows are, where they are named as on the wire. */
  readonly of: readonly Subject[];
  readonly evidence?: readonly string[];
  readonly rows: Readonly<Record<string, R>>;
}

/** A section whose rows have what they left out. */
export type WholeSection = Section<Required<Row>>;

/** Sections by a word for the document and their title there: `jwt: Role`. */
export type Sections = Readonly<Record<string, Section>>;
