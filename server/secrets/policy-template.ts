/** Whom the placeholders of a policy's paths stand for: the user of a token. */
export interface PolicySubject {
  readonly entity: {
    readonly id: string;
    readonly name: string;
    readonly metadata: TemplateMetadata;
    readonly aliases: readonly TemplateAlias[];
  };
  readonly groups: readonly { readonly id: string; readonly name: string; readonly metadata: TemplateMetadata }[];
}

export interface TemplateAlias {
  readonly id: string;
  readonly name: string;
  readonly mountAccessor: string;
  readonly metadata: TemplateMetadata;
  readonly customMetadata: TemplateMetadata;
}

type TemplateMetadata = Readonly<Record<string, string>> | null;

/** Whether a path has placeholders such as `{{identity.entity.id}}`; `undefined` where their braces do not match. */
export function hasPlaceholders(path: string): boolean | undefined {
  const [head = "", ...pieces] = path.split("{{");
  const isBalanced = !head.includes("}}") && pieces.every((piece) => piece.split("}}").length === 2);
  return isBalanced ? pieces.length > 0 : undefined;
}

/** The path with the subject's values; `undefined` where it has none for a placeholder, so that the rule does not count. */
export function filledPath(path: string, subject: PolicySubject | undefined): string | undefined {
  if (!hasPlaceholders(path)) return path;
  const values: (string | undefined)[] = [];
  const filled = path.replace(/\{\{(.*?)\}\}/gs, (_, selector: string) => {
    const value = subject === undefined ? undefined : selected(selector.trim(), subject);
    values.push(value);
    return value ?? "";
  });
  return values.includes(undefined) ? undefined : filled;
}

function selected(selector: string, { entity, groups }: PolicySubject): string | undefined {
  const [, kind, rest = ""] = /^identity\.(entity|groups)\.(.*)$/s.exec(selector) ?? [];
  if (kind === "entity") {
    const [, accessor, ofAlias = ""] = /^aliases\.([^.]*)\.(.*)$/s.exec(rest) ?? [];
    if (accessor === undefined) return memberOf(entity, rest);
    const alias = entity.aliases.find(({ mountAccessor }) => mountAccessor === accessor);
    return alias && memberOf(alias, ofAlias);
  }
  if (kind !== "groups") return undefined;
  const [, by, which, ofGroup = ""] = /^(ids|names)\.([^.]*)\.(.*)$/s.exec(rest) ?? [];
  const group = groups.find(({ id, name }) => (by === "ids" ? id : name) === which);
  return group && memberOf(group, ofGroup);
}

interface Described {
  readonly id: string;
  readonly name: string;
  readonly metadata: TemplateMetadata;
  readonly customMetadata?: TemplateMetadata;
}

function memberOf(of: Described, member: string): string | undefined {
  if (member === "id") return of.id;
  if (member === "name") return of.name;
  const [, kind, key = ""] = /^(metadata|custom_metadata)\.(.*)$/s.exec(member) ?? [];
  const values = kind === "custom_metadata" ? of.customMetadata : kind === "metadata" ? of.metadata : undefined;
  return values && Object.hasOwn(values, key) ? values[key] : undefined;
}
