import { isEmpty } from "../../core/canonical";
import type { Values } from "../../core/definition";
import { required } from "../../core/field";
import { type CloudCaller, defineFunction, rowsOf } from "../../core/function";
import { boolean, duration, integer, local, oneOf, string } from "../../core/rows";
import { rule } from "../../core/rules";
import { isRecord } from "../../core/unknowns";
import { looksLikeArn } from "../../resources/cloud/arn";
import { cloudRole } from "../../resources/cloud/role";

const fields = {
  ...rowsOf(cloudRole.fields, "mount", "name"),
  /** Endpoint that is asked: `creds` needs the token's capability "read", `sts` "update". @source vault/aws credentials */
  endpoint: local(oneOf("", ["creds", "sts"], "creds"), "creds"),
  /** Role to assume, one of the role's `roleArns`; required when it has several. @source vault/aws credentials */
  roleArn: string("role_arn"),
  /** Name of the session of an assumed role, at most 64 characters. @source vault/aws credentials */
  roleSessionName: string("role_session_name"),
  /** Lifetime of STS credentials, in seconds or as a duration; the role's `defaultStsTtl` when unset, then one hour. @source vault/aws credentials */
  ttl: duration("ttl"),
  /** One-time code of the MFA device, where the role has `mfaSerialNumber`. Only for the endpoint `sts`. @source vault/aws credentials */
  mfaCode: string("mfa_code"),
  /**
   * Wait until the cloud takes the credentials, for two minutes at most: keys of a new user are refused for some seconds.
   * Those that stay refused are revoked.
   */
  waitUntilValid: local(boolean(""), false),
  /**
   * Endpoint of the token service that is asked whether the credentials are valid; the public one of `stsRegion` when
   * unset.
   * @source vault/aws root
   */
  stsEndpoint: local(string("")),
  /** Region of the token service that is asked. @source vault/aws root */
  stsRegion: local(string(""), "us-east-1"),
  /** Revoke the credentials when the run has ended: a created user is deleted, STS credentials stay valid until they expire. @source vault/aws credentials */
  revokeAtEnd: local(boolean(""), false),
};

const results = {
  ...rowsOf(cloudRole.fields, "mount", "name"),
  /** Access key ID. @source vault/aws credentials */
  accessKey: required(string("access_key")),
  /** Secret access key. @source vault/aws credentials */
  secretKey: required(string("secret_key")),
  /** Session token; only STS credentials have one. @source vault/aws credentials */
  sessionToken: string("session_token"),
  /** The assumed role of the session. @source vault/aws credentials */
  arn: string("arn"),
  /** Id to renew or revoke the credentials by. @source vault/aws credentials */
  leaseId: string("lease_id"),
  /** Lifetime of the credentials in seconds. @source vault/aws credentials */
  leaseDuration: required(integer("lease_duration")),
  /** Whether the lease can be renewed: only that of a created user. @source vault/aws credentials */
  renewable: boolean("renewable"),
};

export const cloudGetCredentials = defineFunction({
  token: "cloud:getCredentials",
  dialect: "vault",
  fields,
  results,
  label: "name",
  secrets: { mfaCode: "always" },
  secretResults: ["secretKey", "sessionToken"],
  issues: true,
  rules: [
    looksLikeArn("roleArn"),
    rule(["stsEndpoint"], ({ stsEndpoint }) =>
      isEmpty(stsEndpoint) || isWebAddress(String(stsEndpoint)) ? undefined : "must be an http or https address",
    ),
    // The parameters of `creds` travel in the address, which is logged.
    rule(["mfaCode", "endpoint"], ({ mfaCode, endpoint }) =>
      isEmpty(mfaCode) || endpoint === "sts" ? undefined : "only valid when endpoint is sts",
    ),
  ],
  unpack: withSessionToken,
  validity: { when: "waitUntilValid", callerOf },
  release: {
    when: "revokeAtEnd",
    path: "sys/leases/revoke",
    // Some releases issue STS credentials without a lease (reference secrets-server 4.5).
    members: ({ leaseId }) => (isEmpty(leaseId) ? undefined : { lease_id: leaseId }),
  },
  request: ({ endpoint }) =>
    endpoint === "sts"
      ? { method: "POST", path: "{mount}/sts/{name}" }
      : { method: "GET", path: "{mount}/creds/{name}" },
});

/** OpenBao and older releases of Vault call it a security token. */
function withSessionToken(answer: unknown): Values {
  const issued = isRecord(answer) ? answer : {};
  return { ...issued, session_token: issued["session_token"] ?? issued["security_token"] };
}

function callerOf({ stsEndpoint, stsRegion, accessKey, secretKey, sessionToken }: Values): CloudCaller {
  const region = String(stsRegion);
  // The cloud's partition in China has a domain of its own.
  const domain = region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com";
  return {
    endpoint: isEmpty(stsEndpoint) ? `https://sts.${region}.${domain}/` : String(stsEndpoint),
    region,
    accessKey: String(accessKey),
    secretKey: String(secretKey),
    ...(isEmpty(sessionToken) ? {} : { sessionToken: String(sessionToken) }),
  };
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
