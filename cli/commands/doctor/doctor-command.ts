import { ProviderError } from "../../../provider/core/errors";
import { say, type Terminal } from "../../io/terminal";
import { readState } from "../../sources/read-stack";
import { namedSource } from "../../sources/stack-source";
import { wordsFor } from "../../stack/attribute-words";
import type { StackState } from "../../stack/state";
import { COMMANDS } from "../options/commands";
import type { DoctorFlags } from "./doctor-flags";
import { doctorTable } from "./doctor-table";
import { inspect } from "./inspect";
import type { ConnectionReport, DoctorReport } from "./report";
import { type Target, targetsOf } from "./targets";

/** Inspects the connections and prints the report. Returns the exit code. */
export async function doctor(flags: DoctorFlags, terminal: Terminal): Promise<number> {
  const said = new Set<string>();
  const warn = (text: string) => {
    if (!said.has(text)) say(text, terminal);
    said.add(text);
  };
  const { targets, stack } = await targetsFor(flags, terminal, warn);
  const options = { readOnly: flags.readOnly ?? false };
  const inspected = await Promise.all(targets.map((target) => inspect(target, process.env, options)));
  const connections = inspected.map((each) => inWordsOf(stack, each));
  const hasFailed = connections.some(({ checks }) => checks.some(({ status }) => status === "failed"));
  const report: DoctorReport = {
    format: "trustplane-doctor/1",
    ...(stack?.stack === undefined ? {} : { stack: stack.stack }),
    checkedAt: new Date().toISOString(),
    result: hasFailed ? "failed" : "ok",
    connections,
  };
  terminal.out(flags.json ? `${JSON.stringify(report, undefined, 2)}\n` : doctorTable(report, terminal));
  return hasFailed ? 2 : 0;
}

/** What is found of a connection, in the words of the tool that the stack is of. */
function inWordsOf(stack: StackState | undefined, inspected: ConnectionReport): ConnectionReport {
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
  readonly stack: StackState | undefined;
}

async function targetsFor(flags: DoctorFlags, terminal: Terminal, warn: (text: string) => void): Promise<Found> {
  const source = await namedSource(flags, terminal, { ...COMMANDS.doctor.input, configured: true });
  if (source?.unread !== undefined) warn(source.unread);
  const stack = source && readState(source.text);
  const trusted = { env: process.env, stack: source?.configuration, named: flags.connection ?? new Map() };
  const targets = targetsOf(stack, trusted, warn);
  if (targets.length > 0) return { targets, stack };
  const todo = "Set VAULT_ADDR, CONSUL_HTTP_ADDR or TFE_TOKEN, or give --stack, --state or --connection";
  throw new ProviderError("ConfigError", `nothing names a connection. ${todo}.`);
}
