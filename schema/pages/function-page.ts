import type { FunctionDefinition } from "../../provider/core/function";
import type { FunctionModel } from "../package-model";
import { functionPermissions } from "../permissions";
import { sourcesSection } from "../sources";
import { permissionSection } from "./permission-section";
import { durationNote, inputTable, outputTable, recordSections } from "./property-table";

/** The page of a function. */
export function functionPage(model: FunctionModel, definition: FunctionDefinition): string {
  const { args, results, longForm, functionName } = model;
  const sections = [
    longForm.text.trim(),
    formsOf(model),
    "## Arguments",
    durationNote(args),
    inputTable(args),
    `## What \`${functionName}\` returns`,
    durationNote(results),
    outputTable(results),
    ...recordSections(results, "Always set."),
    permissionSection(functionPermissions(definition)),
    sourcesSection([...args, ...results]),
  ];
  return sections.filter(Boolean).join("\n\n");
}

function formsOf({ functionName, issues, results }: FunctionModel): string {
  const inPreview = issues
    ? `In a preview \`${functionName}\` is refused and the result of \`${functionName}Output\` is unknown, because the server would issue something.`
    : "";
  const secret = results.some(({ secret }) => secret !== undefined)
    ? `The result of \`${functionName}Output\` is a secret.`
    : "";
  return [
    `\`${functionName}\` takes plain values and returns a promise; \`${functionName}Output\` takes Outputs and returns an Output.`,
    inPreview,
    secret,
  ]
    .filter(Boolean)
    .join(" ");
}
