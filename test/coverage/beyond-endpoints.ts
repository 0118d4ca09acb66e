import type { Sections } from "./section.ts";

/** Endpoints that the provider asks and no document has. */
export const beyondEndpoints = {
  "beyond: Endpoints": {
    of: [],
    evidence: ["wire cluster-config"],
    rows: {
      "POST sys/auth/{path}": {
        real: "enables a method; 400 where the path is in use",
        evidence: ["wire secrets-sys-auth", "reference secrets 5.1"],
        asserted: "with the least, with everything, at a path in use",
      },
      "POST sys/auth/{path}/tune": {
        real: "changes what is given",
        evidence: ["wire secrets-sys-auth", "reference secrets 5.1"],
        asserted: "there and back, refusals",
      },
      "GET sys/auth": {
        real: "all methods by path",
        evidence: ["wire secrets-sys-auth", "reference secrets 5.1"],
        asserted: "built-in and own ones; one list for all mounts",
      },
      "DELETE sys/auth/{path}": {
        real: "204, whether or not it was there; takes all data along",
        evidence: ["wire secrets-sys-auth", "reference secrets 5.1"],
        asserted: "twice; not while anything lives there",
      },
      "POST sys/mounts/{path}": {
        real: "enables an engine; 400 where the path is in use",
        evidence: ["wire secrets-sys-mounts", "reference secrets 5.1"],
        asserted: "with the least, with everything, at a path in use",
      },
      "POST sys/mounts/{path}/tune": {
        real: "changes what is given",
        evidence: ["wire secrets-sys-mounts", "reference secrets 5.1"],
        asserted: "there and back, refusals",
      },
      "GET sys/mounts": {
        real: "all engines by path; also says whether a 404 means a lost mount",
        evidence: ["wire secrets-sys-mounts", "wire secrets-transport", "reference secrets 5.1"],
        asserted: "the list, and the second question after a 404",
      },
      "DELETE sys/mounts/{path}": {
        real: "204, whether or not it was there; takes all data along",
        evidence: ["wire secrets-sys-mounts", "reference secrets 5.1"],
        asserted: "twice; not while anything lives there",
      },
      "POST sys/remount": {
        real: "moves a mount with what it stores, and ends what it has issued; 400 where the new path is in use",
        evidence: ["wire secrets-sys-remount"],
        asserted: "in place; an answer that is lost, a path that is taken, a mount that is gone",
      },
      "GET sys/remount/status/{migration_id}": {
        real: "how far the move is: `in-progress`, `success` or `failure`",
        evidence: ["wire secrets-sys-remount"],
        asserted: "awaited; refused, after which the next run finds the mount at its new path; a failure",
      },
      "GET {mount}/static-roles?list=true": {
        says: "no list of static roles",
        real: "Vault 1.21 has one; 1.19 and OpenBao do not",
        evidence: ["wire secrets-cloud-rotation", "reference secrets 4.6"],
        asserted: "names, none, and a server without the list",
      },
      "POST sys/leases/revoke": {
        real: "204, also for leases that are gone",
        evidence: ["wire secrets-cloud-leases", "wire secrets-cloud-revocation", "reference secrets 5.3"],
        asserted: "credentials that were asked for are given back at the end",
      },
      "POST auth/token/revoke-self": {
        real: "204; the token is not known any more",
        evidence: ["wire secrets-tokens", "wire secrets-jwt-token"],
        asserted: "a login that a host holds is given back at the close",
      },
      "GET sys/health": {
        real: "product, release and cluster, without a token",
        evidence: ["wire secrets-sys-status", "reference secrets 5.2"],
        asserted: "asked once for each connection when it says so, else again; what is known from it",
      },
      "GET sys/seal-status": {
        real: "release and cluster, without a token and without the edition",
        evidence: ["wire secrets-sys-status", "reference secrets 5.2"],
        asserted: "asked where the health says nothing of use; what is known from it",
      },
      "PUT config": {
        real: "`true`; replaces the whole entry; its kind and name stand in the body",
        asserted: "with everything, with the least, every refusal; what is not set is reset",
      },
      "GET config/exported-services/{partition}": {
        real: "404 names what is not there",
        asserted: "the record, the 404, the refusal",
      },
      "DELETE config/exported-services/{partition}": {
        real: "an empty object, whether or not it was there",
        asserted: "twice",
      },
      "GET config/service-intentions": {
        real: "what the token may see; a header says that something is left out, but not to who has no token",
        asserted: "all, and a list that leaves out",
      },
      "GET config/service-intentions/{destination}": {
        real: "404 names what is not there",
        asserted: "the record, the 404, the refusal",
      },
      "DELETE config/service-intentions/{destination}": {
        real: "an empty object, whether or not it was there",
        asserted: "it is gone; the refusal",
      },
      "GET connect/ca/roots": {
        real: "the trust domain of the cluster, for anybody",
        evidence: ["wire cluster-status"],
        asserted: "tells clusters apart; another one declares nothing gone",
      },
      "POST organizations/{organization}/policy-sets": {
        real: "201; a second one of the same name is a 422; 404 for an unknown organization",
        evidence: ["wire policy-sets", "reference policy C.1", "reference policy C.6"],
        asserted: "the answer and the refusals; never sent twice, and a lost answer is found by the name",
      },
      "GET organizations/{organization}/policy-sets": {
        real: "always in pages; finds a part of a name",
        evidence: ["wire policy-sets", "reference policy C.4"],
        asserted: "pages, a search, and one list for all sets of an organization",
      },
      "PATCH policy-sets/{policySetId}": {
        real: "changes what is given; 404 for an unknown set",
        evidence: ["wire policy-sets", "reference policy C.5"],
        asserted: "attributes and relationships; a set that is gone",
      },
      "DELETE policy-sets/{policySetId}": {
        real: "204; 404 when it is gone already",
        evidence: ["wire policy-sets", "reference policy C.6"],
        asserted: "both; a 404 counts only where the set cannot be read, and is not listed",
      },
    },
  },
} satisfies Sections;
