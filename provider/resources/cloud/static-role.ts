import { defineResource, upsert } from "../../core/definition";
import { onlyOn, required } from "../../core/field";
import { duration, path, segment, string } from "../../core/rows";
import { needs, noDoubleDots } from "../../core/rules";
import { looksLikeArn } from "./arn";
import { inAwsMount } from "./in-aws-mount";

const enterprise = { vaultEnterprise: "1.19.0" } as const;

const fields = {
  /** Path where the secrets engine is mounted. @source vault/aws */
  mount: path("cloud"),
  /** Role name. Upper and lower case differ. @source vault/aws static-role */
  name: required(
    segment(/^\w+(?:[-.@]+\w+)*$/, "letters, digits and underscores, with dots, hyphens or @ inside", "name"),
  ),
  /** Name of the existing IAM user whose access key the server rotates. @source vault/aws static-role */
  username: required(string("username")),
  /** Time between two rotations, in seconds or as a duration; at least one minute. @source vault/aws static-role */
  rotationPeriod: required(duration("rotation_period", { minSeconds: 60 })),
  /** ARN of the IAM role to assume, for a user of another account. @source vault/aws static-role */
  assumeRoleArn: onlyOn(enterprise, string("assume_role_arn")),
  /** Session name to use when `assumeRoleArn` is assumed. @source vault/aws static-role */
  assumeRoleSessionName: onlyOn(enterprise, string("assume_role_session_name")),
  /** External ID to send when `assumeRoleArn` is assumed. @source vault/aws static-role */
  externalId: onlyOn(enterprise, string("external_id")),
};

const outputs = {
  /** The cloud's id of the user. It never changes. @source vault/aws static-role */
  userId: required(string("id")),
};

export const cloudStaticRole = defineResource({
  token: "cloud:StaticRole",
  dialect: "vault",
  fields,
  outputs,
  id: "{mount}/static-roles/{name}",
  label: "name",
  identity: ["mount", "name", "username"],
  mounted: inAwsMount,
  stable: ["userId"],
  ...upsert("{mount}/static-roles/{name}"),
  // The server stores the role before it makes the first key, which may fail.
  create: { method: "POST", path: "{mount}/static-roles/{name}", sends: "everything", leavesRecord: true },
  rules: [
    noDoubleDots("name"),
    needs("assumeRoleSessionName", "assumeRoleArn"),
    needs("externalId", "assumeRoleArn"),
    looksLikeArn("assumeRoleArn"),
  ],
});
