import { isEmpty } from "../../core/canonical";
import type { Values } from "../../core/definition";
import { required } from "../../core/field";
import { type CloudCaller, defineFunction, rowsOf } from "../../core/function";
import { boolean, duration, integer, local, oneOf, string } from "../../core/rows";
import { rule } from "../../core/rules";
import { stsHost } from "../../core/sts-host";
import { isRecord } from "../../core/unknowns";
import { looksLikeArn } from "../../resources/cloud/arn";
import { cloudRole } from "../../resources/cloud/role";

const fields = {
  ...rowsOf(cloudRole.fields, "mount", "name"),
  /** Endpoint to ask. The token needs the capability `read` for `creds`, and `update` for `sts`. @source vault/aws credentials */
  endpoint: local(oneOf("", ["creds", "sts"], "creds"), "creds"),
  /** ARN of the IAM role to assume: one of the role's `roleArns`. Required when there are several. @source vault/aws credentials */
  roleArn: string("role_arn"),
  /** Session name of an assumed role, at most 64 characters. @source vault/aws credentials */
  roleSessionName: string("role_session_name"),
  /** Lifetime of STS credentials, in seconds or as a duration. When unset, the role's `defaultStsTtl`, then one hour. @source vault/aws credentials */
  ttl: duration("ttl"),
  /** One-time code of the MFA device, for a role with `mfaSerialNumber`. Only for the endpoint `sts`. @source vault/aws credentials */
  mfaCode: string("mfa_code"),
  /**
   * Wait until the cloud accepts the credentials, for two minutes at most: the cloud refuses the keys of a new user for some
   * seconds. Credentials that it still refuses then are revoked.
   */
  waitUntilValid: local(boolean(""), false),
  /**
   * Endpoint of the security token service (STS) that checks the credentials for `waitUntilValid`; the public one of
   * `stsRegion` when unset.
   * @source vault/aws root
   */
  stsEndpoint: local(string("")),
  /** Region of the STS endpoint that checks the credentials. @source vault/aws root */
  stsRegion: local(string(""), "us-east-1"),
  /** Revoke the credentials at the end of the run. A created user is deleted; STS credentials stay valid until they expire. @source vault/aws credentials */
  revokeAtEnd: local(boolean(""), false),
};

const results = {
  ...rowsOf(cloudRole.fields, "mount", "name"),
  /** Access key ID. @source vault/aws credentials */
  accessKey: required(string("access_key")),
  /** Secret access key. @source vault/aws credentials */
  secretKey: required(string("secret_key")),
  /** Session token. Only STS credentials have one. @source vault/aws credentials */
  sessionToken: string("session_token"),
  /** ARN of the session of an assumed role. @source vault/aws credentials */
  arn: string("arn"),
  /** Id of the lease, to renew or revoke the credentials. @source vault/aws credentials */
  leaseId: string("lease_id"),
  /** Lifetime of the credentials in seconds. @source vault/aws credentials */
  leaseDuration: required(integer("lease_duration")),
  /** Whether the lease can be renewed. Only the lease of a created user can. @source vault/aws credentials */
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
    // The parameters of `creds` are in the URL, which servers log.
    rule(["mfaCode", "endpoint"], ({ mfaCode, endpoint }) =>
      isEmpty(mfaCode) || endpoint === "sts" ? undefined : "only valid when endpoint is sts",
    ),
  ],
  unpack: withSessionToken,
  validity: { when: "waitUntilValid", callerOf },
  release: {
    when: "revokeAtEnd",
    path: "sys/leases/revoke",
    // Some releases issue STS credentials without a lease.
    members: ({ leaseId }) => (isEmpty(leaseId) ? undefined : { lease_id: leaseId }),
  },
  renewal: {
    path: "sys/leases/renew",
    members: ({ leaseId, renewable }) => (renewable === true && !isEmpty(leaseId) ? { lease_id: leaseId } : undefined),
  },
  request: ({ endpoint }) =>
    endpoint === "sts"
      ? { method: "POST", path: "{mount}/sts/{name}" }
      : { method: "GET", path: "{mount}/creds/{name}" },
});

/** OpenBao and older releases of Vault name it `security_token`. */
function withSessionToken(answer: unknown): Values {
  const issued = isRecord(answer) ? answer : {};
  return { ...issued, session_token: issued["session_token"] ?? issued["security_token"] };
}

function callerOf({ stsEndpoint, stsRegion, accessKey, secretKey, sessionToken }: Values): CloudCaller {
  const region = String(stsRegion);
  return {
    endpoint: isEmpty(stsEndpoint) ? `https://${stsHost(region)}/` : String(stsEndpoint),
    region,
    accessKey: String(accessKey),
    secretKey: String(secretKey),
    ...(isEmpty(sessionToken) ? {} : { sessionToken: String(sessionToken) }),
  };
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
