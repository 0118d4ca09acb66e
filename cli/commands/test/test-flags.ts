import type { Command } from "commander";
import type { TrustSource } from "../../sources/source-text";
import { exitCodesHelp } from "../options/exit-codes";
import { LIVE_SERVERS, liveConnectionOption, liveOption, stateOption } from "../options/stack-flags";

/** The command line of `trustplane test`, as commander gives it. */
export interface TestFlags extends TrustSource {
  readonly json?: boolean;
  readonly junit?: string;
}

/** `trustplane test`, with its flags. */
export function addTest(program: Command, run: (file: string, flags: TestFlags) => Promise<void>): void {
  program
    .command("test")
    .summary("test who may log in and what they may do then")
    .description(
      "Test the trust that a stack or a preview wants: log in with tokens made for the test, and look at what they may do. Works offline, on an embedded server in this process: no server is asked without --live.",
    )
    .argument("[file]", "file with the tests", "trust.yml")
    .addOption(stateOption().default("-"))
    .addOption(liveOption())
    .addOption(liveConnectionOption())
    .option("--json", "the results for programs")
    .option("--junit <file>", "also write the results as JUnit XML to this file")
    .addHelpText("after", MORE)
    .action(run);
}

const MORE = `${LIVE_SERVERS}
${exitCodesHelp("test")}

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

Examples
  pulumi stack export | trustplane test
  pulumi preview --json --show-sames | trustplane test trust.yml --junit trust.xml
  trustplane test --live
`;
