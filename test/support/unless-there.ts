import type { SuiteOptions } from "vitest";

declare module "vitest" {
  interface TaskMeta {
    /** Why a suite is skipped; `npm test` counts and shows it. */
    skipReason?: string;
  }
}

/**
 * Options that skip a suite, with its reason, on a machine without the tool that it needs. With `CI=true` nothing is skipped:
 * there the suite runs and fails.
 *
 * @example
 * describe("against a real server", unlessThere(hasGo, "no go on PATH"), () => { … });
 */
export function unlessThere(isThere: boolean, reason: string): SuiteOptions {
  return isThere || isTruthy(process.env.CI) ? {} : { skip: true, meta: { skipReason: reason } };
}

/** Options that skip a suite where the servers of this run have no such service. */
export function withService(isThere: boolean, service: string): SuiteOptions {
  return isThere ? {} : { skip: true, meta: { skipReason: `the servers of this run have no service ${service}` } };
}

const isTruthy = (value: string | undefined) => value !== undefined && !["", "0", "false"].includes(value);
