import { kebabCase } from "../long-form";
import { markdownTable } from "../markdown-table";
import type { FunctionModel, PackageModel, ResourceModel } from "../package-model";

/** What each module is about, in the order of the index. */
export const moduleTitles: Readonly<Record<string, string>> = {
  jwt: "Logins with a JWT",
  cloud: "Cloud credentials",
  policy: "Policy parameters",
  cluster: "Peering of clusters",
  sys: "Mounts",
};

/** The page that leads to all others. */
export function indexPage({ resources, functions }: PackageModel): string {
  const modules = Object.entries(moduleTitles).map(([module, title]) => {
    const rows = [
      ...resources.filter((each) => each.module === module).map((each) => row(each, each.className)),
      ...functions.filter((each) => each.module === module).map((each) => row(each, each.functionName)),
    ];
    return `## ${title}\n\n${markdownTable(["", "What it is"], rows)}`;
  });
  const untitled = [...resources, ...functions].find(({ module }) => !(module in moduleTitles));
  if (untitled) throw new Error(`the index has no title for the module ${untitled.module}`);
  return [
    "# trustplane",
    "The trust configuration of a platform as code: who may log in with a JWT, which cloud credentials a secrets server hands out, which parameters the policy runtime sees, and which clusters trust each other.",
    ...modules,
    "## More",
    `* [Configuration](configuration.md): where the servers are, and how credentials are found.
* [Compatibility](compatibility.md): which servers it works with, and which property needs which release.
* [Coverage](coverage.md): what the descriptions of the APIs say, what real servers do, and the tests that assert it.
* [Python and Go](languages.md): the SDKs of other languages.
* [The embedded server](embedded-server.md): all of it without a server of your own.`,
  ].join("\n\n");
}

function row({ module, longForm }: ResourceModel | FunctionModel, name: string): string[] {
  const [first = ""] = /^.*?\.(?= |$)/.exec(longForm.summary) ?? [longForm.summary];
  return [`[${module}.${name}](${module}/${kebabCase(name)}.md)`, first];
}
