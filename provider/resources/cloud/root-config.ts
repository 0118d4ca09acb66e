import { isEmpty } from "../../core/canonical";
import { defineResource, upsert } from "../../core/definition";
import { onlyOn } from "../../core/field";
import { boolean, duration, integer, local, oneOf, path, string, stringList } from "../../core/rows";
import { advice, needs, notTogether, onlyTheMount, rule, together } from "../../core/rules";
import { looksLikeArn } from "./arn";
import { inAwsMount } from "./in-aws-mount";

/** The template that the server shows when none was set. */
const DEFAULT_TEMPLATE =
  '{{ if (eq .Type "STS") }}{{ printf "vault-%s-%s"  (unix_time) (random 20) | truncate 32 }}{{ else }}{{ printf "vault-%s-%s-%s" (printf "%s-%s" (.DisplayName) (.PolicyName) | truncate 42) (unix_time) (random 20) | truncate 64 }}{{ end }}';

const enterprise = { vaultEnterprise: "1.19.0" } as const;

const fields = {
  /** Path where the secrets engine is mounted. @source vault/aws */
  mount: path("cloud"),
  /** How often the server tries again after a recoverable error of the cloud; -1 is the default of the cloud's SDK. @source vault/aws root */
  maxRetries: integer("max_retries", { serverDefault: -1, min: -1 }),
  /** Access key ID. Set it together with `secretKey`, and not with `identityTokenAudience`. @source vault/aws root */
  accessKey: string("access_key"),
  /** Secret access key. Set it together with `accessKey`. @source vault/aws root */
  secretKey: string("secret_key"),
  /** ARN of the IAM role to assume in workload identity federation. @source vault/aws root */
  roleArn: onlyOn({ vaultEnterprise: "1.16.0" }, string("role_arn")),
  /** Audience of the server's identity tokens. It needs `roleArn`, and cannot be set with `accessKey`. @source vault/aws root */
  identityTokenAudience: onlyOn({ vaultEnterprise: "1.16.0" }, string("identity_token_audience")),
  /** Lifetime of identity tokens, in seconds or as a duration; 0 is one hour. @source vault/aws root */
  identityTokenTtl: onlyOn({ vaultEnterprise: "1.16.0" }, duration("identity_token_ttl")),
  /** AWS region. When unset, the server uses its own environment variable `AWS_REGION`, then `AWS_DEFAULT_REGION`, then us-east-1. @source vault/aws root */
  region: string("region"),
  /** Endpoint of IAM; that of the region when unset. @source vault/aws root */
  iamEndpoint: string("iam_endpoint"),
  /** Endpoint of the security token service (STS); that of the region when unset. @source vault/aws root */
  stsEndpoint: string("sts_endpoint"),
  /** Region of `stsEndpoint`. @source vault/aws root */
  stsRegion: onlyOn({ vault: "1.19.0" }, string("sts_region")),
  /** Further STS endpoints, tried in this order. There must be as many `stsFallbackRegions`. @source vault/aws root */
  stsFallbackEndpoints: onlyOn({ vault: "1.19.0" }, stringList("sts_fallback_endpoints")),
  /** Regions of `stsFallbackEndpoints`, in the same order. @source vault/aws root */
  stsFallbackRegions: onlyOn({ vault: "1.19.0" }, stringList("sts_fallback_regions")),
  /** Template of generated user names. It makes both IAM names (at most 64 characters) and STS names (at most 32). @source vault/aws root */
  usernameTemplate: string("username_template", { serverDefault: DEFAULT_TEMPLATE }),
  /** Cron schedule by which the server rotates the root key. @source vault/aws root */
  rotationSchedule: onlyOn(enterprise, string("rotation_schedule")),
  /** How long after its scheduled time a rotation may still start, in seconds or as a duration. @source vault/aws root */
  rotationWindow: onlyOn(enterprise, duration("rotation_window")),
  /** Time between two rotations by the server, in seconds or as a duration. It cannot be set with `rotationSchedule`. @source vault/aws root */
  rotationPeriod: onlyOn(enterprise, duration("rotation_period")),
  /** Stop the server's own rotations. @source vault/aws root */
  disableAutomatedRotation: onlyOn(enterprise, boolean("disable_automated_rotation")),
  /**
   * The server's key is expected to change, because of a `cloud.RootRotation` or another rotation. An access key ID other
   * than `accessKey` is then no drift. With `false`, a record that is taken over gets the program's key instead of its own: take
   * it out after that update.
   */
  rotatedByServer: local(boolean("")),
  /** What a destroy does, because the API cannot delete the record: `forget` leaves it, `blank` empties every field. @default "forget" */
  onDelete: local(oneOf("", ["forget", "blank"]), "forget"),
};

export const cloudRootConfig = defineResource({
  token: "cloud:RootConfig",
  dialect: "vault",
  fields,
  id: "{mount}/config/root",
  label: "mount",
  identity: ["mount"],
  mounted: inAwsMount,
  secrets: { secretKey: "always" },
  writeOnly: ["secretKey"],
  rotation: {
    keyId: "accessKey",
    secret: "secretKey",
    expected: "rotatedByServer",
    since: { vault: "1.19.0" },
    schedules: ["rotationSchedule", "rotationPeriod"],
  },
  ...upsert("{mount}/config/root"),
  createsApart: { vault: "1.19.0" },
  delete: "forget or blank",
  rules: [
    together("accessKey", "secretKey"),
    // An empty variable of a CI job, mostly: the server would be left without credentials.
    rule(["accessKey"], ({ accessKey, secretKey }) =>
      isEmpty(accessKey) && isEmpty(secretKey)
        ? Object.entries({ accessKey, secretKey }).flatMap(([property, key]) =>
            key === "" ? [{ property, reason: EMPTY }] : [],
          )
        : [],
    ),
    notTogether("accessKey", "identityTokenAudience"),
    needs("identityTokenAudience", "roleArn"),
    needs("rotationWindow", "rotationSchedule"),
    notTogether("rotationSchedule", "rotationPeriod"),
    rule(["stsFallbackEndpoints", "stsFallbackRegions"], ({ stsFallbackEndpoints, stsFallbackRegions }) =>
      lengthOf(stsFallbackEndpoints) === lengthOf(stsFallbackRegions)
        ? undefined
        : "must have as many elements as stsFallbackRegions",
    ),
    // The server accepts any template, and fails when somebody asks for credentials.
    advice(rule(["usernameTemplate"], ({ usernameTemplate }) => templateProblem(usernameTemplate))),
    looksLikeArn("roleArn"),
    onlyTheMount("config", "roles"),
  ],
});

const EMPTY = "must not be empty: leave accessKey and secretKey out where the server has credentials of its own";

function lengthOf(list: unknown): number {
  return Array.isArray(list) ? list.length : 0;
}

function templateProblem(template: unknown): string | undefined {
  const text = String(template ?? "");
  if (text.split("{{").length !== text.split("}}").length) return "has a {{ without }}, or a }} without {{";
  if (text === "" || text.includes(".Type")) return undefined;
  return "should distinguish .Type: STS user names have at most 32 characters, IAM user names 64";
}
