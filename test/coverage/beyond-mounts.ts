import type { Sections } from "./section.ts";

const beyond = "not described";

/** Mounts, which no document describes. */
export const beyondMounts = {
  "+ Mounts": {
    of: ["sysAuthMount", "sysSecretsMount"],
    rows: {
      type: {
        says: beyond,
        real: "required; unknown ones are a 400",
        evidence: ["wire secrets-sys-mounts", "wire secrets-sys-auth", "reference secrets 5.1"],
        asserted: "missing, unknown, of the other kind",
        tests: [
          "wire secrets-sys-mounts > enable without a type",
          "wire secrets-sys-auth > enable an engine as a method",
          "unit/rules/policy-and-sys > a sys.SecretsMount",
        ],
      },
      description: {
        says: beyond,
        real: "tuned in place; empty text clears it",
        evidence: ["wire secrets-sys-mounts", "reference secrets 5.1"],
        asserted: "changed and cleared",
        tests: [
          "server/sys-mounts > changes only what is given; empty text keeps a lifetime, system resets it, and clears a description",
          "wire secrets-sys-mounts > read what was tuned back",
        ],
      },
      default_lease_ttl: {
        says: beyond,
        real: "0 inherits; not above the maximum",
        evidence: ["wire secrets-sys-mounts", "reference secrets 5.1"],
        asserted: "wrong ones, and that inherited ones stay unset",
        tests: [
          "wire secrets-sys-mounts > enable with a default over the maximum",
          "wire secrets-sys-mounts > enable with a bad default",
          "contract/traps/sys-traps > lifetimes of a mount that are inherited stay unset, although tuning shows them in effect",
        ],
      },
      max_lease_ttl: {
        says: beyond,
        real: "0 inherits; above the system's it is taken",
        evidence: ["wire secrets-sys-mounts", "reference secrets 5.1"],
        asserted: "wrong ones and spellings",
        tests: [
          "wire secrets-sys-mounts > enable with a bad maximum",
          "contract/cases/sys-mount > seconds and durations",
        ],
      },
      listing_visibility: {
        says: beyond,
        real: "`hidden` or `unauth`",
        evidence: ["wire secrets-sys-mounts", "reference secrets 5.1"],
        asserted: "others are refused on both ways",
        tests: [
          "wire secrets-sys-mounts > enable with a bad visibility",
          "wire secrets-sys-mounts > tune with a bad visibility",
          "wire secrets-sys-mounts > tune lists and visibility",
        ],
      },
      passthrough_request_headers: {
        says: beyond,
        real: "a list, tuned in place",
        evidence: ["wire secrets-sys-mounts", "reference secrets 5.1"],
        asserted: "set, read, reset",
        tests: [
          "wire secrets-sys-mounts > read tuned lists",
          "contract/fields > sysSecretsMount.passthroughRequestHeaders",
          "contract/fields > sysAuthMount.passthroughRequestHeaders",
        ],
      },
      allowed_response_headers: {
        says: beyond,
        real: "a list, tuned in place",
        evidence: ["wire secrets-sys-mounts", "reference secrets 5.1"],
        asserted: "set, read, reset",
        tests: [
          "contract/fields > sysSecretsMount.allowedResponseHeaders",
          "contract/fields > sysAuthMount.allowedResponseHeaders",
        ],
      },
      audit_non_hmac_request_keys: {
        says: beyond,
        real: "a list, tuned in place",
        evidence: ["wire secrets-sys-mounts", "reference secrets 5.1"],
        asserted: "set, read, reset",
        tests: [
          "wire secrets-sys-mounts > read tuned lists",
          "contract/fields > sysSecretsMount.auditNonHmacRequestKeys",
          "contract/fields > sysAuthMount.auditNonHmacRequestKeys",
        ],
      },
      audit_non_hmac_response_keys: {
        says: beyond,
        real: "a list, tuned in place",
        evidence: ["wire secrets-sys-mounts", "reference secrets 5.1"],
        asserted: "set, read, reset",
        tests: [
          "contract/fields > sysSecretsMount.auditNonHmacResponseKeys",
          "contract/fields > sysAuthMount.auditNonHmacResponseKeys",
        ],
      },
      options: {
        says: beyond,
        real: "a version is for other engines",
        evidence: ["wire secrets-sys-mounts", "reference secrets 5.1"],
        asserted: "a version is refused",
        tests: [
          "wire secrets-sys-mounts > enable with a version that the engine has not",
          "unit/rules/policy-and-sys > a sys.SecretsMount",
        ],
      },
      local: {
        says: beyond,
        real: "cannot be changed",
        evidence: ["wire secrets-sys-mounts", "reference secrets 5.1"],
        asserted: "read as enabled; a change replaces",
        tests: ["wire secrets-sys-mounts > read with everything", "contract/fields > sysSecretsMount.local"],
      },
      seal_wrap: {
        says: beyond,
        real: "cannot be changed",
        evidence: ["wire secrets-sys-mounts", "reference secrets 5.1"],
        asserted: "read as enabled; a change replaces",
        tests: ["wire secrets-sys-mounts > read with everything", "contract/fields > sysSecretsMount.sealWrap"],
      },
      force_no_cache: {
        says: beyond,
        real: "of engines; cannot be tuned",
        evidence: ["wire secrets-sys-mounts", "reference secrets 5.1"],
        asserted: "read as enabled; a change replaces",
        tests: ["wire secrets-sys-mounts > read with everything", "contract/fields > sysSecretsMount.forceNoCache"],
      },
      token_type: {
        says: beyond,
        real: "of auth methods: what tokens a login gives",
        evidence: ["wire secrets-sys-auth", "reference secrets 3.2"],
        asserted: "wrong ones, tuning, the tokens of logins",
        tests: [
          "wire secrets-sys-auth > enable with a bad token type",
          "wire secrets-sys-auth > tune a bad token type",
          "server/jwt-login-token > token_type: %s on a mount of type '%s' is a %s token",
        ],
      },
      accessor: {
        says: beyond,
        real: "the server's own name of the mount",
        evidence: ["wire secrets-sys-auth", "reference secrets 5.1"],
        asserted: "an output, found in the list",
        tests: [
          "unit/resources/hooks > is found in the list under its path with a slash, its settings beside the rest",
        ],
      },
    },
  },
} satisfies Sections;
