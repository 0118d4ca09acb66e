/** A schema as the answer to `GetProviderSchema` has it. */
export interface AnsweredSchema {
  readonly block: { readonly description: string; readonly attributes: readonly AnsweredAttribute[] };
}

export interface AnsweredAttribute {
  readonly name: string;
  readonly description?: string;
  readonly type?: Uint8Array;
  readonly nestedType?: { readonly nesting: number; readonly attributes: readonly AnsweredAttribute[] };
  readonly required?: boolean;
  readonly optional?: boolean;
  readonly computed?: boolean;
  readonly sensitive?: boolean;
  readonly writeOnly?: boolean;
  readonly deprecated?: boolean;
}

/** The attributes in the order that readers of the registry know: what must be set, what may be, what is read. */
export function schemaSection({ block }: AnsweredSchema): string {
  const nested: string[] = [];
  const sections = groups(block.attributes, "", nested);
  return ["## Schema", ...sections.map(([title, lines]) => `### ${title}\n\n${lines}`), ...nested].join("\n\n");
}

/** The type of an attribute, in the words of the registry's pages. */
export function typeText(type: unknown): string {
  if (typeof type === "string") return type === "bool" ? "Boolean" : `${type.charAt(0).toUpperCase()}${type.slice(1)}`;
  const [kind, of] = type as readonly [string, unknown];
  if (kind === "object") return "Object";
  return `${kind.charAt(0).toUpperCase()}${kind.slice(1)} of ${typeText(of)}`;
}

function groups(attributes: readonly AnsweredAttribute[], path: string, nested: string[]): [string, string][] {
  const kinds: readonly (readonly [string, (each: AnsweredAttribute) => boolean])[] = [
    ["Required", ({ required }) => required === true],
    ["Optional", ({ optional }) => optional === true],
    ["Read-Only", ({ required, optional }) => required !== true && optional !== true],
  ];
  return kinds.flatMap(([title, isOne]): [string, string][] => {
    const lines = attributes.filter(isOne).map((each) => attributeLine(each, path, nested));
    return lines.length === 0 ? [] : [[title, lines.join("\n")]];
  });
}

function attributeLine(attribute: AnsweredAttribute, path: string, nested: string[]): string {
  const { name, description = "", nestedType } = attribute;
  const own = `${path}${name}`;
  const words = [
    nestedType ? nestingText(nestedType.nesting) : typeText(JSON.parse(Buffer.from(attribute.type ?? []).toString())),
    attribute.sensitive === true && "Sensitive",
    attribute.writeOnly === true && "Write-only",
    attribute.deprecated === true && "Deprecated",
  ].filter(Boolean);
  if (!nestedType) return `- \`${name}\` (${words.join(", ")}) ${description}`.trimEnd();
  const anchor = `nestedatt--${own.replaceAll(".", "--")}`;
  const place = nested.length;
  const sections = groups(nestedType.attributes, `${own}.`, nested).map(([title, lines]) => `${title}:\n\n${lines}`);
  nested.splice(place, 0, [`<a id="${anchor}"></a>\n### Nested Schema for \`${own}\``, ...sections].join("\n\n"));
  return `- \`${name}\` (${words.join(", ")}) ${description} (see [below for nested schema](#${anchor}))`;
}

function nestingText(nesting: number): string {
  return `Attributes${["", "", " List", " Set", " Map"][nesting] ?? ""}`;
}
