import { onTestFinished } from "vitest";
import { openStory, type Story, type StoryOptions } from "./pulumi-story.ts";

// Programs with roles and policies, and what the server has of them.

/** Both kinds of classes, by the name of their module. */
export const bothLibraries = ["trustplane", "trustplane/native"] as const;

const SETTINGS = { roleType: "jwt", userClaim: "sub", boundAudiences: ["a"] };

export const program = (library: string, ...statements: readonly string[]) =>
  `const trustplane = require("${library}");\nconst { jwt, sys } = trustplane;\n${statements.join("\n")}\n`;

/** `options` is an expression. */
export const role = (resource: string, name = resource, options = "{}") =>
  `new jwt.Role("${resource}", ${JSON.stringify({ ...SETTINGS, name, boundSubject: name })}, ${options});`;

export const policy = (resource: string, name = resource, options = "{}") =>
  `new sys.Policy("${resource}", { name: "${name}", policy: 'path "secret/${name}" { capabilities = ["read"] }' }, ${options});`;

/** An exclusive set `ci`, which the program knows as `set`. */
export function exclusiveSet(names: readonly string[], more: object = {}): string {
  const roles = Object.fromEntries(names.map((name) => [name, { boundSubject: name }]));
  return `const set = new jwt.RoleSet("ci", ${JSON.stringify({ exclusive: true, defaults: SETTINGS, roles, ...more })});`;
}

/** A story that ends with its test. */
export async function beginStory(source: string, options: Omit<StoryOptions, "program"> = {}): Promise<Story> {
  const story = await openStory({ program: { source }, ...options });
  onTestFinished(story.close);
  return story;
}

/** What the server has below a path, such as `auth/jwt/role`. */
export function namesIn(story: Story, path: string): string[] {
  const below = Object.keys(story.ours.records().secrets).filter((each) => each.startsWith(`${path}/`));
  return below.map((each) => each.slice(path.length + 1)).sort();
}

/** Writes as somebody else, who knows nothing of the stack. */
export async function writeByHand({ ours }: Story, path: string, body: object): Promise<void> {
  const { address, token } = ours.secrets;
  const init = { method: "POST", headers: { "x-vault-token": token }, body: JSON.stringify(body) };
  const { status } = await fetch(`${address}/v1/${path}`, init);
  if (status >= 300) throw new Error(`POST ${path} was answered ${status}`);
}

/** Roles that no program has. */
export async function makeByHand(story: Story, names: readonly string[], mount = "jwt"): Promise<void> {
  const body = { role_type: "jwt", user_claim: "sub", bound_audiences: ["a"] };
  for (const name of names) await writeByHand(story, `auth/${mount}/role/${name}`, body);
}
