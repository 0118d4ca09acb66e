import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { NATIVE_CLASSES, PACKAGE_NAME } from "../provider/core/package-name";

/** What a person wrote about a resource or a function, beside its definition. */
export interface LongForm {
  /** The first paragraph: what it is. */
  readonly summary: string;
  /** The first program. */
  readonly example: string;
  /** The whole text. */
  readonly text: string;
}

/** Where the text of `jwt:Role` or `jwt:getRole` is. */
export function longFormPath(kind: "resources" | "functions", token: string): string {
  const [module = "", name = ""] = token.split(":");
  return join("provider", kind, module, `${kebabCase(name)}.md`);
}

/** Reads the text. Throws when there is none, or it lacks one of the parts. */
export function readLongForm(kind: "resources" | "functions", token: string, repository: string): LongForm {
  const path = longFormPath(kind, token);
  if (!existsSync(join(repository, path))) throw new Error(`${path} is missing: a title, a paragraph, and an example`);
  const text = readFileSync(join(repository, path), "utf8");
  const summary = /^# .+\n\n([^#`][\s\S]*?)\n\n/.exec(text)?.[1]?.replaceAll("\n", " ");
  const example = /^```ts\n([\s\S]*?)\n```$/m.exec(text)?.[1];
  if (!summary || !example)
    throw new Error(`${path} must begin with a title and a paragraph, and have a program in \`\`\`ts`);
  return { summary, example, text };
}

/** The same text for who imports the native classes. */
export function nativeLongForm({ summary, example, text }: LongForm): LongForm {
  const native = (program: string) => program.replaceAll(`from "${PACKAGE_NAME}"`, `from "${NATIVE_CLASSES}"`);
  return { summary, example: native(example), text: native(text) };
}

export function kebabCase(name: string): string {
  return name.replace(/(?<=[a-z0-9])[A-Z]/g, "-$&").toLowerCase();
}
