/** What the values in a template can be. */
export type TemplateValue = string | number | boolean;

export function isTrue(value: TemplateValue | undefined): boolean {
  return value !== undefined && value !== "" && value !== 0 && value !== false;
}

/** The Go type that texts name for a value. */
export function kindOf(value: TemplateValue | undefined): string {
  if (typeof value === "string") return "string";
  return typeof value === "boolean" ? "bool" : "int";
}
