import { hasUnknown, isRecord } from "../../../provider/core/unknowns";
import type { KnownPolicy } from "../../stack/known-policies";
import { DEPLOY, ENTRA_CONFIG } from "./example-records";
import { type FoundText, textsIn } from "./found-texts";
import { powersOf } from "./policy-reach";
import type { LintRule, Weakness } from "./rule";
import { isEntra, isUuid } from "./shared-issuers";

/** Of what a login or credentials may do. */
export const POLICY_RULES: readonly LintRule[] = [
  {
    name: "admin-policy",
    of: ["jwt:Role", "cloud:Role", "identity:Group"],
    severity: "warning",
    finds: "a policy as good as an administrator's, or one named like that whose text is not known",
    bad: { ...DEPLOY, boundClaims: { project_id: "22" }, tokenPolicies: ["ci-admin"] },
    good: { ...DEPLOY, boundClaims: { project_id: "22" }, tokenPolicies: ["deploy"] },
    sources: [
      "https://developer.hashicorp.com/vault/docs/concepts/production-hardening",
      "https://docs.aws.amazon.com/IAM/latest/UserGuide/best-practices.html",
    ],
    why: "a login or credentials that may do everything, or give themselves more, should be rare, and asked for by a person",
    find: ({ tokenPolicies, policies, policyArns, roleArns, iamGroups, arn, ...values }, { policyOf }) => [
      ...[...textsIn("tokenPolicies", tokenPolicies), ...textsIn("policies", policies)].flatMap((found) =>
        adminPolicy(found, policyOf(found.text, values)),
      ),
      ...Object.entries({ policyArns, roleArns, iamGroups, arn }).flatMap(([property, value]) =>
        textsIn(property, value).flatMap((found) => adminPolicy(found, {})),
      ),
    ],
  },
  {
    name: "unknown-policy",
    of: ["jwt:Role", "identity:Group"],
    severity: "warning",
    finds: "a policy that the preview deletes; with `--live`, one that neither the stack nor the server has",
    deleted: [["sys:Policy", { name: "gone", policy: "# none" }]],
    bad: { ...DEPLOY, boundClaims: { project_id: "22" }, tokenPolicies: ["gone"] },
    good: { ...DEPLOY, boundClaims: { project_id: "22" }, tokenPolicies: ["deploy"] },
    sources: ["https://developer.hashicorp.com/vault/docs/concepts/policies"],
    why: "who logs in gets nothing by it, and who makes a policy of that name decides what the tokens may do",
    find: ({ tokenPolicies, policies, tokenPoliciesTemplateClaims, ...values }, { policyOf }) =>
      [...textsIn("tokenPolicies", tokenPolicies), ...textsIn("policies", policies)]
        .filter(({ text }) => tokenPoliciesTemplateClaims !== true || !text.includes("{{"))
        .flatMap(({ property, text }): Weakness[] => {
          const { missing } = policyOf(text, values);
          return missing === undefined ? [] : [{ property, what: `names ${missing}: ${JSON.stringify(text)}` }];
        }),
  },
  {
    name: "group-name",
    of: ["identity:Group"],
    severity: "warning",
    finds: "a group of Entra by a name",
    beside: [ENTRA_CONFIG],
    bad: { name: "admins", type: "external", policies: ["deploy"], alias: { mount: "people", name: "Admins" } },
    good: {
      name: "admins",
      type: "external",
      policies: ["deploy"],
      alias: { mount: "people", name: "02f4a1c0-7f0e-4c4e-9a55-0d2b6b7f1a11" },
    },
    sources: ["https://github.com/hashicorp/web-unified-docs/pull/1942"],
    why: "Entra puts object ids of groups into its tokens unless the application is set up to give names: nobody becomes a member by a name",
    find: ({ alias, ...values }, { issuerOf }) => {
      if (!isRecord(alias) || hasUnknown(alias["name"]) || !isEntra(issuerOf({ ...values, mount: alias["mount"] })))
        return [];
      return isUuid(String(alias["name"])) ? [] : [{ property: "alias.name", what: "is no object id" }];
    },
  },
];

/** Words of a name, such as `ci-admin` or `AdministratorAccess`. */
const ADMIN =
  /(^|[^a-z])(root|admin|admins|administrator|administrators|superuser|sudo)($|[^a-z])|AdministratorAccess|PowerUserAccess|IAMFullAccess/i;

/** A policy whose text is known is judged by what it allows, any other one by its name. */
function adminPolicy({ property, text: name }: FoundText, { text }: KnownPolicy): readonly Weakness[] {
  const shown = JSON.stringify(name);
  const powers = text === undefined ? undefined : powersOf(text);
  const [widest] = powers ?? [];
  if (widest !== undefined)
    return [{ property, what: `names a policy that ${widest.may}: ${shown} by ${JSON.stringify(widest.path)}` }];
  const isNamed = powers === undefined && ADMIN.test(name.slice(name.lastIndexOf("/") + 1));
  return isNamed ? [{ property, what: `is named like an administrator's: ${shown}` }] : [];
}
