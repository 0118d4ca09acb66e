import type { Command } from "commander";
import type { NamedStack } from "../../sources/stack-source";
import { helpText } from "../options/help-text";
import { addStackOptions } from "../options/stack-options";

/** The command line of `trustplane test`, as commander gives it. */
export interface TestFlags extends NamedStack {
  readonly json?: boolean;
  readonly junit?: string;
}

/** `trustplane test`, with its flags. */
export function addTest(program: Command, run: (tests: string, flags: TestFlags) => Promise<void>): void {
  const command = program
    .command("test")
    .summary("test who may log in and what they may do then")
    .description(
      "Test the trust that a stack or a preview wants: log in with tokens made for the test, and look at what they may do. Works offline, on an embedded server in this process: no server is asked without --live.",
    )
    .argument("[tests]", "file with the tests", TESTS)
    .action((tests: string, file: string | undefined, flags: TestFlags) =>
      // No file of tests has this name: it is the standard input, as in the other commands.
      tests === "-" && file === undefined ? run(TESTS, { ...flags, file: "-" }) : run(tests, { ...flags, file }),
    );
  addStackOptions(command, "test")
    .option("--json", "the results for programs")
    .option("--junit <file>", "also write the results as JUnit XML to this file")
    .addHelpText("after", helpText("test", { about: ABOUT, examples: EXAMPLES }));
}

const TESTS = "trust.yml";

const ABOUT = `
The file of tests, YAML or JSON:
  tests:
    - name: main deploys
      login: { mount: jobs, role: deploy, claims: { project_path: acme/platform, ref: main, sub: ci } }
      expect: { policies: [deploy], ttl: <= 15m, may: { "secret/data/deploy/*": [read] }, mayNot: { "sys/policies/*": [read, update] } }
    - name: a fork does not
      login: { mount: jobs, role: deploy, claims: { project_path: mallory/platform, ref: main, sub: ci } }
      expect: refused
    - name: only projects of acme deploy
      never: { mount: jobs, policy: deploy, unless: { project_path: acme/* } }
`;

const EXAMPLES = [
  "trustplane test",
  "pulumi preview --json --show-sames | trustplane test trust.yml --junit trust.xml",
  "trustplane test --live",
];
