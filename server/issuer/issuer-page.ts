import { html, raw } from "hono/html";
import type { AuthorizationRequest } from "./authorization-request";
import type { IssuerUser } from "./issuer-users";

export interface AuthorizePage {
  readonly request: AuthorizationRequest;
  /** A value that the form sends back, which proves that the form is from here. */
  readonly ticket: string;
  readonly users: readonly IssuerUser[];
  /** The earlier input, which was refused. */
  readonly refused?: { readonly problem: string; readonly user: string; readonly claims: string };
}

/** Asks who logs in. No password: the issuer is for trying out. */
export function authorizePage({ request, ticket, users, refused }: AuthorizePage): string {
  const chosen = refused?.user ?? users[0]?.sub;
  return document(
    "Log in",
    html`
    <p>A program asks who you are, with the scopes <strong>${request.scopes.join(", ")}</strong>. The answer goes to
      <code>${request.redirectUri}</code>. This issuer is for trying out: it asks for no password.</p>
    ${refused === undefined ? "" : html`<p role="alert" id="problem">${refused.problem}</p>`}
    <form method="post" action="/authorize">
      <input type="hidden" name="ticket" value="${ticket}">
      <fieldset>
        <legend>Log in as</legend>
        ${users.map((user, at) => userChoice(user, { at, isChosen: user.sub === chosen }))}
      </fieldset>
      <details ${refused === undefined ? "" : raw("open")}>
        <summary>More claims, for this login only</summary>
        <label for="claims" class="more">A JSON object; its members replace those of the user</label>
        <textarea id="claims" name="claims" rows="6" spellcheck="false"
          ${refused === undefined ? "" : raw('aria-describedby="problem" aria-invalid="true"')}>${refused?.claims ?? ""}</textarea>
      </details>
      <div class="buttons">
        <button name="action" value="log in">Log in</button>
        <button name="action" value="refuse" class="quiet" formnovalidate>Refuse</button>
      </div>
    </form>`,
  );
}

function userChoice({ sub, claims }: IssuerUser, { at, isChosen }: { at: number; isChosen: boolean }) {
  const known = Object.entries(claims).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return html`
        <div class="user">
          <input type="radio" name="user" value="${sub}" id="user-${at}" aria-describedby="claims-${at}" required ${isChosen ? raw("checked") : ""}>
          <div><label for="user-${at}">${sub}</label><code id="claims-${at}">${known.join(", ")}</code></div>
        </div>`;
}

/** Says why the browser cannot be sent back. */
export function problemPage(problem: string): string {
  return document("This login cannot begin", html`<p role="alert">${problem}</p>`);
}

/** Sends an answer by POST (OAuth 2.0 Form Post Response Mode). */
export function formPostPage(action: string, members: Readonly<Record<string, string>>): string {
  const fields = Object.entries(members).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  return document(
    "Going back",
    html`
    <form method="post" action="${action}">${fields}
      <noscript><p>The program waits for your answer.</p><button>Go back</button></noscript>
    </form>
    <script>${raw(submitScript)}</script>`,
  );
}

/** The only script of any page. */
export const submitScript = "document.forms[0].submit()";

function document(title: string, content: ReturnType<typeof html>): string {
  return String(html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title} · trustplane issuer</title>
    <style>${raw(style)}</style>
  </head>
  <body>
    <main>
    <h1>${title}</h1>${content}
    </main>
  </body>
</html>
`);
}

export const style = `
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
  main { max-width: 40rem; margin: 3rem auto; padding: 0 1rem; }
  code { overflow-wrap: anywhere; font-size: .875rem; }
  fieldset, details { margin: 1rem 0; padding: .75rem 1rem; border: 1px solid #767676; border-radius: .5rem; }
  .user { display: flex; gap: .75rem; align-items: baseline; padding: .5rem 0; }
  .user label { display: block; font-weight: bold; }
  .more { display: block; margin: .75rem 0 .25rem; }
  textarea { width: 100%; box-sizing: border-box; font: .875rem/1.5 ui-monospace, monospace; }
  .buttons { display: flex; gap: .75rem; }
  button { font: inherit; padding: .5rem 1.25rem; border-radius: .5rem; border: 1px solid #1d4ed8; background: #1d4ed8; color: #fff; }
  button.quiet { background: none; color: inherit; border-color: #767676; }
  [role=alert] { border-left: .25rem solid #b91c1c; padding-left: .75rem; }
`;
