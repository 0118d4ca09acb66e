import { Command } from "commander";
import type { TokenSource } from "../../sources/given-token";
import type { NamedStack } from "../../sources/stack-source";
import { helpText } from "../options/help-text";
import { addStackOptions } from "../options/stack-options";

/** What all explanations need. */
export interface StackFlags extends NamedStack {
  readonly json?: boolean;
}

export interface ExplainTokenFlags extends StackFlags, TokenSource {
  readonly mount: string;
  readonly role?: string;
  readonly address: string;
}

/** How each explanation is run. */
export interface Explanations {
  token(flags: ExplainTokenFlags): Promise<void>;
  who(flags: StackFlags & { readonly policy: string }): Promise<void>;
  role(name: string, flags: StackFlags & { readonly mount?: string }): Promise<void>;
}

/** `trustplane explain`, with its subcommands and flags. */
export function addExplain(program: Command, run: Explanations): void {
  const explain = program
    .command("explain")
    .description("Explain who can log in, and with what result. Works offline: no server is asked without --live.")
    .addHelpText("afterAll", helpText("explain", { examples: EXAMPLES }));
  const add = (command: Command) =>
    explain.addCommand(
      addStackOptions(command.copyInheritedSettings(explain), "explain").option(
        "--json",
        "the explanation for programs",
      ),
    );
  add(
    new Command("token")
      .description("What becomes of a login with a JWT, demand by demand. The token is never printed.")
      .requiredOption("--mount <path>", "path of the auth method, without auth/")
      .option("--role <name>", "the role (default: the auth method's default role)")
      .option(
        "--token <file>",
        "file with the JWT; - is the standard input (default: that of the CI job, as a login of the provider would find it: GitHub Actions is asked for one, others have it in a variable such as VAULT_ID_TOKEN)",
      )
      .option("--token-env <name>", "variable with the JWT, such as a job of GitLab has by its id_tokens")
      .option("--audience <text>", "audience of the JWT that GitHub Actions is asked for (default: GitHub's own)")
      .option("--address <ip>", "where the login comes from", "127.0.0.1")
      .action((file: string | undefined, flags: ExplainTokenFlags) => run.token({ ...flags, file })),
  );
  add(
    new Command("who")
      .description("Everybody who can have a policy, and what makes it so.")
      .requiredOption("--policy <name>", "the policy")
      .action((file: string | undefined, flags: StackFlags & { policy: string }) => run.who({ ...flags, file })),
  );
  add(
    new Command("role")
      .description("Who can log in with a role, and what that gives.")
      .argument("<name>", "the role")
      .option("--mount <path>", "path of the auth method, where several have a role of this name")
      .action((name: string, file: string | undefined, flags: StackFlags & { mount?: string }) =>
        run.role(name, { ...flags, file }),
      ),
  );
}

const EXAMPLES = [
  "trustplane explain token --mount jobs --role deploy --token job.jwt",
  "trustplane explain token --state stack.json --mount jobs --role deploy --audience https://vault.example.com",
  "trustplane explain token --stack acme/production --mount jobs --role deploy --token-env JOB_JWT",
  "pulumi preview --json --show-sames | trustplane explain who --policy deploy",
  "trustplane explain role deploy",
  "trustplane explain who --policy deploy --live",
];
