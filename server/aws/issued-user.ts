import type { Reply } from "../framework/backend";
import type { EngineContext } from "./engine-context";
import { refusingAs } from "./failing-as";
import { type Issue, tokenMembers, username } from "./issue-session";
import { readLease } from "./lease-config-path";
import { forgetPendingUser, rememberPendingUser } from "./pending-users";
import { rootCredentials } from "./root-credentials";

/** Credentials of a new user, which is deleted with them. */
export function issueUser(context: EngineContext, issue: Issue): Reply {
  const { identity, storage } = context;
  const { role, roleName } = issue;
  const caller = refusingAs("", () => rootCredentials(context));
  const name = username(context, issue, "IAM");
  const pending = rememberPendingUser(context, name);
  try {
    refusingAs("Error creating IAM user: ", () =>
      identity.createUser(caller, {
        name,
        path: role.user_path || "/",
        ...(role.permissions_boundary_arn === "" ? {} : { permissionsBoundary: role.permissions_boundary_arn }),
      }),
    );
  } catch (error) {
    forgetPendingUser(context, pending);
    throw error;
  }
  // After a failure from here on the user stays, until it is rolled back.
  for (const arn of role.policy_arns ?? []) {
    refusingAs("Error attaching user policy: ", () => identity.attachUserPolicy(caller, name, arn));
  }
  if (role.policy_document !== "") {
    const policy = { name: roleName, document: role.policy_document };
    refusingAs("Error putting user policy: ", () => identity.putUserPolicy(caller, name, policy));
  }
  for (const group of role.iam_groups ?? []) {
    refusingAs("Error adding user to group: ", () => identity.addUserToGroup(caller, name, group));
  }
  refusingAs("Error adding tags to user: ", () => identity.tagUser(caller, name, role.iam_tags ?? {}));
  const key = refusingAs("Error creating access keys: ", () => identity.createAccessKey(caller, name));
  forgetPendingUser(context, pending);
  return {
    data: { access_key: key.accessKeyId, secret_key: key.secretKey, ...tokenMembers(context, "iam_user", null) },
    secret: { ...readLease(storage), isRenewable: true, internal: { username: name } },
  };
}
