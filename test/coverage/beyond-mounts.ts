import type { Sections } from "./section.ts";

/** Mounts, which no document describes. */
export const beyondMounts = {
  "beyond: Mounts": {
    of: ["sysAuthMount", "sysSecretsMount"],
    evidence: ["wire secrets-sys-mounts", "reference secrets 5.1"],
    rows: {
      type: {
        real: "required; unknown ones are a 400",
        evidence: ["wire secrets-sys-mounts", "wire secrets-sys-auth", "reference secrets 5.1"],
        asserted: "missing, unknown, of the other kind",
      },
      description: {
        real: "tuned in place; empty text clears it",
        asserted: "changed and cleared",
      },
      default_lease_ttl: {
        real: "0 inherits; not above the maximum",
        asserted: "wrong ones, and that inherited ones stay unset",
      },
      max_lease_ttl: {
        real: "0 inherits; above the system's it is taken",
        asserted: "wrong ones and spellings",
      },
      listing_visibility: {
        real: "`hidden` or `unauth`",
        asserted: "others are refused on both ways",
      },
      passthrough_request_headers: {
        real: "a list, tuned in place",
        asserted: "set, read, reset",
      },
      allowed_response_headers: {
        real: "a list, tuned in place",
        asserted: "set, read, reset",
      },
      audit_non_hmac_request_keys: {
        real: "a list, tuned in place",
        asserted: "set, read, reset",
      },
      audit_non_hmac_response_keys: {
        real: "a list, tuned in place",
        asserted: "set, read, reset",
      },
      options: {
        real: "a version is for other engines",
        asserted: "a version is refused",
      },
      trim_request_trailing_slashes: {
        real: "shown while it is on; enabled, tuned and reset",
        evidence: ["wire secrets-sys-mount-settings"],
        asserted: "set, read, reset; a write to a path with a slash",
      },
      identity_token_key: {
        real: "a key that exists; empty text resets it",
        evidence: ["wire secrets-sys-mount-settings"],
        asserted: "set, read, reset; a key that is not there",
      },
      allowed_managed_keys: {
        real: "of engines; a method takes them when enabled and never tunes them",
        evidence: ["wire secrets-sys-mount-settings"],
        asserted: "set, read, reset",
      },
      delegated_auth_accessors: {
        real: "of engines; a read of the tuning leaves them out",
        evidence: ["wire secrets-sys-mount-settings"],
        asserted: "set, read, reset",
      },
      plugin_version: {
        real: "in `config`; built-in plugins take none but their own; no reset",
        evidence: ["wire secrets-sys-mount-settings"],
        asserted: "what the server chose is no difference; others are refused",
      },
      user_lockout_config: {
        real: "only tuned, only of three types; reads in other words, and as zeros when reset",
        evidence: ["wire secrets-sys-mount-settings"],
        asserted: "made in two requests, changed, reset, found, left half-way",
      },
      local: {
        real: "cannot be changed",
        asserted: "read as enabled; a change replaces",
      },
      seal_wrap: {
        real: "cannot be changed",
        asserted: "read as enabled; a change replaces",
      },
      force_no_cache: {
        real: "of engines; cannot be tuned",
        asserted: "read as enabled; a change replaces",
      },
      token_type: {
        real: "of auth methods: what tokens a login gives",
        evidence: ["wire secrets-sys-auth", "reference secrets 3.2"],
        asserted: "wrong ones, tuning, the tokens of logins",
      },
      accessor: {
        real: "the server's own name of the mount",
        evidence: ["wire secrets-sys-auth", "reference secrets 5.1"],
        asserted: "an output, found in the list",
      },
    },
  },
} satisfies Sections;
