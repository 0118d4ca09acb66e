import { Failure } from "../framework/refusal";
import type { Storage } from "../framework/storage";
import type { EngineContext, RotationSchedule } from "./engine-context";
import { type StaticCredentials, type StaticRole, staticCredentialsPrefix, staticRolePrefix } from "./static-role";
import { createKey } from "./static-role-key";

const retryMs = 10_000;
/** A user has two keys, so older rotations that were missed have left no trace. */
const keptRotations = 2;

export function restoredSchedule(storage: Storage): RotationSchedule {
  const names = storage.list(staticCredentialsPrefix);
  return new Map(
    names.map((name) => {
      const credentials = storage.get<StaticCredentials>(`${staticCredentialsPrefix}${name}`);
      return [name, credentials === undefined ? 0 : Date.parse(credentials.expiration)];
    }),
  );
}

/** Rotates the keys that are due, each with the time at which it was due: the clock may have moved over several periods. */
export function rotateDueKeys(context: EngineContext): void {
  const { schedule, storage, now } = context;
  const until = now().getTime();
  for (const [name, firstMs] of schedule) {
    const role = storage.get<StaticRole>(`${staticRolePrefix}${name}`);
    if (role === undefined) continue;
    const periodMs = role.rotation_period * 1000;
    const missed = Math.floor((until - firstMs) / periodMs);
    let dueMs = firstMs + Math.max(0, missed - keptRotations + 1) * periodMs;
    while (dueMs <= until) {
      dueMs = rotatedAt(context, role, dueMs) ? dueMs + periodMs : until + retryMs;
    }
    schedule.set(name, dueMs);
  }
}

function rotatedAt(context: EngineContext, role: StaticRole, timeMs: number): boolean {
  try {
    createKey(context, role, new Date(timeMs));
    return true;
  } catch (error) {
    // Vault logs the error and tries again later.
    if (error instanceof Failure) return false;
    throw error;
  }
}
