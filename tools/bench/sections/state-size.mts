import { commands, openBenchStack } from "../bench-program.mts";
import { withServer } from "../bench-server.mts";
import { figure, table } from "../markdown.mts";
import { referenceStateBytes } from "../reference-figures.mts";
import { sampleRoles } from "../sample-resources.mts";
import type { Section } from "../section.mts";

/** The bytes of one role do not depend on how many there are. */
const most = 20;

export const stateSize: Section = {
  name: "state",
  title: "State",
  measure: (context) =>
    withServer(async (server) => {
      const roles = sampleRoles(Math.min(context.roles, most));
      const stack = await openBenchStack({ roles }, server.env);
      try {
        await context.step(`state of ${roles.length} roles`, () => stack.run(commands.up));
        const { deployment } = await stack.sandbox.export();
        const records = (deployment.resources ?? []).filter(({ type }) => type.endsWith(":Role"));
        if (records.length !== roles.length) throw new Error(`the stack holds ${records.length} of the roles`);
        const mean = (part: (record: (typeof records)[number]) => unknown) =>
          Math.round(records.reduce((sum, record) => sum + bytesOf(part(record)), 0) / records.length);
        const [declared] = roles;
        return [
          `Bytes per \`jwt.Role\`, mean of ${records.length}, as compact JSON of \`pulumi stack export\`. What the program declares of one is ${figure(bytesOf(declared))} bytes.`,
          "",
          table(
            ["part", "bytes"],
            [
              ["whole record", mean((record) => record)],
              ["of it inputs", mean(({ inputs }) => inputs)],
              ["of it outputs", mean(({ outputs }) => outputs)],
              ["of it stack trace of the declaration", mean(({ stackTrace }) => stackTrace)],
              ["of it dependencies by property", mean(({ propertyDependencies }) => propertyDependencies)],
              [
                "`__provider`, which is in the inputs and in the outputs, each time",
                mean((record) => record.inputs?.["__provider"]),
              ],
            ],
          ),
          "",
          `For comparison, measured elsewhere with other roles (see the next section): ${figure(referenceStateBytes.bridged)} bytes a role with the bridged provider for Pulumi, ${figure(referenceStateBytes.terraform)} with Terraform.`,
        ].join("\n");
      } finally {
        await stack.sandbox.close();
      }
    }),
};

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? "");
}
