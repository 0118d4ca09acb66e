import * as pulumi from "@pulumi/pulumi";
import { type Answering, answer, answerOutput, type CommonTraits } from "../function";
import { sayWithoutPlugin } from "./plugin-notice";

/** What the SDK knows of a function that the plugin serves; generated from the function's table. */
export interface FunctionTraits extends CommonTraits {
  /** Pulumi's name of the function. */
  readonly token: string;
}

/** Calls a function at once. Rejects in a preview where the server would issue something. */
export function call<Result>(
  traits: FunctionTraits,
  args: object | undefined,
  opts?: pulumi.InvokeOptions,
): Promise<Result> {
  return answer(traits, answering(traits, opts), args);
}

/**
 * Calls a function when its arguments are known and what they come from is made. The result is unknown before that, and
 * in a preview where the server would issue something.
 */
export function callOutput<Result>(
  traits: FunctionTraits,
  args: object | undefined,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<Result> {
  return answerOutput(traits, answering(traits, opts), args, opts);
}

function answering({ token }: FunctionTraits, opts?: pulumi.InvokeOptions): Answering {
  sayWithoutPlugin();
  return {
    call: (args) => pulumi.runtime.invoke(token, args, opts),
    // The engine takes no answer that is unknown: a preview cannot ask, and the update refuses what is wrong.
    check: async () => {},
  };
}
