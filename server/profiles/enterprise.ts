import { goQuoted } from "../framework/go-quoted";
import type { SecretsProfile } from "./secrets-profile";
import { vault } from "./vault";

/** Vault Enterprise 1.21. It has more fields of the root configuration, of static roles and of JWT roles. */
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
  transport: {
    ...vault.transport,
    // Reported by users: no server of this edition could be asked.
    unknownNamespace: (path) => `no handler for route ${goQuoted(path)}. route entry not found.`,
  },
  policies: { ...vault.policies, unsupportedKeys: ["mfa_methods", "control_group"] },
  aws: { ...vault.aws, hasEnterpriseFunctions: true },
};
