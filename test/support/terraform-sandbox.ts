import { type ChildProcess, execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "../../provider/engine/settings.ts";
import { functions } from "../../provider/functions/index.ts";
import { type PackageSchema, tablesOf } from "../../provider/hosts/terraform/table.ts";
import { definitions } from "../../provider/resources/index.ts";
import { repository } from "../../tools/steps/repository.mjs";
import { quietTerraform, TERRAFORM, terraformCli } from "../../tools/terraform/terraform-cli.mts";
import { folderOfTest } from "./temporary-folder.ts";
import { reattached, serveTerraform } from "./terraform-served.ts";

/** Why no test with the real CLI, of this minor release or a newer one, can run here; undefined where one can. */
export function reasonWithoutTerraform(oldest?: number): string | undefined {
  return terraformCli(oldest).missing;
}

/** Why the CLI has no `query`; undefined where it has. */
export function reasonWithoutQuery(): string | undefined {
  const { version = "", missing } = terraformCli();
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isNewEnough = major > 1 || (major === 1 && minor >= 14);
  return missing ?? (isNewEnough ? undefined : `${TERRAFORM} ${version} has no query: that came with Terraform 1.14`);
}

/** A result of the CLI: what it printed, and how it ended. */
export interface CliResult {
  readonly code: number;
  readonly text: string;
}

/** A folder with a program, and the CLI that runs it against a provider in this process. */
export interface TerraformSandbox {
  readonly folder: string;
  write(program: string): void;
  /** Writes the lists that `terraform query` reads. */
  writeLists(text: string): void;
  /** Makes a module that the program can have as `./<name>`. */
  writeModule(name: string, text: string): void;
  run(...args: readonly string[]): Promise<CliResult>;
  /** From now on another CLI runs the program. */
  use(cli: string): void;
  /** Puts resources of another provider into the state, as that has left them. */
  keepForeign(resources: readonly ForeignResource[]): void;
  /** Writes the program of a module, and a main program that is the module alone. */
  writeModuleAlone(name: string, program: string): void;
  /** Runs, and sends a signal to the CLI as soon as something has happened. */
  interrupt(signal: NodeJS.Signals, when: () => Promise<unknown>, ...args: readonly string[]): Promise<CliResult>;
  /** Everything that the CLI keeps of the program's resources. */
  state(): string;
}

/** A resource that another provider has in the state. */
export interface ForeignResource {
  /** Such as `hashicorp/vault`. */
  readonly source: string;
  readonly type: string;
  readonly name: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** What a program calls the provider. */
export const SOURCE = "trustplane/trustplane";
/** Providers whose resources are moved to ours. The CLI wants them to be there; they are asked for nothing. */
const FOREIGN = ["hashicorp/vault", "hashicorp/consul", "hashicorp/tfe"];
const HEADER = `terraform {
  required_providers {
    trustplane = { source = "${SOURCE}" }
  }
}
`;

/** How a sandbox is made. */
export interface TerraformSandboxOptions {
  /** The CLI starts the built provider, a process for each `provider` block, in place of the one that is here. */
  readonly isStartedByCli?: boolean;
}

/** `env` is the provider's own: where the servers are. */
export async function createTerraformSandbox(
  env: Environment,
  { isStartedByCli = false }: TerraformSandboxOptions = {},
): Promise<TerraformSandbox> {
  const folder = folderOfTest();
  const found = isStartedByCli ? { ...env, ...builtProvider(folder) } : await providerHere(env);
  let program = TERRAFORM;
  return {
    folder,
    write: (program) => writeFileSync(join(folder, "main.tf"), HEADER + program),
    writeLists: (text) => writeFileSync(join(folder, "main.tfquery.hcl"), text),
    writeModule(name, text) {
      mkdirSync(join(folder, name), { recursive: true });
      writeFileSync(join(folder, name, "main.tf"), HEADER + text);
    },
    run: (...args) => terraform(folder, args, found, { program }),
    use(cli) {
      program = cli;
    },
    keepForeign: (resources) => writeFileSync(join(folder, "terraform.tfstate"), JSON.stringify(stateWith(resources))),
    writeModuleAlone(name, program) {
      mkdirSync(join(folder, name), { recursive: true });
      writeFileSync(join(folder, name, "main.tf"), HEADER + program);
      const called = `module "${name}" {\n  source = "./${name}"\n}\n`;
      writeFileSync(join(folder, "main.tf"), HEADER + called);
      // What `terraform init` would write: it cannot be asked, as it looks for the provider in the registry.
      mkdirSync(join(folder, ".terraform/modules"), { recursive: true });
      const modules = [
        { Key: "", Source: "", Dir: "." },
        { Key: name, Source: `./${name}`, Dir: name },
      ];
      writeFileSync(join(folder, ".terraform/modules/modules.json"), JSON.stringify({ Modules: modules }));
    },
    interrupt: (signal, when, ...args) =>
      terraform(folder, args, found, { begun: (cli) => void when().then(() => cli.kill(signal)) }),
    state: () => readFileSync(join(folder, "terraform.tfstate"), "utf8"),
  };
}

/** For the CLI to find the provider that `npm run build` has made. */
function builtProvider(folder: string): Environment {
  const settings = join(folder, "cli.tfrc");
  const override = `"${SOURCE}" = ${JSON.stringify(join(repository, "bin"))}`;
  writeFileSync(settings, `provider_installation {\n  dev_overrides {\n    ${override}\n  }\n  direct {}\n}\n`);
  return { TF_CLI_CONFIG_FILE: settings };
}

/** For the CLI to find the provider that runs in this process. */
async function providerHere(env: Environment): Promise<Environment> {
  const schema = JSON.parse(readFileSync(join(repository, "schema/schema.json"), "utf8")) as PackageSchema;
  const tables = tablesOf(Object.values(definitions), schema, Object.values(functions));
  const { address } = await serveTerraform({ tables, env });
  return { TF_REATTACH_PROVIDERS: reattached([SOURCE, ...FOREIGN], address) };
}

function stateWith(resources: readonly ForeignResource[]): object {
  const kept = resources.map(({ source, type, name, attributes }) => ({
    mode: "managed",
    type,
    name,
    provider: `provider["registry.terraform.io/${source}"]`,
    instances: [{ schema_version: 0, attributes }],
  }));
  return { version: 4, terraform_version: "1.11.0", serial: 1, lineage: "of-a-test", outputs: {}, resources: kept };
}

/** Runs the CLI in a folder. */
export function terraform(
  folder: string,
  args: readonly string[],
  env: Environment,
  { program = TERRAFORM, begun }: { readonly program?: string; readonly begun?: (cli: ChildProcess) => void } = {},
): Promise<CliResult> {
  const options = { cwd: folder, env: { ...quietTerraform(process.env), ...env }, maxBuffer: 64 * 1024 * 1024 };
  return new Promise((resolve) => {
    const cli = execFile(program, [...args, "-no-color"], options, (error, stdout, stderr) => {
      const code = error ? Number(error.code) || 1 : 0;
      resolve({ code, text: `${stdout}${stderr}` });
    });
    begun?.(cli);
  });
}
