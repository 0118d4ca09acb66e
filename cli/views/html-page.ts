import { createHash } from "node:crypto";
import { htmlText } from "../text/markdown";

/** What a page is made of. The body is HTML, in which every text from outside is escaped already. */
export interface PageParts {
  readonly title: string;
  readonly body: string;
  readonly style: string;
  readonly script: string;
}

/** A page in one file. Its content security policy allows only its own style and script, so it can load nothing. */
export function htmlPage({ title, body, style, script }: PageParts): string {
  const policy = `default-src 'none'; style-src '${hashOf(style)}'; script-src '${hashOf(script)}'; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${htmlText(title)}</title>
<style>${style}</style>
</head>
<body>
${body}
<script>${script}</script>
</body>
</html>
`;
}

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
