import { defineResource, upsert } from "../../core/definition";
import { required } from "../../core/field";
import { duration, path } from "../../core/rows";
import { advice, notAbove } from "../../core/rules";
import { inAwsMount } from "./in-aws-mount";

const fields = {
  /** Path where the secrets engine is mounted. @source vault/aws */
  mount: path("cloud"),
  /** Lease of `iam_user` credentials, as a duration such as `1h30m`. @source vault/aws lease */
  lease: required(duration("lease", { text: true })),
  /** Longest lease of `iam_user` credentials, renewals included, as a duration such as `24h`. @source vault/aws lease */
  leaseMax: required(duration("lease_max", { text: true })),
};

export const cloudLeaseConfig = defineResource({
  token: "cloud:LeaseConfig",
  dialect: "vault",
  fields,
  id: "{mount}/config/lease",
  label: "mount",
  identity: ["mount"],
  mounted: inAwsMount,
  ...upsert("{mount}/config/lease"),
  delete: "forget",
  rules: [advice(notAbove("lease", "leaseMax"))],
});
