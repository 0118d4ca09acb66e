import * as pulumi from "@pulumi/pulumi";
import { CONFIG_KEYS } from "../../core/config-keys";
import type { Values } from "../../core/definition";
import type { FunctionDefinition } from "../../core/function";
import type { Engine } from "../../engine/engine";
import type { Log } from "../../engine/log";
import { functions } from "../../functions";
import { atEndOfRun } from "./at-end-of-run";
import { engineFor } from "./engine-for";

export type FunctionName = keyof typeof functions;

/** Asks the server, from the program's own process: dynamic providers have no functions. */
export async function call(name: FunctionName, args: Values): Promise<Values> {
  const { results, release } = await engine().call(definitionOf(name), args);
  // By then the engine takes no messages any more, but what the program prints is still shown.
  if (release) atEndOfRun(release, (reason) => process.stderr.write(`warning: ${reason}\n`));
  return results;
}

/** Refuses arguments as `call` does, without issuing anything. */
export async function check(name: FunctionName, args: Values): Promise<void> {
  await engine().checkCall(definitionOf(name), args);
}

function definitionOf(name: FunctionName): FunctionDefinition {
  return functions[name];
}

function engine(): Engine {
  const config = CONFIG_KEYS.map((key) => [key, pulumi.runtime.getConfig(`trustplane:${key}`)] as const);
  return engineFor(Object.fromEntries(config), log);
}

const log: Log = (level, message) => {
  void (level === "warning" ? pulumi.log.warn(message) : pulumi.log.info(message));
};
