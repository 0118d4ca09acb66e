import type { WireRecord } from "../core/definition";
import type { Expects } from "../dialects/dialect";
import type { HttpRequest } from "../http/transport";

/** A request to an API: a path below the API's prefix, and the members of the body. */
export interface ApiRequest {
  readonly method: HttpRequest["method"];
  readonly path: string;
  readonly members?: unknown;
  readonly mints?: boolean | undefined;
  /** The caller waits for what the server warns of: that it goes on working. */
  readonly isAwaited?: boolean | undefined;
  /**
   * What a successful answer must hold; any other one is an error, so that a page of a proxy is not taken for a missing
   * record. For a read it is what the API answers to that path, for a write anything.
   */
  readonly expects?: Expects | undefined;
  /** Texts that no message repeats, whatever the server says; the connection's token is always among them. */
  readonly secrets?: readonly string[] | undefined;
  /** The token to ask with, where it is not the connection's own. */
  readonly token?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What the server answered: a record or a collection, nothing, or "not there". */
export type Reply =
  | {
      readonly kind: "found";
      readonly record: unknown;
      readonly filtered: boolean;
      readonly next?: string | undefined;
      /** What the server made for the caller, where it makes such things. */
      readonly issued?: WireRecord | undefined;
    }
  | {
      readonly kind: "absent";
      /** What to do when that which would hold the record, such as a mount, is missing itself. */
      readonly missing?: string | undefined;
    };
