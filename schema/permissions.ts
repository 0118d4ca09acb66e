import type { Definition } from "../provider/core/definition";
import type { Field, Fields } from "../provider/core/field";
import type { FunctionDefinition } from "../provider/core/function";
import { ruleFor, rulesText } from "../provider/dialects/consul-policy";
import type { Question } from "../provider/dialects/dialect";
import { choices, needsOf } from "../provider/dialects/needs";
import { vault } from "../provider/dialects/vault";
import { type Grant, merged, policyText } from "../provider/dialects/vault-policy";

/** What the server has to allow, ready to paste where the server keeps its policies. */
export interface Permissions {
  /** What the text is, and where it goes. */
  readonly heading: string;
  /** Nothing where no policy language says it, or where nothing is needed. */
  readonly text?: string;
}

/** Paths that anybody may use, as who logs in has no token yet (reference secrets-server 3). */
const OPEN_TO_ALL = /^auth\/[^/]+\/(login|oidc\/auth_url)$/;

/** What the token of a resource needs for its whole life: create, read, update, delete, and what goes before a delete. */
export function resourcePermissions(definition: Definition): Permissions {
  const { dialect, members } = definition;
  const fields = { ...members?.of.fields, ...definition.fields };
  if (dialect === "tfe") return managePolicies;
  if (dialect === "consul") return consulRules(needsOf(definition), definition.parts ? "On both clusters, the" : "The");
  return vaultPolicy(
    fields,
    needsOf(definition).map(({ path, capabilities, why }) => ({ path, capabilities, comments: why ? [why] : [] })),
  );
}

/** What the token of a function needs. */
export function functionPermissions(definition: FunctionDefinition): Permissions {
  const { dialect, fields, release } = definition;
  if (dialect === "tfe") return managePolicies;
  if (dialect === "consul") return consulRules(requestsOf(definition), "The");
  const uses = requestsOf(definition).flatMap(({ method, path }): Grant[] => {
    if (OPEN_TO_ALL.test(filled(path, fields))) return [];
    return [{ path, capabilities: vault.capabilities({ method, path }), comments: [] }];
  });
  if (uses.length === 0) return { heading: "None: anybody may ask this, also without a token." };
  const back: Grant[] = release?.when
    ? [{ path: release.path, capabilities: ["update"], comments: ["Revokes what was issued."] }]
    : [];
  const doubts = uses.flatMap(({ path }): Grant[] => {
    const doubt = vault.doubtAt?.(path);
    return doubt ? [{ path: doubt.path, capabilities: ["read"], comments: [doubt.why] }] : [];
  });
  return vaultPolicy(fields, [...uses, ...back, ...doubts]);
}

const managePolicies: Permissions = {
  heading:
    "HCP Terraform and Terraform Enterprise have no policy text for this: use the token of a user or a team whose organization access includes **Manage policies** (the owners team has it).",
};

function consulRules(uses: readonly Question[], subject: string): Permissions {
  const rules = uses.flatMap((use) => ruleFor(use) ?? []);
  const hint = rules.some(({ of }) => of === "intention")
    ? ' Write `service "<name>"` instead of `service_prefix ""` to allow the intentions of one service only.'
    : "";
  return { heading: `${subject} token of Consul needs an ACL policy with this rule.${hint}`, text: rulesText(rules) };
}

function vaultPolicy(fields: Fields, uses: readonly Grant[]): Permissions {
  const grants = merged(uses.map((use) => ({ ...use, path: filled(use.path, fields) })));
  const needed = grants.filter((grant) => !grants.some((other) => other !== grant && covers(other, grant)));
  const heading = ["The token of Vault or OpenBao needs this policy.", ...hints(fields, needed)].join(" ");
  return { heading, text: policyText(needed) };
}

/** True where a grant with a wild card at its end allows all that another one would. */
function covers({ path, capabilities }: Grant, other: Grant): boolean {
  const isWithin = path.endsWith("*") && other.path.startsWith(path.slice(0, -1));
  return isWithin && other.capabilities.every((word) => capabilities.includes(word));
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

function requestsOf({ request, fields }: FunctionDefinition) {
  const all = choices(fields).map((values) => request(values));
  return [...new Map(all.map((each) => [`${each.method} ${each.path}`, each])).values()];
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
