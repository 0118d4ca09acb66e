import type { Sections } from "./section.ts";

/** Document 3: what the engine is, its root configuration and its leases. */
export const cloudRoot = {
  "3 What the service does": {
    of: [],
    rows: {
      "four types of credentials": {
        says: "`iam_user`, `assumed_role`, `federation_token`, `session_token`, issued from roles",
        real: "as documented; OpenBao has no `session_token`",
        evidence: ["wire secrets-cloud-credentials", "wire secrets-cloud-credential-rules", "reference secrets 4.5"],
        asserted: "credentials of each type and that they work at the cloud",
        tests: [
          "server/cloud-credentials > iam_user: a new user with a key of its own, whose lease can be renewed",
          "server/cloud-credentials > %s: temporary credentials that work, with a lease that cannot be renewed",
          "wire secrets-cloud-credentials > of a user",
          "wire secrets-cloud-credential-rules > a session",
        ],
      },
      "static roles adopt a user": {
        says: "an existing user's key is rotated by the clock",
        real: "as documented",
        evidence: ["wire secrets-cloud-rotation", "reference secrets 4.6"],
        asserted: "the key of a user that was there, and its rotations",
        tests: [
          "wire secrets-cloud-rotation > create",
          "server/cloud-rotation > 2: every rotation that the clock has passed over is made",
        ],
      },
      "root credentials": {
        says: "keys of a privileged user, or workload identity federation (Enterprise)",
        real: "the community edition refuses the latter when it is written",
        evidence: [
          "wire secrets-cloud-config",
          "reference secrets 4.1",
          "live/availability > refuses %j, which needs Enterprise",
        ],
        asserted: "both in the check; the refusal",
        tests: [
          "wire secrets-cloud-config > refuse an identity on the community edition",
          "unit/rules/cloud-engine > a cloud.RootConfig",
          "server/cloud-root-sources > 2: workload identity federation is an Enterprise function",
        ],
      },
      "another mount": {
        says: "enabled at `cloud` unless chosen otherwise; every path moves with it",
        real: "as documented; the engine's type is called `aws`",
        evidence: ["wire secrets-sys-mounts", "wire secrets-sys-remount"],
        asserted: "leases and records move or end with the mount; the mount identifies the resource",
        tests: [
          "server/sys-mounts > takes aws and cloud for the same engine and reports the type as given",
          "server/cloud-leases > ends when its mount is moved",
          "unit/resources/laws > replaces when a part of its identity changes, and updates in place when another property does",
        ],
      },
    },
  },
  "3 Root configuration": {
    of: ["cloudRootConfig"],
    rows: {
      max_retries: {
        says: "-1 unless given: then the SDK decides",
        real: "as documented; null stores 0",
        evidence: ["wire secrets-cloud-config", "reference secrets 4.1"],
        asserted: "how often a throttled call is made again; -1 and unset are the same",
        tests: [
          "server/cloud-root-sources > document 3, root configuration: max_retries",
          "contract/traps/cloud-traps > retries that are unset read back as -1",
          "wire secrets-cloud-config > refuse a fraction of retries",
        ],
      },
      access_key: {
        says: "id of the key; not beside `identity_token_audience`",
        real: "as documented; an id without its secret is stored",
        evidence: ["wire secrets-cloud-config", "reference secrets 4.1"],
        asserted: "the refused pair; an id alone is stored by the server and refused by the check",
        tests: [
          "wire secrets-cloud-config > refuse an audience beside a key",
          "wire secrets-cloud-config > write an access key alone",
          "unit/rules/cloud-engine > a cloud.RootConfig",
        ],
      },
      secret_key: {
        says: "only together with `access_key`; never read back",
        real: "half a key is stored, and fails when credentials are asked for",
        evidence: ["wire secrets-cloud-config", "wire secrets-cloud-credential-rules", "reference secrets 4.1"],
        asserted:
          "half a key is refused by the check; absent from reads, a secret of the state, its fingerprint moves with it",
        tests: [
          "wire secrets-cloud-credential-rules > a user with half of a key",
          "unit/rules/cloud-engine > a cloud.RootConfig",
          "server/cloud-config > is absent until written, and then shows everything but the secret key",
          "contract/secrets > is in what is sent, and in no error, log line or URL, whatever fails",
        ],
      },
      role_arn: {
        says: "Enterprise; role of the federation, required with the audience",
        real: "as documented",
        evidence: [
          "wire secrets-cloud-config",
          "reference secrets 4.1",
          "live/availability > stores %s, which only Enterprise uses, and takes its reset",
        ],
        asserted: "the audience alone is refused; both are kept with the profile `enterprise`",
        tests: [
          "wire secrets-cloud-config > refuse an audience without a role",
          "server/profiles > takes the identity of a workload, rotation by schedule and static roles of other accounts",
          "unit/rules/cloud-engine > a cloud.RootConfig",
        ],
      },
      identity_token_audience: {
        says: "Enterprise; audience of the tokens, not beside `access_key`",
        real: "as documented",
        evidence: ["wire secrets-cloud-config", "reference secrets 4.1"],
        asserted: "both refusals, in the check too",
        tests: [
          "wire secrets-cloud-config > refuse an audience beside a key",
          "wire secrets-cloud-config > refuse an identity on the community edition",
          "unit/rules/cloud-engine > a cloud.RootConfig",
        ],
      },
      identity_token_ttl: {
        says: "Enterprise; 3600 unless given",
        real: "unset reads 0",
        evidence: ["wire secrets-cloud-config", "reference secrets 8"],
        asserted: "0 and unset are no difference; wrong lifetimes are refused",
        tests: [
          "contract/traps/cloud-traps > an identity token lifetime that is unset reads back as 0",
          "wire secrets-cloud-config > refuse a lifetime that is none",
        ],
      },
      region: {
        says: "else `CLOUD_REGION`, `CLOUD_DEFAULT_REGION`, `us-east-1`, in this order",
        real: "unset reads empty; the order holds when the cloud is called",
        evidence: ["wire secrets-cloud-config", "reference secrets 4.1"],
        asserted: "each of the four sources; unset stays empty",
        tests: [
          "server/cloud-root-sources > document 3, root configuration: region",
          "contract/traps/cloud-traps > a region that is unset stays empty",
          "wire secrets-cloud-config > refuse a region that is a list",
        ],
      },
      iam_endpoint: {
        says: "HTTP endpoint of the identity service",
        real: "never looked at when written",
        evidence: ["wire secrets-cloud-config", "reference secrets 4.1"],
        asserted: "written, read and reset",
        tests: ["wire secrets-cloud-config > read everything", "wire secrets-cloud-config > read everything reset"],
      },
      sts_endpoint: {
        says: "HTTP endpoint of the token service",
        real: "never looked at when written; asked once before the first credentials",
        evidence: ["wire secrets-cloud-config", "reference secrets 4.5"],
        asserted: "written, read and reset; regions that do not pair with endpoints fail when needed",
        tests: [
          "wire secrets-cloud-config > read everything",
          "server/cloud-root-sources > regions that do not pair with endpoints are refused when they are needed",
        ],
      },
      username_template: {
        says: "names of users (64 characters) and sessions (32); `DisplayName` who asks, `PolicyName` the role; default text not shown",
        real: "the default text is shown on read, and comes back whenever it is left out",
        evidence: ["wire secrets-cloud-config", "wire secrets-cloud-credential-rules", "reference secrets 4.1"],
        asserted: "both names in the default, the functions of templates, wrong ones in Go's words, both caps",
        tests: [
          "server/cloud-usernames > the default names users after who asks and the role",
          "server/cloud-usernames > the default names federations within their 32 characters, without names of others",
          "wire secrets-cloud-credential-rules > a session named by all functions",
          "contract/traps/cloud-traps > a template that is unset reads back as the default text",
        ],
      },
    },
  },
  "3 Lease configuration": {
    of: ["cloudLeaseConfig"],
    rows: {
      lease: {
        says: "required; a duration whose largest unit is the hour",
        real: "days and plain seconds are taken too; printed as Go does",
        evidence: ["wire secrets-cloud-config", "reference secrets 4.3"],
        asserted: "forms that are taken and refused; spellings are no difference; users live as long",
        tests: [
          "server/cloud-leases > lease: a user's credentials live as long, whatever ttl is asked for",
          "wire secrets-cloud-config > refuse no lease",
          "wire secrets-cloud-config > refuse a lease that is none",
          "contract/traps/cloud-traps > lease durations read back as Go prints them",
        ],
      },
      lease_max: {
        says: "required; the maximum, in the same form",
        real: "below `lease` it is stored all the same",
        evidence: ["wire secrets-cloud-config", "reference secrets 4.3"],
        asserted: "renewals end there; both are needed every time",
        tests: [
          "server/cloud-leases > lease_max: a lease is renewed no further, counted from its beginning",
          "wire secrets-cloud-config > refuse no maximum",
          "wire secrets-cloud-config > write a lease over its maximum",
          "unit/rules/cloud-engine > a cloud.LeaseConfig",
        ],
      },
    },
  },
} satisfies Sections;
