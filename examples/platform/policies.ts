// What those who log in may do. Roles and groups name these policies.
import { interpolate } from "@pulumi/pulumi";
import * as trustplane from "trustplane";
import { engine } from "./cloud-credentials";

/** Jobs that deploy get credentials of the role `deploy`, and nothing else. */
export const deploy = new trustplane.sys.Policy("deploy", {
  name: "deploy",
  rules: [{ path: interpolate`${engine.path}/sts/deploy`, capabilities: ["update"] }],
});

/** Jobs of merge requests see artifacts. */
export const readOnly = new trustplane.sys.Policy("read-only", {
  name: "read-only",
  rules: [{ path: interpolate`${engine.path}/sts/read-artifacts`, capabilities: ["update"] }],
});

/** People look at how jobs log in, and at the credentials that there are; they cannot have them. */
export const engineer = new trustplane.sys.Policy("engineer", {
  name: "engineer",
  rules: [
    { path: "auth/jobs/role", capabilities: ["list"] },
    { path: "auth/jobs/role/+", capabilities: ["read"] },
    { path: interpolate`${engine.path}/roles`, capabilities: ["list"] },
    { path: interpolate`${engine.path}/roles/+`, capabilities: ["read"] },
  ],
});
