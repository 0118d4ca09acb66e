import * as z from "zod";
import { type Field, row } from "../../core/field";
import { rule } from "../../core/rules";
import { isRecord } from "../../core/unknowns";

/** A repository of a Git host from which the server takes the policies. */
export interface VcsRepo {
  /** Name of the repository at its host, such as `acme/policies`. */
  identifier: string;
  /** Branch to take; the repository's default branch when unset, and nobody sees that change. */
  branch?: string;
  /** Id of the OAuth token with which the server reads the repository. Either this or `githubAppInstallationId`. */
  oauthTokenId?: string;
  /** Id of the GitHub App installation with which the server reads the repository. */
  githubAppInstallationId?: string;
  /** Fetch submodules, too. */
  ingressSubmodules?: boolean;
}

const WIRES = {
  identifier: "identifier",
  branch: "branch",
  oauthTokenId: "oauth-token-id",
  githubAppInstallationId: "github-app-installation-id",
  ingressSubmodules: "ingress-submodules",
} as const satisfies Record<keyof VcsRepo, string>;

const UNSET: Partial<Record<keyof VcsRepo, unknown>> = {
  branch: "",
  oauthTokenId: null,
  githubAppInstallationId: null,
  ingressSubmodules: false,
};

const text = z.string({ error: "must be a string" }).regex(/\S/, { error: "must not be empty" });
const credentials = ["oauthTokenId", "githubAppInstallationId"] as const;

// That the first is there is for the rule to say: while one of the others is not known yet, so may be everything.
const schema = z.strictObject(
  {
    identifier: text.exactOptional(),
    branch: text.exactOptional(),
    oauthTokenId: text.exactOptional(),
    githubAppInstallationId: text.exactOptional(),
    ingressSubmodules: z.boolean({ error: "must be true or false" }).exactOptional(),
  },
  { error: ({ code }) => (code === "invalid_type" ? "must be an object with identifier" : undefined) },
) as unknown as z.ZodType<VcsRepo>;

/** A repository names itself, and one way to read it. */
export const wholeRepo = rule(["vcsRepo"], ({ vcsRepo: repo }) => {
  if (!isRecord(repo)) return undefined;
  const failures = repo["identifier"] === undefined ? [{ property: "vcsRepo.identifier", reason: "is required" }] : [];
  if (credentials.filter((name) => repo[name] !== undefined).length === 1) return failures;
  return [...failures, { property: "vcsRepo", reason: `must have exactly one of ${credentials.join(" and ")}` }];
});

/** The row of a repository; `null` on the wire where there is none. */
export function vcsRepo(wire: string): Field<VcsRepo, false> {
  return row<VcsRepo>({
    place: "body",
    wire,
    schema,
    empty: null,
    // An update keeps what is left out: of two ways to read the repository, the other one must go.
    encode: (repo) => Object.fromEntries(pairs.map(([name, member]) => [member, repo[name] ?? UNSET[name]])),
    decode: (answer) => decoded(answer),
    canonical: (repo) => (repo === undefined ? null : { ...repo, ingressSubmodules: repo.ingressSubmodules ?? false }),
  });
}

// What `satisfies` has checked, by the names that it has.
const pairs = Object.entries(WIRES) as [keyof VcsRepo, string][];

/** The server adds what it knows of the host. */
function decoded(answer: unknown): VcsRepo | undefined {
  if (!isRecord(answer)) return undefined;
  const members = pairs.map(([name, wire]) => [name, answer[wire]] as const);
  const set = members.filter(([, value]) => value !== undefined && value !== null && value !== "");
  // The comparison takes any members; whoever writes them is checked.
  return Object.fromEntries(set) as unknown as VcsRepo;
}
