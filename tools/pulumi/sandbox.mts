import { randomBytes } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join, resolve } from "node:path";
import { onInterrupt } from "../steps/interrupt.mjs";
import { repository } from "../steps/repository.mjs";
import { existingPulumiCli } from "./ensure-pulumi-cli.mjs";
import { type InstallOptions, installPackedPackage } from "./packed-package.mts";
import { type EngineEvent, type PulumiResult, runPulumi } from "./run-pulumi.mts";

export type { EngineEvent, PulumiResult };

/** What a sandbox is made from. */
export interface SandboxOptions extends InstallOptions {
  /** The program: a folder (of the repository) to copy, or the content of files by their path (`Pulumi.yaml` among them). */
  readonly program: string | Readonly<Record<string, string>>;
  /** Stack configuration by path (`trustplane:connections.east.service`); a value of `{ secret }` is stored encrypted. */
  readonly config?: Readonly<Record<string, string | { readonly secret: string }>>;
  /** Variables for everything that runs in the sandbox, such as `VAULT_ADDR`. */
  readonly env?: Readonly<Record<string, string>>;
  /** @default "dev" */
  readonly stack?: string;
  /** Where to put it; a folder given here is not removed at the end. @default a temporary folder */
  readonly folder?: string;
}

/** How one call of the CLI is run. */
export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Whether to record the engine's events. */
  readonly events?: boolean;
  /** Called with each line of stdout and stderr as it comes. */
  readonly onLine?: (line: string) => void;
  readonly input?: string;
  /** Ends the call as one Ctrl-C would. */
  readonly signal?: AbortSignal;
}

/** One stack of one program, with everything that Pulumi keeps in a folder of its own: home, backend, passphrase. */
export interface PulumiSandbox {
  readonly folder: string;
  readonly programFolder: string;
  /** All variables that the CLI runs with; what is needed to go on by hand is in `ownEnv`. */
  readonly env: Readonly<Record<string, string>>;
  readonly ownEnv: Readonly<Record<string, string>>;
  readonly command: string;
  /** Runs `pulumi <args> --non-interactive`. Never throws for an exit code: what it means is the caller's business. */
  run(args: readonly string[], options?: RunOptions): Promise<PulumiResult>;
  /** The stack as `pulumi stack export` shows it: secrets encrypted. Throws when the CLI fails. */
  export(): Promise<StackExport>;
  /** Replaces a file of the program. */
  write(path: string, content: string): void;
  /** Ends what still runs and removes the folder. */
  close(): Promise<void>;
}

/** The part of an exported stack that is read here. */
export interface StackExport {
  readonly version: number;
  readonly deployment: { readonly resources?: readonly ExportedResource[]; readonly [key: string]: unknown };
}

/** One resource of an exported stack. */
export interface ExportedResource {
  readonly urn: string;
  readonly type: string;
  readonly id?: string;
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly outputs?: Readonly<Record<string, unknown>>;
  readonly initErrors?: readonly string[];
  readonly [key: string]: unknown;
}

/** The user's settings for these would make a run depend on the machine; npm's and vitest's confuse what is started inside. */
const notInherited =
  /^(PULUMI_|VAULT_|BAO_|CONSUL_|TFE_|AWS_|TRUSTPLANE_|VITEST|npm_|NODE_ENV$|NODE_OPTIONS$|INIT_CWD$)/;

/**
 * Prepares a program with the packed package and an empty stack. Throws when there is no Pulumi CLI (`npm run` gets one).
 *
 * @example
 * const sandbox = await createPulumiSandbox({ program: "examples/platform", env: { VAULT_ADDR, VAULT_TOKEN } });
 * const { code } = await sandbox.run(["up", "--yes"]);
 */
export async function createPulumiSandbox(options: SandboxOptions): Promise<PulumiSandbox> {
  const cli = existingPulumiCli();
  if (!cli.command) throw new Error(`there is no Pulumi CLI: ${cli.tried.join("; ")}`);
  const command = cli.command;
  const folder = options.folder ? resolve(options.folder) : mkdtempSync(join(tmpdir(), "trustplane-pulumi-"));
  const running = new Set<() => Promise<void>>();
  const close = async () => {
    release();
    await Promise.all([...running].map((stop) => stop()));
    if (!options.folder) rmSync(folder, { recursive: true, force: true });
  };
  const release = onInterrupt(close);
  try {
    const programFolder = join(folder, "program");
    writeProgram(programFolder, options.program);
    await installPackedPackage(programFolder, options);
    const ownEnv = environmentIn(folder, options.env ?? {});
    const env = { ...inheritedEnvironment(command), HOME: join(folder, "home"), ...ownEnv };
    for (const part of ["home", "pulumi", "backend"]) mkdirSync(join(folder, part), { recursive: true });

    const run = (args: readonly string[], { env: extra, ...how }: RunOptions = {}) =>
      runPulumi(command, args, { cwd: programFolder, env: { ...env, ...extra }, running, ...how });
    const demand = async (args: readonly string[], input = "") => {
      const result = await run(args, { input });
      if (result.code !== 0)
        throw new Error(`pulumi ${args[0]} ${args[1]} ended with code ${result.code}: ${result.stderr}`);
      return result.stdout;
    };
    await demand(["stack", "select", "--create", options.stack ?? "dev"]);
    await configure(options.config ?? {}, demand);
    return {
      folder,
      programFolder,
      env,
      ownEnv,
      command,
      run,
      export: async () => JSON.parse(await demand(["stack", "export"])),
      write: (path, content) => writeFileSync(join(programFolder, path), content),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function configure(
  config: NonNullable<SandboxOptions["config"]>,
  demand: (args: readonly string[], input?: string) => Promise<string>,
): Promise<void> {
  const plain = Object.entries(config).filter(([, value]) => typeof value === "string");
  const pairs = plain.flatMap(([key, value]) => ["--plaintext", `${key}=${value}`]);
  if (pairs.length > 0) await demand(["config", "set-all", "--path", ...pairs]);
  for (const [key, value] of Object.entries(config)) {
    // From stdin, because arguments are in the process list.
    if (typeof value !== "string") await demand(["config", "set", "--path", "--secret", key], value.secret);
  }
}

function writeProgram(folder: string, program: SandboxOptions["program"]): void {
  mkdirSync(folder, { recursive: true });
  if (typeof program === "string") {
    const isSource = (path: string) => !["node_modules", "package-lock.json"].includes(basename(path));
    cpSync(resolve(repository, program), folder, { recursive: true, filter: isSource });
    return;
  }
  for (const [path, content] of Object.entries(program)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

/** A passphrase per sandbox, kept in its folder so that a stack that stays can be used later. */
function environmentIn(folder: string, extra: Readonly<Record<string, string>>): Record<string, string> {
  const file = join(folder, "passphrase");
  if (!existsSync(file)) writeFileSync(file, randomBytes(16).toString("hex"), { mode: 0o600 });
  return {
    PULUMI_HOME: join(folder, "pulumi"),
    PULUMI_BACKEND_URL: `file://${join(folder, "backend")}`,
    PULUMI_CONFIG_PASSPHRASE: readFileSync(file, "utf8"),
    PULUMI_SKIP_UPDATE_CHECK: "true",
    ...extra,
  };
}

function inheritedEnvironment(command: string): Record<string, string> {
  const inherited = Object.entries(process.env).filter(([name]) => !notInherited.test(name));
  const env = Object.fromEntries(inherited.map(([name, value]) => [name, value ?? ""]));
  // A released CLI's language host starts the `node` of PATH.
  const path = [dirname(command), dirname(process.execPath), env.PATH ?? ""].join(delimiter);
  return { ...env, PATH: path };
}
