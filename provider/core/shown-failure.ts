import type { Definition, Values } from "./definition";
import type { Failure } from "./errors";
import { secretProperties } from "./fingerprint";

/**
 * A failure as it may be reported. Pulumi prints the value of the property that a failure names: not of what is secret,
 * or unknown to us. Of what lies deeper, and of what is missing, it would print `<nil>`. `hidden` are properties that
 * the program keeps secret beside those of the definition.
 */
export function shownFailure(
  definition: Definition,
  inputs: Values,
  { property, reason }: Failure,
  hidden: readonly string[] = [],
): Failure {
  const isThere = property in definition.fields && inputs[property] !== undefined;
  const mayShow = isThere && ![...secretProperties(definition, inputs), ...hidden].includes(property);
  return { property: mayShow ? property : "", reason: mayShow ? reason : `${property} ${reason}` };
}
