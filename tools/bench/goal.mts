import { figure } from "./markdown.mts";

/** What a section aims at, beside what it measured; all as the report's last table has it. */
export interface Goal {
  /** Understandable without the section. */
  readonly what: string;
  readonly goal: string;
  readonly measured: string;
  /** `yes`, `no` with the factor where there is one, or `unknown`. */
  readonly met: string;
}

/** A goal that is an upper limit. A value that could not be measured does not count as met. */
export function atMost(limit: {
  readonly what: string;
  readonly most: number;
  readonly value: number | undefined;
  readonly unit: string;
}): Goal {
  const { what, most, value, unit } = limit;
  const goal = `at most ${figure(most)} ${unit}`;
  if (value === undefined) return { what, goal, measured: "not known", met: "unknown" };
  const met = value <= most ? "yes" : `no, × ${figure(value / most)}`;
  return { what, goal, measured: `${figure(value)} ${unit}`, met };
}
