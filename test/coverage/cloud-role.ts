import type { Sections } from "./section.ts";

/** Cloud secrets engine: dynamic roles. */
export const cloudRole = {
  "cloud: Role": {
    of: ["cloudRole"],
    evidence: ["wire secrets-cloud-role-refused", "reference secrets 4.4"],
    rows: {
      name: {
        says: "part of the path",
        real: "case counts; `@` is allowed inside",
        evidence: ["wire secrets-cloud-role", "reference secrets 1.1"],
        asserted: "another case is another role; wrong names have no route",
      },
      credential_type: {
        says: "required, one of the four",
        real: "as documented; a change keeps what the new type may not have, and fails",
        evidence: ["wire secrets-cloud-role", "wire secrets-cloud-role-refused", "reference secrets 4.4"],
        asserted: "none, unknown and two are refused; a change clears the rest in the same write",
      },
      role_arns: {
        says: "required for `assumed_role`, prohibited otherwise",
        real: "prohibited otherwise; not required when written",
        asserted: "refused for other types; without any the check warns",
      },
      policy_arns: {
        says: "attached to users, limits for the two session types; one of this and the document for users and federations; not for `session_token`",
        real: "only the last is checked when written; a federation without any fails when asked for",
        evidence: ["wire secrets-cloud-role-refused", "wire secrets-cloud-credentials", "reference secrets 4.4"],
        asserted: "the user's policies, the session's, the refusals; the order is no difference",
      },
      policy_document: {
        says: "put on users, a limit for the two session types; not for `session_token`",
        real: "any JSON text; kept without its white space",
        evidence: ["wire secrets-cloud-role", "wire secrets-cloud-role-refused", "reference secrets 4.4"],
        asserted: "the user's policy, compared as JSON, an object sent as text, what is no JSON refused",
      },
      iam_groups: {
        says: "users join them; for the two session types their policies are combined with the role's",
        real: "as documented; an unknown group fails the request for credentials",
        evidence: ["wire secrets-cloud-credential-rules", "reference secrets 4.5"],
        asserted: "membership, combined policies, an unknown group",
      },
      iam_tags: {
        says: "tags of users, a list of key=value",
        real: "a map too; always read as a map",
        evidence: ["wire secrets-cloud-role", "wire secrets-cloud-role-refused", "reference secrets 4.4"],
        asserted: "the user's tags; what is no pair is refused",
      },
      default_sts_ttl: {
        says: "lifetime when none is asked for; for `assumed_role` and `federation_token`",
        real: "newer Vault allows `session_token` too; not above `max_sts_ttl`",
        evidence: ["wire secrets-cloud-role-refused", "wire secrets-cloud-credential-rules", "reference secrets 4.4"],
        asserted: "refused for users; used when nothing is asked for",
      },
      max_sts_ttl: {
        says: "what requested lifetimes are capped to; for the same types",
        real: "newer Vault allows `session_token` too; without one the mount's maximum caps",
        evidence: ["wire secrets-cloud-role-refused", "wire secrets-cloud-credential-rules", "reference secrets 4.5"],
        asserted: "refused for users and below the default; caps",
      },
      session_tags: {
        says: "tags of the session, map or list; `assumed_role` only",
        real: "as documented; OpenBao has none",
        asserted: "the session's tags; refused for other types",
      },
      external_id: {
        says: "id used when the role is assumed; `assumed_role` only",
        real: "as documented; OpenBao has none",
        asserted: "lets into a role that wants it; refused for other types",
      },
      user_path: {
        says: "`/` unless given; `iam_user` only",
        real: "unset reads empty; checked against a pattern",
        asserted: "the user's path; wrong forms and other types are refused; unset stays empty",
      },
      permissions_boundary_arn: {
        says: "boundary of users, none unless given; `iam_user` only",
        real: "must be the ARN of a policy; a wrong one hides the complaints before it",
        asserted: "the user's boundary; every wrong ARN in the server's words",
      },
      mfa_serial_number: {
        says: "the user's device; required only when there is one",
        real: "never checked when written; OpenBao has none",
        evidence: ["wire secrets-cloud-role", "reference secrets 4.4"],
        asserted: "sessions with and without, a device of another user",
      },
      "legacy policy": {
        says: "a policy's JSON; needed where there is no `arn`",
        real: "makes a role of two types; not read back under its name",
        evidence: ["wire secrets-cloud-role", "reference secrets 4.4"],
        asserted: "what it becomes; the provider sends today's field",
      },
      "legacy arn": {
        says: "ARN of a policy; needed where there is no `policy`",
        real: "a role's ARN is taken too; both together are a 500",
        evidence: ["wire secrets-cloud-role", "wire secrets-cloud-role-refused", "reference secrets 4.4"],
        asserted: "both kinds, and both fields together",
      },
      "old and new do not mix": {
        says: "the legacy fields cannot stand beside the others",
        real: "refused beside eight of them; the rest is dropped without a word",
        asserted: "the refusals, in the check for every field",
      },
      invalid_data: {
        says: "on reads, when an earlier release has stored what is not valid",
        real: "as documented; overwriting it warns",
        evidence: ["reference secrets 4.4"],
        asserted: "read into an output without failing, and gone with the next write",
      },
    },
  },
} satisfies Sections;
