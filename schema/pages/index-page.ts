import { readFileSync } from "node:fs";
import { join } from "node:path";
import { kebabCase } from "../long-form";
import { markdownTable } from "../markdown-table";
import type { FunctionModel, PackageModel, ResourceModel } from "../package-model";

/** What each module is about, in the order of the index. */
export const moduleTitles: Readonly<Record<string, string>> = {
  jwt: "Logins with a JWT",
  cloud: "Cloud credentials",
  policy: "Policy sets",
  cluster: "Peering of clusters",
  identity: "Groups of people",
  sys: "Mounts and policies",
};

/** The text of a person that the index begins with. */
export const tutorialPath = "schema/pages/tutorial.md";

/** The page that begins, and leads to all others. */
export function indexPage({ resources, functions }: PackageModel, repository: string): string {
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
    "New here? The [tutorial](#tutorial-from-nothing-to-a-repaired-drift) takes ten minutes and no server. The [guides](guides/index.md) then go task by task: GitHub Actions or GitLab to AWS without a stored secret, people with their groups, two clusters that share a service, reviews, drift.",
    readFileSync(join(repository, tutorialPath), "utf8").trimEnd(),
    ...modules,
    functionsText,
    "## More",
    `* [Configuration](configuration.md): where the servers are, and how credentials are found.
* [Logging in as a person](login.md): \`trustplane login\`, at an OIDC provider, in the browser.
* [As a plugin](plugin.md): import, differences inside maps and lists, providers with settings of their own.
* [With Terraform or OpenTofu](terraform.md): the same resources in HCL, as a preview.
* [A program for what is there](adopt.md): \`trustplane adopt\`, from servers to a project that manages what they have.
* [Drift detection](drift.md): \`trustplane drift\`, its reports, exceptions and exit codes.
* [When a connection fails](doctor.md): \`trustplane doctor\`, from the address to the token's permissions.
* [The smallest policy](permissions.md): \`trustplane permissions\`, what a CI job's token needs.
* [In pull requests](pull-requests.md): \`trustplane comment\` and \`trustplane lint\`, on GitHub and GitLab.
* [Rules of lint](lint.md): what it finds, why, a bad and a good example of each, and how to silence it.
* [Trust tests](trust-tests.md): \`trustplane test\` and \`trustplane explain\`, who can become what, before it is applied.
* [The map](map.md): \`trustplane map\`, who can reach what, on one page.
* [Scale](scale.md): thousands of records in one stack, and what they cost.
* [Commands](commands.md): what each looks at, and exit codes.
* [Limits](limits.md): what it cannot do, and what others do to it.
* [Compatibility](compatibility.md): which servers it works with, and which property needs which release.
* [Python and Go](languages.md): the SDKs of other languages, and how they get the plugin.
* [The embedded server](embedded-server.md): all of it without a server of your own.`,
  ].join("\n\n");
}

const functionsText = `## Functions in a program

A function asks a server while the program runs: \`trustplane.jwt.getRole({ name: "ci" })\`, or \`getRoleOutput\` where an argument is an Output.

* A function that makes the server issue something does so only in \`pulumi up\`. In a preview the result of \`jwt.login\` and \`cloud.getCredentials\` is unknown.
* \`revokeAtEnd: true\` gives credentials back when the run has ended. \`waitUntilValid: true\` answers them only when the cloud takes them.`;

function row({ module, longForm }: ResourceModel | FunctionModel, name: string): string[] {
  const [first = ""] = /^.*?\.(?= |$)/.exec(longForm.summary) ?? [longForm.summary];
  return [`[${module}.${name}](${module}/${kebabCase(name)}.md)`, first];
}
