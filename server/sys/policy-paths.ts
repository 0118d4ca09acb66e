import { definePath, type OperationRequest, type Path, type Reply } from "../framework/backend";
import type { Fields } from "../framework/field-type";
import { Refusal } from "../framework/refusal";
import { builtInPolicies } from "../secrets/default-policy";
import { type PolicyWriting, shownSettings } from "../secrets/policy-settings";
import type { PolicyStore } from "../secrets/policy-store";
import { PolicyFailure } from "../secrets/policy-text";
import { scannedNames } from "./scanned-names";

const textFields = { name: "string", policy: "string", rules: "string" } as const;
const fields = {
  ...textFields,
  cas: "int",
  cas_required: "bool",
  expiration: "string",
  ttl: "durationSecond",
  allow_wildcards_in_identity_templates: "bool",
  allow_slashes_in_identity_templates: "bool",
} as const;
type PolicyRequest = OperationRequest<typeof fields>;

interface PolicyParts {
  readonly policies: PolicyStore;
  readonly keepsPolicySettings: boolean;
  readonly now: () => Date;
}

/** `sys/policies/acl` and its older form `sys/policy`, which calls the text `rules` and also lists on a plain read. */
export function policyPaths({ policies, keepsPolicySettings, now }: PolicyParts): readonly Path[] {
  const ignores = keepsPolicySettings ? [] : Object.keys(fields).filter((name) => !(name in textFields));
  const operationsFor = (textKey: "policy" | "rules") => ({
    read: ({ data }: PolicyRequest): Reply | undefined => {
      const name = data.get("name").toLowerCase();
      refuseDots(name, "failed to read policy");
      const text = policies.text(name);
      const settings = keepsPolicySettings ? shownSettings(policies.settings(name)) : {};
      return text === undefined ? undefined : { data: { name, [textKey]: text, ...settings } };
    },
    update: ({ data }: PolicyRequest): Reply | undefined =>
      writePolicy(policies, { data, textKey, writing: keepsPolicySettings ? () => writingOf(data, now()) : undefined }),
    delete: ({ data }: PolicyRequest): undefined => {
      const name = data.get("name").toLowerCase();
      if (isFixed(name)) throw new Refusal(`cannot delete "${name}" policy`);
      if (name === "default") throw new Refusal("cannot delete default policy");
      refuseDots(name, "failed to delete policy");
      policies.delete(name);
    },
  });
  // The storage does not hold `root`, which is added at the end.
  const keys = () => [...scannedNames(policies.names().filter((name) => !isFixed(name))), "root"];
  const olderList = (_request: OperationRequest<Fields>): Reply => ({ data: { keys: keys(), policies: keys() } });
  return [
    definePath({
      pattern: "policies/acl/?",
      fields: {},
      operations: { list: () => ({ data: { keys: keys() } }) },
    }),
    { ...definePath({ pattern: "policies/acl/(?<name>.+)", fields, operations: operationsFor("policy") }), ignores },
    definePath({ pattern: "policies/rgp/?", fields: {}, operations: { list: () => refuseEnterprise() } }),
    definePath({ pattern: "policy/?", fields: {}, operations: { read: olderList, list: olderList } }),
    { ...definePath({ pattern: "policy/(?<name>.+)", fields, operations: operationsFor("rules") }), ignores },
  ];
}

interface PolicyWrite {
  readonly data: PolicyRequest["data"];
  readonly textKey: "policy" | "rules";
  /** Undefined where the product keeps nothing beside the text. */
  readonly writing: (() => PolicyWriting) | undefined;
}

function writePolicy(policies: PolicyStore, { data, textKey, writing }: PolicyWrite): Reply | undefined {
  const given = data.get("name");
  const name = given.toLowerCase();
  const isOldForm = textKey === "rules" && data.get("policy") === "" && data.get("rules") !== "";
  const text = decoded(isOldForm ? data.get("rules") : data.get("policy"));
  if (text === "") throw new Refusal("'policy' parameter not supplied or empty");
  const settings = writing?.();
  if (isFixed(name)) throw new Refusal(`cannot update "${name}" policy`);
  refuseDots(name, "failed looking up conflicting policy");
  try {
    policies.put(name, text, settings);
  } catch (failure) {
    if (failure instanceof PolicyFailure) throw new Refusal(`failed to parse policy: ${failure.message}`);
    throw failure;
  }
  const warnings = [
    ...(name === given ? [] : [`policy name was converted to ${name}`]),
    ...(isOldForm ? ["'rules' is deprecated, please use 'policy' instead"] : []),
  ];
  return warnings.length > 0 ? { warnings } : undefined;
}

/** What a write says beside the text, by OpenBao's source (`handlePoliciesSet` of 2.6). */
function writingOf(data: PolicyRequest["data"], now: Date): PolicyWriting {
  const [at, ttl] = [data.given("expiration"), data.given("ttl")];
  if (at !== undefined && ttl !== undefined)
    throw new Refusal("cannot supply both 'expiration' and 'ttl' for policies");
  const expirationMs = ttl === undefined ? timeIn(at) : now.getTime() + ttl * 1000;
  if (expirationMs !== undefined && expirationMs <= now.getTime())
    throw new Refusal("refusing to update policy as expiration time has already elapsed");
  return {
    cas: data.given("cas"),
    casRequired: data.get("cas_required"),
    expirationMs,
    allowsWildcards: data.get("allow_wildcards_in_identity_templates"),
    allowsSlashes: data.get("allow_slashes_in_identity_templates"),
  };
}

/** Go's zero time means none. */
function timeIn(text: string | undefined): number | undefined {
  if (!text || text.startsWith("0001-01-01T00:00:00")) return undefined;
  const ms = /^\d+$/.test(text) ? 1000 * Number(text) : Date.parse(text);
  if (Number.isNaN(ms)) throw new Refusal("could not parse string as date and time");
  return ms;
}

function refuseEnterprise(): never {
  throw new Refusal("enterprise-only feature", { status: 404 });
}

function isFixed(name: string): boolean {
  return name === "root" || builtInPolicies.has(name);
}

// The storage behind the policies refuses them.
function refuseDots(name: string, doing: string): void {
  if (name.includes("..")) throw new Refusal(`${doing}: relative paths not supported`);
}

// Vault takes the text in base64 too, and decodes whatever decodes.
function decoded(text: string): string {
  const isBase64 = text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);
  return isBase64 ? Buffer.from(text, "base64").toString("utf8") : text;
}
