import type { SecretsProfile } from "./secrets-profile";
import { vault } from "./vault";

/** Vault Enterprise 1.21. What it has besides is of the root credentials, of static roles and of roles (reference 4.1, 4.6). */
export const enterprise: SecretsProfile = {
  ...vault,
  version: "1.21.1+ent",
  isEnterprise: true,
  lacks: {
    aws: {},
    jwt: {
      members: {
        ...vault.lacks.jwt.members,
        "role/:name": vault.lacks.jwt.members?.["role/:name"]?.filter((name) => name !== "alias_metadata") ?? [],
      },
    },
  },
  aws: { ...vault.aws, hasEnterpriseFunctions: true },
};
