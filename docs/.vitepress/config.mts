import { readFileSync } from "node:fs";
import { defineConfig } from "vitepress";

// Generated from the resources, as the pages are.
const sidebar = JSON.parse(readFileSync(new URL("sidebar.json", import.meta.url), "utf8"));

export default defineConfig({
  title: "trustplane",
  description: "The trust configuration of a platform as code",
  lang: "en",
  // For who works on the repository.
  srcExclude: ["internals/**"],
  // Without one, browsers ask for a picture that is not there.
  head: [["link", { rel: "icon", href: "data:," }]],
  markdown: {
    config(md) {
      // Templates of user names hold braces, which Vue would take for its own.
      const code = md.renderer.rules.code_inline;
      md.renderer.rules.code_inline = (tokens, at, ...rest) => {
        tokens[at]?.attrSet("v-pre", "");
        return code?.(tokens, at, ...rest) ?? "";
      };
    },
  },
  themeConfig: {
    sidebar,
    outline: [2, 3],
    search: { provider: "local" },
    docFooter: { prev: false, next: false },
  },
});
