import type { ConnectionEntry } from "../provider/core/connection-entry";
import type { Args, Outputs } from "../provider/core/definition";
import type { RowValues } from "../provider/core/field";
import type { functions } from "../provider/functions";
import type { definitions } from "../provider/resources";

type Definitions = typeof definitions;
type Functions = typeof functions;
type Flat<T> = { [K in keyof T]: T[K] };

/**
 * What a program writes and what the server adds, for every resource and every function, and what the configuration says
 * of a connection: the compiler's view of the rows, with their TSDoc.
 */
export type DescribedTypes = {
  [Name in keyof Definitions]: { args: Flat<Args<Definitions[Name]>>; outputs: Flat<Outputs<Definitions[Name]>> };
} & {
  [Name in keyof Functions]: {
    args: Flat<Args<Functions[Name]>>;
    outputs: Flat<RowValues<Functions[Name]["results"]>>;
  };
} & { connection: { args: ConnectionEntry; outputs: ConnectionEntry } };
