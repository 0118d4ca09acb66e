import { definitions } from "../../provider/resources/index.ts";

/** A number of the promises in `docs/compatibility.md`. */
export type PromiseNumber = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

/** What tests of a file prove. The first rule whose title matches is a test's. */
interface Rule {
  /** Matches all tests of the file when left out. */
  readonly title?: RegExp;
  readonly promises: readonly PromiseNumber[];
  /** Whose promise it is, where the title does not name the resource. */
  readonly resources?: readonly string[];
  /** Why tests count for no promise. */
  readonly reason?: string;
}

const faults: readonly Rule[] = [{ promises: [2, 7] }];
const logins: readonly Rule[] = [
  { promises: [], reason: "how a connection gets its token, beside the promises of each resource" },
];

/** By file of `test/contract/`. One that is missing here fails `test/tools/live-results.test.ts` and the live run. */
export const rules: Readonly<Record<string, readonly Rule[]>> = {
  "abort.test.ts": [{ promises: [7] }],
  "completeness.test.ts": [{ promises: [], reason: "the tables of the suite itself" }],
  "declared-twice.test.ts": [{ promises: [6], resources: ["jwtRole", "jwtRoleSet"] }],
  "desired-state.test.ts": [{ promises: [1] }],
  "drift.test.ts": [
    { title: /> a record that was deleted/, promises: [1, 2] },
    { title: /is found and (repaired|reset)|is a difference from then on/, promises: [1, 3] },
  ],
  "embedded-server.test.ts": [{ promises: [], reason: "the embedded server's own faults, seal and log" }],
  "faults-create.test.ts": faults,
  "faults-delete.test.ts": faults,
  "faults-read.test.ts": faults,
  "faults-update.test.ts": faults,
  "fields.test.ts": [
    { title: /> (is refused where|cannot be left out)/, promises: [6] },
    { title: /deleting the old one first/, promises: [8] },
    { title: /> (a change updates|is reset on|is its default)/, promises: [1] },
  ],
  "function-permissions.test.ts": [{ promises: [], reason: "functions, which are no resources" }],
  "functions.test.ts": [{ promises: [], reason: "functions, which are no resources" }],
  "gate.test.ts": [{ promises: [], reason: "what stands before a server, beside the promises of each resource" }],
  "held-results.test.ts": [{ promises: [], reason: "functions, which are no resources" }],
  "hosts.test.ts": [{ promises: [], reason: "how a host speaks to Pulumi" }],
  "taking-over.test.ts": [{ promises: [], reason: "what happens to a record of somebody else, whatever the resource" }],
  "foreseen-take-over.test.ts": [
    { promises: [], reason: "what a preview says of a record of somebody else, whatever the resource" },
  ],
  "group-alias.test.ts": [{ promises: [], reason: "what an alias does beside the promises of each resource" }],
  "mistakes-with-servers.test.ts": [{ promises: [6] }],
  "mistakes.test.ts": [{ promises: [6] }],
  "mount-and-content.test.ts": [{ promises: [], reason: "what a delete says, beside the promises of each resource" }],
  "replaced-mounts.test.ts": [
    { promises: [], reason: "how records go with their mount, beside the promises of each resource" },
  ],
  "import.test.ts": [
    { title: /^(?!.*no other)/, promises: [3], resources: ["policyParameter"] },
    { promises: [2], resources: ["policyParameter"] },
  ],
  "ignored-changes.test.ts": [{ promises: [], reason: "what an update leaves to others, whatever the resource" }],
  "last-look.test.ts": [{ promises: [], reason: "what a delete says, beside the promises of each resource" }],
  "inhabited.test.ts": [
    { title: /> static roles count too/, promises: [7], resources: ["sysSecretsMount"] },
    { title: /> (an auth method is not deleted|makes anew:)/, promises: [7], resources: ["sysAuthMount"] },
    { promises: [7] },
  ],
  "lifecycle.test.ts": [
    { title: /> (creates it from|import)/, promises: [3] },
    { title: /> (takes over|delete removes)/, promises: [1] },
    { title: /> (deletes what is gone already|can be created again)/, promises: [7] },
    { title: /> a look-up of what is not there/, promises: [2] },
    { title: /> has the id/, promises: [8] },
  ],
  "login.test.ts": logins,
  "login-approle.test.ts": logins,
  "login-cluster.test.ts": logins,
  "mount-moves.test.ts": [
    { title: /> (that the server has already|after which the change)/, promises: [7] },
    { title: /a run that moves a mount/, promises: [8], resources: ["jwtRole"] },
    { promises: [1] },
  ],
  "mount-types.test.ts": [{ promises: [], reason: "what a mount has to be, beside the promises of each resource" }],
  "mounts-at-once.test.ts": [{ promises: [], reason: "what a server survives, beside the promises of each resource" }],
  "partial.test.ts": [{ promises: [7] }],
  "partial-sets.test.ts": [
    { title: /> whose id the server gives/, promises: [7], resources: ["policyParameterSet"] },
    { promises: [7], resources: ["jwtRoleSet"] },
  ],
  "peering-secrets.test.ts": [{ promises: [4], resources: ["clusterPeeringToken", "clusterPeeredClusters"] }],
  "program-secrets.test.ts": [{ promises: [4], resources: ["cloudRole", "jwtRole"] }],
  "peering-life.test.ts": [
    { promises: [], reason: "what two clusters do over time, beside the promises of each resource" },
  ],
  "peering-take-over.test.ts": [{ promises: [1], resources: ["clusterPeeringToken"] }],
  "peering-wait.test.ts": [
    { title: /is recorded whole/, promises: [7] },
    { title: /^(?!.*through the)/, promises: [7], resources: ["clusterPeering"] },
    { promises: [], reason: "when a write is done, beside the promises of each resource" },
  ],
  "peers.test.ts": [{ promises: [], reason: "what other providers get wrong, beside the promises of each resource" }],
  "permissions.test.ts": [{ promises: [], reason: "what the documentation says of tokens" }],
  "policies.test.ts": [
    { title: /> (goes from rules|is no drift)/, promises: [3], resources: ["sysPolicy"] },
    { title: /> that the server does not delete/, promises: [7], resources: ["sysPolicy"] },
    { promises: [6], resources: ["sysPolicy"] },
  ],
  "policy-set.test.ts": [
    { title: /> (is made once|is not asked for twice)/, promises: [7], resources: ["policyPolicySet"] },
    { title: /> (is not taken for gone|is found on the second page)/, promises: [2], resources: ["policyPolicySet"] },
    { promises: [], reason: "what policy sets do beside the promises of each resource" },
  ],
  "printed-policy.test.ts": [{ promises: [], reason: "what a token needs, beside the promises of each resource" }],
  "replacement.test.ts": [{ promises: [7, 8], resources: ["jwtRole", "jwtRoleSet"] }],
  "requests.test.ts": [{ promises: [], reason: "a budget of requests, which is no promise" }],
  "record-secrets.test.ts": [{ promises: [4, 7], resources: ["policyParameterSet"] }],
  "root-rotation.test.ts": [{ promises: [3], resources: ["cloudRootConfig", "cloudRootRotation"] }],
  "secrets.test.ts": [
    { title: /the token that a cluster issues/, promises: [4], resources: ["clusterPeeringToken"] },
    { title: /the token that a pair uses/, promises: [4], resources: ["clusterPeeredClusters"] },
    { promises: [4] },
  ],
  "sets.test.ts": [{ promises: [], reason: "what sets do beside the promises of each resource" }],
  "silenced-advice.test.ts": [{ promises: [], reason: "advice refuses nothing" }],
  "silence.test.ts": [{ promises: [2, 7] }],
  "spellings.test.ts": [{ promises: [3] }],
  "sys-mount-properties.test.ts": [
    { title: /has moved/, promises: [7], resources: ["sysAuthMount", "sysSecretsMount"] },
    { promises: [1, 3, 7], resources: ["sysAuthMount"] },
  ],
  "unknowns.test.ts": [{ promises: [6] }],
  "terraform-lists.test.ts": [{ promises: [], reason: "what lists show, beside the promises of each resource" }],
  "stale-reads.test.ts": [
    {
      title: /^a (record that leaves a set|parameter that a run finds)/,
      promises: [],
      reason: "on the embedded server",
    },
    { promises: [2, 7] },
  ],
  "tenants.test.ts": [{ promises: [2], resources: ["jwtRole"] }],
  "written-over.test.ts": [{ promises: [], reason: "what a write says, beside the promises of each resource" }],
  "wrong-server.test.ts": [
    {
      title: /^what somebody else has on a rebuilt server/,
      promises: [],
      reason: "what is taken over, beside the promises of each resource",
    },
    { promises: [2] },
  ],
  "traps/cluster-and-policy.test.ts": [
    { title: /> policy parameters, trap (1|2|9):/, promises: [5], resources: ["policyParameter"] },
    { title: /> cluster peering, trap (1|14):/, promises: [5], resources: ["clusterPeeringToken"] },
    { title: /> cluster peering, trap 3:/, promises: [5], resources: ["clusterPeering"] },
    { title: /> cluster peering, trap 16:/, promises: [5], resources: ["clusterPeeredClusters"] },
    { promises: [], reason: "traps of the reference, beside the promises of each resource" },
  ],
  "traps/secrets-server.test.ts": [
    { title: /, trap (8|14):/, promises: [5], resources: ["jwtConfig"] },
    { title: /, trap 9:/, promises: [5], resources: ["cloudRootConfig"] },
    { promises: [], reason: "traps of the reference, beside the promises of each resource" },
  ],
};

/** The title of a test that expects a promise to be broken, which `exceptionOf` reads again. */
export const exceptionTitle = (name: string, reason: string): string => `${name} (not so: ${reason})`;

/** Which promise is broken and why, where a title says so. */
export function exceptionOf(title: string): { readonly name: string; readonly reason: string } | undefined {
  const [, name, reason] = /([^>]+) \(not so: (.+)\)$/.exec(title) ?? [];
  return name === undefined || reason === undefined ? undefined : { name: name.trim(), reason };
}

/** What a test counts for. Throws when nobody has said. */
export function claimsOf(
  file: string,
  title: string,
): readonly { readonly resource: string; readonly promise: PromiseNumber }[] {
  // Through the host that lacks it, with the reason: proves nothing of a server.
  if (/> there is no such resource: /.test(title)) return [];
  const rule = rules[file]?.find((one) => one.title === undefined || one.title.test(title));
  if (rule === undefined)
    throw new Error(`tools/live/promises.mts does not say which promise this tests: ${file} > ${title}`);
  const named = title.match(/\w+/g)?.find((word) => Object.hasOwn(definitions, word));
  const resources = rule.resources ?? (named === undefined ? [] : [named]);
  if (rule.promises.length > 0 && resources.length === 0) throw new Error(`${file} > ${title} names no resource`);
  return rule.promises.flatMap((promise) => resources.map((resource) => ({ resource, promise })));
}
