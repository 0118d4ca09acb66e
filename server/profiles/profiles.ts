import { enterprise } from "./enterprise";
import { openbao } from "./openbao";
import type { SecretsProfile } from "./secrets-profile";
import { vault } from "./vault";
import { vault119 } from "./vault-1.19";

export interface Profile {
  readonly secrets: SecretsProfile;
  readonly cluster: ClusterProfile;
}

/** One edition of Consul, as far as the cluster service depends on it. */
export interface ClusterProfile {
  readonly version: string;
  /** Whether peerings are in partitions: a function of Consul Enterprise. */
  readonly hasPartitions: boolean;
}

const community: ClusterProfile = { version: "1.22.0", hasPartitions: false };

/** What the embedded server can pass for. */
export const profiles = {
  vault: { secrets: vault, cluster: community },
  "vault-1.19": { secrets: vault119, cluster: community },
  openbao: { secrets: openbao, cluster: community },
  enterprise: { secrets: enterprise, cluster: { version: "1.22.0+ent", hasPartitions: true } },
} as const satisfies Readonly<Record<string, Profile>>;

export type ProfileName = keyof typeof profiles;
