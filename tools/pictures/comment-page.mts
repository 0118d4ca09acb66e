import { marked } from "marked";

/** A comment's Markdown as a pull request shows it; its sections are open, so that the picture has all of them. */
export async function commentPage(markdown: string): Promise<string> {
  // A forge draws the map, whose text nobody reads.
  const shown = markdown.replace(/\*\*The changed part of the map\*\*\s+```mermaid[\s\S]*?```\s+/, "");
  const html = (await marked(shown)).replaceAll("<details>", "<details open>");
  const coloured = html.replace(/<code class="language-diff">([\s\S]*?)<\/code>/g, (_, lines: string) => {
    return `<code>${lines.trimEnd().split("\n").map(diffLine).join("")}</code>`;
  });
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Comment</title>
<style>${STYLE}</style>
<section>
<header><strong>github-actions</strong> <span class="bot">bot</span> commented</header>
<article>${coloured}</article>
</section>
</html>
`;
}

function diffLine(line: string): string {
  const kind = { "+": "added", "-": "removed" }[line.charAt(0)] ?? "same";
  return `<span class="line ${kind}">${line}</span>`;
}

const STYLE = `
body { margin: 0; padding: 16px; background: #fff; color: #1f2328; font: 14px/1.5 system-ui, sans-serif; }
section { border: 1px solid #d1d9e0; border-radius: 6px; }
header { padding: 8px 16px; background: #f6f8fa; border-bottom: 1px solid #d1d9e0; border-radius: 6px 6px 0 0; color: #59636e; }
header strong { color: #1f2328; }
.bot { border: 1px solid #d1d9e0; border-radius: 2em; padding: 0 6px; font-size: 12px; }
article { padding: 0 16px; }
p, ul, details { margin: 16px 0; }
ul { padding-left: 2em; }
li { margin: 4px 0; }
code, pre { font: 12px/1.45 "DejaVu Sans Mono", monospace; }
code { background: #818b981f; border-radius: 6px; padding: .2em .4em; overflow-wrap: anywhere; }
pre { background: #f6f8fa; border-radius: 6px; padding: 8px 0; overflow-x: auto; }
pre code { background: none; padding: 0; }
.line { display: block; padding: 0 16px; white-space: pre-wrap; }
.added { background: #dafbe1; color: #116329; }
.removed { background: #ffebe9; color: #82071e; }
`;
