/** What to do about a failed preview, by its message. The first row that fits counts. */
const ADVICE: readonly (readonly [message: RegExp, todo: string])[] = [
  [
    /has a problem:/,
    "The program asks for something that the servers would refuse. Correct the properties that are named; nothing was sent.",
  ],
  [
    /unhandled exception|failed to compile|TSError|SyntaxError|Cannot find module/,
    "The program itself failed. `pulumi preview` on your machine shows the same.",
  ],
  [
    /\b403\b|permission denied|\b401\b|unauthorized/i,
    "The token of the CI job may not do this. Give its policy the path that the message names, or check that the job is logged in.",
  ],
  [
    /no answer from|ECONNREFUSED|ENOTFOUND|ETIMEDOUT|connection was refused/,
    "The CI job does not reach the server. Check the address, and whether the runner may connect to it.",
  ],
  [
    /passphrase|failed to decrypt|secrets manager/i,
    "The CI job cannot decrypt the stack's secrets. Give it the stack's secrets provider or PULUMI_CONFIG_PASSPHRASE.",
  ],
  [
    /PULUMI_ACCESS_TOKEN|pulumi login|no stack named|not logged in/i,
    "The CI job does not reach the stack. Check PULUMI_BACKEND_URL or PULUMI_ACCESS_TOKEN, and the name of the stack.",
  ],
  [
    /conflict|is currently locked|another update|acquiring the state lock/i,
    "Another update of the stack is running. Run this job again when it has ended.",
  ],
];

const otherwise = "Correct the cause and push again, or run the job again: this comment is then replaced.";

export function adviceFor(errors: readonly string[]): string {
  const row = ADVICE.find(([message]) => errors.some((error) => message.test(error)));
  return row?.[1] ?? otherwise;
}
