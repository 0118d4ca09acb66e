import { expect, it } from "vitest";
import { reportFailure, StepError } from "../../tools/steps/step-error.mjs";

function reportOf(error: unknown): string {
  let text = "";
  reportFailure(error, {
    stream: {
      write: (part) => {
        text += part;
      },
    },
  });
  return text;
}

it("a failed step is reported with the step, the reason, the last lines and what to do next", () => {
  const error = new StepError("npm ended with code 1", { lastLines: ["ENOTFOUND"], next: "look at the network." });
  error.step = "installing";
  expect(reportOf(error)).toBe(
    '\ntrustplane: "installing" did not work: npm ended with code 1\n\n    ENOTFOUND\n\nWhat to do next: look at the network.\n',
  );
});

it("an error that nobody expected is shown with its stack", () => {
  expect(reportOf(new TypeError("x is undefined"))).toMatch(/TypeError: x is undefined\n\s+at /);
});
