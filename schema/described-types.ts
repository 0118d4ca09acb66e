import type { Args, Outputs } from "../provider/core/definition";
import type { definitions } from "../provider/resources";

type Definitions = typeof definitions;
type Flat<T> = { [K in keyof T]: T[K] };

/** What a program writes and what the server adds, for every resource: the compiler's view of the rows, with their TSDoc. */
export type DescribedTypes = {
  [Name in keyof Definitions]: { args: Flat<Args<Definitions[Name]>>; outputs: Flat<Outputs<Definitions[Name]>> };
};
