import { onTestFinished } from "vitest";
import type { Failure } from "../../provider/core/errors.ts";
import { isRecord } from "../../provider/core/unknowns.ts";
import type { Diagnostic } from "../../provider/hosts/terraform/diagnostics.ts";
import type { UnaryCall } from "../../provider/hosts/terraform/protocol.ts";
import { renamed } from "../../provider/hosts/terraform/shape.ts";
import type { ResourceTable } from "../../provider/hosts/terraform/table.ts";
import { messageOf, rawOf, recordIn } from "../../provider/hosts/terraform/value.ts";
import { createTerraformStack } from "./contract-stack-terraform.ts";
import type { ContractHost, HostOptions } from "./host-under-test.ts";
import { InputsRefused } from "./inputs-refused.ts";
import { type Answer, type ListEvent, terraformClient, terraformTable, terraformTables } from "./terraform-client.ts";
import { serveTerraform } from "./terraform-served.ts";

/** The provider for Terraform, called over its socket the way Terraform's core calls it. It ends with the test. */
export interface TerraformHost extends ContractHost {
  readonly table: ResourceTable;
  /** Rejects where the answer has an error but for `mayFail`: what failed has an answer all the same. */
  ask(call: UnaryCall, request: object, options?: { readonly mayFail: boolean }): Promise<Answer>;
  /** The events of a list, or as many as are wanted. */
  list(request: object, wanted?: number): Promise<readonly ListEvent[]>;
  /** A walk of Terraform that plans begins, for which it configures the provider anew. */
  startPlan(): Promise<void>;
  /** A run of Terraform begins: what it writes it does not delete. */
  startRun(): Promise<void>;
}

export function openTerraformHost({ resource, config }: HostOptions): TerraformHost {
  const table = terraformTable(resource);
  const lines: string[] = [];
  const answers: string[] = [];
  const serving = serveTerraform({ tables: terraformTables(), write: (line) => lines.push(line) });
  const connecting = serving.then(({ address }) => terraformClient(address));
  onTestFinished(async () => (await connecting).close());

  async function ask(call: UnaryCall, request: object, { mayFail = false } = {}): Promise<Answer> {
    const client = await connecting;
    const answer = await client.ask(call, { typeName: table.typeName, ...request });
    answers.push(textOf(answer));
    const { diagnostics } = answer;
    lines.push(...diagnostics.filter(({ severity }) => severity !== ERROR).map(({ detail }) => `warning: ${detail}`));
    const error = mayFail ? undefined : errorIn(table, diagnostics);
    if (error) throw error;
    return answer;
  }

  let configuring: Promise<unknown> | undefined;
  const configured = () => {
    configuring ??= (async () => {
      const request = { config: messageOf(providerConfig(config)) };
      await ask("ValidateProviderConfig", request);
      await ask("ConfigureProvider", { terraformVersion: "1.11.4", ...request });
    })();
    return configuring;
  };

  const host: TerraformHost = {
    table,
    answers,
    log: () => lines,
    stack: () => createTerraformStack(host),
    async ask(call, request, options) {
      await configured();
      return ask(call, request, options);
    },
    async list(request, wanted) {
      await configured();
      const events = await (await connecting).list({ typeName: table.typeName, ...request }, wanted);
      answers.push(textOf(events));
      return events;
    },
    async startPlan() {
      await configured();
      const { session } = await serving;
      session.effects.clear();
      session.engine().startRun();
    },
    async startRun() {
      await configured();
      (await serving).session.engine().startRun();
    },
    end: async () => (await serving).session.end(),
  };
  return host;
}

const ERROR = 1;

/** What Terraform shows of an answer with an error, by the names of the tables. */
export function errorIn(table: ResourceTable, diagnostics: readonly Diagnostic[]): Error | undefined {
  const errors = diagnostics.filter(({ severity }) => severity === ERROR);
  if (errors.length === 0) return undefined;
  if (errors.some(({ attribute }) => !attribute)) return new Error(errors.map(({ detail }) => detail).join("; "));
  return new InputsRefused(errors.map((each) => failureOf(table, each)));
}

function failureOf({ inputs }: ResourceTable, { attribute, detail }: Diagnostic): Failure {
  const name = attribute?.steps[0]?.attributeName ?? "";
  const property = inputs.find((each) => each.name === name)?.property ?? name;
  const [path = "", ...reason] = detail.split(" ");
  return { property: property + path.slice(name.length), reason: reason.join(" ") };
}

/** The provider's block, from the texts of a stack's configuration. */
export function providerConfig(config: Readonly<Record<string, string>>) {
  const values = terraformTables().provider.map(({ name, property, shape, type }) => {
    const text = config[property];
    return [name, text === undefined ? null : rawOf(type, renamed(shape, JSON.parse(text), "attribute"))] as const;
  });
  return Object.fromEntries(values);
}

/** Everything that an answer tells Terraform, of which much is kept. */
function textOf(answer: object): string {
  const shown = (value: unknown): unknown => {
    if (value instanceof Uint8Array) return Buffer.from(value).toString();
    if (Array.isArray(value)) return value.map(shown);
    if (!isRecord(value)) return typeof value === "bigint" ? String(value) : value;
    if (value["msgpack"] instanceof Uint8Array) return shown(recordIn(value["msgpack"]) ?? null);
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shown(member)]));
  };
  return JSON.stringify(shown(answer));
}
