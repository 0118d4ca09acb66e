import type { Sections } from "./section.ts";

/** Cloud secrets engine: how credentials are generated, what goes wrong, and the limits. */
export const cloudGeneration = {
  "cloud: Generation parameters": {
    of: ["cloudGetCredentials"],
    rows: {
      role_arn: {
        says: "role to assume, one of the role's; optional when there is only one",
        evidence: ["wire secrets-cloud-credentials", "reference secrets 4.5"],
        asserted: "one, several, none, another",
      },
      role_session_name: {
        says: "64 characters, cut when longer; made when left out",
        real: "not cut: the cloud refuses it; other characters become `_`",
        evidence: ["wire secrets-cloud-credential-rules", "reference secrets 4.5"],
        asserted: "the name at the cloud, too long, too short, left out",
      },
      ttl: {
        says: "of STS credentials; else `default_sts_ttl`, else 3600s; the cloud has maxima of its own",
        real: "as documented; below 900 seconds the SDK refuses",
        evidence: ["wire secrets-cloud-credential-rules", "wire secrets-cloud-credentials", "reference secrets 4.5"],
        asserted: "every source, caps, the cloud's limits; ignored for users",
      },
      mfa_code: {
        says: "code of the device, needed if the role names one",
        evidence: ["wire secrets-cloud-credential-rules", "reference secrets 4.5"],
        asserted: "required, good once and for a while, too short; never in an address",
      },
    },
  },
  "cloud: Rules of generation": {
    of: [],
    rows: {
      "1: creds and sts": {
        says: "are nearly the same; a legacy role gives sessions through `sts`, users through `creds`",
        evidence: ["wire secrets-cloud-credential-rules", "reference secrets 4.5"],
        asserted: "every type on both paths, and what each path refuses",
      },
      "2: the role exists": {
        says: "before credentials are generated",
        real: "else a 400, not a 404",
        evidence: ["wire secrets-cloud-credentials", "reference secrets 4.5"],
        asserted: "the refusal on both paths; the function names the role",
      },
      "3: the user stays": {
        says: "when a static role is deleted",
        real: "as documented; the key goes",
        evidence: ["wire secrets-cloud-rotation", "reference secrets 4.6"],
        asserted: "the user at the cloud, no rotation any more",
      },
      "4: rotating the root key": {
        says: "it must be the user's only one; then only the service knows it; calls can go wrong for some seconds",
        evidence: ["wire secrets-cloud-rotation", "reference secrets 4.2"],
        asserted: "a second key, the old key's end, the seconds after",
      },
    },
  },
  "cloud: Errors": {
    of: [],
    rows: {
      "role that is not there": {
        says: "404 on read and delete",
        real: "404 on read; 204 on delete",
        evidence: ["wire secrets-cloud-role", "reference secrets 8"],
        asserted: "both, and that neither is an error of the program",
      },
      "name over its cap": {
        says: "500; 64 characters for users, 32 for STS",
        real: "sessions of assumed roles count as users",
        evidence: ["wire secrets-cloud-credential-rules", "reference secrets 4.5"],
        asserted: "each type with a template that makes long names",
      },
      "rotation beside another key": {
        says: "the new key cannot be made",
        real: "500 with the cloud's words; nothing changes",
        evidence: ["reference secrets 4.2"],
        asserted: "the failure, and that the old key still works",
      },
      "calls after a rotation": {
        says: "can go wrong for some seconds",
        evidence: ["reference secrets 4.2"],
        asserted:
          "they fail and then work, by the clock; keys that were issued can be waited for until the cloud takes them",
      },
      "other status codes": {
        says: "not shown",
        real: "400 for what is wrong and for refusals of the cloud, 502 when it throttles, 500 for the rest",
        evidence: ["wire secrets-cloud-credential-rules", "reference secrets 4.5"],
        asserted: "the cloud's words in the answers, a throttled call",
      },
    },
  },
  "cloud: Limits": {
    of: [],
    rows: {
      "64 and 32 characters": {
        says: "of user names and of STS names",
        real: "the template has to keep them",
        evidence: ["wire secrets-cloud-credential-rules", "reference secrets 4.1"],
        asserted: "both borders",
      },
      "session name of 64": {
        says: "truncated",
        real: "refused by the cloud",
        evidence: ["wire secrets-cloud-credential-rules", "reference secrets 8"],
        asserted: "the refusal",
      },
      "rotation_period of a minute": {
        says: "at least",
        real: "59 seconds are a 500, 60 are fine",
        evidence: ["wire secrets-cloud-rotation", "reference secrets 4.6"],
        asserted: "below the minute, in the check too",
      },
      "3600 seconds": {
        says: "default of `ttl` and of `identity_token_ttl`",
        real: "the first as documented; the second reads 0",
        evidence: ["wire secrets-cloud-config", "reference secrets 8"],
        asserted: "an hour of credentials; 0 is no difference",
      },
      "lease not configured": {
        says: "not shown",
        real: "the mount's lifetimes",
        evidence: ["wire secrets-cloud-leases", "reference secrets 4.3"],
        asserted: "the lease of a user without a configuration",
      },
    },
  },
} satisfies Sections;
