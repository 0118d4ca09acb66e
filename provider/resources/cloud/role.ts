import * as z from "zod";
import { isEmpty } from "../../core/canonical";
import { canonicalJson, jsonProblem } from "../../core/canonical-json";
import { defineResource, upsert, type Values } from "../../core/definition";
import { deprecated, type Field, onlyOn, required, row } from "../../core/field";
import { duration, oneOf, path, segment, string, stringMap, stringSet } from "../../core/rows";
import { advice, noDoubleDots, notAbove, onlyTheMount, onlyWhen, rule, when } from "../../core/rules";
import { placeProperties } from "../../core/tenant";
import { hasUnknown, UNKNOWN } from "../../core/unknowns";
import { looksLikeArn, parseArn } from "./arn";
import { misspeltInPolicy } from "./iam-policy";
import { inAwsMount } from "./in-aws-mount";

/** An IAM policy, as JSON text or as an object. */
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
  /** Role name. Upper and lower case differ. @source vault/aws role */
  name: required(segment(/^\w+(?:[-.@]+\w+)*$/, "letters, digits and underscores, with dots, hyphens or @ inside")),
  /** Type of the credentials that the role issues. Required, unless the old `policy` or `arn` is set. @source vault/aws role */
  credentialType: oneOf("credential_type", TYPES),
  /** ARNs of the IAM roles that may be assumed. Only for `assumed_role`. @source vault/aws role */
  roleArns: stringSet("role_arns"),
  /** ARNs of managed policies. They are attached to an `iam_user`, and limit `assumed_role` and `federation_token`. @source vault/aws role */
  policyArns: stringSet("policy_arns"),
  /** IAM policy document, as JSON text or as an object. It is attached to an `iam_user`, and limits `assumed_role` and `federation_token`. @source vault/aws role */
  policyDocument: policyDocument("policy_document"),
  /** IAM groups. Created users join them; `assumed_role` and `federation_token` get their policies. @source vault/aws role */
  iamGroups: stringSet("iam_groups"),
  /** Tags of created users, key to value. Only for `iam_user`. @source vault/aws role */
  iamTags: stringMap("iam_tags"),
  /** Lifetime of STS credentials when a request names none, in seconds or as a duration; 0 is one hour. @source vault/aws role */
  defaultStsTtl: duration("default_sts_ttl"),
  /** Longest lifetime of STS credentials, in seconds or as a duration. The server shortens longer requests. 0 is the mount's maximum. @source vault/aws role */
  maxStsTtl: duration("max_sts_ttl"),
  /** Tags of the STS session, key to value. Only for `assumed_role`. @source vault/aws role */
  sessionTags: onlyOn({ vault: "1.17.2" }, stringMap("session_tags")),
  /** External ID to send when the IAM role is assumed. Only for `assumed_role`. @source vault/aws role */
  externalId: onlyOn({ vault: "1.17.2" }, string("external_id")),
  /** Path of created users, `/` when unset. Only for `iam_user`. @source vault/aws role */
  userPath: string("user_path"),
  /** ARN of the permissions boundary of created users. Only for `iam_user`. @source vault/aws role */
  permissionsBoundaryArn: string("permissions_boundary_arn"),
  /** ARN or hardware number of the MFA device of the engine's IAM user, if it has one. @source vault/aws role */
  mfaSerialNumber: onlyOn({ vault: "1.16.0" }, string("mfa_serial_number")),
  /** IAM policy in JSON: the old form of an `iam_user` role. It is sent as `credentialType` and `policyDocument`. @source vault/aws role */
  policy: deprecated("use credentialType with policyDocument", { ...string(""), place: "local" }),
  /** ARN of an IAM role or policy: the old form of `roleArns` and `policyArns`. It is sent as `credentialType` with one of them. @source vault/aws role */
  arn: deprecated("use credentialType with roleArns or policyArns", { ...string(""), place: "local" }),
};

const outputs = {
  /** Data that an earlier version of the server stored and the present version refuses. @source vault/aws read-role */
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
  mounted: { ...inAwsMount, shows: "role_arns" },
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
    rule(["policyDocument"], ({ policyDocument }) => documentProblem(policyDocument)),
    // The servers accept such roles, and fail when somebody asks for credentials.
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
            ? "or policyArns is needed: without one, the credentials permit nothing"
            : undefined,
        ),
      ),
    ),
    advice(onlyWhen(["iamTags"], "credentialType", ["iam_user"])),
    advice(rule(["policyDocument"], ({ policyDocument }) => misspeltInPolicy("policyDocument", policyDocument))),
    onlyTheMount("roles", "creds", "config", "static-roles"),
    looksLikeArn("roleArns"),
    looksLikeArn("policyArns", "policy"),
  ],
});

/** Rewrites the old form (`policy`, `arn`) as the new one. A mixture of both stays as it is: the rules refuse it. */
function modernForm(inputs: Values): Values {
  const { policy, arn, ...rest } = inputs;
  const mixed = fieldsBesideLegacy(inputs).length > 0;
  // The ARN decides the type, so the type is unknown as long as the ARN is. An unknown value may turn out to be unset.
  if (hasUnknown(arn) || (hasUnknown(policy) && mixed)) return { credentialType: UNKNOWN, ...inputs };
  if (isEmpty(policy) === isEmpty(arn) || mixed) return inputs;
  if (!isEmpty(policy)) {
    return documentProblem(policy) && !hasUnknown(policy)
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
  const own = ["mount", "name", ...placeProperties("vault"), ...LEGACY];
  // An unknown value may turn out to be unset.
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

function documentProblem(document: unknown): string | undefined {
  return isEmpty(document) || typeof document !== "string" ? undefined : jsonProblem(document);
}

function policyDocument(wire: string): Field<PolicyDocument, false> {
  const error = "must be JSON text or an object";
  // The server takes text only.
  const text = (document: PolicyDocument) => (typeof document === "string" ? document : JSON.stringify(document));
  return row<PolicyDocument>({
    place: "body",
    wire,
    schema: z.union([z.string(), z.record(z.string(), z.unknown())], { error }),
    normalise: text,
    encode: text,
    // The server removes white space, and keeps the order of keys. An empty object is a document; only no text is none.
    canonical: (document) => (document === undefined || document === "" ? "" : canonicalJson(text(document))),
  });
}
