import * as pulumi from "@pulumi/pulumi";
import { refusedInPreview } from "../function";

/** What the SDK knows of a function that the plugin serves; generated from the function's table. */
export interface FunctionTraits {
  /** Pulumi's name of the function. */
  readonly token: string;
  /** As a program calls it: `jwt.getRole`. */
  readonly title: string;
  /** The server makes something new on every call: only during an update, never in a preview. */
  readonly issues: boolean;
  /** The result holds secrets, and so is one. */
  readonly isSecret: boolean;
}

/** Calls a function at once. Rejects in a preview where the server would issue something. */
export async function call<Result>(
  { token, title, issues }: FunctionTraits,
  args: object | undefined,
  opts?: pulumi.InvokeOptions,
): Promise<Result> {
  if (issues && pulumi.runtime.isDryRun()) throw refusedInPreview(title);
  return pulumi.runtime.invoke(token, { ...args }, opts);
}

/**
 * Calls a function when its arguments are known and what they come from is made. The result is unknown before that, and
 * in a preview where the server would issue something.
 */
export function callOutput<Result>(
  { token, issues, isSecret }: FunctionTraits,
  args: object | undefined,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<Result> {
  const result =
    issues && pulumi.runtime.isDryRun()
      ? pulumi.output(args).apply((): Result => {
          // The mark of a value that is not known yet: the Output of it has no value either.
          return pulumi.unknown as unknown as Result;
        })
      : pulumi.runtime.invokeOutput<Result>(token, { ...args }, opts);
  // There is nothing in a plain result that Pulumi would unwrap.
  return isSecret ? (pulumi.secret(result) as pulumi.Output<Result>) : result;
}
