/** What a policy set refers to, by the name of the relationship, and the type of what is at the other end. */
export const relationTypes = {
  policies: "policies",
  workspaces: "workspaces",
  projects: "projects",
  "workspace-exclusions": "workspaces",
  "project-exclusions": "projects",
} as const;

export type Relation = keyof typeof relationTypes;

export const relations = Object.keys(relationTypes) as Relation[];

/** The attributes that a request can set, by their names in the API. */
export interface PolicySetAttributes {
  readonly name: string;
  readonly description: string | null;
  readonly kind: string;
  readonly global: boolean;
  readonly overridable: boolean | null;
  readonly "agent-enabled": boolean;
  readonly "policy-tool-version": string | null;
  readonly "policies-path": string | null;
  readonly "vcs-repo": Readonly<Record<string, unknown>> | null;
}

export interface PolicySet {
  readonly id: string;
  readonly organization: string;
  readonly attributes: PolicySetAttributes;
  /** Ids, by relationship. */
  readonly related: Readonly<Record<Relation, readonly string[]>>;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Ids of its versions, in the order in which they were made. */
  readonly versions: readonly string[];
}

/** What a request carries; what it leaves out stays as it is. */
export interface PolicySetChanges {
  readonly attributes: Partial<PolicySetAttributes>;
  readonly related: Partial<Record<Relation, readonly string[]>>;
}

export const freshAttributes: PolicySetAttributes = {
  name: "",
  description: null,
  kind: "sentinel",
  global: false,
  overridable: null,
  "agent-enabled": false,
  "policy-tool-version": null,
  "policies-path": null,
  "vcs-repo": null,
};

export const unrelated: PolicySet["related"] = {
  policies: [],
  workspaces: [],
  projects: [],
  "workspace-exclusions": [],
  "project-exclusions": [],
};
