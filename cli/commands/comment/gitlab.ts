import { ProviderError } from "../../../provider/core/errors";
import { LONGEST_NOTE } from "../../views/comment/fitted";
import type { Found, Notes } from "./forge";
import { createForgeClient, type ForgeClient } from "./forge-client";

export interface GitLabPlace {
  /** Number of the project, or its path. */
  readonly project: string;
  /** Such as `https://gitlab.com/api/v4`. */
  readonly base: string;
  readonly token: string;
  readonly log: (message: string) => void;
}

const permission =
  "GITLAB_TOKEN has to be a project access token with the scope `api` and the role Reporter or higher.";

/** The notes of a merge request. */
export function gitLabComments({ project, base, token, log }: GitLabPlace, mergeRequest: number): Notes {
  const what = `the note on merge request ${mergeRequest} of project ${project}`;
  const client = createForgeClient({ base, headers: headersFor(token), what, permission, log });
  const notes = `projects/${encodeURIComponent(project)}/merge_requests/${mergeRequest}/notes`;
  const edit = (id: number, body: string) => client.change("PUT", `${notes}/${id}`, { body });
  return {
    what,
    longest: LONGEST_NOTE,
    isOurs: authorship(client, what),
    all: () => client.list(`${notes}?sort=asc&order_by=created_at`, ({ id, body, author }) => found(id, body, author)),
    create: (body) => client.create(notes, { body }),
    edit,
    close: edit,
  };
}

/** The open issues of the project. */
export function gitLabIssues({ project, base, token, log }: GitLabPlace): Notes {
  const what = `the issue of project ${project}`;
  const client = createForgeClient({ base, headers: headersFor(token), what, permission, log });
  const issues = `projects/${encodeURIComponent(project)}/issues`;
  return {
    what,
    longest: LONGEST_NOTE,
    isOurs: authorship(client, what),
    all: () =>
      client.list(`${issues}?state=opened&sort=asc&order_by=created_at`, ({ iid, description, author }) =>
        found(iid, description, author),
      ),
    create: (body, title) => client.create(issues, { title, description: body }),
    edit: (id, body) => client.change("PUT", `${issues}/${id}`, { description: body }),
    close: (id, body) => client.change("PUT", `${issues}/${id}`, { description: body, state_event: "close" }),
  };
}

const headersFor = (token: string) => ({ authorization: `Bearer ${token}` });

function found(id: unknown, body: unknown, author: unknown): Found | undefined {
  if (typeof id !== "number") return undefined;
  const { id: by } = Object(author);
  const text = typeof body === "string" ? body : "";
  return { id, body: text, author: { ...(typeof by === "number" ? { id: by } : {}), isBot: false } };
}

/** Every project access token has an account of its own, and may read it. Asks the forge once. */
function authorship(client: ForgeClient, what: string): Notes["isOurs"] {
  let account: Promise<unknown> | undefined;
  return async ({ id }) => {
    account ??= client.look("user").then((user) => user?.["id"]);
    const ours = await account;
    if (typeof ours === "number") return id === ours;
    throw new ProviderError("ApiError", `writing ${what}: the forge does not say whose token this is. ${permission}`);
  };
}
