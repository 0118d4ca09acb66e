import { type PolicySet, relations, relationTypes } from "./policy-set";

/** The record as the API shows it. */
export function policySetDocument(set: PolicySet, currentVersion: string | undefined): Record<string, unknown> {
  const { id, organization, attributes, related, versions } = set;
  const linked = relations.map((relation) => [
    relation,
    { data: related[relation].map((id) => ({ id, type: relationTypes[relation] })) },
  ]);
  const newestVersion = versions.at(-1);
  return {
    id,
    type: "policy-sets",
    attributes: {
      ...attributes,
      "vcs-repo": repositoryShown(attributes["vcs-repo"]),
      "policy-count": related.policies.length,
      "workspace-count": related.workspaces.length,
      "project-count": related.projects.length,
      versioned: attributes["vcs-repo"] !== null || newestVersion !== undefined,
      "created-at": set.createdAt,
      "updated-at": set.updatedAt,
    },
    relationships: {
      organization: { data: { id: organization, type: "organizations" } },
      ...Object.fromEntries(linked),
      "newest-version": { data: versionIdentifier(newestVersion) },
      "current-version": { data: versionIdentifier(currentVersion) },
    },
    links: { self: `/api/v2/policy-sets/${id}` },
  };
}

function versionIdentifier(id: string | undefined): Record<string, string> | null {
  return id === undefined ? null : { id, type: "policy-set-versions" };
}

/** What the server adds to a repository is about a host that it asks; the embedded one asks none. */
function repositoryShown(repository: PolicySet["attributes"]["vcs-repo"]): Record<string, unknown> | null {
  if (repository === null) return null;
  return { branch: "", "ingress-submodules": false, "display-identifier": repository["identifier"], ...repository };
}
