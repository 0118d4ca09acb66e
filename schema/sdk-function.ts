import { typeToken } from "../provider/core/type-token";
import { kebabCase, nativeLongForm } from "./long-form";
import type { FunctionModel, PropertyModel } from "./package-model";
import { inputType, plainType, recordNames, resultTypes } from "./sdk-types";
import { comment, propertyComment } from "./tsdoc";

/** The source of a function in its two forms, with the types of its arguments and its result. */
export function sdkFunction(model: FunctionModel): string {
  const { functionName, name, args, results } = model;
  const Name = capitalised(functionName);
  return [
    `import type * as pulumi from "@pulumi/pulumi";
import { call, callOutput, type FunctionTraits } from "../function";`,
    `const traits: FunctionTraits = ${JSON.stringify({ name, ...traitsOf(model) }, undefined, 2)};`,
    ...resultTypes(results.map(({ shape }) => shape)),
    declaration(`Arguments of {@link ${functionName}}.`, `${Name}Args`, args.map(argument)),
    declaration(`Arguments of {@link ${functionName}Output}.`, `${Name}OutputArgs`, args.map(outputArgument)),
    declaration(`What {@link ${functionName}} answers.`, `${Name}Result`, results.map(result)),
    // A dynamic provider has no functions: no option of an invoke means anything to the program's own call.
    ...functionDeclarations(model, { options: "_opts", call: "call(traits, args)" }),
  ].join("\n\n");
}

/** The source of a function that the plugin serves: the same arguments, the same result. */
export function nativeFunction(model: FunctionModel): string {
  const { functionName, module, results } = model;
  const Name = capitalised(functionName);
  const from = `"../../${module}/${kebabCase(functionName)}"`;
  const own = [`${Name}Args`, `${Name}OutputArgs`, `${Name}Result`];
  const token = typeToken(`${module}:${functionName}`);
  const native = { ...model, longForm: nativeLongForm(model.longForm) };
  return [
    `import type * as pulumi from "@pulumi/pulumi";
import type { ${own.join(", ")} } from ${from};
import { call, callOutput, type FunctionTraits } from "../invoke";`,
    `export type { ${[...own, ...recordNames(results.map(({ shape }) => shape))].sort().join(", ")} } from ${from};`,
    `const traits: FunctionTraits = ${JSON.stringify({ token, ...traitsOf(model) }, undefined, 2)};`,
    ...functionDeclarations(native, { options: "opts", call: "call(traits, args, opts)" }),
  ].join("\n\n");
}

function traitsOf({ module, functionName, issues, results }: FunctionModel) {
  const isSecret = results.some(({ secret }) => secret !== undefined);
  return { title: `${module}.${functionName}`, issues, isSecret };
}

/** What tells one kind of function from the other. */
interface CallForm {
  readonly options: string;
  readonly call: string;
}

function functionDeclarations(model: FunctionModel, { options, call }: CallForm): string[] {
  const { functionName, args, issues } = model;
  const Name = capitalised(functionName);
  const mark = args.some((arg) => arg.isRequired) ? "" : "?";
  const example = `@example\n\`\`\`ts\n${model.longForm.example}\n\`\`\``;
  const isSecret = traitsOf(model).isSecret ? " It is a secret." : "";
  const pairs = [`Takes Outputs and answers one. ${unknown(issues)}${isSecret}`];
  return [
    `${comment([model.longForm.summary, ...(issues ? [refused(functionName)] : []), example])}
export function ${functionName}(args${mark}: ${Name}Args, ${options}?: pulumi.InvokeOptions): Promise<${Name}Result> {
  return ${call};
}`,
    `${comment([model.longForm.summary, ...pairs, example])}
export function ${functionName}Output(
  args${mark}: ${Name}OutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<${Name}Result> {
  return callOutput(traits, args, opts);
}`,
  ];
}

function capitalised(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
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
