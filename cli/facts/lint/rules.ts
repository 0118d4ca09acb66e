import { CLAIM_VALUE_RULES } from "./claim-value-rules";
import { CLOUD_RULES } from "./cloud-rules";
import { LIFETIME_RULES } from "./lifetime-rules";
import { LOGIN_RULES } from "./login-rules";
import { POLICY_RULES } from "./policy-rules";
import type { LintRule } from "./rule";
import { SERVER_RULES } from "./server-rules";

/** The rules in the order in which notes are shown. Values that are not known yet are not judged. */
export const LINT_RULES: readonly LintRule[] = [
  ...LOGIN_RULES,
  ...CLAIM_VALUE_RULES,
  ...POLICY_RULES,
  ...CLOUD_RULES,
  ...LIFETIME_RULES,
  ...SERVER_RULES,
];
