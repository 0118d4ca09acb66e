import type { Sections } from "./section.ts";

/** Document 3: how credentials are generated, what goes wrong, and the limits. */
export const cloudGeneration = {
  "3 Generation parameters": {
    of: ["cloudGetCredentials"],
    rows: {
      role_arn: {
        says: "role to assume, one of the role's; optional when there is only one",
        real: "as documented",
        evidence: ["wire secrets-cloud-credentials", "reference secrets 4.5"],
        asserted: "one, several, none, another",
        tests: [
          "server/cloud-generation > is optional when the role allows exactly one",
          "server/cloud-generation > is required when the role allows %j",
          "wire secrets-cloud-credentials > of one of many roles, not named",
          "wire secrets-cloud-credentials > of a role that is not allowed",
        ],
      },
      role_session_name: {
        says: "64 characters, cut when longer; made when left out",
        real: "not cut: the cloud refuses it; other characters become `_`",
        evidence: ["wire secrets-cloud-credential-rules", "reference secrets 4.5"],
        asserted: "the name at the cloud, too long, too short, left out",
        tests: [
          "server/cloud-generation > longer than 64 characters: not truncated as the document says, but refused by the provider",
          "wire secrets-cloud-credential-rules > a session of a name too long",
          "wire secrets-cloud-credential-rules > a session of a name too short",
          "server/cloud-generation > omitted: generated from the template",
        ],
      },
      ttl: {
        says: "of STS credentials; else `default_sts_ttl`, else 3600s; the cloud has maxima of its own",
        real: "as documented; below 900 seconds the SDK refuses",
        evidence: ["wire secrets-cloud-credential-rules", "wire secrets-cloud-credentials", "reference secrets 4.5"],
        asserted: "every source, caps, the cloud's limits; ignored for users",
        tests: [
          "server/cloud-generation > document 3, generation parameters: ttl",
          "server/cloud-generation > below 900 seconds it is refused by the SDK",
          "server/cloud-generation > the provider places its own maximum on %s",
          "server/cloud-generation > is ignored for an iam_user",
          "wire secrets-cloud-credentials > for a time that is none",
        ],
      },
      mfa_code: {
        says: "code of the device, needed if the role names one",
        real: "as documented",
        evidence: ["wire secrets-cloud-credential-rules", "reference secrets 4.5"],
        asserted: "required, good once and for a while, too short; never in an address",
        tests: [
          "server/cloud-credential-rules > mfa_code is required when the role has mfa_serial_number",
          "server/cloud-credential-rules > a code is good for its half minute, and a little longer",
          "wire secrets-cloud-credential-rules > a session with a code that is too short",
          "unit/functions/definitions > sends no secret in an address",
        ],
      },
    },
  },
  "3 Rules of generation": {
    of: [],
    rows: {
      "1: creds and sts": {
        says: "are nearly the same; a legacy role gives sessions through `sts`, users through `creds`",
        real: "as documented",
        evidence: ["wire secrets-cloud-credential-rules", "reference secrets 4.5"],
        asserted: "every type on both paths, and what each path refuses",
        tests: [
          "server/cloud-credential-rules > creds and sts serve every type of a role in the new style",
          "wire secrets-cloud-credential-rules > of a legacy policy by sts, a federation",
          "wire secrets-cloud-credential-rules > of a legacy role by creds",
          "wire secrets-cloud-credential-rules > of a legacy ARN by sts",
        ],
      },
      "2: the role exists": {
        says: "before credentials are generated",
        real: "else a 400, not a 404",
        evidence: ["wire secrets-cloud-credentials", "reference secrets 4.5"],
        asserted: "the refusal on both paths; the function names the role",
        tests: [
          "wire secrets-cloud-credentials > of a role that is not there",
          "wire secrets-cloud-credentials > by sts of a role that is not there",
          "server/cloud-credential-rules > the role must exist before credentials are generated from it",
        ],
      },
      "3: the user stays": {
        says: "when a static role is deleted",
        real: "as documented; the key goes",
        evidence: ["wire secrets-cloud-rotation", "reference secrets 4.6"],
        asserted: "the user at the cloud, no rotation any more",
        tests: [
          "server/cloud-rotation > rules of generation, 3: deleting a static role ends its rotation and leaves the user",
        ],
      },
      "4: rotating the root key": {
        says: "it must be the user's only one; then only the service knows it; calls can go wrong for some seconds",
        real: "as documented",
        evidence: ["wire secrets-cloud-rotation", "reference secrets 4.2"],
        asserted: "a second key, the old key's end, the seconds after",
        tests: [
          "server/cloud-rotation > rule 4: fails when the user holds another key",
          "server/cloud-rotation > rule 4: calls may fail for a few seconds afterwards, until the cloud knows the new key",
          "server/cloud-config > leaves the old key useless for ever",
          "contract/root-rotation > a rotation %s: it is no difference, and the old key is never sent again",
        ],
      },
    },
  },
  "3 Errors": {
    of: [],
    rows: {
      "role that is not there": {
        says: "404 on read and delete",
        real: "404 on read; 204 on delete",
        evidence: ["wire secrets-cloud-role", "reference secrets 8"],
        asserted: "both, and that neither is an error of the program",
        tests: [
          "wire secrets-cloud-role > read one that is not there",
          "wire secrets-cloud-role > delete one that is not there",
          "contract/traps/cloud-traps > deleting a role twice is no error",
        ],
      },
      "name over its cap": {
        says: "500; 64 characters for users, 32 for STS",
        real: "sessions of assumed roles count as users",
        evidence: ["wire secrets-cloud-credential-rules", "reference secrets 4.5"],
        asserted: "each type with a template that makes long names",
        tests: [
          "server/cloud-usernames > a name over its cap is a 500 for every type that is given one",
          "wire secrets-cloud-credential-rules > a user with a long name",
          "wire secrets-cloud-credential-rules > a federation with a long name",
          "wire secrets-cloud-credential-rules > a role's session with a long name",
        ],
      },
      "rotation beside another key": {
        says: "the new key cannot be made",
        real: "500 with the cloud's words; nothing changes",
        evidence: ["reference secrets 4.2"],
        asserted: "the failure, and that the old key still works",
        tests: ["server/cloud-config > fails when the user holds another key, and changes nothing"],
      },
      "calls after a rotation": {
        says: "can go wrong for some seconds",
        real: "as documented",
        evidence: ["reference secrets 4.2"],
        asserted:
          "they fail and then work, by the clock; keys that were issued can be waited for until the cloud takes them",
        tests: [
          "server/cloud-rotation > rule 4: calls may fail for a few seconds afterwards, until the cloud knows the new key",
          "unit/engine/validity > asks with the keys until they are accepted five times in a row",
        ],
      },
      "other status codes": {
        says: "not shown",
        real: "400 for what is wrong and for refusals of the cloud, 502 when it throttles, 500 for the rest",
        evidence: ["wire secrets-cloud-credential-rules", "reference secrets 4.5"],
        asserted: "the cloud's words in the answers, a throttled call",
        tests: [
          "wire secrets-cloud-credential-rules > a user with a policy that is not there",
          "server/cloud-root-sources > %s: a call is made again as often while the cloud throttles it, then answered with 502",
          "wire/coverage > has every status of the tables in a branch",
        ],
      },
    },
  },
  "3 Limits": {
    of: [],
    rows: {
      "64 and 32 characters": {
        says: "of user names and of STS names",
        real: "the template has to keep them",
        evidence: ["wire secrets-cloud-credential-rules", "reference secrets 4.1"],
        asserted: "both borders",
        tests: [
          "server/cloud-usernames > the cap of %s usernames is %i characters, which the template has to keep by itself",
        ],
      },
      "session name of 64": {
        says: "truncated",
        real: "refused by the cloud",
        evidence: ["wire secrets-cloud-credential-rules", "reference secrets 8"],
        asserted: "the refusal",
        tests: ["wire secrets-cloud-credential-rules > a session of a name too long"],
      },
      "rotation_period of a minute": {
        says: "at least",
        real: "59 seconds are a 500, 60 are fine",
        evidence: ["wire secrets-cloud-rotation", "reference secrets 4.6"],
        asserted: "below the minute, in the check too",
        tests: [
          "wire secrets-cloud-rotation > refuse a period under a minute",
          "unit/rules/cloud-engine > a cloud.StaticRole",
        ],
      },
      "3600 seconds": {
        says: "default of `ttl` and of `identity_token_ttl`",
        real: "the first as documented; the second reads 0",
        evidence: ["wire secrets-cloud-config", "reference secrets 8"],
        asserted: "an hour of credentials; 0 is no difference",
        tests: [
          "server/cloud-generation > document 3, generation parameters: ttl",
          "contract/traps/cloud-traps > an identity token lifetime that is unset reads back as 0",
        ],
      },
      "lease not configured": {
        says: "not shown",
        real: "the mount's lifetimes",
        evidence: ["wire secrets-cloud-leases", "reference secrets 4.3"],
        asserted: "the lease of a user without a configuration",
        tests: [
          "server/cloud-leases > lease and lease_max: the values used when the lease is not configured are the mount's",
          "wire secrets-cloud-leases > issue",
        ],
      },
    },
  },
} satisfies Sections;
