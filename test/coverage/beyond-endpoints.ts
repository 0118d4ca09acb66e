import type { Sections } from "./section.ts";

const beyond = "not described";

/** Endpoints that the provider asks and no document has. */
export const beyondEndpoints = {
  "+ Endpoints": {
    of: [],
    rows: {
      "POST sys/auth/{path}": {
        says: beyond,
        real: "enables a method; 400 where the path is in use",
        evidence: ["wire secrets-sys-auth", "reference secrets 5.1"],
        asserted: "with the least, with everything, at a path in use",
        tests: [
          "wire secrets-sys-auth > enable with everything that the provider sends",
          "wire secrets-sys-auth > enable at a path in use",
        ],
      },
      "POST sys/auth/{path}/tune": {
        says: beyond,
        real: "changes what is given",
        evidence: ["wire secrets-sys-auth", "reference secrets 5.1"],
        asserted: "there and back, refusals",
        tests: [
          "wire secrets-sys-auth > read what was tuned",
          "wire secrets-sys-auth > read what was tuned back",
          "wire secrets-sys-auth > tune a method that is not there",
        ],
      },
      "GET sys/auth": {
        says: beyond,
        real: "all methods by path",
        evidence: ["wire secrets-sys-auth", "reference secrets 5.1"],
        asserted: "built-in and own ones; one list for all mounts",
        tests: ["wire secrets-sys-auth > list", "contract/requests > a refresh lists the mounts once"],
      },
      "DELETE sys/auth/{path}": {
        says: beyond,
        real: "204, whether or not it was there; takes all data along",
        evidence: ["wire secrets-sys-auth", "reference secrets 5.1"],
        asserted: "twice; not while anything lives there",
        tests: [
          "wire secrets-sys-auth > disable once more",
          "contract/inhabited > $resource is not deleted with them, unless it is forced",
        ],
      },
      "POST sys/mounts/{path}": {
        says: beyond,
        real: "enables an engine; 400 where the path is in use",
        evidence: ["wire secrets-sys-mounts", "reference secrets 5.1"],
        asserted: "with the least, with everything, at a path in use",
        tests: [
          "wire secrets-sys-mounts > enable with everything that the provider sends",
          "wire secrets-sys-mounts > enable below a path in use",
        ],
      },
      "POST sys/mounts/{path}/tune": {
        says: beyond,
        real: "changes what is given",
        evidence: ["wire secrets-sys-mounts", "reference secrets 5.1"],
        asserted: "there and back, refusals",
        tests: [
          "wire secrets-sys-mounts > read what was tuned",
          "wire secrets-sys-mounts > tune nothing",
          "wire secrets-sys-mounts > tune with a bad duration",
        ],
      },
      "GET sys/mounts": {
        says: beyond,
        real: "all engines by path; also says whether a 404 means a lost mount",
        evidence: ["wire secrets-sys-mounts", "wire secrets-transport", "reference secrets 5.1"],
        asserted: "the list, and the second question after a 404",
        tests: [
          "wire secrets-sys-mounts > list",
          "wire secrets-transport > the mounts",
          "unit/dialects/vault > means that the record is gone when the mount is %s: %s",
        ],
      },
      "DELETE sys/mounts/{path}": {
        says: beyond,
        real: "204, whether or not it was there; takes all data along",
        evidence: ["wire secrets-sys-mounts", "reference secrets 5.1"],
        asserted: "twice; not while anything lives there",
        tests: [
          "wire secrets-sys-mounts > disable once more",
          "contract/inhabited > $resource is not deleted with them, unless it is forced",
        ],
      },
      "GET {mount}/static-roles?list=true": {
        says: "no list of static roles",
        real: "Vault 1.21 has one; 1.19 and OpenBao do not",
        evidence: [
          "wire secrets-cloud-rotation",
          "reference secrets 4.6",
          "live/availability > lists static roles, or has no such list, as the page on compatibility says",
        ],
        asserted: "names, none, and a server without the list",
        tests: [
          "wire secrets-cloud-rotation > list",
          "wire secrets-cloud-rotation > list no static roles",
          "contract/inhabited > static roles count too; where they cannot be listed, the mount is deleted by force only",
        ],
      },
      "POST sys/leases/revoke": {
        says: beyond,
        real: "204, also for leases that are gone",
        evidence: ["wire secrets-cloud-leases", "wire secrets-cloud-revocation", "reference secrets 5.3"],
        asserted: "credentials that were asked for are given back at the end",
        tests: [
          "wire secrets-cloud-leases > revoke",
          "wire secrets-cloud-revocation > revoke what is gone already",
          "live/functions > gives credentials back when the run %s",
        ],
      },
      "GET sys/health": {
        says: beyond,
        real: "product, release and cluster, without a token",
        evidence: ["wire secrets-sys-status", "reference secrets 5.2"],
        asserted: "asked once for each connection when it says so, else again; what is known from it",
        tests: [
          "wire secrets-sys-status > health as the provider asks for it",
          "contract/requests > create, update, read and delete send what they must, and ask which server it is once per connection",
          "unit/dialects/vault > is not known from %s",
        ],
      },
      "GET sys/seal-status": {
        says: beyond,
        real: "release and cluster, without a token and without the edition",
        evidence: ["wire secrets-sys-status", "reference secrets 5.2"],
        asserted: "asked where the health says nothing of use; what is known from it",
        tests: [
          "wire secrets-sys-status > seal status",
          "unit/engine/identification > the status of the seal tells which one it is",
        ],
      },
      "GET connect/ca/roots": {
        says: beyond,
        real: "the trust domain of the cluster, for anybody",
        evidence: ["wire cluster-status"],
        asserted: "tells clusters apart; another one declares nothing gone",
        tests: [
          "wire cluster-status > the roots tell clusters apart",
          "contract/wrong-server > a record that is not there is not declared gone",
        ],
      },
    },
  },
} satisfies Sections;
