import { readFileSync } from "node:fs";
import { join } from "node:path";
import { kebabCase } from "../long-form";
import type { PackageModel } from "../package-model";
import { moduleTitles } from "./index-page";

/** A link of the site's side bar, or a group of them. */
interface Entry {
  readonly text: string;
  readonly link?: string;
  readonly items?: readonly Entry[];
}

/** The side bar of the HTML site, as VitePress takes it. */
export function sidebar({ resources, functions }: PackageModel, repository: string): readonly Entry[] {
  const names = [
    ...resources.map(({ module, className }) => ({ module, name: className })),
    ...functions.map(({ module, functionName }) => ({ module, name: functionName })),
  ];
  const modules = Object.entries(moduleTitles).map(([module, text]) => ({
    text,
    items: names
      .filter((each) => each.module === module)
      .map(({ name }) => ({ text: `${module}.${name}`, link: `/${module}/${kebabCase(name)}` })),
  }));
  const general = [
    { text: "Tutorial and overview", link: "/" },
    { text: "Configuration", link: "/configuration" },
    { text: "Logging in as a person", link: "/login" },
    { text: "As a plugin", link: "/plugin" },
    { text: "With Terraform or OpenTofu", link: "/terraform" },
    { text: "A program for what is there", link: "/adopt" },
    { text: "Drift detection", link: "/drift" },
    { text: "When a connection fails", link: "/doctor" },
    { text: "The smallest policy", link: "/permissions" },
    { text: "In pull requests", link: "/pull-requests" },
    { text: "Rules of lint", link: "/lint" },
    { text: "Trust tests", link: "/trust-tests" },
    { text: "The map", link: "/map" },
    { text: "Scale", link: "/scale" },
    { text: "Commands", link: "/commands" },
    { text: "Limits", link: "/limits" },
    { text: "Compatibility", link: "/compatibility" },
    { text: "Python and Go", link: "/languages" },
    { text: "The embedded server", link: "/embedded-server" },
  ];
  return [{ text: "trustplane", items: general }, { text: "Guides", items: guides(repository) }, ...modules];
}

/** In the order of the page that lists them. */
function guides(repository: string): readonly Entry[] {
  const list = readFileSync(join(repository, "docs/guides/index.md"), "utf8");
  return [...list.matchAll(/^\* \[(.+)\]\((.+)\.md\)$/gm)].map(([, text = "", page]) => ({
    text,
    link: `/guides/${page}`,
  }));
}
