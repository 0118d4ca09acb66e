import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

/** A comment or an issue of the imitation. */
export interface ForgeNote {
  readonly id: number;
  body: string;
  title?: string;
  isOpen: boolean;
  /** This token may not edit it. */
  readonly isLocked?: boolean;
  readonly author: ForgeAccount;
  readonly isPullRequest?: boolean;
}

/** Who writes. */
export interface ForgeAccount {
  readonly id: number;
  readonly login: string;
  readonly type: "User" | "Bot";
}

/** Whose the token is: GitHub's own app for workflows, another app, a person; on GitLab a project. */
export const ACCOUNTS = {
  actions: { id: 41_898_282, login: "github-actions[bot]", type: "Bot" },
  app: { id: 99, login: "review[bot]", type: "Bot" },
  person: { id: 7, login: "octo", type: "User" },
} as const satisfies Record<string, ForgeAccount>;

/** An answer instead of the next one to requests of this method. */
export interface ScriptedAnswer {
  readonly method: string;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly message?: string;
  /** Do what was asked, and then answer this. */
  readonly after?: boolean;
}

export type ForgeKind = "github" | "gitlab";

export interface ForgeOptions {
  readonly pageSize?: number;
  readonly account?: keyof typeof ACCOUNTS;
  /** Whether the forge tells a token whose it is. */
  readonly saysWho?: boolean;
}

const LONGEST: Readonly<Record<ForgeKind, number>> = { github: 65_536, gitlab: 1_000_000 };

/** Comments and issues as the REST APIs of GitHub and GitLab have them: pages, tokens, and what they answer in bad times. */
export async function startForge(
  kind: ForgeKind,
  { pageSize = 100, account = "actions", saysWho = true }: ForgeOptions = {},
) {
  const own: ForgeAccount = ACCOUNTS[account];
  const token = randomBytes(12).toString("hex");
  const notes = { comments: [] as ForgeNote[], issues: [] as ForgeNote[] };
  const scripted: ScriptedAnswer[] = [];
  const requests: string[] = [];
  let nextId = 1;
  const add = (where: keyof typeof notes, note: Partial<ForgeNote> & { body: string }) => {
    const made: ForgeNote = { id: nextId++, isOpen: true, author: own, ...note };
    notes[where].push(made);
    return made;
  };

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "", "http://forge");
    const { method = "" } = request;
    const answer = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
      response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
    if (request.headers.authorization !== `Bearer ${token}`) return answer(401, { message: "Bad credentials" });
    const who = saysWho ? whoAnswer(kind, `${method} ${url.pathname}`, own) : undefined;
    if (who !== undefined) return answer(200, who);
    if (/\/(user|graphql)$/.test(url.pathname))
      return answer(403, { message: "Resource not accessible by integration" });
    requests.push(`${method} ${url.pathname}${url.search}`);
    const at = scripted.findIndex((each) => each.method === method);
    const [script] = at < 0 ? [] : scripted.splice(at, 1);
    const body = await bodyOf(request);
    const refused = script && (() => answer(script.status, { message: script.message ?? "no" }, script.headers));
    if (refused && !script.after) return refused();
    const route = routeOf(kind, url.pathname);
    if (route === undefined) return answer(404, { message: "Not Found" });
    const text = String(body["body"] ?? body["description"] ?? "");
    if (method === "GET") {
      const listed = notes[route.where].filter(({ isOpen }) => isOpen);
      const page = Number(url.searchParams.get("page") ?? 1);
      const size = Math.min(pageSize, Number(url.searchParams.get("per_page") ?? 30));
      const shown = listed.slice((page - 1) * size, page * size);
      const isMore = page * size < listed.length;
      // Another host than the one that was asked, as behind a proxy: no token must go there.
      const link = '<https://elsewhere.invalid/?page=1>; rel="prev", <https://elsewhere.invalid/?page=2>; rel="next"';
      return answer(
        200,
        shown.map((note) => recordOf(kind, route.where, note)),
        isMore ? { link } : {},
      );
    }
    if (text.length > LONGEST[kind]) return answer(422, { message: "Validation Failed", errors: ["body is too long"] });
    const known = notes[route.where].find(({ id }) => id === route.id);
    if (method === "POST" && route.id === undefined) {
      const made = add(route.where, { body: text, ...(body["title"] ? { title: String(body["title"]) } : {}) });
      return refused ? refused() : answer(201, recordOf(kind, route.where, made));
    }
    if (method !== (kind === "github" ? "PATCH" : "PUT") || known === undefined)
      return answer(404, { message: "Not Found" });
    if (known.isLocked) return answer(403, { message: "Resource not accessible by integration" });
    known.body = text;
    known.isOpen = !(body["state"] === "closed" || body["state_event"] === "close");
    return refused ? refused() : answer(200, recordOf(kind, route.where, known));
  });

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A server that listens on a port has an address of this kind.
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const common = { GITHUB_TOKEN: "", GITLAB_TOKEN: "", CI_API_V4_URL: "", GITHUB_REPOSITORY: "" };
  const env: Readonly<Record<string, string>> =
    kind === "github"
      ? {
          ...common,
          GITHUB_TOKEN: token,
          GITHUB_REPOSITORY: "acme/platform",
          GITHUB_API_URL: origin,
          GITHUB_REF: "refs/pull/7/merge",
          GITHUB_EVENT_PATH: "",
        }
      : {
          ...common,
          GITLAB_TOKEN: token,
          CI_API_V4_URL: `${origin}/api/v4`,
          CI_PROJECT_ID: "42",
          CI_MERGE_REQUEST_IID: "7",
        };
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { close, env, token, notes, requests, add, answerNext: (script: ScriptedAnswer) => scripted.push(script) };
}

/** What a token learns of itself. An app's may not ask GitHub for its user (403), and learns it by GraphQL. */
function whoAnswer(kind: ForgeKind, line: string, { id, login, type }: ForgeAccount): unknown {
  if (kind === "gitlab") return line === "GET /api/v4/user" ? { id, username: login } : undefined;
  if (type === "User" && line === "GET /user") return { id, login };
  return line === "POST /graphql" ? { data: { viewer: { databaseId: id, login } } } : undefined;
}

interface Route {
  readonly where: "comments" | "issues";
  readonly id?: number;
}

const ROUTES: Readonly<Record<ForgeKind, readonly (readonly [path: RegExp, where: Route["where"]])[]>> = {
  github: [
    [/^\/repos\/acme\/platform\/issues\/7\/comments$/, "comments"],
    [/^\/repos\/acme\/platform\/issues\/comments\/(\d+)$/, "comments"],
    [/^\/repos\/acme\/platform\/issues(?:\/(\d+))?$/, "issues"],
  ],
  gitlab: [
    [/^\/api\/v4\/projects\/42\/merge_requests\/7\/notes(?:\/(\d+))?$/, "comments"],
    [/^\/api\/v4\/projects\/42\/issues(?:\/(\d+))?$/, "issues"],
  ],
};

function routeOf(kind: ForgeKind, path: string): Route | undefined {
  for (const [pattern, where] of ROUTES[kind]) {
    const match = pattern.exec(path);
    if (match) return match[1] === undefined ? { where } : { where, id: Number(match[1]) };
  }
  return undefined;
}

function recordOf(kind: ForgeKind, where: Route["where"], { id, body, title, author, isPullRequest }: ForgeNote) {
  const url = `https://forge.example/${where}/${id}`;
  if (kind === "gitlab")
    return where === "issues"
      ? { id: id + 1000, iid: id, title, author, description: body, web_url: url }
      : { id, body, author };
  const number = where === "issues" ? { id: id + 1000, number: id, title } : { id };
  return { ...number, body, user: author, html_url: url, ...(isPullRequest ? { pull_request: {} } : {}) };
}

async function bodyOf(request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  if (request.method === "GET") return {};
  return Object(await json(request));
}
