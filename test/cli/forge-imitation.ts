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
  /** Made by somebody else: this token may not edit it. */
  readonly isForeign?: boolean;
  readonly isPullRequest?: boolean;
}

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

/** Comments and issues as the REST APIs of GitHub and GitLab have them: pages, tokens, and what they answer in bad times. */
export async function startForge(kind: ForgeKind, { pageSize = 100 } = {}) {
  const token = randomBytes(12).toString("hex");
  const notes = { comments: [] as ForgeNote[], issues: [] as ForgeNote[] };
  const scripted: ScriptedAnswer[] = [];
  const requests: string[] = [];
  let nextId = 1;
  const add = (where: keyof typeof notes, note: Partial<ForgeNote> & { body: string }) => {
    const made: ForgeNote = { id: nextId++, isOpen: true, ...note };
    notes[where].push(made);
    return made;
  };

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "", "http://forge");
    const { method = "" } = request;
    requests.push(`${method} ${url.pathname}${url.search}`);
    const answer = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
      response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
    if (request.headers.authorization !== `Bearer ${token}`) return answer(401, { message: "Bad credentials" });
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
    if (text.length > 65_536) return answer(422, { message: "Validation Failed", errors: ["body is too long"] });
    const known = notes[route.where].find(({ id }) => id === route.id);
    if (method === "POST" && route.id === undefined) {
      const made = add(route.where, { body: text, ...(body["title"] ? { title: String(body["title"]) } : {}) });
      return refused ? refused() : answer(201, recordOf(kind, route.where, made));
    }
    if (method !== (kind === "github" ? "PATCH" : "PUT") || known === undefined)
      return answer(404, { message: "Not Found" });
    if (known.isForeign) return answer(403, { message: "Resource not accessible by integration" });
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

function recordOf(kind: ForgeKind, where: Route["where"], { id, body, title, isPullRequest }: ForgeNote) {
  const url = `https://forge.example/${where}/${id}`;
  if (kind === "gitlab")
    return where === "issues" ? { id: id + 1000, iid: id, title, description: body, web_url: url } : { id, body };
  const number = where === "issues" ? { id: id + 1000, number: id, title } : { id };
  return { ...number, body, html_url: url, ...(isPullRequest ? { pull_request: {} } : {}) };
}

async function bodyOf(request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  if (request.method === "GET") return {};
  return Object(await json(request));
}
