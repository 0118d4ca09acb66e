import type { Definition, Values } from "../../../provider/core/definition";
import { classOf, type Place } from "../../stack/kinds";
import type { HiddenValue } from "./hidden-values";

/** A record of a server, as a program would say it. */
export interface FoundRecord {
  readonly definition: Definition;
  readonly id: string;
  readonly values: Values;
  readonly place: Place;
  /** Values that the program must get from its configuration. */
  readonly hidden: readonly HiddenValue[];
  /** What would be refused in a program, if the record did not have it already. */
  readonly odd?: string;
}

/** A record, or all those of a list, and the reason why it is not in the program. */
export interface NotAdopted {
  readonly what: string;
  readonly reason: string;
  /** Of a single record, what tells it from all others. */
  readonly key?: string;
}

export interface Found {
  readonly records: readonly FoundRecord[];
  /** Records that no program of this package can say, or that it must not take over. */
  readonly leftOut: readonly NotAdopted[];
  /** What there may be beside it, with counts where these are known. */
  readonly notLookedAt?: readonly NotAdopted[];
  /** What the servers refused to show. */
  readonly unread: readonly NotAdopted[];
}

/** `jwt.Role ci`, as `--include` and the ignore file of drift detection name it. */
export function titleOf({ definition, values }: Pick<FoundRecord, "definition" | "values">): string {
  return `${classOf(definition)} ${String(values[definition.label] ?? "")}`.trimEnd();
}

/** Tells one record from all others. */
export function keyOf({ definition, id }: Pick<FoundRecord, "definition" | "id">): string {
  return `${definition.token} ${id}`;
}
