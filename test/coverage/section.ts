import type { functions } from "../../provider/functions/index.ts";
import type { definitions } from "../../provider/resources/index.ts";

/** A resource or a function, by its name in the index. */
export type Subject = keyof typeof definitions | keyof typeof functions;

/**
 * One statement of a document and what became of it. A test is named by its file below `test/`, without `.test.ts`, and its
 * title, with the groups around it where the title alone is not enough: `server/jwt-roles > a role is refused > %j: %s`.
 * A step of a recorded exchange is `wire secrets-jwt-role > list none`.
 */
export interface Row {
  /** What the document says, in our words. */
  readonly says: string;
  /** What real servers do. */
  readonly real: string;
  /** How that is known: `wire <recording>`, `reference <part> <section>`, or a test on real servers. */
  readonly evidence: readonly string[];
  /** What the tests hold on to. */
  readonly asserted: string;
  readonly tests: readonly string[];
}

/** A table, list or paragraph of a document, by its rows. */
export interface Section {
  /** Whose properties its rows are, where they are named as on the wire. */
  readonly of: readonly Subject[];
  readonly rows: Readonly<Record<string, Row>>;
}

/** Sections by the number of the document and their title there. */
export type Sections = Readonly<Record<string, Section>>;
