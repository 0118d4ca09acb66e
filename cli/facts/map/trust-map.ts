import type { RecordPlace } from "../../stack/record-place";

/** What `trustplane map --json` prints. Its JSON schema is `trustplane/trust-map.schema.json`. */
export interface TrustMap {
  /** The version of this format; an incompatible later one has another number. */
  readonly format: "trustplane-trust-map/1";
  /** Project and stack, such as `platform/production`; absent where there are no resources. */
  readonly stack?: string;
  /** Sorted by kind, then by id. */
  readonly nodes: readonly MapNode[];
  /** Who reaches what, in one step. Sorted by `from`, then by `to`. */
  readonly edges: readonly MapEdge[];
  /** Resources of this package that are not on the map, because they decide nothing about who reaches what. */
  readonly leftOut: readonly LeftOut[];
  /** What the map did not look at, in sentences; absent where there is nothing of that kind. */
  readonly notLookedAt?: readonly string[];
}

/**
 * `issuer` makes tokens, `mount` is an auth method, `engine` a secrets engine. `cloudPermission` is what a cloud role hands
 * out: an ARN, a group or a user of the cloud. `caller` is a service that calls others.
 */
export type NodeKind =
  | "issuer"
  | "mount"
  | "role"
  | "group"
  | "policy"
  | "engine"
  | "peer"
  | "caller"
  | "path"
  | "cloudRole"
  | "service"
  | "cloudPermission";

export interface MapNode extends RecordPlace {
  readonly id: string;
  readonly kind: NodeKind;
  readonly name: string;
  /** Name of the provider that the program creates for it; only a state says so. */
  readonly provider?: string;
  /** The resources that declare it; none where others only name it. */
  readonly resources: readonly MapResource[];
  /** What else there is to know, in sentences. */
  readonly facts: readonly string[];
  /** What `trustplane lint` finds in it. */
  readonly findings: readonly MapFinding[];
  /** How it differs from its server; absent where it does not, and without `--drift`. */
  readonly drift?: MapDrift;
}

export interface MapResource {
  readonly urn: string;
  /** Module and class, such as `jwt.Role`. */
  readonly class: string;
  /** Name in the program. */
  readonly name: string;
  /** Of a set, the name of the record. */
  readonly record?: string;
}

export interface MapFinding {
  readonly rule: string;
  /** What the rule finds, such as `boundSubject binds nobody in particular`. */
  readonly what: string;
  readonly why: string;
}

export interface MapDrift {
  /** `unknown`: the server could not be read. */
  readonly status: "changed" | "missing" | "unknown";
  /** The properties that differ. */
  readonly properties: readonly string[];
}

export interface MapEdge {
  /** Ids of nodes. */
  readonly from: string;
  readonly to: string;
  /** What is demanded on this way, all of it; empty where nothing is. Between peers, callers and services, each is a way of its own. */
  readonly bounds: readonly MapBound[];
  /** What a policy allows there. */
  readonly capabilities?: readonly string[];
}

export interface MapBound {
  /** The property that demands it, such as `boundClaims.ref`. */
  readonly property: string;
  /** Such as `ref is "main"`. */
  readonly text: string;
}

export interface LeftOut {
  readonly class: string;
  readonly count: number;
}
