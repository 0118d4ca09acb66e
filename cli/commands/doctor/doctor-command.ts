import { ProviderError } from "../../../provider/core/errors";
import type { Terminal } from "../../io/terminal";
import { recordedStack } from "../../sources/read-stack";
import { namedSource } from "../../sources/stack-source";
import { wordsFor } from "../../stack/attribute-words";
import type { RecordedStack } from "../../stack/recorded-stack";
import { visibleText } from "../../text/visible-text";
import { COMMANDS } from "../options/commands";
import type { DoctorFlags } from "./doctor-flags";
import { doctorTable } from "./doctor-table";
import { inspect } from "./inspect";
import type { ConnectionReport, DoctorReport } from "./report";
import { type Target, targetsOf } from "./targets";

const EXIT_CODES = { ok: 0, failed: 2, unable: 1 } as const;

/** Inspects the connections and prints the report. Returns the exit code. */
export async function doctor(flags: DoctorFlags, terminal: Terminal): Promise<number> {
  const said = new Set<string>();
  const say = (text: string) => {
    if (!said.has(text)) terminal.err(`trustplane: ${visibleText(text)}\n`);
    said.add(text);
  };
  try {
    const { targets, stack } = await targetsFor(flags, terminal, say);
    const options = { readOnly: flags.readOnly ?? false };
    const inspected = await Promise.all(targets.map((target) => inspect(target, process.env, options)));
    const connections = inspected.map((each) => inWordsOf(stack, each));
    const hasFailed = connections.some(({ checks }) => checks.some(({ status }) => status === "failed"));
    const report: DoctorReport = {
      format: "trustplane-doctor/1",
      ...(stack?.name === undefined ? {} : { stack: stack.name }),
      checkedAt: new Date().toISOString(),
      result: hasFailed ? "failed" : "ok",
      connections,
    };
    terminal.out(flags.json ? `${JSON.stringify(report, undefined, 2)}\n` : doctorTable(report, terminal));
    return EXIT_CODES[report.result];
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    return EXIT_CODES.unable;
  }
}

/** What is found of a connection, in the words of the tool that the stack is of. */
function inWordsOf(stack: RecordedStack | undefined, inspected: ConnectionReport): ConnectionReport {
  const [first = ""] = stack?.providers.keys() ?? [];
  const { text } = wordsFor(first);
  const checks = inspected.checks.map((check) => ({
    ...check,
    finding: text(check.finding),
    ...(check.fix === undefined ? {} : { fix: text(check.fix) }),
  }));
  return { ...inspected, checks };
}

interface Found {
  readonly targets: readonly Target[];
  readonly stack: RecordedStack | undefined;
}

async function targetsFor(flags: DoctorFlags, terminal: Terminal, say: (text: string) => void): Promise<Found> {
  const source = await namedSource(flags, terminal, { ...COMMANDS.doctor.input, configured: true });
  if (source?.unread !== undefined) say(source.unread);
  const stack = source && recordedStack(source.text);
  const trusted = { env: process.env, stack: source?.configuration, named: flags.connection ?? new Map() };
  const targets = targetsOf(stack, trusted, say);
  if (targets.length > 0) return { targets, stack };
  const todo = "Set VAULT_ADDR, CONSUL_HTTP_ADDR or TFE_TOKEN, or give --stack, --state or --connection";
  throw new ProviderError("ConfigError", `nothing names a connection. ${todo}.`);
}
