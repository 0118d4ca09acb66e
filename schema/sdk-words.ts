import { comment } from "./tsdoc";

/** Words to choose from, as Pulumi's schema has them. */
interface WordsSpec {
  readonly enum: readonly { readonly name: string; readonly value: string }[];
}

/** The sources of the words of every module: of those that are in none, under `index`. */
export function sdkWords(types: Readonly<Record<string, object>>): Readonly<Record<string, string>> {
  const words = Object.entries(types).flatMap(([token, spec]) => (isWords(spec) ? [[token, spec] as const] : []));
  const byModule = Object.groupBy(words, ([token]) => token.replace(/^.*?:(.*)\/.*$/, "$1"));
  const sources = Object.entries(byModule).map(([module, list = []]) => [
    module,
    list.map(([token, spec]) => declaration(token.replace(/^.*:/, ""), spec)).join("\n\n"),
  ]);
  return Object.fromEntries(sources);
}

function isWords(spec: object): spec is WordsSpec {
  return "enum" in spec;
}

/** Not an `enum`: the text itself, which programs also write, must fit its type. */
function declaration(name: string, { enum: members }: WordsSpec): string {
  const lines = members.map((member) => `  ${JSON.stringify(member.name)}: ${JSON.stringify(member.value)},`);
  const said = comment([`The words of \`${name}\`, as programs that \`pulumi import\` writes name them.`]);
  return `${said}\nexport const ${name} = {\n${lines.join("\n")}\n} as const;
export type ${name} = (typeof ${name})[keyof typeof ${name}];`;
}
