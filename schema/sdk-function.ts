import type { FunctionModel, PropertyModel } from "./package-model";
import { inputType, plainType, resultTypes } from "./sdk-types";
import { comment, propertyComment } from "./tsdoc";

/** The source of a function in its two forms, with the types of its arguments and its result. */
export function sdkFunction(model: FunctionModel): string {
  const { functionName, module, name, args, results, issues } = model;
  const [first = ""] = functionName;
  const Name = first.toUpperCase() + functionName.slice(1);
  const isSecret = results.some(({ secret }) => secret !== undefined);
  const title = `${module}.${functionName}`;
  const mark = args.some((arg) => arg.isRequired) ? "" : "?";
  const example = `@example\n\`\`\`ts\n${model.longForm.example}\n\`\`\``;
  const pairs = [`Takes Outputs and answers one. ${unknown(issues)}${isSecret ? " It is a secret." : ""}`];
  return [
    `import type * as pulumi from "@pulumi/pulumi";
import { call, callOutput, type FunctionTraits } from "../function";`,
    `const traits: FunctionTraits = ${JSON.stringify({ name, title, issues, isSecret }, undefined, 2)};`,
    ...resultTypes(results.map(({ shape }) => shape)),
    declaration(`Arguments of {@link ${functionName}}.`, `${Name}Args`, args.map(argument)),
    declaration(`Arguments of {@link ${functionName}Output}.`, `${Name}OutputArgs`, args.map(outputArgument)),
    declaration(`What {@link ${functionName}} answers.`, `${Name}Result`, results.map(result)),
    `${comment([model.longForm.summary, ...(issues ? [refused(functionName)] : []), example])}
export function ${functionName}(args${mark}: ${Name}Args, _opts?: pulumi.InvokeOptions): Promise<${Name}Result> {
  return call(traits, args);
}`,
    `${comment([model.longForm.summary, ...pairs, example])}
export function ${functionName}Output(
  args${mark}: ${Name}OutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<${Name}Result> {
  return callOutput(traits, args, opts);
}`,
  ].join("\n\n");
}

function unknown(issues: boolean): string {
  const always = "The result is unknown while an argument is, or a resource that it comes from is still to be made";
  return issues ? `${always}, and in every preview.` : `${always}.`;
}

function refused(functionName: string): string {
  return `Rejects in a preview: use \`${functionName}Output\`, or ask \`pulumi.runtime.isDryRun()\` first.`;
}

function declaration(summary: string, name: string, members: readonly string[]): string {
  return `${comment([summary])}\nexport interface ${name} {\n${members.join("\n")}\n}`;
}

function argument(property: PropertyModel): string {
  const type = plainType(property.shape) + (property.isRequired ? "" : " | undefined");
  return member(property, `${property.name}${property.isRequired ? "" : "?"}: ${type}`);
}

function outputArgument(property: PropertyModel): string {
  const type = inputType(property.shape, { isOptional: !property.isRequired });
  return member(property, `${property.name}${property.isRequired ? "" : "?"}: ${type}`);
}

function result(property: PropertyModel): string {
  const type = plainType(property.shape) + (property.isAlwaysSet ? "" : " | undefined");
  return member(property, `readonly ${property.name}${property.isAlwaysSet ? "" : "?"}: ${type}`);
}

function member(property: PropertyModel, declared: string): string {
  return `${propertyComment(property, "  ")}\n  ${declared};`;
}
