import { html, raw } from "hono/html";
import type { Page } from "../../framework/backend";

export interface PostedLogin {
  readonly mount: string;
  readonly state: string;
}

/** Tells the opener of this window that the provider has answered. Without an opener there is a link. */
export function postedPage({ mount, state }: PostedLogin): Page {
  const message = { source: "oidc-callback", path: mount, code: noCode, state };
  const query = new URLSearchParams({ state, code: noCode });
  const content = html`
    <p role="status">Completing the login.</p>
    <p hidden>No window of this server is waiting for it.
      <a href="/v1/auth/${encodeURIComponent(mount)}/oidc/callback?${query.toString()}">Complete it here</a></p>
    <script>
      if (window.opener === null) document.querySelector("[hidden]").hidden = false;
      else window.opener.postMessage(${raw(scriptJson(message))}, window.origin);
    </script>`;
  return page(200, { title: "Completing the login", content });
}

/** In place of the code when the provider has posted its answer. */
export const noCode = "no_code";

export function refusedPage(title: string, reason: string): Page {
  return page(400, { title, content: html`<p>${reason}</p>` });
}

function page(status: number, { title, content }: { title: string; content: ReturnType<typeof html> }): Page {
  const document = html`<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>${title}</title></head>
  <body><main><h1>${title}</h1>${content}</main></body>
</html>
`;
  return { status, contentType: "text/html", body: String(document) };
}

// Without `<`, no text can end the script around it.
function scriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}
