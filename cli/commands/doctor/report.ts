/** What `trustplane doctor --json` prints. Its JSON schema is `trustplane/doctor-report.schema.json`. */
export interface DoctorReport {
  /** The version of this format; an incompatible later one has another number. */
  readonly format: "trustplane-doctor/1";
  /** Project and stack; absent where no state was given. */
  readonly stack?: string;
  /** When the servers were asked, as an RFC 3339 time. */
  readonly checkedAt: string;
  /** `failed`: at least one check failed. */
  readonly result: "ok" | "failed";
  readonly connections: readonly ConnectionReport[];
}

/** One connection, with its checks in the order in which they were made. */
export interface ConnectionReport {
  /** As `--connection` takes it: `secrets`, `east`, or `west.cluster` for a provider of the program. */
  readonly name: string;
  readonly service: "secrets" | "cluster" | "policy";
  /** Absent where it is not known or not to be asked. */
  readonly address?: string;
  readonly checks: readonly Check[];
}

export const CHECKS = [
  "address",
  "proxy",
  "dns",
  "tcp",
  "tls",
  "api",
  "product",
  "status",
  "clock",
  "namespace",
  "token",
  "resource",
] as const;

/** The result of one check. */
export interface Verdict {
  /** `not asked`: there was nothing to ask, or an earlier check failed. */
  readonly status: "ok" | "warning" | "failed" | "not asked";
  readonly finding: string;
  /** The setting to change. */
  readonly fix?: string;
}

export interface Check extends Verdict {
  readonly check: (typeof CHECKS)[number];
  /** The resource that the check is about. */
  readonly resource?: string;
}

export const ok = (finding: string): Verdict => ({ status: "ok", finding });
export const notAsked = (finding: string): Verdict => ({ status: "not asked", finding });
export const warning = (finding: string, fix?: string): Verdict => ({
  status: "warning",
  finding,
  ...(fix === undefined ? {} : { fix }),
});
export const failed = (finding: string, fix: string): Verdict => ({ status: "failed", finding, fix });
