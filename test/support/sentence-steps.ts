import type { Values } from "../../provider/core/definition.ts";

/** One change of a stack, and what the comment says of it. The page for pull requests has the same table. */
export interface TrustSentence {
  readonly change: string;
  readonly sentence: string;
  readonly steps: readonly SentenceStep[];
}

export interface SentenceStep {
  readonly token: string;
  readonly name: string;
  readonly before?: Values;
  readonly after?: Values;
  /** Properties that are secret in the program. */
  readonly secrets?: readonly string[];
  /** Leaves the state, and stays on the server. */
  readonly isLeft?: boolean;
  readonly isImport?: boolean;
}

export const role: Values = {
  mount: "jobs",
  name: "deploy",
  roleType: "jwt",
  userClaim: "sub",
  boundAudiences: ["vault"],
  boundClaims: { project_path: "acme/app", ref: "main", ref_type: "branch" },
  tokenPolicies: ["deploy"],
  tokenTtl: "15m",
};
export const config: Values = {
  mount: "jobs",
  jwksUrl: "https://git.example.com/keys",
  boundIssuer: "https://git.example.com",
};
export const admins: Values = {
  name: "admins",
  type: "external",
  policies: ["admin"],
  alias: { mount: "jobs", name: "platform" },
};
export const policy = (...rules: readonly string[]): Values => ({ name: "deploy", policy: rules.join("\n") });
export const rule = (path: string, words: string) => `path "${path}" { capabilities = [${words}] }`;

export const step = (token: string, before?: Values, after?: Values): SentenceStep => ({
  token,
  name: String(
    (after ?? before)?.["name"] ?? (after ?? before)?.["destination"] ?? (after ?? before)?.["mount"] ?? "default",
  ),
  ...(before ? { before } : {}),
  ...(after ? { after } : {}),
});
export const stays = (token: string, values: Values) => step(token, values, values);
export const around = [stays("jwt:Config", config)];
export const roleChange = (was: Values, is: Values, more: Partial<SentenceStep> = {}): readonly SentenceStep[] => [
  ...around,
  { ...step("jwt:Role", { ...role, ...was }, { ...role, ...is }), ...more },
];
export const bound = (claims: Values, more: Values = {}): Values => ({ boundClaims: claims, ...more });
export const project = { project_path: "acme/app" };
