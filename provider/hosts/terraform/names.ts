import { lazily } from "../../core/lazily";

/** Terraform's form of a property's name: `bound_claims` for `boundClaims`. */
export function snakeCase(name: string): string {
  return name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, "_").toLowerCase();
}

/** Terraform's name of a resource: `trustplane_jwt_role` for `jwt:Role`. */
export function resourceName(token: string): string {
  const [module = "", name = ""] = token.split(":");
  return `trustplane_${module}_${snakeCase(name)}`;
}

/** Terraform's name of a function, which is a noun: `trustplane_jwt_role` for `jwt:getRole`. */
export function functionName(token: string): string {
  return resourceName(token.replace(/:get(?=[A-Z])/, ":"));
}

/** `connection` is a block of Terraform's own in every resource. */
const RENAMED: Readonly<Record<string, string>> = { connection: "connection_name" };

/** The attribute of a resource that stands for a property. */
export function attributeName(property: string): string {
  return RENAMED[property] ?? snakeCase(property);
}

/** A text of the tables or the engine, in the words of a Terraform program. */
export type Wording = (text: string) => string;

/** What is about Pulumi, and what a user of Terraform is told. Names in it have the form of the tables. */
const PHRASES: readonly (readonly [pulumi: string, terraform: string])[] = [
  ["`pulumi up --refresh`", "`terraform apply`"],
  ["`pulumi state delete`", "`terraform state rm`"],
  [
    "the stack's configuration; refresh and destroy use the one of the last update",
    "the program, and a saved plan has it",
  ],
  ["and ends up in the state as a secret: prefer", "as the program and a saved plan have it: prefer"],
  ["it ends up in the state as a secret: prefer", "it is in the program and in a saved plan: prefer"],
  [
    " In a stack's `trustplane:secrets`, `cluster` and `policy` the environment's own token comes before it, as refresh and destroy see the configuration of the last update.",
    "",
  ],
  [" In a stack's `trustplane:secrets` and `cluster` a token in the environment's own variables comes before it.", ""],
  [
    "Refresh and destroy see the configuration of the last update: for one run of them, name the connection in",
    "Take it out after one apply, or name the connection for one run in",
  ],
  ["picks one with `connection`", "picks one with `connection_name`"],
  [
    "To keep what `deletedWith` or `retainOnDelete` has left there, set `retainOnDelete` on the mount, too.",
    "To keep what a `removed` block has left there, write a `removed` block for the mount, too.",
  ],
  ["in `aliases`", "in a `moved` block"],
  ["this stack", "this state"],
];

/** Knows the names that have another form in Terraform, and the few phrases that are about Pulumi. */
export function wordingOf(
  properties: () => readonly string[],
  types: ReadonlyMap<string, string> = new Map(),
): Wording {
  const known = lazily(() => new Set(properties().filter((name) => snakeCase(name) !== name)));
  return (text) =>
    PHRASES.reduce((said, [pulumi, terraform]) => said.replaceAll(pulumi, terraform), text)
      .replace(/\b[a-z]+\.[A-Za-z]+\b/g, (title) => types.get(title) ?? title)
      .replace(/\b[a-z]+\d*(?:[A-Z][a-z0-9]*)+\b/g, (word) => (known().has(word) ? attributeName(word) : word))
      .replace(/`?\btrustplane:(secrets|cluster|policy|connections|take_over)\b`?/g, "the provider's `$1`");
}
