import { codeSpan } from "../changes/markdown";
import { visibleLine } from "../changes/visible-text";
import type { NotAdopted } from "./found-record";
import type { Program, SecretValue } from "./program";
import type { ProjectOptions } from "./project-options";

interface ReadmeOptions extends ProjectOptions {
  /** Whether the project has import.json. */
  readonly isImported: boolean;
}

/** What to do with the project, and what it does not have. */
export function readme(program: Program, options: ReadmeOptions): string {
  const { project, classes, language, isImported, leftOut, unread } = options;
  const count = program.files.reduce((sum, { resources }) => sum + resources.length, 0);
  return [
    `# ${project}`,
    `Written by \`trustplane adopt\`: ${count} resources of what the servers had. Nothing was written to a server.`,
    classes === "plugin" ? withImport(isImported) : TAKE_OVER,
    ...secretsSection(program.secrets, language),
    ...listSection("Left out", "These records are on the servers, and not in this program:", leftOut),
    ...listSection(
      "Not read",
      "The servers did not show these. Run `trustplane adopt` again when the token may read them:",
      unread,
    ),
  ]
    .join("\n\n")
    .concat("\n");
}

const FIRST =
  "npm install\npulumi stack init dev\nexport VAULT_ADDR=… VAULT_TOKEN=… # or the variables of the other services";

function withImport(isImported: boolean): string {
  const take = isImported
    ? "pulumi import --file import.json --generate-code=false --protect=false --yes # only reads the servers\n"
    : "";
  const text = "## Next commands\n\nThe import records in the stack what is there. The preview then shows no change.";
  return `${text}\n\n${shell(`${FIRST}\n${take}pulumi preview --expect-no-changes\nnpx trustplane drift`)}`;
}

const TAKE_OVER = `## Next commands

The preview shows that everything is created, because the stack is still empty. The update finds each record as the program says
and takes it over. It writes only records that hide a value, such as \`jwt.Config\`: with the values that they have.

${shell(`${FIRST}\npulumi preview\npulumi up\npulumi preview --expect-no-changes\nnpx trustplane drift`)}`;

function secretsSection(secrets: readonly SecretValue[], language: ProjectOptions["language"]): string[] {
  if (secrets.length === 0) return [];
  const isMap = ({ shown }: SecretValue) => shown !== undefined;
  // A program in YAML has such a map in place of a value of the configuration.
  const set = language === "yaml" ? secrets.filter((secret) => !isMap(secret)) : secrets;
  const commands = set.map(
    (secret) => `pulumi config set --secret ${secret.key}${isMap(secret) ? " # JSON, see below" : ""}`,
  );
  const maps = secrets.filter(isMap).map((secret) => mapLine(secret, language));
  return [
    `## Values that no server shows\n\n${UNTIL_SET[language]}`,
    ...(commands.length > 0 ? [shell(commands.join("\n"))] : []),
    ...(maps.length > 0 ? [maps.join("\n")] : []),
  ];
}

const UNTIL_SET = {
  typescript: `Until such a value is set, its resource is not part of the stack and its record is left alone. Once it is set, \`pulumi up\` takes the
record over and writes it with this value. \`retainOnDelete\` keeps the record on the server if the value is unset again; when
every stack has the value, remove the condition and \`retainOnDelete\` from the program.`,
  yaml: `The resources that need them are comments in \`Pulumi.yaml\`, and their records are left alone. Set a value, remove the \`# \` of its lines,
and \`pulumi up\` takes the record over and writes it with this value.`,
};

function mapLine({ key, property, resource, shown }: SecretValue, language: ProjectOptions["language"]): string {
  const seen = `The server shows ${codeSpan(JSON.stringify(shown))} and leaves out secret members`;
  if (language === "yaml")
    return `* ${codeSpan(property)} of ${codeSpan(resource)}: ${seen}: add them as \`fn::secret\`.`;
  return `* ${codeSpan(key)}: all members of ${codeSpan(property)} of ${codeSpan(resource)} as JSON. ${seen}.`;
}

function listSection(title: string, text: string, list: readonly NotAdopted[]): string[] {
  if (list.length === 0) return [];
  const lines = list.map(({ what, reason }) => `* ${codeSpan(what)}: ${codeSpan(visibleLine(reason))}`);
  return [`## ${title}\n\n${text}\n\n${lines.join("\n")}`];
}

function shell(commands: string): string {
  return `\`\`\`sh\n${commands}\n\`\`\``;
}
