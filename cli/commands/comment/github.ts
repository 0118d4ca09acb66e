import { LONGEST_COMMENT } from "../../views/comment/fitted";
import type { Author, Found, Notes } from "./forge";
import type { ForgeClient } from "./forge-client";
import { createForgeClient } from "./forge-client";

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

/** The account behind `GITHUB_TOKEN`: the Actions app. Nobody can register a login with brackets. */
const ACTIONS = "github-actions[bot]";

/** Tells whether the token's own account wrote a note: anybody can copy a marker. Asks the forge once. */
export function gitHubAuthorship(client: ForgeClient): (author: Author) => Promise<boolean> {
  let identity: Promise<(author: Author) => boolean> | undefined;
  return async (author) => {
    identity ??= identify(client);
    return (await identity)(author);
  };
}

async function identify(client: ForgeClient): Promise<(author: Author) => boolean> {
  const { id } = (await client.look("user")) ?? {};
  if (typeof id === "number") return (author) => author.id === id;
  // Tokens of apps, also `GITHUB_TOKEN`, may not read it (403). GraphQL tells them their account.
  const { data } = (await client.look("../graphql", { query: "{ viewer { databaseId login } }" })) ?? {};
  const viewer = Object(Object(data).viewer);
  if (typeof viewer.databaseId === "number") return (author) => author.id === viewer.databaseId;
  const login = typeof viewer.login === "string" ? viewer.login.replace(/(\[bot\])?$/, "[bot]") : ACTIONS;
  return (author) => author.isBot && author.login === login;
}
