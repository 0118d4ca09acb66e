import { rfc3339 } from "../framework/go-time";
import { Refusal } from "../framework/refusal";

/** What OpenBao keeps of a policy beside its text. A write that does not name one of them resets it. */
export interface PolicySettings {
  readonly casRequired: boolean;
  readonly expirationMs?: number | undefined;
  readonly allowsWildcards: boolean;
  readonly allowsSlashes: boolean;
}

/** As they are stored: every write counts. */
export interface KeptSettings extends PolicySettings {
  readonly version: number;
  readonly modifiedMs: number;
}

export interface PolicyWriting extends PolicySettings {
  /** The version that the writer has seen; -1 for none. */
  readonly cas?: number | undefined;
}

const none: PolicySettings = { casRequired: false, allowsWildcards: false, allowsSlashes: false };

/** @throws Refusal where the check-and-set is missing or is not that of the present version. */
export function rewritten(
  before: KeptSettings | undefined,
  { cas, ...settings }: PolicyWriting = none,
  modifiedMs: number,
): KeptSettings {
  const { version = 0, casRequired = false } = before ?? {};
  if (cas === undefined && (casRequired || settings.casRequired))
    throw new Refusal("check-and-set parameter required for this call");
  if (cas === -1 && before) throw new Refusal("check-and-set parameter set to -1 on existing entry");
  if (cas !== undefined && cas !== -1 && cas !== version)
    throw new Refusal("check-and-set parameter did not match the current version");
  return { ...settings, version: version + 1, modifiedMs };
}

/** As an answer shows them. */
export function shownSettings(kept: KeptSettings | undefined): Readonly<Record<string, string | number | boolean>> {
  const { version, modifiedMs, expirationMs, ...settings } = kept ?? { ...none, version: 0, modifiedMs: undefined };
  return {
    version,
    cas_required: settings.casRequired,
    allow_wildcards_in_identity_templates: settings.allowsWildcards,
    allow_slashes_in_identity_templates: settings.allowsSlashes,
    ...(expirationMs === undefined ? {} : { expiration: rfc3339(new Date(expirationMs)) }),
    ...(modifiedMs === undefined ? {} : { modified: rfc3339(new Date(modifiedMs)) }),
  };
}
