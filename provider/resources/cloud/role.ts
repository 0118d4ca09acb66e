import * as z from "zod";
import { canonicalText, isEmpty } from "../../core/canonical";
import { defineResource, upsert, type Values } from "../../core/definition";
import { deprecated, type Field, onlyOn, required, row } from "../../core/field";
import { duration, oneOf, path, segment, string, stringMap, stringSet } from "../../core/rows";
import { advice, noDoubleDots, notAbove, onlyWhen, rule, when } from "../../core/rules";
import { hasUnknown, UNKNOWN } from "../../core/unknowns";
import { looksLikeArn, parseArn } from "./arn";

/** An IAM policy as JSON text or as the object itself. */
export type PolicyDocument = string | { [member: string]: unknown };

const TYPES = ["iam_user", "assumed_role", "federation_token", "session_token"] as const;
const LEGACY = ["policy", "arn"] as const;
const MALFORMED = {
  policy: "is not JSON",
  arn: "must be the full ARN of a role or policy, such as arn:aws:iam::123456789012:policy/name",
};

const fields = {
  /** Path where the secrets engine is mounted. @source vault/aws */
  mount: path("cloud"),
  /** Role name; upper and lower case differ. @source vault/aws role */
  name: required(segment(/^\w+(?:[-.@]+\w+)*$/, "letters, digits and underscores, with dots, hyphens or @ inside")),
  /** Kind of credentials that the role issues. Required, unless the legacy `policy` or `arn` decides it. @source vault/aws role */
  credentialType: oneOf("credential_type", TYPES),
  /** ARNs of the roles that may be assumed. Only for `assumed_role`. @source vault/aws role */
  roleArns: stringSet("role_arns"),
  /** ARNs of managed policies: attached to an `iam_user`, a filter for `assumed_role` and `federation_token`. @source vault/aws role */
  policyArns: stringSet("policy_arns"),
  /** IAM policy document, JSON text or an object: attached to an `iam_user`, a filter for `assumed_role` and `federation_token`. @source vault/aws role */
  policyDocument: policyDocument("policy_document"),
  /** Groups that created users join, or whose policies are added for `assumed_role` and `federation_token`. @source vault/aws role */
  iamGroups: stringSet("iam_groups"),
  /** Tags of created users, key to value. For `iam_user`. @source vault/aws role */
  iamTags: stringMap("iam_tags"),
  /** Lifetime of STS credentials when none is asked for, in seconds or as a duration; 0 is one hour. @source vault/aws role */
  defaultStsTtl: duration("default_sts_ttl"),
  /** Longest lifetime of STS credentials, in seconds or as a duration; requests are cut to it. 0 is the mount's maximum. @source vault/aws role */
  maxStsTtl: duration("max_sts_ttl"),
  /** Tags of the STS session, key to value. Only for `assumed_role`. @source vault/aws role */
  sessionTags: onlyOn({ vault: "1.17.2" }, stringMap("session_tags")),
  /** External ID given when the role is assumed. Only for `assumed_role`. @source vault/aws role */
  externalId: onlyOn({ vault: "1.17.2" }, string("external_id")),
  /** Path of created users, `/` when unset. Only for `iam_user`. @source vault/aws role */
  userPath: string("user_path"),
  /** ARN of the policy that bounds created users. Only for `iam_user`. @source vault/aws role */
  permissionsBoundaryArn: string("permissions_boundary_arn"),
  /** ARN or hardware number of the root user's MFA device, where it has one. @source vault/aws role */
  mfaSerialNumber: onlyOn({ vault: "1.16.0" }, string("mfa_serial_number")),
  /** IAM policy in JSON, the old form of an `iam_user` role. Sent as `credentialType` and `policyDocument`. @source vault/aws role */
  policy: deprecated("use credentialType with policyDocument", { ...string(""), place: "local" }),
  /** ARN of a role or policy, the old form of `roleArns` and `policyArns`. Sent as `credentialType` with one of them. @source vault/aws role */
  arn: deprecated("use credentialType with roleArns or policyArns", { ...string(""), place: "local" }),
};

const outputs = {
  /** What an earlier version of the server stored and today's refuses. @source vault/aws read-role */
  invalidData: string("invalid_data"),
};

export const cloudRole = defineResource({
  token: "cloud:Role",
  dialect: "vault",
  fields,
  outputs,
  id: "{mount}/roles/{name}",
  label: "name",
  identity: ["mount", "name"],
  ...upsert("{mount}/roles/{name}"),
  rewrite: modernForm,
  rules: [
    noDoubleDots("name"),
    rule(["policy", "arn", "credentialType"], legacyFailures),
    onlyWhen(["defaultStsTtl", "maxStsTtl"], "credentialType", ["assumed_role", "federation_token", "session_token"]),
    notAbove("defaultStsTtl", "maxStsTtl"),
    onlyWhen(["userPath", "permissionsBoundaryArn"], "credentialType", ["iam_user"]),
    onlyWhen(["roleArns", "sessionTags", "externalId"], "credentialType", ["assumed_role"]),
    onlyWhen(["policyDocument", "policyArns"], "credentialType", ["iam_user", "assumed_role", "federation_token"]),
    rule(["userPath"], ({ userPath }) =>
      isEmpty(userPath) || /^\/([\x21-\x7F]{0,510}\/)?$/.test(String(userPath))
        ? undefined
        : "must begin and end with / and have at most 512 printable characters",
    ),
    rule(["permissionsBoundaryArn"], ({ permissionsBoundaryArn }) => boundaryProblem(permissionsBoundaryArn)),
    rule(["policyDocument"], ({ policyDocument }) => jsonProblem(policyDocument)),
    // The document's stricter rules: the servers accept such roles and fail when credentials are asked for.
    advice(
      when(
        "credentialType",
        (type) => type === "assumed_role",
        rule(["roleArns"], ({ roleArns }) =>
          isEmpty(roleArns) ? "is needed to issue credentials of type assumed_role" : undefined,
        ),
      ),
    ),
    advice(
      when(
        "credentialType",
        (type) => type === "iam_user" || type === "federation_token",
        rule(["policyDocument", "policyArns", "iamGroups"], (values) =>
          isEmpty(values["policyDocument"]) && isEmpty(values["policyArns"]) && isEmpty(values["iamGroups"])
            ? "at least one of policyDocument and policyArns is needed to issue useful credentials"
            : undefined,
        ),
      ),
    ),
    advice(onlyWhen(["iamTags"], "credentialType", ["iam_user"])),
    looksLikeArn("roleArns"),
    looksLikeArn("policyArns"),
  ],
});

/** The legacy form in today's words. A mixture is left as it is, for the rules to refuse. */
function modernForm(inputs: Values): Values {
  const { policy, arn, ...rest } = inputs;
  const mixed = fieldsBesideLegacy(inputs).length > 0;
  // What kind of role an ARN makes is known with the ARN, and what is unknown may turn out to be unset.
  if (hasUnknown(arn) || (hasUnknown(policy) && mixed)) return { credentialType: UNKNOWN, ...inputs };
  if (isEmpty(policy) === isEmpty(arn) || mixed) return inputs;
  if (!isEmpty(policy)) {
    return jsonProblem(policy) && !hasUnknown(policy)
      ? inputs
      : { ...rest, credentialType: "iam_user", policyDocument: policy };
  }
  const parsed = parseArn(String(arn));
  const kind = typeof parsed === "string" ? undefined : parsed.resourceType;
  if (kind === "role") return { ...rest, credentialType: "assumed_role", roleArns: [arn] };
  return kind === "policy" ? { ...rest, credentialType: "iam_user", policyArns: [arn] } : inputs;
}

function legacyFailures(values: Values) {
  const given = LEGACY.filter((key) => !isEmpty(values[key]));
  if (given.length === 0) {
    const reason = `is required; one of ${TYPES.join(", ")}`;
    return isEmpty(values["credentialType"]) ? [{ property: "credentialType", reason }] : undefined;
  }
  if (given.length === 2) return [{ property: "arn", reason: "only one of policy and arn can be given" }];
  const beside = fieldsBesideLegacy(values);
  const mixed = `cannot be mixed with ${beside.join(", ")}; use credentialType with policyDocument, policyArns or roleArns`;
  return given.map((property) => ({ property, reason: beside.length > 0 ? mixed : MALFORMED[property] }));
}

function fieldsBesideLegacy(values: Values): string[] {
  const own = ["mount", "name", "connection", ...LEGACY];
  // What is not known yet may turn out to be unset.
  const isSet = (key: string) => !isEmpty(values[key]) && !hasUnknown(values[key]);
  return Object.keys(values).filter((key) => key in fields && !own.includes(key) && isSet(key));
}

function boundaryProblem(arn: unknown): string | undefined {
  if (isEmpty(arn)) return undefined;
  const parsed = parseArn(String(arn));
  if (typeof parsed === "string") return parsed;
  return parsed.service === "iam" && parsed.resourceType === "policy"
    ? undefined
    : "must be the ARN of an IAM policy, such as arn:aws:iam::123456789012:policy/name";
}

function jsonProblem(document: unknown): string | undefined {
  if (isEmpty(document) || typeof document !== "string") return undefined;
  try {
    JSON.parse(document);
    return undefined;
  } catch {
    return "is not JSON";
  }
}

function policyDocument(wire: string): Field<PolicyDocument, false> {
  const error = "must be JSON text or an object";
  return row<PolicyDocument>({
    place: "body",
    wire,
    schema: z.union([z.string(), z.record(z.string(), z.unknown())], { error }),
    // The server takes text only: an object is a coercion error (reference secrets-server 6, trap 17).
    normalise: (document) => (typeof document === "string" ? document : JSON.stringify(document)),
    encode: (document) => (typeof document === "string" ? document : JSON.stringify(document)),
    canonical: (document) => (isEmpty(document) ? "" : canonicalJson(document)),
  });
}

/** Documents compare as JSON: the server compacts white space and keeps the order of keys. */
function canonicalJson(document: PolicyDocument | undefined): string {
  if (typeof document !== "string") return canonicalText(document);
  try {
    return canonicalText(JSON.parse(document));
  } catch {
    return document;
  }
}
