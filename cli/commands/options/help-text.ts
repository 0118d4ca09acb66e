import { COMMANDS, type CommandInput, type CommandName, type CommandRow } from "./commands";

/** What only this command's help says. */
interface HelpText {
  readonly about?: string;
  /** Command lines. */
  readonly examples: readonly string[];
}

/** What help says after the flags, in the order that all commands have: input, what only this command says, exit codes, examples. */
export function helpText(name: CommandName, { about, examples }: HelpText): string {
  const { input, only, codes }: CommandRow = COMMANDS[name];
  const parts = [
    ...(input ? [inputText(input, only)] : []),
    ...(input?.live ? [LIVE_SERVERS] : []),
    ...(about === undefined ? [] : [about.trim()]),
    `Exit codes; 1 also for a wrong command line\n${listed(Object.entries(codes).map((pair) => pair.join("  ")))}`,
    `Examples\n${listed(examples)}`,
  ];
  return `\n${parts.join("\n\n")}`;
}

function listed(lines: readonly string[]): string {
  return lines.map((line) => `  ${line}`).join("\n");
}

function inputText({ takes, emptyPipe }: CommandInput, only?: string): string {
  const title = only === undefined ? "Input" : `Input, with ${only}`;
  const unnamed = takes === "a preview or a drift report" ? WITHOUT_STACK : `Nothing named: ${UNNAMED[emptyPipe]}.`;
  return `${title}: ${takes}\n${listed([...FORMS[takes], unnamed])}`;
}

const STATE = "state    of pulumi stack export, terraform state pull or terraform show -json";
const PREVIEW =
  "preview  of pulumi preview --json --show-sames or --event-log, or terraform show -json of a saved plan";

const FORMS: Readonly<Record<CommandInput["takes"], readonly string[]>> = {
  "a state": [STATE],
  "a state or a preview": [STATE, PREVIEW],
  "a preview or a drift report": [PREVIEW, "report   of trustplane drift --json"],
};

const WITHOUT_STACK = "No file named: what is piped in.";
const UNNAMED: Readonly<Record<CommandInput["emptyPipe"], string>> = {
  refused: "what is piped in, and nothing in a pipe is an error; without a pipe the selected stack",
  "selected stack": "what is piped in, and without that the selected stack",
  "no stack": "what is piped in, and without that no stack",
};

const LIVE_SERVERS = `With --live, servers and credentials are found as in pulumi up: VAULT_ADDR, VAULT_TOKEN, CONSUL_HTTP_ADDR and so on, or named:
  --connection secrets=https://vault.example.com,tokenEnv=REVIEW_TOKEN                   in place of VAULT_ADDR
  --connection cluster=https://consul.example.com,tokenFile=/run/consul-token            in place of CONSUL_HTTP_ADDR
  --connection east=https://consul.east.example.com,service=cluster,tokenEnv=EAST        one more server
The fields after the address are those of trustplane drift, whose help lists them.`;
