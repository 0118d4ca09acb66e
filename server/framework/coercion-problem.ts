import { goTypeName, goValueText } from "./go-format";
import { goQuoted } from "./go-quoted";
import type { WireValue } from "./wire-value";

/** Why a value does not fit its field's type. The text of `said` is the same in every product. */
export type CoercionProblem =
  | { readonly kind: "said"; readonly text: string }
  | { readonly kind: "notBool"; readonly text: string }
  | { readonly kind: "notInt"; readonly text: string; readonly reason: string }
  | { readonly kind: "unconvertible"; readonly name: string; readonly expected: string; readonly value: WireValue }
  | { readonly kind: "notMap"; readonly name: string; readonly value: WireValue }
  | { readonly kind: "elements"; readonly problems: readonly CoercionProblem[] };

/** The texts of a product: the library that decodes fields has changed them over time. */
export type CoercionWords = {
  readonly [K in Exclude<CoercionProblem["kind"], "said" | "elements">]: (
    problem: Extract<CoercionProblem, { kind: K }>,
  ) => string;
} & { elements(causes: readonly string[]): string };

/** mapstructure 1.4, which Vault decodes with. */
export const mapstructureWords: CoercionWords = {
  notBool: ({ text }) => `cannot parse '' as bool: strconv.ParseBool: parsing ${goQuoted(text)}: invalid syntax`,
  notInt: ({ text, reason }) => `cannot parse '' as int: strconv.ParseInt: parsing ${goQuoted(text)}: ${reason}`,
  unconvertible: ({ name, expected, value }) =>
    `'${name}' expected type '${expected}', got unconvertible type '${goTypeName(value)}', value: '${goValueText(value)}'`,
  // Numbers are strings to Go's decoder, so the text calls them that.
  notMap: ({ name, value }) => `'${name}' expected a map, got '${typeof value === "boolean" ? "bool" : "string"}'`,
  elements: (causes) => `${causes.length} error(s) decoding:\n\n${causes.map((cause) => `* ${cause}`).join("\n")}`,
};

/** mapstructure 2.4, which OpenBao decodes with: it repeats no values. */
export const newerMapstructureWords: CoercionWords = {
  notBool: () => "'' cannot parse value as 'bool': strconv.ParseBool: invalid syntax",
  notInt: ({ reason }) => `'' cannot parse value as 'int': strconv.ParseInt: ${reason}`,
  unconvertible: ({ name, expected, value }) =>
    `'${name}' expected type '${expected}', got unconvertible type '${goTypeName(value)}'`,
  notMap: ({ name, value }) =>
    `'${name}' expected type 'map[string]interface {}', got unconvertible type '${goTypeName(value)}'`,
  elements: (causes) => `decoding failed due to the following error(s):\n\n${causes.join("\n")}`,
};

export function causeText(problem: CoercionProblem, words: CoercionWords): string {
  switch (problem.kind) {
    case "said":
      return problem.text;
    case "notBool":
      return words.notBool(problem);
    case "notInt":
      return words.notInt(problem);
    case "unconvertible":
      return words.unconvertible(problem);
    case "notMap":
      return words.notMap(problem);
    case "elements":
      return words.elements(problem.problems.map((each) => causeText(each, words)).sort());
  }
}
