import { UNKNOWN } from "../../provider/core/unknowns.ts";
import {
  admins,
  around,
  bound,
  policy,
  project,
  role,
  roleChange,
  rule,
  stays,
  step,
  type TrustSentence,
} from "./sentence-steps.ts";
import { sentencesOfOthers } from "./sentences-of-others.ts";
import { sentencesOfPlaces } from "./sentences-of-places.ts";

/** Changes, and what the comment says of each. The page for pull requests has the same table. */
export const trustSentences: readonly TrustSentence[] = [
  {
    change: "a role no longer demands a branch",
    steps: roleChange({}, bound({ ...project, ref_type: "branch" })),
    sentence: "Jobs of `acme/app` on any branch now get the policy `deploy`; before, only on `main`.",
  },
  {
    change: "one branch more",
    steps: roleChange({}, bound({ ...project, ref: ["main", "release"], ref_type: "branch" })),
    sentence: "Jobs of `acme/app` on `release` now get the policy `deploy`, too; before, only on `main`.",
  },
  {
    change: "another branch",
    steps: roleChange({}, bound({ ...project, ref: "dev", ref_type: "branch" })),
    sentence: "Jobs of `acme/app` on `dev` now get the policy `deploy`, and no longer on `main`.",
  },
  {
    change: "a star in the project's place",
    steps: roleChange(
      {},
      bound({ project_path: "acme/*", ref: "main", ref_type: "branch" }, { boundClaimsType: "glob" }),
    ),
    sentence: "Jobs of anything like `acme/*` on `main` now get the policy `deploy`; before, only of `acme/app`.",
  },
  {
    change: "a star alone, and the subject in two places",
    steps: roleChange(
      {},
      bound({ ref: "*", ref_type: "branch", sub: "ci" }, { boundClaimsType: "glob", boundSubject: "ci" }),
    ),
    sentence:
      "Jobs of any project on any branch or tag with the subject `ci` now get the policy `deploy`; before, of `acme/app` on `main` with any subject.",
  },
  {
    change: "no demand but the audience is left",
    steps: roleChange({}, bound({})),
    sentence:
      "Anybody with a token of `https://git.example.com` with the audience `vault` now gets the policy `deploy`; before, only jobs of `acme/app` on `main`.",
  },
  {
    change: "a demand more",
    steps: roleChange({}, bound({ ...project, ref: "main", ref_type: "branch", environment: "prod" })),
    sentence:
      "Only jobs of `acme/app` on `main` in the environment `prod` still get the policy `deploy`, and others no longer (before, in any environment or none).",
  },
  {
    change: "a branch is demanded where none was",
    steps: roleChange(bound(project), bound({ ...project, ref: "main", ref_type: "branch" })),
    sentence:
      "Only jobs of `acme/app` on `main` still get the policy `deploy`, and others no longer (before, on any branch or tag).",
  },
  {
    change: "a secret claim goes away",
    steps: roleChange(bound({ ref: "main" }), bound({}), { secrets: ["boundClaims"] }),
    sentence:
      "Anybody with a token of `https://git.example.com` with the audience `vault` now gets the policy `deploy`; before, a value of the claims was demanded that is secret, or not known yet.",
  },
  {
    change: "secret addresses go away",
    steps: roleChange({ tokenBoundCidrs: ["10.0.0.0/8"] }, { tokenBoundCidrs: [] }, { secrets: ["tokenBoundCidrs"] }),
    sentence:
      "Jobs of `acme/app` on `main` from any address now get the policy `deploy`; before, a value of the address was demanded that is secret, or not known yet.",
  },
  {
    change: "a secret claim changes",
    steps: roleChange(bound({ ref: "main" }), bound({ ref: "dev" }), { secrets: ["boundClaims"] }),
    sentence:
      "Who gets the policy `deploy` cannot be told: what the role demands of the claims is secret, or not known yet.",
  },
  {
    change: "a claim is not known yet",
    steps: roleChange({}, bound({ ...project, ref: UNKNOWN, ref_type: "branch" })),
    sentence:
      "Who gets the policy `deploy` cannot be told: what the role demands of `ref` is secret, or not known yet.",
  },
  {
    change: "an audience where none was bound",
    steps: roleChange({ boundAudiences: [] }, { boundAudiences: ["vault"] }),
    sentence:
      "Jobs of `acme/app` on `main` with the audience `vault` now get the policy `deploy`, and no longer without an audience.",
  },
  {
    change: "no audience is bound any more",
    steps: roleChange({}, { boundAudiences: [] }),
    sentence:
      "Jobs of `acme/app` on `main` without an audience now get the policy `deploy`, and no longer with the audience `vault`.",
  },
  {
    change: "addresses, wider",
    steps: roleChange({ tokenBoundCidrs: ["10.1.0.0/16"] }, { tokenBoundCidrs: ["10.0.0.0/8"] }),
    sentence:
      "Jobs of `acme/app` on `main` from `10.0.0.0/8` now get the policy `deploy`; before, only from `10.1.0.0/16`.",
  },
  {
    change: "a policy more",
    steps: roleChange({}, { tokenPolicies: ["admin", "deploy"] }),
    sentence: "Jobs of `acme/app` on `main` now also get the policy `admin`; before, only `deploy`.",
  },
  {
    change: "a policy less",
    steps: roleChange({}, { tokenPolicies: [] }),
    sentence: "Jobs of `acme/app` on `main` no longer get the policy `deploy`.",
  },
  {
    change: "a role is opened, and keeps its groups only",
    steps: [
      ...roleChange({ groupsClaim: "groups" }, { ...bound({}), groupsClaim: "groups", tokenPolicies: [] }),
      stays("identity:Group", admins),
    ],
    sentence:
      "Anybody with a token of `https://git.example.com` with the audience `vault` now gets in (the role gives no policy of its own: who has `platform` in the claim `groups` gets `admin`); before, only jobs of `acme/app` on `main`.",
  },
  {
    change: "a role is opened, keeps its groups, and gives another policy",
    steps: [
      ...roleChange({ groupsClaim: "groups" }, { ...bound({}), groupsClaim: "groups", tokenPolicies: ["read"] }),
      stays("identity:Group", admins),
    ],
    sentence:
      "Anybody with a token of `https://git.example.com` with the audience `vault` now gets what the groups named in the claim `groups` of the token give (who has `platform` in the claim `groups` gets `admin`); before, only jobs of `acme/app` on `main`.",
  },
  {
    change: "a claim of groups",
    steps: [...roleChange({}, { groupsClaim: "groups" }), stays("identity:Group", admins)],
    sentence:
      "Jobs of `acme/app` on `main` now get what the groups named in the claim `groups` of the token give (who has `platform` in the claim `groups` gets `admin`); before, the claim was not read.",
  },
  {
    change: "a new role",
    steps: [...around, step("jwt:Role", undefined, role)],
    sentence: "Jobs of `acme/app` on `main` now get the policy `deploy`: the role is new.",
  },
  {
    change: "a new role without a demand",
    steps: [...around, step("jwt:Role", undefined, { ...role, boundClaims: {} })],
    sentence:
      "Anybody with a token of `https://git.example.com` with the audience `vault` now gets the policy `deploy`: the role is new.",
  },
  {
    change: "a role is gone",
    steps: [...around, step("jwt:Role", role)],
    sentence: "Jobs of `acme/app` on `main` no longer get the policy `deploy`: the role is gone.",
  },
  {
    change: "a role leaves the state and stays (`retainOnDelete`, `removed`)",
    steps: [...around, { ...step("jwt:Role", role), isLeft: true }],
    sentence: "Jobs of `acme/app` on `main` still get the policy `deploy`, and nobody manages the role any more.",
  },
  {
    change: "people instead of jobs",
    steps: roleChange({}, { roleType: "oidc", allowedRedirectUris: ["http://localhost:8250/oidc/callback"] }),
    sentence:
      "Those who log in through a browser at `https://git.example.com` with `project_path` `acme/app` and `ref` `main` now get the policy `deploy`; before, jobs of `acme/app` on `main`.",
  },
  {
    change: "a longer life",
    steps: roleChange({}, { tokenTtl: "1h" }),
    sentence: "Issued tokens now live 1h; before, 15m.",
  },
  {
    change: "templates switched on (OpenBao)",
    steps: roleChange({}, { tokenPoliciesTemplateClaims: true, tokenPolicies: ["app-{{project_path}}"] }),
    sentence:
      "Claims of the token now fill in the name of the policy `app-{{project_path}}`: whoever can choose that claim can choose the policy.",
  },
  {
    change: "a claim to copy, for a policy with a template",
    steps: [
      ...roleChange({ claimMappings: { project_path: "app" } }, { claimMappings: { ref: "app" } }),
      stays("sys:Policy", policy(rule("secret/{{identity.entity.aliases.auth_jwt_1.metadata.app}}/*", '"read"'))),
    ],
    sentence:
      "The paths that the policy `deploy` gives to jobs of `acme/app` on `main` are now filled in from `ref`; before, from `project_path`.",
  },
  {
    change: "an import that also drops a demand",
    steps: roleChange({}, bound({ ...project, ref_type: "branch" }), { isImport: true }),
    sentence: "Jobs of `acme/app` on any branch now get the policy `deploy`; before, only on `main`.",
  },
  {
    change: "the claim of the user is not known yet",
    steps: roleChange({}, { userClaim: UNKNOWN }),
    sentence: "It cannot be told which claim says who somebody is: a setting of the role is secret, or not known yet.",
  },
  ...sentencesOfOthers,
  ...sentencesOfPlaces,
];
