import type { Values } from "../../../provider/core/definition";
import type { PolicyLookup } from "../../stack/known-policies";
import type { IssuerLookup, MethodLookup } from "./shared-issuers";

/** A weakness of one property. */
export interface Weakness {
  readonly property: string;
  /** The end of a sentence that begins with the property, such as `has a wildcard`. Never holds a secret. */
  readonly what: string;
}

export interface LintLimits {
  /** Longest lifetime that gets no note, in seconds. */
  readonly ttlSeconds: number;
}

/** What a rule is given beside the values. */
export interface LintContext extends LintLimits {
  readonly policyOf: PolicyLookup;
  readonly issuerOf: IssuerLookup;
  /** The configuration and the mount of a role's auth method. */
  readonly configOf: MethodLookup;
  readonly mountOf: MethodLookup;
}

/** As SARIF has them, the worst first. */
export const SEVERITIES = ["error", "warning", "note"] as const;
export type Severity = (typeof SEVERITIES)[number];

/** A resource of an example: its token and its values. */
export type ExampleRecord = readonly [token: string, values: Values];

/** One rule of the review: where it looks, and why what it finds is worth a second look. */
export interface LintRule {
  readonly name: string;
  /** Tokens of the resources that it looks at. */
  readonly of: readonly string[];
  readonly why: string;
  readonly severity: Severity;
  /** What it finds, as the object of "Finds", such as `a role that any token can use`. */
  readonly finds: string;
  /** What both examples need beside them, and what their preview deletes. Both are shown with them. */
  readonly beside?: readonly ExampleRecord[];
  readonly deleted?: readonly ExampleRecord[];
  /** Values of the first resource that it looks at, which it notes, and others that no rule notes. */
  readonly bad: Values;
  readonly good: Values;
  /** Public pages that say the same, the most important first. */
  readonly sources: readonly string[];
  find(values: Values, context: LintContext): readonly Weakness[];
}
