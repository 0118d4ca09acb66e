import { type ClusterProfile, communityCluster, enterpriseCluster } from "./cluster-profile";
import { enterprise } from "./enterprise";
import { olderVault } from "./older-vault";
import { openbao } from "./openbao";
import type { SecretsProfile } from "./secrets-profile";
import { vault } from "./vault";

export interface Profile {
  readonly secrets: SecretsProfile;
  readonly cluster: ClusterProfile;
}

/** The products that the embedded server can imitate. */
export const profiles = {
  vault: { secrets: vault, cluster: communityCluster },
  "vault-1.19": { secrets: olderVault, cluster: communityCluster },
  openbao: { secrets: openbao, cluster: communityCluster },
  enterprise: { secrets: enterprise, cluster: enterpriseCluster },
} as const satisfies Readonly<Record<string, Profile>>;

export type ProfileName = keyof typeof profiles;
