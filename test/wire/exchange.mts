/** An answer, scrubbed of what differs from run to run. */
export interface Answer {
  /** The step that it is the recording of. */
  readonly title: string;
  readonly status: number;
  /** Those that matter. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON where the answer is JSON, else its text; an empty text where it has none. */
  readonly body: unknown;
}

/** A request and its answer. */
export interface Exchange extends Answer {
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: unknown;
  };
}

/** The text of an answer's body. */
export function textOf({ headers, body }: Exchange): string {
  const isText = typeof body === "string" && (body === "" || !/json/.test(headers["content-type"] ?? ""));
  return isText ? body : JSON.stringify(body);
}
