import type { Authorize } from "./access";
import type { AclStore } from "./acl-store";
import type { CertificateAuthority } from "./certificate-authority";
import type { PeeringStore } from "./peering-store";

/** One cluster: what its endpoints work on. */
export interface Cluster {
  readonly authorize: Authorize;
  readonly acl: AclStore;
  readonly authority: CertificateAuthority;
  readonly store: PeeringStore;
  readonly datacenter: string;
  readonly nodeName: string;
  readonly nodeId: string;
  /** Where tokens say that this cluster's servers listen for other clusters. */
  readonly serverAddress: string;
  readonly peeringEnabled: boolean;
  readonly clock: () => Date;
}

/** The name in the server certificates that other clusters see (reference B.5). */
export function serverName({ datacenter, authority }: Pick<Cluster, "datacenter" | "authority">): string {
  return `server.${datacenter}.peering.${authority.trustDomain}`;
}
