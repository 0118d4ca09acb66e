import type { Availability } from "./availability";
import { type Fields, same } from "./field";

/** Values by public name, or members by their name on the wire. */
type Named = Readonly<Record<string, unknown>>;

/** How the server itself takes the record, with all that is in it, to another place: the change replaces nothing then. */
export interface Move<Key extends string = string> {
  /** The property that says where the record is. */
  readonly property: Key;
  /** The path below which everything of it is; a template. */
  readonly within: string;
  /** Where the server shows which plugins it has, and what they are called there. */
  readonly catalog: { readonly path: string; names(record: Named): readonly string[] };
  /** The servers that can. On another one the change replaces the record. */
  readonly since: Availability;
  /** A POST, told where it is and where it is to be. */
  readonly request: { readonly path: string; members(from: string, to: string): Named };
  /** How far the server is: a template over the answer to the request, and what its own answer means. */
  readonly progress: { readonly path: string; state(record: Named): "done" | "failed" | "pending" };
  /** What the server ends with the move, in words. */
  readonly ends: string;
}

/** Whether an update takes the record to another place. */
export function isMoving({ moves, fields }: Movable, olds: Named, news: Named): boolean {
  const field = moves && fields[moves.property];
  return moves !== undefined && field !== undefined && !same(field, olds[moves.property], news[moves.property]);
}

interface Movable {
  readonly moves?: Move;
  readonly fields: Fields;
}

/** The properties that say which record it is, and where it is. */
export function addressProperties({
  identity,
  moves,
}: {
  readonly identity: readonly string[];
  readonly moves?: Move;
}) {
  return moves ? [...identity, moves.property] : [...identity];
}
