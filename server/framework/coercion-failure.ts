import { type CoercionProblem, causeText, mapstructureWords } from "./coercion-problem";

/** A value that does not fit its field's type; the message is the cause as Vault words it. */
export class CoercionFailure extends Error {
  readonly problem: CoercionProblem;

  constructor(problem: CoercionProblem) {
    super(causeText(problem, mapstructureWords));
    this.problem = problem;
  }
}
