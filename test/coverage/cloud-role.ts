import type { Sections } from "./section.ts";

/** Document 3: dynamic roles. */
export const cloudRole = {
  "3 Role": {
    of: ["cloudRole"],
    rows: {
      name: {
        says: "part of the path",
        real: "case counts; `@` is allowed inside",
        evidence: ["wire secrets-cloud-role", "reference secrets 1.1"],
        asserted: "another case is another role; wrong names have no route",
        tests: [
          "server/cloud-roles > is listed by name, case-sensitively, and deleted without complaint",
          "wire secrets-cloud-role > read by the name in small letters",
          "server/cloud-roles > has no route at %s",
          "unit/rules/cloud-role > the name of a cloud.Role",
        ],
      },
      credential_type: {
        says: "required, one of the four",
        real: "as documented; a change keeps what the new type may not have, and fails",
        evidence: ["wire secrets-cloud-role", "wire secrets-cloud-role-refused", "reference secrets 4.4"],
        asserted: "none, unknown and two are refused; a change clears the rest in the same write",
        tests: [
          "wire secrets-cloud-role-refused > no type",
          "wire secrets-cloud-role-refused > two types",
          "contract/traps/cloud-traps > a change of type clears what the new type may not have",
          "contract/peers > changes the type of a role in place",
        ],
      },
      role_arns: {
        says: "required for `assumed_role`, prohibited otherwise",
        real: "prohibited otherwise; not required when written",
        evidence: ["wire secrets-cloud-role-refused", "reference secrets 4.4"],
        asserted: "refused for other types; without any the check warns",
        tests: [
          "wire secrets-cloud-role-refused > roles for a user",
          "server/cloud-roles > not for what only the document demands",
          "unit/rules/cloud-role > a cloud.Role of assumed roles",
        ],
      },
      policy_arns: {
        says: "attached to users, limits for the two session types; one of this and the document for users and federations; not for `session_token`",
        real: "only the last is checked when written; a federation without any fails when asked for",
        evidence: ["wire secrets-cloud-role-refused", "wire secrets-cloud-credentials", "reference secrets 4.4"],
        asserted: "the user's policies, the session's, the refusals; the order is no difference",
        tests: [
          "server/cloud-credentials > policy_arns of an iam_user are attached to the user",
          "server/cloud-credentials > policy_document and policy_arns of %s go along with the session",
          "wire secrets-cloud-role-refused > a policy for a session",
          "wire secrets-cloud-credentials > of a federation without a policy",
          "contract/cases/cloud-role > the order of sets",
        ],
      },
      policy_document: {
        says: "put on users, a limit for the two session types; not for `session_token`",
        real: "any JSON text; kept without its white space",
        evidence: ["wire secrets-cloud-role", "wire secrets-cloud-role-refused", "reference secrets 4.4"],
        asserted: "the user's policy, compared as JSON, an object sent as text, what is no JSON refused",
        tests: [
          "server/cloud-credentials > policy_document of an iam_user becomes a policy of the user, under the role's name",
          "wire secrets-cloud-role-refused > a document that is none",
          "contract/traps/cloud-traps > a policy document compares as JSON, and the program's own text stays in the state",
        ],
      },
      iam_groups: {
        says: "users join them; for the two session types their policies are combined with the role's",
        real: "as documented; an unknown group fails the request for credentials",
        evidence: ["wire secrets-cloud-credential-rules", "reference secrets 4.5"],
        asserted: "membership, combined policies, an unknown group",
        tests: [
          "server/cloud-credentials > iam_groups of an iam_user take the user in",
          "server/cloud-credentials > iam_groups of %s: the policies of each group are combined with the role's own",
          "wire secrets-cloud-credential-rules > a user in a group that is not there",
        ],
      },
      iam_tags: {
        says: "tags of users, a list of key=value",
        real: "a map too; always read as a map",
        evidence: ["wire secrets-cloud-role", "wire secrets-cloud-role-refused", "reference secrets 4.4"],
        asserted: "the user's tags; what is no pair is refused",
        tests: [
          "server/cloud-credentials > iam_tags are the user's tags",
          "wire secrets-cloud-role-refused > tags without an equals sign",
        ],
      },
      default_sts_ttl: {
        says: "lifetime when none is asked for; for `assumed_role` and `federation_token`",
        real: "newer Vault allows `session_token` too; not above `max_sts_ttl`",
        evidence: ["wire secrets-cloud-role-refused", "wire secrets-cloud-credential-rules", "reference secrets 4.4"],
        asserted: "refused for users; used when nothing is asked for",
        tests: [
          "wire secrets-cloud-role-refused > a lifetime for a user",
          "wire secrets-cloud-credential-rules > for the role's default time",
          "unit/rules/cloud-role > a cloud.Role of users",
        ],
      },
      max_sts_ttl: {
        says: "what requested lifetimes are capped to; for the same types",
        real: "newer Vault allows `session_token` too; without one the mount's maximum caps",
        evidence: ["wire secrets-cloud-role-refused", "wire secrets-cloud-credential-rules", "reference secrets 4.5"],
        asserted: "refused for users and below the default; caps",
        tests: [
          "wire secrets-cloud-role-refused > a maximal lifetime for a user",
          "wire secrets-cloud-role-refused > a lifetime over its maximum",
          "wire secrets-cloud-credential-rules > for more than the role's limit",
          "server/cloud-generation > at most the mount's maximum where the role has none",
        ],
      },
      session_tags: {
        says: "tags of the session, map or list; `assumed_role` only",
        real: "as documented; OpenBao has none",
        evidence: ["wire secrets-cloud-role-refused", "reference secrets 4.4"],
        asserted: "the session's tags; refused for other types",
        tests: [
          "server/cloud-credentials > session_tags are the session's tags",
          "wire secrets-cloud-role-refused > session tags for a user",
          "unit/engine/openbao > is recognised, and %s %j is refused",
        ],
      },
      external_id: {
        says: "id used when the role is assumed; `assumed_role` only",
        real: "as documented; OpenBao has none",
        evidence: ["wire secrets-cloud-role-refused", "reference secrets 4.4"],
        asserted: "lets into a role that wants it; refused for other types",
        tests: [
          "server/cloud-credentials > external_id lets into a role that wants it, and nothing else does",
          "wire secrets-cloud-role-refused > an external id for a user",
        ],
      },
      user_path: {
        says: "`/` unless given; `iam_user` only",
        real: "unset reads empty; checked against a pattern",
        evidence: ["wire secrets-cloud-role-refused", "reference secrets 4.4"],
        asserted: "the user's path; wrong forms and other types are refused; unset stays empty",
        tests: [
          "server/cloud-credentials > user_path %s: the user's path is %s",
          "wire secrets-cloud-role-refused > a user path for a role",
          "wire secrets-cloud-role-refused > a user path without slashes",
          "contract/traps/cloud-traps > a user path that is unset stays empty, and / is a value of its own that other types may not have",
        ],
      },
      permissions_boundary_arn: {
        says: "boundary of users, none unless given; `iam_user` only",
        real: "must be the ARN of a policy; a wrong one hides the complaints before it",
        evidence: ["wire secrets-cloud-role-refused", "reference secrets 4.4"],
        asserted: "the user's boundary; every wrong ARN in the server's words",
        tests: [
          "server/cloud-credentials > permissions_boundary_arn: none when unset, else the user's, which must exist",
          "wire secrets-cloud-role-refused > a boundary for a role",
          "wire secrets-cloud-role-refused > a boundary that is a role",
          "wire secrets-cloud-role-refused > everything wrong at once",
        ],
      },
      mfa_serial_number: {
        says: "the user's device; required only when there is one",
        real: "never checked when written; OpenBao has none",
        evidence: ["wire secrets-cloud-role", "reference secrets 4.4"],
        asserted: "sessions with and without, a device of another user",
        tests: [
          "server/cloud-credential-rules > the code of the device makes a session that has passed it, once",
          "server/cloud-credential-rules > without a serial number a session is issued that has not passed the device",
          "server/cloud-credential-rules > a device must be the user's",
        ],
      },
      "legacy policy": {
        says: "a policy's JSON; needed where there is no `arn`",
        real: "makes a role of two types; not read back under its name",
        evidence: ["wire secrets-cloud-role", "reference secrets 4.4"],
        asserted: "what it becomes; the provider sends today's field",
        tests: [
          "wire secrets-cloud-role > create from a document of old",
          "wire secrets-cloud-role > read a document of old",
          "contract/traps/cloud-traps > the legacy policy and arn are sent as today's fields, so that they can be read back",
        ],
      },
      "legacy arn": {
        says: "ARN of a policy; needed where there is no `policy`",
        real: "a role's ARN is taken too; both together are a 500",
        evidence: ["wire secrets-cloud-role", "wire secrets-cloud-role-refused", "reference secrets 4.4"],
        asserted: "both kinds, and both fields together",
        tests: [
          "wire secrets-cloud-role > read a role of old",
          "wire secrets-cloud-role > create from a policy of old",
          "wire secrets-cloud-role-refused > both of old",
          "wire secrets-cloud-role-refused > old that is neither",
        ],
      },
      "old and new do not mix": {
        says: "the legacy fields cannot stand beside the others",
        real: "refused beside eight of them; the rest is dropped without a word",
        evidence: ["wire secrets-cloud-role-refused", "reference secrets 4.4"],
        asserted: "the refusals, in the check for every field",
        tests: [
          "wire secrets-cloud-role-refused > old beside new",
          "wire secrets-cloud-role-refused > old beside roles",
          "unit/rules/cloud-role > a cloud.Role without a credential type",
        ],
      },
      invalid_data: {
        says: "on reads, when an earlier release has stored what is not valid",
        real: "as documented; overwriting it warns",
        evidence: ["reference secrets 4.4"],
        asserted: "read into an output without failing, and gone with the next write",
        tests: [
          "unit/resources/drift-and-writes > what an earlier release stored and today's refuses is shown, and is no difference by itself",
        ],
      },
    },
  },
} satisfies Sections;
