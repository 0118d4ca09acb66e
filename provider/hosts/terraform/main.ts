import { ProviderError } from "../../core/errors";
import { lazily } from "../../core/lazily";
import { openJournal } from "../../engine/run-folder";
import { functions } from "../../functions/index";
import { definitions } from "../../resources/index";
import { handshakeLine, reasonNotToServe, reattachText } from "./handshake";
import { listen } from "./listen";
import { createSession } from "./session";
import { type PackageSchema, tablesOf } from "./table";

/** By whom the provider is asked for in a program that names no other host. */
const SOURCE = "trustplane/trustplane";
/** How often a plugin looks whether the CLI that has started it is still there. */
const LOOK_MS = 5_000;

/** What the build has put beside the code. */
export interface BuiltSchema {
  /** The package's schema, as JSON. */
  readonly json: string;
  /** The answer to `GetProviderSchema`, in base64. */
  readonly message: string;
}

/**
 * Serves until the CLI is done. With `--debug` it serves by hand, to every command that has the variable which it prints.
 */
export async function main(schema: BuiltSchema): Promise<void> {
  const isDebugged = process.argv.includes("--debug");
  const reason = isDebugged ? undefined : reasonNotToServe(process.env);
  if (reason !== undefined) throw new ProviderError("ConfigError", reason);
  // The schema is generated from the definitions beside it. The CLI connects before it asks for anything.
  const tables = lazily(() =>
    tablesOf(Object.values(definitions), JSON.parse(schema.json) as PackageSchema, Object.values(functions)),
  );
  const session = createSession(process.env, undefined, isDebugged ? undefined : openJournal());
  const host = {
    session,
    get tables() {
      return tables();
    },
    schemaMessage: () => Buffer.from(schema.message, "base64"),
  };
  const clientPem = isDebugged ? undefined : process.env["PLUGIN_CLIENT_CERT"] || undefined;
  const served = await listen(host, clientPem, end);
  function end() {
    void session.end().finally(() => {
      served.close();
      process.exit(0);
    });
  }
  for (const signal of ["SIGTERM", "SIGHUP"] as const) process.on(signal, end);
  if (isDebugged) {
    process.on("SIGINT", end);
    process.stdout.write(`TF_REATTACH_PROVIDERS='${reattachText(SOURCE, served.address, process.pid)}'\n`);
    return;
  }
  // A Ctrl-C reaches every process of the terminal: Terraform says itself when to stop, and ends the plugin afterwards.
  process.on("SIGINT", () => undefined);
  endWithParent(end);
  process.stdout.write(`${handshakeLine(served.address, served.certificate?.certificateDer)}\n`);
}

/** The standard input is Terraform's: only its process tells whether it was killed. */
function endWithParent(end: () => void): void {
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && end(), LOOK_MS).unref();
}
