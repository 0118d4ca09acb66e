import { terraformTables } from "../../cli/stack/terraform-tables.ts";
import type { Values } from "../../provider/core/definition.ts";
import { UNKNOWN } from "../../provider/core/unknowns.ts";
import { renamed } from "../../provider/hosts/terraform/shape.ts";
import { previewJson, type WantedStep } from "../cli/preview-text.ts";
import type { SentenceStep } from "./sentence-steps.ts";

type Json = Readonly<Record<string, unknown>>;

const isFilled = (value: unknown) => Object.keys(Object(value)).length > 0;

/** The change as `pulumi preview --json` has it. */
export function pulumiPreview(steps: readonly SentenceStep[]): string {
  return previewJson({ steps: steps.map(pulumiStep) });
}

function pulumiStep(step: SentenceStep): WantedStep {
  const { token, name, before, after, secrets = [] } = step;
  const hidden = (values: Values) =>
    Object.fromEntries(
      Object.entries(values).map(([key, value]) => [
        key,
        secrets.includes(key) && isFilled(value)
          ? { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", plaintext: JSON.stringify(value) }
          : value,
      ]),
    );
  return {
    ...{ op: operationOf(step), token, name },
    ...(before ? { before: hidden(before) } : {}),
    ...(after ? { after: hidden(after) } : {}),
  };
}

function operationOf({ before, after, isLeft, isImport }: SentenceStep): string {
  if (isImport) return "import";
  if (isLeft) return "forget";
  if (before === after) return "same";
  return before === undefined ? "create" : after === undefined ? "delete" : "update";
}

/** The same change as `terraform show -json` has it. */
export function terraformPlan(steps: readonly SentenceStep[]): string {
  return JSON.stringify({ format_version: "1.2", terraform_version: "1.11.4", resource_changes: steps.map(planned) });
}

const ACTIONS: Readonly<Record<string, string>> = { same: "no-op", import: "update" };

function planned(step: SentenceStep): Json {
  const { token, name, before, after, secrets = [] } = step;
  const table = [...terraformTables().resources.values()].find(({ definition }) => definition.token === token);
  if (table === undefined) throw new Error(`Terraform has no ${token}`);
  const attributes = (values: Values) =>
    Object.fromEntries(
      Object.entries(values).map(([property, value]) => {
        const input = table.inputs.find((each) => each.property === property);
        if (input === undefined) throw new Error(`Terraform has no ${property}`);
        return [input.name, renamed(input.shape, value, "attribute")];
      }),
    );
  const marks = (values: Values | undefined) =>
    Object.fromEntries(
      Object.entries(attributes(Object.fromEntries(secrets.map((each) => [each, values?.[each]]))))
        .filter(([, value]) => isFilled(value))
        .map(([each]) => [each, true]),
    );
  const operation = operationOf(step);
  return {
    address: `${table.typeName}.${name}`,
    mode: "managed",
    type: table.typeName,
    change: {
      actions: [ACTIONS[operation] ?? operation],
      before: before ? attributes(before) : null,
      after: after ? withoutUnknown(attributes(after)) : null,
      after_unknown: after ? unknownMarks(attributes(after)) : {},
      before_sensitive: before ? marks(before) : false,
      after_sensitive: after ? marks(after) : false,
      ...(step.isImport ? { importing: { id: "an-id" } } : {}),
    },
  };
}

/** Of what is not known yet a plan has marks, and no values. */
function unknownMarks(value: unknown): unknown {
  if (value === UNKNOWN) return true;
  if (Array.isArray(value)) return value.map(unknownMarks);
  if (typeof value !== "object" || value === null) return false;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, each]) => [key, unknownMarks(each)] as const)
      .filter(([, mark]) => mark !== false),
  );
}

function withoutUnknown(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUnknown);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, each]) => each !== UNKNOWN)
      .map(([key, each]) => [key, withoutUnknown(each)]),
  );
}
