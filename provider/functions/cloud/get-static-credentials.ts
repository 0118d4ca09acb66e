import { required } from "../../core/field";
import { defineFunction, rowsOf } from "../../core/function";
import { string } from "../../core/rows";
import { cloudStaticRole } from "../../resources/cloud/static-role";

const results = {
  ...rowsOf(cloudStaticRole.fields, "mount", "name"),
  /** Access key ID. @source vault/aws static-credentials */
  accessKey: required(string("access_key")),
  /** Secret access key. @source vault/aws static-credentials */
  secretKey: required(string("secret_key")),
  /** Time of the next rotation (RFC 3339), if the server shows it. @source vault/aws static-credentials */
  expiration: string("expiration"),
};

export const cloudGetStaticCredentials = defineFunction({
  token: "cloud:getStaticCredentials",
  dialect: "vault",
  fields: rowsOf(cloudStaticRole.fields, "mount", "name"),
  results,
  label: "name",
  secretResults: ["secretKey"],
  request: () => ({ method: "GET", path: "{mount}/static-creds/{name}" }),
});
