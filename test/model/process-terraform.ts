import { listen } from "../../provider/hosts/terraform/listen.ts";
import type { UnaryCall } from "../../provider/hosts/terraform/protocol.ts";
import { createSession } from "../../provider/hosts/terraform/session.ts";
import { messageOf } from "../../provider/hosts/terraform/value.ts";
import type { ResourceName } from "../support/contract-host.ts";
import { errorIn, providerConfig } from "../support/contract-host-terraform.ts";
import * as support from "../support/inputs-refused.ts";
import { type Answer, terraformClient, terraformTable, terraformTables } from "../support/terraform-client.ts";
import type { Config } from "./provider-process.ts";
import { InputsRefused } from "./pulumi.ts";
import type { TerraformCommand } from "./terraform-command.ts";
import type { Traffic } from "./way.ts";

/** A provider of Terraform, as one walk of its core has it for one `provider` block: configured once, then ended. */
export interface TerraformProcess {
  /** An error in the answer is answered with it: what failed may have left something. Rejects where the provider is dead. */
  ask(
    resource: ResourceName,
    call: UnaryCall,
    request: object,
  ): Promise<Answer & { readonly error?: Error | undefined }>;
  log(): readonly string[];
  end(): Promise<void>;
}

/** On a socket of its own, over which it is asked as Terraform does. */
export async function openTerraformProcess(
  config: Config,
  command: TerraformCommand,
  traffic: Traffic,
): Promise<TerraformProcess> {
  const lines: string[] = [];
  const told = command.open();
  const session = createSession(process.env, (line) => lines.push(line), told.journal);
  const served = await listen({ session, tables: terraformTables() }, undefined, () => undefined);
  const client = terraformClient(served.address);
  const block = { config: messageOf(providerConfig(config)) };
  await client.ask("ValidateProviderConfig", block);
  await client.ask("ConfigureProvider", { ...block, terraformVersion: "1.11.4" });

  return {
    async ask(resource, call, request) {
      const table = terraformTable(resource);
      const asking = traffic.isDead ? undefined : client.ask(call, { typeName: table.typeName, ...request });
      const answer = await asking;
      if (answer === undefined || traffic.isDead) throw new Error("the plugin did not respond");
      lines.push(...answer.diagnostics.map(({ summary, detail }) => `${summary}: ${detail}`));
      const error = errorIn(table, answer.diagnostics);
      return { ...answer, error: error instanceof support.InputsRefused ? new InputsRefused(error.message) : error };
    },
    log: () => lines,
    async end() {
      await session.end();
      client.close();
      served.close();
      told.end();
    },
  };
}
