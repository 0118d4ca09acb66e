import { LONGEST_COMMENT } from "../../views/comment/fitted";
import type { Found, Notes } from "./forge";
import { createForgeClient } from "./forge-client";
import { gitHubAuthorship } from "./github-author";

export interface GitHubPlace {
  /** `owner/name`. */
  readonly repository: string;
  readonly base: string;
  readonly token: string;
  readonly log: (message: string) => void;
}

const headersFor = (token: string) => ({
  accept: "application/vnd.github+json",
  authorization: `Bearer ${token}`,
  "x-github-api-version": "2022-11-28",
});

/** The comments of a pull request, which is an issue to this API. */
export function gitHubComments({ repository, base, token, log }: GitHubPlace, pullRequest: number): Notes {
  const what = `the comment on pull request ${pullRequest} of ${repository}`;
  const client = createForgeClient({
    base,
    headers: headersFor(token),
    what,
    permission:
      "give the job `permissions: pull-requests: write`. For a pull request from a fork the token can only read: the output of the job has the text, and whoever has read the change can push it to a branch of the repository.",
    log,
  });
  const edit = (id: number, body: string) =>
    client.change("PATCH", `repos/${repository}/issues/comments/${id}`, { body });
  const all = `repos/${repository}/issues/${pullRequest}/comments`;
  return {
    what,
    longest: LONGEST_COMMENT,
    isOurs: gitHubAuthorship(client),
    all: () => client.list(all, noteOf),
    create: (body) => client.create(all, { body }),
    edit,
    close: edit,
  };
}

/** The open issues of the repository. */
export function gitHubIssues({ repository, base, token, log }: GitHubPlace): Notes {
  const what = `the issue of ${repository}`;
  const permission = "give the job `permissions: issues: write`.";
  const client = createForgeClient({ base, headers: headersFor(token), what, permission, log });
  const issues = `repos/${repository}/issues`;
  const change = (id: number, fields: object) => client.change("PATCH", `${issues}/${id}`, fields);
  return {
    what,
    longest: LONGEST_COMMENT,
    isOurs: gitHubAuthorship(client),
    all: () =>
      // Pull requests are among them.
      client.list(`${issues}?state=open&sort=created&direction=asc`, (record) =>
        "pull_request" in record ? undefined : noteOf({ ...record, id: record["number"] }),
      ),
    create: (body, title) => client.create(issues, { title, body }),
    edit: (id, body) => change(id, { body }),
    close: (id, body) => change(id, { body, state: "closed", state_reason: "completed" }),
  };
}

function noteOf({ id, body, user }: Readonly<Record<string, unknown>>): Found | undefined {
  if (typeof id !== "number") return undefined;
  const { id: author, login, type } = Object(user);
  return {
    id,
    body: typeof body === "string" ? body : "",
    author: {
      ...(typeof author === "number" ? { id: author } : {}),
      ...(typeof login === "string" ? { login } : {}),
      isBot: type === "Bot",
    },
  };
}
