import { commands, openBenchStack } from "../bench-program.mts";
import { withServer } from "../bench-server.mts";
import { type HostName, hostNames, shareOf } from "../hosts.mts";
import { figure, table } from "../markdown.mts";
import { referenceStateBytes } from "../reference-figures.mts";
import { type RoleInputs, sampleRoles } from "../sample-resources.mts";
import type { Section } from "../section.mts";

/** The bytes of one role do not depend on how many there are. */
const most = 20;

export const stateSize: Section = {
  name: "state",
  title: "State",
  async measure(context) {
    const roles = sampleRoles(Math.min(context.roles, most));
    const sizes: Partial<Record<HostName, Sizes>> = {};
    for (const host of hostNames) {
      const title = `state of ${roles.length} roles (${host})`;
      sizes[host] = await context.step(title, () => withServer((server) => sizesOf(host, roles, server.env)));
    }
    // Both were measured above.
    const { dynamic, plugin } = sizes as Record<HostName, Sizes>;
    const both = Object.keys(dynamic).map((part) => ({ part, dynamic: dynamic[part] ?? 0, plugin: plugin[part] ?? 0 }));
    const text = [
      `Bytes per \`jwt.Role\`, mean of ${roles.length}, as compact JSON of \`pulumi stack export\`. What the program declares of one is ${figure(bytesOf(roles[0]))} bytes.`,
      "",
      table(
        ["part", "dynamic host", "plugin", "plugin / dynamic"],
        both.map(({ part, ...bytes }) => [
          part,
          bytes.dynamic,
          bytes.plugin,
          bytes.plugin > 0 ? shareOf(bytes) : undefined,
        ]),
      ),
      "",
      `For comparison, measured elsewhere with other roles (see the next section): ${figure(referenceStateBytes.bridged)} bytes a role with the bridged provider for Pulumi, ${figure(referenceStateBytes.terraform)} with Terraform.`,
    ].join("\n");
    return { text, goals: [] };
  },
};

type Sizes = Readonly<Record<string, number>>;

async function sizesOf(
  host: HostName,
  roles: readonly RoleInputs[],
  env: Readonly<Record<string, string>>,
): Promise<Sizes> {
  const stack = await openBenchStack({ roles }, env, host);
  try {
    await stack.run(commands.up);
    const { deployment } = await stack.sandbox.export();
    const records = (deployment.resources ?? []).filter(({ type }) => type.endsWith(":Role"));
    if (records.length !== roles.length) throw new Error(`the stack holds ${records.length} of the roles`);
    const mean = (part: (record: (typeof records)[number]) => unknown) =>
      Math.round(records.reduce((sum, record) => sum + bytesOf(part(record)), 0) / records.length);
    return {
      "whole record": mean((record) => record),
      "of it inputs": mean(({ inputs }) => inputs),
      "of it outputs": mean(({ outputs }) => outputs),
      "of it stack trace of the declaration": mean(({ stackTrace }) => stackTrace),
      "of it dependencies by property": mean(({ propertyDependencies }) => propertyDependencies),
      "`__provider`, which is in the inputs and in the outputs, each time": mean(
        (record) => record.inputs?.["__provider"],
      ),
    };
  } finally {
    await stack.sandbox.close();
  }
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? "");
}
