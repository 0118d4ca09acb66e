/** How a server shows a record, wherever it is by now, by an output that no change of it changes. */
export interface Trace {
  /** The property by which another hand can have put the record elsewhere: its name, or its path. */
  readonly property: string;
  /** Where the server shows it: a template, or a collection for what is read from one. */
  readonly path: string;
  /** The value of the property by now; undefined where the server does not show the record. */
  find(answer: unknown, state: Readonly<Record<string, unknown>>): string | undefined;
}
