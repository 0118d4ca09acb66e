// What a state says beside the properties of its table. No table may have a property of one of these names.

/** The server that the state was written to. */
export const SERVER = "server";

/** True in a state that was recorded after a write that failed half-way. */
export const INCOMPLETE = "incomplete";

/** A keyed hash of every secret: a secret's change shows, and the secret does not. */
export const FINGERPRINTS = "fingerprints";

/** The key of the fingerprints, itself a secret. */
export const FINGERPRINT_KEY = "fingerprintKey";

/**
 * The dynamic provider host is given secrets in plain text: beside them, in this property, the classes tell the paths of
 * what the program keeps secret.
 */
export const SECRET_INPUTS = "secretInputs";

/** The dynamic provider host does not tell of `ignoreChanges`: in this property the classes do, as property paths. */
export const IGNORED_CHANGES = "ignoredChanges";

/** Of an exclusive set, the names of records that other resources of the program have. */
export const CLAIMED = "claimed";

/** The mark of the mount that the record is in, or bound to. A mount that is made anew at the same path has another one. */
export const MOUNT_MARK = "mountMark";

export const RESERVED_NAMES: readonly string[] = [
  SERVER,
  INCOMPLETE,
  FINGERPRINTS,
  FINGERPRINT_KEY,
  SECRET_INPUTS,
  IGNORED_CHANGES,
  CLAIMED,
  MOUNT_MARK,
];
