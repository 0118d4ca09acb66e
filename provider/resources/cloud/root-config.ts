import { canonicalText, isEmpty } from "../../core/canonical";
import { defineResource, upsert, type Values } from "../../core/definition";
import { ProviderError } from "../../core/errors";
import { onlyOn } from "../../core/field";
import { FINGERPRINTS, hasFingerprint } from "../../core/fingerprint";
import { boolean, duration, integer, local, oneOf, path, string, stringList } from "../../core/rows";
import { advice, needs, notTogether, rule, together } from "../../core/rules";
import { looksLikeArn } from "./arn";

/** What a read shows when no template was set (reference secrets-server 4.1). */
const DEFAULT_TEMPLATE =
  '{{ if (eq .Type "STS") }}{{ printf "vault-%s-%s"  (unix_time) (random 20) | truncate 32 }}{{ else }}{{ printf "vault-%s-%s-%s" (printf "%s-%s" (.DisplayName) (.PolicyName) | truncate 42) (unix_time) (random 20) | truncate 64 }}{{ end }}';

const enterprise = { vaultEnterprise: "1.19.0" } as const;

const fields = {
  /** Path where the secrets engine is mounted. @source vault/aws */
  mount: path("cloud"),
  /** How often a recoverable error of the cloud is tried again; -1 is the cloud SDK's default. @source vault/aws root */
  maxRetries: integer("max_retries", { serverDefault: -1, min: -1 }),
  /** Access key ID; comes with `secretKey`, and not with `identityTokenAudience`. @source vault/aws root */
  accessKey: { ...string("access_key"), reconcile: expectedKey },
  /** Secret access key; comes with `accessKey`. @source vault/aws root */
  secretKey: string("secret_key"),
  /** ARN of the role to assume for workload identity federation. @source vault/aws root */
  roleArn: onlyOn({ vaultEnterprise: "1.16.0" }, string("role_arn")),
  /** Audience of the server's identity tokens; needs `roleArn`, and not with `accessKey`. @source vault/aws root */
  identityTokenAudience: onlyOn({ vaultEnterprise: "1.16.0" }, string("identity_token_audience")),
  /** Lifetime of identity tokens, in seconds or as a duration; 0 is one hour. @source vault/aws root */
  identityTokenTtl: onlyOn({ vaultEnterprise: "1.16.0" }, duration("identity_token_ttl")),
  /** Cloud region; when unset the server's `CLOUD_REGION`, then `CLOUD_DEFAULT_REGION`, then us-east-1. @source vault/aws root */
  region: string("region"),
  /** Endpoint of the identity service, instead of the region's. @source vault/aws root */
  iamEndpoint: string("iam_endpoint"),
  /** Endpoint of the token service, instead of the region's. @source vault/aws root */
  stsEndpoint: string("sts_endpoint"),
  /** Region of the token service. @source vault/aws root */
  stsRegion: onlyOn({ vault: "1.19.0" }, string("sts_region")),
  /** Further token service endpoints, tried in order; as many as `stsFallbackRegions`. @source vault/aws root */
  stsFallbackEndpoints: onlyOn({ vault: "1.19.0" }, stringList("sts_fallback_endpoints")),
  /** Regions of `stsFallbackEndpoints`, in the same order. @source vault/aws root */
  stsFallbackRegions: onlyOn({ vault: "1.19.0" }, stringList("sts_fallback_regions")),
  /** Template of generated user names, for IAM (64 characters) and STS (32 characters) alike. @source vault/aws root */
  usernameTemplate: string("username_template", { serverDefault: DEFAULT_TEMPLATE }),
  /** Cron schedule of the root key's rotation by the server. @source vault/aws root */
  rotationSchedule: onlyOn(enterprise, string("rotation_schedule")),
  /** How long after its scheduled time a rotation may still start, in seconds or as a duration. @source vault/aws root */
  rotationWindow: onlyOn(enterprise, duration("rotation_window")),
  /** Time between rotations by the server, in seconds or as a duration; not with `rotationSchedule`. @source vault/aws root */
  rotationPeriod: onlyOn(enterprise, duration("rotation_period")),
  /** Stop the server's own rotations. @source vault/aws root */
  disableAutomatedRotation: onlyOn(enterprise, boolean("disable_automated_rotation")),
  /**
   * Expect the key to be rotated on the server, by a `cloud.RootRotation` or otherwise: another access key ID than
   * `accessKey` is then no drift.
   */
  rotatedByServer: local(boolean("")),
  /** What a destroy does, as the API cannot delete the record: `forget` leaves it, `blank` empties every field. @default "forget" */
  onDelete: local(oneOf("", ["forget", "blank"]), "forget"),
};

export const cloudRootConfig = defineResource({
  token: "cloud:RootConfig",
  dialect: "vault",
  fields,
  id: "{mount}/config/root",
  label: "mount",
  identity: ["mount"],
  secrets: { secretKey: "always" },
  writeOnly: ["secretKey"],
  // Where rotations are expected, any key is the right one.
  witnesses: ({ rotatedByServer }) => (rotatedByServer === true ? {} : { secretKey: "accessKey" }),
  remembered: ["accessKey"],
  settle: liveKey,
  ...upsert("{mount}/config/root"),
  update: {
    method: "POST",
    path: "{mount}/config/root",
    sends: "everything",
    keeps: { since: { vault: "1.19.0" }, properties: rotatedCredentials },
  },
  delete: ({ onDelete }) => (onDelete === "blank" ? { method: "POST", path: "{mount}/config/root" } : "forget"),
  rules: [
    together("accessKey", "secretKey"),
    notTogether("accessKey", "identityTokenAudience"),
    needs("identityTokenAudience", "roleArn"),
    needs("rotationWindow", "rotationSchedule"),
    notTogether("rotationSchedule", "rotationPeriod"),
    rule(["stsFallbackEndpoints", "stsFallbackRegions"], ({ stsFallbackEndpoints, stsFallbackRegions }) =>
      lengthOf(stsFallbackEndpoints) === lengthOf(stsFallbackRegions)
        ? undefined
        : "must be as many as stsFallbackRegions",
    ),
    // The server takes any template, and fails when credentials are asked for (reference secrets-server 4.1, 4.5).
    advice(rule(["usernameTemplate"], ({ usernameTemplate }) => templateProblem(usernameTemplate))),
    looksLikeArn("roleArn"),
  ],
});

/** Where rotations are expected, any key of the server stands for the program's. */
function expectedKey(live: string | undefined, current: string | undefined, state: Values): string | undefined {
  return state["rotatedByServer"] === true && !isEmpty(live) ? (current ?? live) : live;
}

/** A key that was rotated since the program gave its credentials is the program's key from then on, not a difference. */
function liveKey(inputs: Values, olds: Values): Values {
  if (isEmpty(inputs["accessKey"]) || isEmpty(olds["accessKey"]) || !isSamePair(inputs, olds)) return inputs;
  return { ...inputs, accessKey: olds["accessKey"] };
}

/** After a rotation the program's credentials are dead: they are not sent again until it gives new ones. */
function rotatedCredentials(live: Values, olds: Values | undefined, news: Values): readonly string[] {
  if (olds === undefined) return foundCredentials(live, news);
  if (isEmpty(news["accessKey"]) || isEmpty(live["accessKey"]) || !isSamePair(news, olds)) return [];
  return hasFingerprint(news, "accessKey", live["accessKey"]) ? [] : ["accessKey", "secretKey"];
}

/**
 * Nothing is recorded of a mount that is taken over, so another key may be what a rotation has left of the program's:
 * to write over it would cut the server off from the cloud. The program says which of the two is to stay.
 */
function foundCredentials(live: Values, news: Values): readonly string[] {
  const { accessKey: found } = live;
  if (isEmpty(found) || found === news["accessKey"] || news["rotatedByServer"] === false) return [];
  if (news["rotatedByServer"] === true) return ["accessKey", "secretKey"];
  const there = `the mount has a root key already (${String(found)}), which is not the program's`;
  const todo = "set `rotatedByServer: true` to keep it, or `rotatedByServer: false` to replace it with the program's";
  throw new ProviderError("InputError", `${there}: ${todo}.`);
}

/** The program gives the credentials that it gave the last time. */
function isSamePair(news: Values, olds: Values): boolean {
  return canonicalText(news[FINGERPRINTS]) === canonicalText(olds[FINGERPRINTS]);
}

function lengthOf(list: unknown): number {
  return Array.isArray(list) ? list.length : 0;
}

function templateProblem(template: unknown): string | undefined {
  const text = String(template ?? "");
  if (text.split("{{").length !== text.split("}}").length) return "has a {{ without its }}, or the reverse";
  if (text === "" || text.includes(".Type")) return undefined;
  return "should tell the two cases apart by .Type: STS user names have at most 32 characters, IAM ones 64";
}
