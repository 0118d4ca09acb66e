import type { ClusterProfile } from "../profiles/cluster-profile";
import type { Authorize } from "./access";
import type { AclStore, AclToken } from "./acl-store";
import type { AuthMethodStore } from "./auth-method-store";
import type { CertificateAuthority } from "./certificate-authority";
import type { ConfigEntryStore } from "./config-entry-store";
import type { ExchangePace } from "./exchange-secret";
import type { PeerStreams } from "./peer-streams";
import type { PeeringStore } from "./peering-store";

/** One cluster: what its endpoints work on. */
export interface Cluster {
  readonly authorize: Authorize;
  /** Whether `authorize` lets the request pass. */
  readonly mayDo: (...asked: Parameters<Authorize>) => boolean;
  readonly configEntries: ConfigEntryStore;
  readonly acl: AclStore;
  readonly authMethods: AuthMethodStore;
  readonly isManagement: (secret: string) => boolean;
  readonly managementToken: AclToken;
  /** The token that a request comes with. */
  readonly secretOf: (request: Request) => string | undefined;
  readonly authority: CertificateAuthority;
  readonly store: PeeringStore;
  readonly streams: PeerStreams;
  /** Opens the stream of a dialer in the background. */
  readonly dial: (id: string) => void;
  readonly datacenter: string;
  readonly profile: ClusterProfile;
  readonly nodeName: string;
  readonly nodeId: string;
  readonly peeringEnabled: boolean;
  /** Whether lists say that the ACLs hid some peerings. Those of a real server never do. */
  readonly filtersResults: () => boolean;
  readonly deletionDelayMs: () => number;
  readonly exchangePace: ExchangePace;
  /** How long another cluster may take to answer. */
  readonly handshakeMs: number;
  readonly clock: () => Date;
  /** Fires when the cluster closes: what runs in the background ends then. */
  readonly closing: AbortSignal;
}

/** The name in the server certificates that other clusters see. */
export function serverName({ datacenter, authority }: Pick<Cluster, "datacenter" | "authority">): string {
  return `server.${datacenter}.peering.${authority.trustDomain}`;
}
