/** One edition of Consul, as far as the cluster service depends on it. */
export interface ClusterProfile {
  readonly version: string;
  /** Whether peerings are in partitions: a function of Consul Enterprise. */
  readonly hasPartitions: boolean;
}

export const communityCluster: ClusterProfile = { version: "1.22.0", hasPartitions: false };

export const enterpriseCluster: ClusterProfile = { version: "1.22.0+ent", hasPartitions: true };
