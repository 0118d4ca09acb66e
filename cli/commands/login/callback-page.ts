/** What the browser shows. The terminal has the rest: nothing of a request is in a page. */
const PAGES = {
  done: [200, "Logged in", "You can close this window and go back to the terminal."],
  failed: [200, "Not logged in", "The terminal says why. You can close this window."],
  refused: [400, "This is not the answer that trustplane waits for", "If you did log in, run the command again."],
} as const satisfies Readonly<Record<string, readonly [status: number, title: string, text: string]>>;

export type PageName = keyof typeof PAGES;

export interface Page {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export function callbackPage(name: PageName): Page {
  const [status, title, text] = PAGES[name];
  const body = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${title} · trustplane</title>
  </head>
  <body>
    <main>
      <h1>${title}</h1>
      <p>${text}</p>
    </main>
  </body>
</html>
`;
  return { status, headers: HEADERS, body };
}

/** The page loads nothing, cannot be framed, and tells no other page of its address, which has the code. */
const HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  // The port is to be free again at once.
  connection: "close",
};
