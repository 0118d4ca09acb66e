import type { Service } from "./scenario.mts";

/** A place where the provider does something else because of what a server answers. */
export interface Branch {
  /** File and function. */
  readonly where: string;
  readonly service: Service;
  readonly status: number;
  /** The text that the provider looks for, as it does. */
  readonly text?: RegExp;
  /** What else it looks at, as the recording shows it: a header as `name: value`, or a part of the body's JSON. */
  readonly shows?: RegExp;
  /** The requests, each of which has a recording; `{…}` is any segment. */
  readonly requests: readonly string[];
  /** Why no server that can be had gives this answer. */
  readonly unrecorded?: string;
}
