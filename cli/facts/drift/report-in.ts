import * as z from "zod";
import { ProviderError } from "../../../provider/core/errors";
import { parseJson } from "../../../provider/core/parse-json";
import type { DriftReport } from "./report";

const FORMAT = "trustplane-drift-report/1";

/** The members that are checked. The rest needs no check: this package wrote it. */
const whole = z.object({
  result: z.enum(["none", "drift", "unknown"]),
  counts: z.record(z.string(), z.number()),
  resources: z.array(z.object({ status: z.string() })),
  ignoreFile: z.array(z.object({ resource: z.string() })),
});

/** The drift report in a text; undefined when it is something else. Throws for one that is not whole. */
export function driftReportIn(text: string): DriftReport | undefined {
  const value = Object(parseJson(text));
  const form = String(value.format ?? /^\s*\{\s*"format":\s*"([^"]*)/.exec(text)?.[1]);
  if (!form.startsWith("trustplane-drift-report/")) return undefined;
  if (form !== FORMAT)
    throw new ProviderError(
      "InputError",
      "the drift report is of another release of trustplane: use the same one for both.",
    );
  if (!whole.safeParse(value).success) throw cutReport("a drift report that was cut");
  return value as DriftReport;
}

/** The error for an input that says nothing about drift. */
export function cutReport(what: string): ProviderError {
  return new ProviderError(
    "InputError",
    `the input is ${what}: nothing was written, and an open issue stays as it is. Run trustplane drift --json to its end first.`,
  );
}
