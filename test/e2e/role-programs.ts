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

/** The roles of a mount, by name. */
export function rolesOf(story: Story, mount = "jwt"): string[] {
  return namesIn(story, `auth/${mount}/role/`);
}

/** The policies, by name, without those that every server has. */
export function policiesOf(story: Story): string[] {
  return namesIn(story, "sys/policies/acl/").filter((name) => !["default", "root"].includes(name));
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

function namesIn({ ours }: Story, folder: string): string[] {
  const below = Object.keys(ours.records().secrets).filter((path) => path.startsWith(folder));
  return below.map((path) => path.slice(folder.length)).sort();
}
