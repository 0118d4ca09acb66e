import type { Context, Hono } from "hono";
import { createExpiringMap } from "../framework/expiring-map";
import { randomName } from "../secrets/token-store";
import { type AuthorizationRequest, type ReturnAddress, readAuthorizationRequest } from "./authorization-request";
import type { IssuerClient } from "./issuer-client";
import { authorizePage, formPostPage, problemPage } from "./issuer-page";
import type { Claims, IssuerUsers } from "./issuer-users";
import { pageHeaders } from "./page-headers";

export interface AuthorizeOptions {
  readonly client: IssuerClient;
  readonly users: IssuerUsers;
  readonly now: () => Date;
  /** Sends the login to the program, in the form that it has asked for. */
  readonly answer: (login: IssuerLogin) => Promise<Readonly<Record<string, string>>>;
}

/** A user that has logged in for a program. */
export interface IssuerLogin {
  readonly request: AuthorizationRequest;
  readonly sub: string;
  /** The user's claims, overridden by those given at the login. */
  readonly claims: Claims;
  readonly userinfoClaims: Claims;
  readonly authTimeSeconds: number;
}

const pageLifetimeMs = 30 * 60 * 1000;

/** `/authorize`: shows the form, and sends the browser back with what the program has asked for. */
export function addAuthorizeEndpoint(app: Hono, { client, users, now, answer }: AuthorizeOptions): void {
  const tickets = createExpiringMap<AuthorizationRequest>({ lifetimeMs: pageLifetimeMs, now });

  const begin = (context: Context, parameters: URLSearchParams) => {
    const read = readAuthorizationRequest(parameters, client);
    if ("problem" in read) return context.html(problemPage(read.problem), 400, pageHeaders());
    if ("refusal" in read) return sendBack(context, read.to, { ...read.refusal });
    const { request } = read;
    const ticket = randomName(32);
    tickets.put(ticket, request);
    const headers = pageHeaders({ returnsTo: request.redirectUri });
    return context.html(authorizePage({ request, ticket, users: users.all() }), 200, headers);
  };

  app.get("/authorize", (context) => begin(context, new URL(context.req.url).searchParams));

  app.post("/authorize", async (context) => {
    const form = new URLSearchParams(await context.req.text());
    // A program may also begin by POST (OpenID Connect Core, section 3.1.2.1).
    if (!form.has("ticket")) return begin(context, form);
    const ticket = form.get("ticket") ?? "";
    const request = tickets.get(ticket);
    if (request === undefined) {
      return context.html(problemPage("This page is too old, or was sent before. Begin again."), 400, pageHeaders());
    }
    if (form.get("action") === "refuse") {
      tickets.take(ticket);
      return sendBack(context, request, { error: "access_denied", error_description: "the user has refused" });
    }
    const [sub, claims] = [form.get("user") ?? "", form.get("claims") ?? ""];
    const user = users.get(sub);
    const more = claimsIn(claims);
    if (user === undefined || more === undefined) {
      const problem = user === undefined ? "Choose who logs in." : "More claims must be a JSON object, or nothing.";
      const page = authorizePage({ request, ticket, users: users.all(), refused: { problem, user: sub, claims } });
      return context.html(page, 400, pageHeaders({ returnsTo: request.redirectUri }));
    }
    tickets.take(ticket);
    const authTimeSeconds = Math.floor(now().getTime() / 1000);
    const { userinfoClaims } = user;
    const login = { request, sub, claims: { ...user.claims, ...more }, userinfoClaims, authTimeSeconds };
    return sendBack(context, request, await answer(login));
  });
}

function claimsIn(text: string): Claims | undefined {
  if (text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function sendBack(context: Context, to: ReturnAddress, answer: Readonly<Record<string, string>>): Response {
  const members = { ...answer, ...(to.state === undefined ? {} : { state: to.state }) };
  const headers = pageHeaders({ returnsTo: to.redirectUri });
  if (to.responseMode === "form_post") return context.html(formPostPage(to.redirectUri, members), 200, headers);
  const url = new URL(to.redirectUri);
  for (const [name, value] of Object.entries(members)) url.searchParams.set(name, value);
  return context.body(null, 303, { ...headers, location: url.href });
}
