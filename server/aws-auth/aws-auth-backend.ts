import type { CredentialSources } from "../aws/root-credentials";
import { type Backend, type BackendOptions, definePath, listing, nameSegment, type Path } from "../framework/backend";
import type { Storage } from "../framework/storage";
import type { AwsProfile } from "../profiles/secrets-profile";
import { clientConfigPath } from "./client-config";
import { createIamClient, type IamClient } from "./iam-client";
import { type RoleRecord, roleFields, roleWarnings, shownRole, writtenRole } from "./iam-role";
import { loginPath, renewalTerms } from "./login-path";

export interface AwsAuthOptions extends BackendOptions, CredentialSources {
  readonly profile: AwsProfile;
}

/** The AWS auth method for IAM principals: its configuration, its roles, and the login with a signed request. */
export function createAwsAuthBackend({ profile, ...sources }: AwsAuthOptions): Backend {
  const { storage, identity: cloud } = sources;
  const iam = createIamClient(sources);
  return {
    paths: [clientConfigPath(storage, profile), ...rolePaths(storage, iam), loginPath({ storage, cloud, iam })],
    loginPaths: ["login"],
    unsupported: [
      "config/(?:identity|rotate-root|sts|sts/.+|certificates?|certificate/.+|tidy/.+)",
      "(?:identity-(?:accesslist|whitelist)|roletag-(?:denylist|blacklist)|tidy)(?:/.*)?",
      "role/.+/tag",
    ],
    renewalTerms: (role, { internal }) => renewalTerms({ storage, iam }, role, internal),
  };
}

/** `role/:role` and its listings. Names are kept in lower case. */
function rolePaths(storage: Storage, iam: IamClient): readonly Path[] {
  const read = (name: string) => storage.get<RoleRecord>(`role/${name}`);
  const list = () => listing(storage.list("role/"));
  return [
    definePath({ pattern: "role/?", fields: {}, operations: { list } }),
    definePath({ pattern: "roles/?", fields: {}, operations: { list } }),
    definePath({
      pattern: `role/${nameSegment("role")}`,
      fields: roleFields,
      existenceCheck: ({ data }) => read(data.get("role")) !== undefined,
      operations: {
        read: ({ data }) => {
          const role = read(data.get("role"));
          return role && { data: shownRole(role) };
        },
        update: ({ data, mount: { maxLeaseSeconds } }) => {
          const role = writtenRole(data, { stored: read(data.get("role")), maxLeaseSeconds, iam });
          storage.put(`role/${data.get("role")}`, role);
          const warnings = roleWarnings(role, maxLeaseSeconds);
          return warnings.length > 0 ? { warnings } : undefined;
        },
        delete: ({ data }) => {
          storage.delete(`role/${data.get("role")}`);
          return undefined;
        },
      },
    }),
  ];
}
