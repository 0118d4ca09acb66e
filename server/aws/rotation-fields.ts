import { Refusal } from "../framework/refusal";

/** The rotation fields that a request supplies; what is stored does not count (asked of Vault 1.21.1). */
export interface RotationFields {
  readonly schedule: string | undefined;
  readonly windowSeconds: number | undefined;
  readonly periodSeconds: number | undefined;
}

/** @throws Refusal for fields that contradict each other, whether or not rotation is available. */
export function assertRotationFields({ schedule, windowSeconds = 0, periodSeconds = 0 }: RotationFields): void {
  if (schedule !== undefined && schedule !== "") {
    if (periodSeconds !== 0) {
      throw new Refusal(
        "mutually exclusive fields rotation_schedule and rotation_period were both specified; only one of them can be provided",
      );
    }
    assertSchedule(schedule);
  }
  if (windowSeconds === 0) return;
  if (periodSeconds !== 0) throw new Refusal("rotation_window does not apply to period");
  if (schedule === undefined) throw new Refusal("cannot use rotation_window without rotation_schedule");
}

/** Only the number of a cron line's fields is checked: the Community Edition never runs a schedule, it can only store one. */
function assertSchedule(schedule: string): void {
  const fields = schedule.split(/\s+/).filter((field) => field !== "");
  if (fields.length === 5 || schedule.startsWith("@")) return;
  throw new Refusal(
    `failed to parse provided rotation_schedule: expected exactly 5 fields, found ${fields.length}: [${fields.join(" ")}]`,
  );
}
