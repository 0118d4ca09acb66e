import { CloudFailure, cloudFailure } from "./cloud-failure";

type Value = string | number | undefined;

/** One field of a call: its name in the API, its value, the least length of a text or the least number. */
export type InputField = readonly [name: string, value: Value, least: number];

/**
 * What the cloud's SDK refuses by itself, before it asks the cloud: values below their minimum.
 * The fields come in the SDK's order, which is alphabetical, nested ones last.
 */
export function assertInput(operation: string, fields: readonly InputField[]): void {
  const problems = fields.flatMap(([name, value, least]) => {
    if (value === undefined) return [];
    const isNumber = typeof value === "number";
    if ((isNumber ? value : value.length) >= least) return [];
    return [`- minimum field ${isNumber ? "value" : "size"} of ${least}, ${operation}Input.${name}.\n`];
  });
  if (problems.length === 0) return;
  throw new CloudFailure(`InvalidParameter: ${problems.length} validation error(s) found.\n${problems.join("")}`);
}

/** What the cloud refuses: values above their maximum. */
export function assertAtMost(name: string, value: string | number, most: number): void {
  const isNumber = typeof value === "number";
  if ((isNumber ? value : value.length) <= most) return;
  // The two blanks are part of the cloud's text on lengths.
  const constraint = isNumber ? `value less than or equal to ${most}` : `length less than or  equal to ${most}`;
  throw cloudFailure(
    "ValidationError",
    `1 validation error detected: Value '${value}' at '${name}' failed to satisfy constraint: Member must have ${constraint}`,
    400,
  );
}

/** @throws CloudFailure for a document that is no policy. */
export function assertPolicyDocument(document: string): void {
  const hasStatements = (value: unknown): boolean =>
    typeof value === "object" && value !== null && "Statement" in value && typeof value.Statement === "object";
  try {
    if (hasStatements(JSON.parse(document))) return;
  } catch {
    // Refused below, in the same words.
  }
  throw cloudFailure("MalformedPolicyDocument", "Syntax errors in policy.", 400);
}
