import type { Sections } from "./section.ts";

/** Cloud secrets engine: what the engine is, its root configuration and its leases. */
export const cloudRoot = {
  "cloud: What the service does": {
    of: [],
    rows: {
      "four types of credentials": {
        says: "`iam_user`, `assumed_role`, `federation_token`, `session_token`, issued from roles",
        real: "as documented; OpenBao has no `session_token`",
        evidence: ["wire secrets-cloud-credentials", "wire secrets-cloud-credential-rules", "reference secrets 4.5"],
        asserted: "credentials of each type and that they work at the cloud",
      },
      "static roles adopt a user": {
        says: "an existing user's key is rotated by the clock",
        evidence: ["wire secrets-cloud-rotation", "reference secrets 4.6"],
        asserted: "the key of a user that was there, and its rotations",
      },
      "root credentials": {
        says: "keys of a privileged user, or workload identity federation (Enterprise)",
        real: "the community edition refuses the latter when it is written",
        evidence: ["wire secrets-cloud-config", "reference secrets 4.1"],
        asserted: "both in the check; the refusal",
      },
      "another mount": {
        says: "enabled at `cloud` unless chosen otherwise; every path moves with it",
        real: "as documented; the engine's type is called `aws`",
        evidence: ["wire secrets-sys-mounts", "wire secrets-sys-remount"],
        asserted: "leases and records move or end with the mount; the mount identifies the resource",
      },
    },
  },
  "cloud: Root configuration": {
    of: ["cloudRootConfig"],
    evidence: ["wire secrets-cloud-config", "reference secrets 4.1"],
    rows: {
      max_retries: {
        says: "-1 unless given: then the SDK decides",
        real: "as documented; null stores 0",
        asserted: "how often a throttled call is made again; -1 and unset are the same",
      },
      access_key: {
        says: "id of the key; not beside `identity_token_audience`",
        real: "as documented; an id without its secret is stored",
        asserted: "the refused pair; an id alone is stored by the server and refused by the check",
      },
      secret_key: {
        says: "only together with `access_key`; never read back",
        real: "half a key is stored, and fails when credentials are asked for",
        evidence: ["wire secrets-cloud-config", "wire secrets-cloud-credential-rules", "reference secrets 4.1"],
        asserted:
          "half a key is refused by the check; absent from reads, a secret of the state, its fingerprint moves with it",
      },
      role_arn: {
        says: "Enterprise; role of the federation, required with the audience",
        asserted: "the audience alone is refused; both are kept with the profile `enterprise`",
      },
      identity_token_audience: {
        says: "Enterprise; audience of the tokens, not beside `access_key`",
        asserted: "both refusals, in the check too",
      },
      identity_token_ttl: {
        says: "Enterprise; 3600 unless given",
        real: "unset reads 0",
        evidence: ["wire secrets-cloud-config", "reference secrets 8"],
        asserted: "0 and unset are no difference; wrong lifetimes are refused",
      },
      region: {
        says: "else `CLOUD_REGION`, `CLOUD_DEFAULT_REGION`, `us-east-1`, in this order",
        real: "unset reads empty; the order holds when the cloud is called",
        asserted: "each of the four sources; unset stays empty",
      },
      iam_endpoint: {
        says: "HTTP endpoint of the identity service",
        real: "never looked at when written",
        asserted: "written, read and reset",
      },
      sts_endpoint: {
        says: "HTTP endpoint of the token service",
        real: "never looked at when written; asked once before the first credentials",
        evidence: ["wire secrets-cloud-config", "reference secrets 4.5"],
        asserted: "written, read and reset; regions that do not pair with endpoints fail when needed",
      },
      username_template: {
        says: "names of users (64 characters) and sessions (32); `DisplayName` who asks, `PolicyName` the role; default text not shown",
        real: "the default text is shown on read, and comes back whenever it is left out",
        evidence: ["wire secrets-cloud-config", "wire secrets-cloud-credential-rules", "reference secrets 4.1"],
        asserted: "both names in the default, the functions of templates, wrong ones in Go's words, both caps",
      },
    },
  },
  "cloud: Lease configuration": {
    of: ["cloudLeaseConfig"],
    rows: {
      lease: {
        says: "required; a duration whose largest unit is the hour",
        real: "days and plain seconds are taken too; printed as Go does",
        evidence: ["wire secrets-cloud-config", "reference secrets 4.3"],
        asserted: "forms that are taken and refused; spellings are no difference; users live as long",
      },
      lease_max: {
        says: "required; the maximum, in the same form",
        real: "below `lease` it is stored all the same",
        evidence: ["wire secrets-cloud-config", "reference secrets 4.3"],
        asserted: "renewals end there; both are needed every time",
      },
    },
  },
} satisfies Sections;
