import type { Definition, Write } from "../provider/core/definition";
import type { Field, Fields } from "../provider/core/field";
import type { FunctionDefinition } from "../provider/core/function";
import { type Removal, removalOf } from "../provider/core/removal";

/** What the server has to allow, ready to paste where the server keeps its policies. */
export interface Permissions {
  /** What the text is, and where it goes. */
  readonly heading: string;
  /** Nothing where no policy language says it, or where nothing is needed. */
  readonly text?: string;
}

/** A path of the API, and what is done there. */
interface Use {
  readonly path: string;
  readonly capabilities: readonly string[];
  /** Why, where it is not plain. */
  readonly reason?: string;
}

/** Vault makes a POST a create where the record is new and the path knows such a thing, and an update otherwise. */
const CAPABILITIES = { GET: ["read"], POST: ["create", "update"], PATCH: ["patch"], DELETE: ["delete"] } as const;
const ORDER = ["create", "read", "update", "patch", "delete", "list", "sudo"];

/** Paths that the server keeps for tokens with `sudo` (reference secrets-server 5.1). */
const ROOT_PROTECTED = /^sys\/auth\/./;

/** Paths that anybody may use, as who logs in has no token yet (reference secrets-server 3). */
const OPEN_TO_ALL = /^auth\/[^/]+\/(login|oidc\/auth_url)$/;

/** What the token of a resource needs for its whole life: create, read, update, delete, and what goes before a delete. */
export function resourcePermissions(definition: Definition): Permissions {
  const { dialect, fields } = definition;
  if (dialect === "tfe") return managePolicies;
  if (dialect === "consul") return peeringRule("write", definition.parts ? "On both clusters, the" : "The");
  const paths = [definition.create.path, definition.update.path, definition.read.path];
  return vaultPolicy(fields, [
    ...[definition.create, definition.update].map(written),
    { path: definition.read.path, capabilities: CAPABILITIES.GET },
    ...removals(definition).map((removal) => ({ path: removal.path, capabilities: CAPABILITIES[removal.method] })),
    ...[definition.inhabited?.within ?? []].flat().map((path) => ({
      path,
      capabilities: ["list"],
      reason: "Before a delete: does the mount still contain anything?",
    })),
    ...mountsOf(paths.filter((path) => !path.startsWith("sys/"))),
  ]);
}

/** What the token of a function needs. */
export function functionPermissions(definition: FunctionDefinition): Permissions {
  const { dialect, fields, release } = definition;
  if (dialect === "tfe") return managePolicies;
  if (dialect === "consul") return peeringRule("read", "The");
  const uses = requestsOf(definition).flatMap(({ method, path }) => {
    if (OPEN_TO_ALL.test(filled(path, fields))) return [];
    const isList = path.endsWith("?list=true");
    // A function's POST asks for something, and makes no record.
    const capabilities = isList ? ["list"] : method === "POST" ? ["update"] : CAPABILITIES[method];
    return [{ path, capabilities }];
  });
  if (uses.length === 0) return { heading: "None: anybody may ask this, also without a token." };
  const back = { path: release?.path ?? "", capabilities: ["update"], reason: "Revokes what was issued." };
  return vaultPolicy(fields, [...uses, ...(release ? [back] : []), ...mountsOf(uses.map(({ path }) => path))]);
}

const managePolicies: Permissions = {
  heading:
    "HCP Terraform and Terraform Enterprise have no policy text for this: use the token of a user or a team whose organization access includes **Manage policies** (the owners team has it).",
};

function peeringRule(access: "read" | "write", subject: string): Permissions {
  return {
    heading: `${subject} token of Consul needs an ACL policy with this rule.`,
    text: `peering = "${access}"`,
  };
}

function vaultPolicy(fields: Fields, uses: readonly Use[]): Permissions {
  const byPath = Map.groupBy(uses, ({ path }) => filled(path, fields));
  const grants = [...byPath].map(([path, its]) => {
    const words = new Set(its.flatMap(({ capabilities }) => capabilities));
    if (ROOT_PROTECTED.test(path)) words.add("sudo");
    const reasons = new Set(its.flatMap(({ reason }) => (reason ? [`# ${reason}\n`] : [])));
    return { path, words: ORDER.filter((word) => words.has(word)), reasons: [...reasons].join("") };
  });
  const needed = grants.filter((grant) => !grants.some((other) => other !== grant && covers(other, grant)));
  const blocks = needed.map(({ path, words, reasons }) => {
    const list = words.map((word) => `"${word}"`).join(", ");
    return `${reasons}path "${path}" {\n  capabilities = [${list}]\n}`;
  });
  const heading = ["The token of Vault or OpenBao needs this policy.", ...hints(fields, needed)].join(" ");
  return { heading, text: blocks.join("\n\n") };
}

interface Grant {
  readonly path: string;
  readonly words: readonly string[];
}

/** True where a grant with a wild card at its end allows all that another one would. */
function covers({ path, words }: Grant, other: Grant): boolean {
  return (
    path.endsWith("*") && other.path.startsWith(path.slice(0, -1)) && other.words.every((word) => words.includes(word))
  );
}

/** How the text is fitted to the reader's own names. */
function hints(fields: Fields, grants: readonly Grant[]): string[] {
  const mount = fields["mount"]?.fallback;
  const has = (wildCard: string) => grants.some(({ path }) => path.includes(wildCard));
  return [
    mount === undefined ? "" : `Where the mount is not \`${String(mount)}\`, write its path instead.`,
    // A mount's path may have slashes, a name has none.
    mount === undefined && has("+")
      ? "`+` stands for one segment of a path: write the mount's own path to allow no other, or where it has several."
      : "",
    mount !== undefined && has("+") ? "`+` stands for any name: write one to allow no other." : "",
    has("*") ? "`*` stands for any path." : "",
  ].filter(Boolean);
}

function written({ method, path }: Write): Use {
  return { path, capabilities: CAPABILITIES[method] };
}

/** Every way in which the record may go away. */
function removals(definition: Definition): Removal[] {
  const ways = choices(definition.fields).map((values) => removalOf(definition, values));
  return ways.filter((way) => way !== undefined);
}

/** What decides between requests is a choice of words. */
function choices(fields: Fields): Readonly<Record<string, unknown>>[] {
  const words = Object.entries(fields).flatMap(([name, { schema }]) => {
    const options: unknown = schema && "options" in schema ? schema.options : undefined;
    return Array.isArray(options) ? options.map((word: unknown) => ({ [name]: word })) : [];
  });
  return [{}, ...words];
}

function requestsOf({ request, fields }: FunctionDefinition) {
  const all = choices(fields).map((values) => request(values));
  return [...new Map(all.map((each) => [`${each.method} ${each.path}`, each])).values()];
}

/** After "no handler for route", the list of mounts says whether the mount is gone or the namespace is wrong. */
function mountsOf(paths: readonly string[]): Use[] {
  const lists = paths.map((path) => (path.startsWith("auth/") ? "sys/auth" : "sys/mounts"));
  return [...new Set(lists)].map((path) => ({
    path,
    capabilities: CAPABILITIES.GET,
    reason: "Distinguishes a missing mount from a wrong namespace.",
  }));
}

/** The path with a default for a value, or a wild card: one segment, or the rest where a path can have several. */
function filled(template: string, fields: Fields): string {
  const plain = template.replace(/\?.*$/, "").replace(/\[.*?\]/g, "");
  return plain.replace(/\{(\w+)\}/g, (placeholder, name: string, at: number) => {
    const field = fields[name];
    if (field?.fallback !== undefined) return String(field.fallback);
    const isLast = at + placeholder.length === plain.length;
    return isLast && field && takesSlashes(field) ? "*" : "+";
  });
}

function takesSlashes({ schema }: Field): boolean {
  return schema.safeParse("team/jwt").success;
}
