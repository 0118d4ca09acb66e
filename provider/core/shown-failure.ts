import type { Definition, Values } from "./definition";
import type { Failure } from "./errors";
import { secretProperties } from "./fingerprint";
import { hasSealed, type Sealer } from "./seal";

/**
 * A failure as it may be reported. Pulumi prints the value of the property that a failure names: not of what is secret,
 * or unknown to us. Of what lies deeper, and of what is missing, it would print `<nil>`.
 */
export function shownFailure(
  definition: Definition,
  inputs: Values,
  failure: Failure,
  { seal, shown }: Sealer,
): Failure {
  const { property } = failure;
  const isThere = property in definition.fields && inputs[property] !== undefined;
  const isHidden = () =>
    secretProperties(definition, inputs).includes(property) || hasSealed(seal({ [property]: inputs[property] }));
  const said = shown(failure);
  if (isThere && !isHidden()) return { property, reason: said.reason };
  return { property: "", reason: `${said.property} ${said.reason}` };
}
