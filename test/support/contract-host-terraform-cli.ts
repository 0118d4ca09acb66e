import { renamed } from "../../provider/hosts/terraform/shape.ts";
import type { ResourceTable } from "../../provider/hosts/terraform/table.ts";
import { createTerraformCliStack } from "./contract-stack-terraform-cli.ts";
import type { ContractHost, HostOptions } from "./host-under-test.ts";
import { terraformTable, terraformTables } from "./terraform-client.ts";
import { expressionOf } from "./terraform-json.ts";
import { errorOf, messagesIn } from "./terraform-messages.ts";
import { SOURCE, terraform } from "./terraform-sandbox.ts";
import { reattached, serveTerraform } from "./terraform-served.ts";

/** The provider for Terraform, which the real CLI calls. */
export interface TerraformCliHost extends ContractHost {
  readonly table: ResourceTable;
  /** What every program says: where the provider comes from, and how it is configured. */
  readonly settings: object;
  /** Runs a command in a folder, and answers what it printed. Throws what the CLI ended with. */
  run(folder: string, ...args: readonly string[]): Promise<string>;
}

export function openTerraformCliHost({ resource, config }: HostOptions): TerraformCliHost {
  const table = terraformTable(resource);
  const lines: string[] = [];
  const answers: string[] = [];
  // The CLI asks for the whole schema in every command: it gets that of the one resource.
  const tables = { ...terraformTables(), resources: new Map([[table.typeName, table]]) };
  const serving = serveTerraform({ tables, write: (line) => lines.push(line) });
  const host: TerraformCliHost = {
    table,
    answers,
    log: () => lines,
    stack: () => createTerraformCliStack(host),
    settings: {
      terraform: { required_providers: { trustplane: { source: SOURCE } } },
      provider: { trustplane: providerBlock(config) },
    },
    async run(folder, ...args) {
      const { address } = await serving;
      // A process of a tenth of a second has no use for its garbage collector, which takes a quarter of that.
      const env = { TF_REATTACH_PROVIDERS: reattached([SOURCE], address), GOGC: "off" };
      const { code, text } = await terraform(folder, args, env);
      answers.push(...text.split("\n"));
      const { problems } = messagesIn(text);
      const warnings = problems.filter(({ severity }) => severity === "warning");
      lines.push(...warnings.map(({ detail }) => `warning: ${detail}`));
      if (code !== 0) throw errorOf(table, problems, text);
      return text;
    },
    end: async () => (await serving).session.end(),
  };
  return host;
}

/** The provider's block, from the texts of a stack's configuration. */
function providerBlock(config: Readonly<Record<string, string>>): object {
  const values = terraformTables().provider.flatMap(({ name, property, shape }) => {
    const text = config[property];
    return text === undefined ? [] : [[name, expressionOf(renamed(shape, JSON.parse(text), "attribute"))] as const];
  });
  return Object.fromEntries(values);
}
