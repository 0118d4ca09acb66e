import { installCommand } from "../../io/package-origin";
import { codeSpan } from "../../text/markdown";
import { manySection } from "./many-records";
import { shell } from "./markdown-sections";
import type { Program, SecretValue } from "./program";
import type { ProjectOptions } from "./project-options";
import { projectReadme, variablesOf } from "./project-readme";

interface ReadmeOptions extends Omit<ProjectOptions, "language"> {
  readonly language: Language;
  /** Whether the project has import.json. */
  readonly isImported: boolean;
}

/** What to do with the project, and what it does not have. */
export function readme(program: Program, options: ReadmeOptions): string {
  const { classes, language, isImported } = options;
  const commands = classes === "plugin" ? withImport(program, isImported, language) : takeOver(program);
  return projectReadme(program, {
    ...options,
    as: "program",
    // An old state would go on with what another run leaves out.
    sections: [
      commands,
      ...(isImported && !options.handOver ? manySection(program, options) : []),
      ...secretsSection(program.secrets, language),
      protection(language),
      GIVE_UP,
    ],
  });
}

/** Those of Pulumi: a Terraform configuration has a README of its own. */
type Language = Exclude<ProjectOptions["language"], "hcl">;

/** How the SDK of a language gets to the program. */
const SDK_IN = {
  typescript: "",
  yaml: "",
  python:
    "python3 -m venv venv\nvenv/bin/pip install -r requirements.txt <checkout>/sdk/python # <checkout>: a clone of trustplane\n",
  go: `go mod edit -require trustplane/sdk/go@v0.0.0 -replace trustplane/sdk/go=<checkout>/sdk/go # <checkout>: a clone of trustplane
go mod tidy
`,
} as const satisfies Record<Language, string>;

function first(program: Program, language: Language): string {
  return `${installCommand()}\n${SDK_IN[language]}pulumi stack init dev\n${variablesOf(program)}`;
}

function withImport(program: Program, isImported: boolean, language: Language): string {
  const take = isImported
    ? "pulumi import --file import.json --generate-code=false --yes # only reads the servers\n"
    : "";
  return `${IMPORT}\n\n${shell(`${first(program, language)}\n${take}${CHECKS}`)}`;
}

const IMPORT = `## Next commands

The import records in the stack what is there. The preview then shows no change, and the update writes nothing to the servers: it
records in the stack what depends on what. Import and program protect everything: \`pulumi destroy\` refuses to delete it.`;

const CHECKS = `pulumi preview --expect-no-changes
pulumi up --yes --expect-no-changes # writes nothing to the servers
npx trustplane drift`;

/** Where a program says that its resources are protected. */
const PROTECTED_BY = {
  typescript: "`protect` in `adopted.ts`",
  python: "`protect` in `resources/adopted.py`",
  go: "`Protect` in `adopted.go`",
  yaml: "`protect` in `Pulumi.yaml`",
} as const satisfies Record<Language, string>;

function protection(language: Language): string {
  return `## Protection

${PROTECTED_BY[language]} protects everything that was there: \`pulumi destroy\` is refused, and so is an update that would delete or
replace a record. To delete one, run \`pulumi state unprotect --yes '<its URN>'\`, ${REMOVE[language]}, and run \`pulumi up\`.
The comment there says how to give the protection up for all: after that, both delete what is live.`;
}

/** Options are those of a whole loop: without them, none of its records is protected. */
const IN_LOOP = "remove it from the program, or from the data of its loop";
const REMOVE = { typescript: IN_LOOP, python: IN_LOOP, go: IN_LOOP, yaml: "remove it from `Pulumi.yaml`" } as const;

const GIVE_UP = `## Give it up again

This forgets the stack, and every record stays on the servers as it is:

${shell("pulumi stack rm --force --yes dev")}

One resource: \`pulumi state delete --force --yes '<its URN>'\`, and take it out of the program. With \`retainOnDelete: true\` in the place of its
protection, and one \`pulumi up\` with that, it may also be taken out of the program alone.`;

function takeOver(program: Program): string {
  const commands = `${first(program, "typescript")}\npulumi preview\npulumi up\npulumi preview --expect-no-changes\nnpx trustplane drift`;
  return `${TAKE_OVER}\n\n${shell(commands)}`;
}

const TAKE_OVER = `## Next commands

The preview shows that everything is created, because the stack is still empty. The update finds each record as the program says
and takes it over. It writes only records that hide a value, such as \`jwt.Config\`: with the values that they have.`;

/** The values to set, with the commands. */
export function secretsSection(secrets: readonly SecretValue[], language: Language): string[] {
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

const IN_CODE = `Until such a value is set, its resource is not part of the stack and its record is left alone. Once it is set, \`pulumi up\` takes the
record over and writes it with this value, as \`takeOver\` says. \`retainOnDelete\` keeps the record on the server if the value is unset again; when
every stack has the value, remove the condition and \`takeOver\`, and write \`adopted\` in the place of \`retainOnDelete\`.`;

const UNTIL_SET = {
  typescript: IN_CODE,
  python: IN_CODE,
  go: IN_CODE,
  yaml: `The resources that need them are comments in \`Pulumi.yaml\`, and their records are left alone. Set a value, remove the \`# \` of its lines,
and \`pulumi up\` takes the record over and writes it with this value.`,
};

function mapLine({ key, property, resource, shown }: SecretValue, language: Language): string {
  const seen = `The server shows ${codeSpan(JSON.stringify(shown))} and leaves out secret members`;
  if (language === "yaml")
    return `* ${codeSpan(property)} of ${codeSpan(resource)}: ${seen}: add them as \`fn::secret\`.`;
  return `* ${codeSpan(key)}: all members of ${codeSpan(property)} of ${codeSpan(resource)} as JSON. ${seen}.`;
}
