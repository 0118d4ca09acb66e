import { type Failure, isProviderError } from "../../core/errors";
import { plainText } from "../../core/plain-text";
import { attributeName, type Wording } from "./names";

/** A message to the user as Terraform has them. */
export interface Diagnostic {
  readonly severity: typeof ERROR | typeof WARNING;
  readonly summary: string;
  readonly detail: string;
  readonly attribute?: AttributePath;
}

export interface AttributePath {
  readonly steps: readonly { readonly attributeName: string }[];
}

const ERROR = 1;
const WARNING = 2;

export function pathOf(attribute: string): AttributePath {
  return { steps: [{ attributeName: attribute }] };
}

/** What is wrong with the program, each at its attribute. */
export function failureDiagnostics(failures: readonly Failure[], wording: Wording): Diagnostic[] {
  return failures.map(({ property, reason }) => {
    const name = attributeName(property.split(/[.[]/)[0] ?? "");
    const inside = wording(property.replace(/^[^.[]*/, ""));
    const detail = `${name}${inside} ${wording(reason)}`;
    return { severity: ERROR, summary: "Invalid value", detail, ...(name === "" ? {} : { attribute: pathOf(name) }) };
  });
}

/** Why something could not be done. */
export function errorDiagnostics(error: unknown, wording: Wording): Diagnostic[] {
  const message = plainText(error instanceof Error ? error.message : String(error));
  const summary = isProviderError(error) ? SUMMARIES[error.code] : SUMMARIES.BugError;
  return [{ severity: ERROR, summary, detail: wording(message) }];
}

/** Terraform shows one warning of all that have the same summary: what must be seen has its own. */
export function warning(message: string, wording: Wording, summary = "trustplane"): Diagnostic {
  return { severity: WARNING, summary: wording(plainText(summary)), detail: wording(plainText(message)) };
}

const SUMMARIES = {
  ConfigError: "Wrong configuration of the provider",
  InputError: "Refused",
  ApiError: "The server refused or failed",
  NetworkError: "The server cannot be reached",
  ResponseError: "Unexpected answer of the server",
  PartialError: "Done in part",
  BugError: "A defect of trustplane",
} as const;
