import { readFileSync } from "node:fs";
import { ProviderError } from "../../../provider/core/errors";
import type { Notes } from "./forge";
import { gitHubComments, gitHubIssues } from "./github";
import { gitLabComments, gitLabIssues } from "./gitlab";

type Environment = Readonly<Record<string, string | undefined>>;

export interface WhereTo {
  /** An issue of the repository instead of a comment. */
  readonly issue: boolean;
  /** Number of the pull or merge request, where the environment does not say. */
  readonly pullRequest?: number | undefined;
  readonly log: (message: string) => void;
}

/** Where the notes of this CI job belong. Throws outside a CI job, and names the variable that is missing. */
export function notesOf(env: Environment, { issue, pullRequest, log }: WhereTo): Notes {
  if (env["CI_API_V4_URL"]) {
    const place = { base: env["CI_API_V4_URL"], project: demand(env, "CI_PROJECT_ID"), token: gitLabToken(env), log };
    if (issue) return gitLabIssues(place);
    return gitLabComments(place, pullRequest ?? Number(demand(env, "CI_MERGE_REQUEST_IID", NO_PULL_REQUEST)));
  }
  if (env["GITHUB_REPOSITORY"]) {
    const base = env["GITHUB_API_URL"] || "https://api.github.com";
    const token = demand(env, "GITHUB_TOKEN", "Give the step github.token as GITHUB_TOKEN.");
    const place = { base, repository: env["GITHUB_REPOSITORY"], token, log };
    return issue ? gitHubIssues(place) : gitHubComments(place, pullRequest ?? pullRequestOf(env));
  }
  const other = OTHER_SERVICES.find(({ variable }) => env[variable])?.name;
  const where =
    other === undefined
      ? "this is no job of GitHub Actions or GitLab CI"
      : `this is a job of ${other}, where trustplane cannot write: it writes to GitHub, Gitea, Forgejo and GitLab`;
  const todo = "--dry-run prints the text, which a step of the job can post.";
  throw new ProviderError("ConfigError", `${where}. Neither GITHUB_REPOSITORY nor CI_API_V4_URL is set. ${todo}`);
}

/** What the jobs of other services have in their environment, each by its own documentation. */
const OTHER_SERVICES = [
  { name: "Azure Pipelines", variable: "TF_BUILD" },
  { name: "Bitbucket Pipelines", variable: "BITBUCKET_BUILD_NUMBER" },
  { name: "CircleCI", variable: "CIRCLECI" },
  { name: "Jenkins", variable: "JENKINS_URL" },
  { name: "Buildkite", variable: "BUILDKITE" },
];

const NO_PULL_REQUEST = "Run the job for pull requests, or give --pull-request.";

function demand(env: Environment, name: string, todo = ""): string {
  const value = env[name]?.trim();
  if (value) return value;
  throw new ProviderError("ConfigError", `the variable ${name} is not set. ${todo}`.trim());
}

function gitLabToken(env: Environment): string {
  const token = env["GITLAB_TOKEN"]?.trim();
  if (token) return token;
  const limit = env["CI_JOB_TOKEN"] ? " CI_JOB_TOKEN cannot write notes or issues." : "";
  throw new ProviderError(
    "ConfigError",
    `the variable GITLAB_TOKEN is not set.${limit} Give the job a project access token with the scope \`api\`.`,
  );
}

/** The event has the number. Where it has none, the name of the reference may have it: `refs/pull/7/merge`. */
function pullRequestOf(env: Environment): number {
  const number =
    eventNumber(env["GITHUB_EVENT_PATH"]) ?? Number(/^refs\/pull\/(\d+)\//.exec(env["GITHUB_REF"] ?? "")?.[1]);
  if (Number.isInteger(number)) return number;
  throw new ProviderError("ConfigError", `the event of this job belongs to no pull request. ${NO_PULL_REQUEST}`);
}

function eventNumber(path: string | undefined): number | undefined {
  if (!path) return undefined;
  try {
    const event = Object(JSON.parse(readFileSync(path, "utf8")));
    const number = event.pull_request?.number ?? (event.issue?.pull_request ? event.issue.number : undefined);
    return typeof number === "number" ? number : undefined;
  } catch {
    throw new ProviderError("ConfigError", `the event file ${path} (GITHUB_EVENT_PATH) cannot be read.`);
  }
}
