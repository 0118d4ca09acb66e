import type { RecordPlace, SourcePosition } from "../../stack/record-place";
import type { TrustChange } from "../trust/report";

/** What `trustplane drift --json` prints. Its JSON schema is `trustplane/drift-report.schema.json`. */
export interface DriftReport {
  /** The version of this format; an incompatible later one has another number. */
  readonly format: "trustplane-drift-report/1";
  /** Project and stack, such as `platform/production`; absent where the state has no resources. */
  readonly stack?: string;
  /** When the servers were asked, as an RFC 3339 time. */
  readonly checkedAt: string;
  /** `unknown`: something could not be read, so what is shown here may not be all. */
  readonly result: "none" | "drift" | "unknown";
  readonly counts: DriftCounts;
  /** Who gains or loses which policy by what has drifted, the worst first; absent where nothing of that kind has. */
  readonly trust?: readonly TrustChange[];
  /** The resources with something to report, sorted by type and URN. */
  readonly resources: readonly ResourceReport[];
  /** Records that the stack does not manage; absent with `--no-unmanaged`. */
  readonly unmanaged?: readonly UnmanagedRecord[];
  /** What was not looked at, in sentences, such as resources of other providers; absent where there is nothing of that kind. */
  readonly notLookedAt?: readonly string[];
  /** Lists of records that could not be read, and single ones; absent with `--no-unmanaged`. */
  readonly unlisted?: readonly UnlistedCollection[];
  /** Entries of the ignore file that hide nothing any more. */
  readonly ignoreFile: readonly IdleEntry[];
  /** The commands that repair what differs, or accept it; absent without `--fix-with`. */
  readonly commands?: readonly string[];
}

/** How many resources of this package the state has, by status. Each is counted once. */
export interface DriftCounts {
  readonly resources: number;
  readonly unchanged: number;
  readonly changed: number;
  readonly missing: number;
  readonly ignored: number;
  /** Those that could not be read. */
  readonly unknown: number;
  /** Values that the server never shows and that nothing else verifies. */
  readonly unverifiable: number;
  /** Records that the stack does not manage. */
  readonly unmanaged: number;
}

/** One resource of the state, compared with its record. */
export interface ResourceReport extends RecordPlace {
  readonly urn: string;
  /** Module and class, such as `jwt.Role`. */
  readonly type: string;
  /** Name in the program. */
  readonly name: string;
  readonly id: string;
  /** `ignored`: all that differs is in the ignore file, or in the program's `ignoreChanges`. */
  readonly status: "unchanged" | "changed" | "missing" | "ignored" | "unknown";
  /** Properties that differ. */
  readonly properties: readonly PropertyDrift[];
  /** Values that the server never shows. */
  readonly writeOnly: readonly WriteOnlyValue[];
  /** Why it could not be read. */
  readonly error?: string;
  /** Why the missing record does not count. */
  readonly ignored?: IgnoredBecause;
  /** Where the program declares it, as the state remembers. */
  readonly declaredAt?: SourcePosition;
}

/** One property that differs, or one property of a record of a set. A secret's values are left out. */
export interface PropertyDrift {
  /** Of a set, a path such as `roles["ci-main"].tokenTtl`. */
  readonly property: string;
  /** `input`: what the program sets; `output`: what the server computes; `repair`: the next update repairs something. */
  readonly kind: "input" | "output" | "repair";
  /** What the state says; absent when it is unset there, or secret. */
  readonly expected?: unknown;
  /** What the server has; absent when it is unset there, or secret. */
  readonly actual?: unknown;
  /** Where the two differ, element by element; empty for a secret, and for a whole record. */
  readonly changes: readonly ElementChange[];
  readonly secret?: true;
  /** Of a set, a whole record: it is gone (`missing`), or the program does not name it (`unnamed`). */
  readonly record?: "missing" | "unnamed";
  /** Short keyed hashes of a secret: they differ when the values do, and say nothing else. */
  readonly expectedFingerprint?: string;
  readonly actualFingerprint?: string;
  /** The repair deletes the record and makes a new one. */
  readonly replaces?: true;
  readonly ignored?: IgnoredBecause;
}

/** A difference at the deepest place that both values have. */
export interface ElementChange {
  /** Such as `jwksPairs[0].jwksUrl`; of an element of a list without order, `boundClaims.ref[]`. */
  readonly path: string;
  /** What is expected there; absent when nothing is. */
  readonly before?: unknown;
  /** What is there; absent when nothing is. */
  readonly after?: unknown;
}

/** Why something that differs does not count. */
export interface IgnoredBecause {
  readonly reason: string;
  /** Day from which it counts again. */
  readonly expires?: string;
}

/** A value that the server never shows. */
export interface WriteOnlyValue {
  readonly property: string;
  /** `verified` and `changed`: the witness shows it. `unverifiable`: there is none, or it may be the same for another value. */
  readonly verdict: "verified" | "changed" | "unverifiable";
  /** A property that the server shows, and whose change shows that the value has changed. */
  readonly witness?: string;
  readonly reason: string;
  /** Fingerprint of the value that was written last. */
  readonly fingerprint?: string;
}

/** A record that the stack does not manage. */
export interface UnmanagedRecord extends RecordPlace {
  readonly type: string;
  readonly id: string;
  readonly ignored?: IgnoredBecause;
}

/** A list of records that could not be read, or one record. */
export interface UnlistedCollection extends RecordPlace {
  readonly path: string;
  readonly reason: string;
  /** The server cannot list it at all, so no later run will either. */
  readonly unsupported?: true;
  /** It is the path of one record, such as the configuration of a mount. */
  readonly single?: true;
  /** The token may not see all of it, and nobody asked for it: with `--unmanaged` that is a failure. */
  readonly refused?: true;
}

/** An entry of the ignore file that hides nothing: its day has come, or nothing differs there. */
export interface IdleEntry {
  readonly resource: string;
  readonly property?: string;
  readonly reason: string;
  readonly expires: string;
  readonly why: "expired" | "unused";
}
