import { dynamicTypeToken, typeToken } from "../provider/core/type-token";
import { idForms } from "./id-forms";
import { kebabCase, nativeLongForm } from "./long-form";
import type { PropertyModel, ResourceModel } from "./package-model";
import { inputType, plainType, recordNames, recordTypes } from "./sdk-types";
import { comment, propertyComment } from "./tsdoc";

/** The source of a resource's class, with the types of its arguments and its state. */
export function sdkClass(resource: ResourceModel): string {
  const { className, inputs, outputs } = resource;
  const args = inputs.map((property) => member(property, property.isRequired));
  const state = [...inputs, ...outputs].map((property) => member(property, false));
  return [
    `import * as pulumi from "@pulumi/pulumi";
import * as provider from "trustplane/dynamic/${resource.name}";
import { skipPromiseTraces } from "../promise-traces";
import { isOfType, optionsOf, type Traits, toldPropsOf } from "../resource";`,
    traitsDeclaration(resource, dynamicToken(resource), nativeToken(resource)),
    ...recordTypes([...inputs, ...outputs].map((property) => property.shape)),
    `${comment([`What a program writes to make a {@link ${className}}.`])}\nexport interface ${className}Args {\n${args.join("\n")}\n}`,
    `${comment([`What is recorded of a {@link ${className}}.`])}\nexport interface ${className}State {\n${state.join("\n")}\n}`,
    classDeclaration(resource, {
      base: "pulumi.dynamic.Resource",
      registered: "toldPropsOf(traits, args, opts)",
      options: "optionsOf(traits, args, opts)",
      construction: `super(provider, name, props, options, "trustplane/${resource.module}", "${className}");`,
    }),
  ].join("\n\n");
}

/** The source of the class whose resource the plugin serves: the same arguments, and what the dynamic class has made. */
export function nativeClass(model: ResourceModel): string {
  const resource = { ...model, longForm: nativeLongForm(model.longForm) };
  const { module, className, inputs, outputs } = resource;
  const from = `../../${module}/${kebabCase(className)}`;
  const declared = classDeclaration(resource, {
    base: "pulumi.CustomResource",
    registered: "propsOf(traits, args, opts)",
    options: "optionsOf(traits, opts)",
    construction: "super(traits.token, name, props, options);",
  });
  const records = recordNames([...inputs, ...outputs].map((property) => property.shape));
  const own = [`${className}Args`, `${className}State`];
  const used = [...own, ...records].filter((name) => new RegExp(`\\b${name}\\b`).test(declared));
  const imports = [
    [from, `import type { ${used.sort().join(", ")} } from "${from}";`] as const,
    ["../../promise-traces", 'import { skipPromiseTraces } from "../../promise-traces";'] as const,
    ["../../resource", 'import { isOfType, propsOf, type Traits } from "../../resource";'] as const,
  ]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, line]) => line);
  return [
    ['import * as pulumi from "@pulumi/pulumi";', ...imports, 'import { optionsOf } from "../options";'].join("\n"),
    `export type { ${[...own, ...records.flatMap((name) => [`${name}Args`, name])].sort().join(", ")} } from "${from}";`,
    traitsDeclaration(resource, nativeToken(resource), dynamicToken(resource)),
    declared,
  ].join("\n\n");
}

function dynamicToken({ module, className }: ResourceModel): string {
  return dynamicTypeToken(`${module}:${className}`);
}

function nativeToken({ module, className }: ResourceModel): string {
  return typeToken(`${module}:${className}`);
}

function traitsDeclaration(resource: ResourceModel, token: string, otherToken: string): string {
  const { inputs, outputs, secrets, secretOutputs, records, lookUp } = resource;
  const properties = [...inputs, ...outputs].map(({ name }) => name);
  const traits = { token, otherToken, properties, secrets, secretOutputs, records, lookUp };
  return `const traits: Traits = ${JSON.stringify(traits, undefined, 2)};`;
}

/** What tells one kind of class from the other. */
interface ClassForm {
  readonly base: string;
  /** Expressions: the properties and options that are registered. */
  readonly registered: string;
  readonly options: string;
  /** The call of the base's constructor. */
  readonly construction: string;
}

function classDeclaration(resource: ResourceModel, form: ClassForm): string {
  const { className, inputs, outputs, longForm } = resource;
  const isOptional = !inputs.some((property) => property.isRequired);
  return `${comment([longForm.summary, `@example\n\`\`\`ts\n${longForm.example}\n\`\`\``])}
export class ${className} extends ${form.base} {
${lookUpComment(resource)}
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state?: ${className}State,
    opts?: pulumi.CustomResourceOptions,
  ): ${className} {
    // With an id nothing is created, so what only creating needs may be missing.
    return new ${className}(name, { ...state } as ${className}Args, { ...opts, id });
  }

  /** True for a ${className}, also when another copy of this package made it. */
  static override isInstance(obj: unknown): obj is ${className} {
    return isOfType(traits, obj);
  }

${[...inputs, ...outputs].map(outputMember).join("\n")}

  /**
   * Declares the resource. A replacement always deletes the old record before it creates the new one:
   * \`deleteBeforeReplace: false\` in \`opts\` has no effect, because both could have the same id on the server.
   */
  constructor(name: string, args${isOptional ? "?" : ""}: ${className}Args, opts?: pulumi.CustomResourceOptions) {
    const props = ${form.registered};
    const options = ${form.options};
    const endSkipping = skipPromiseTraces();
    try {
      ${form.construction}
    } finally {
      endSkipping();
    }
  }
}`;
}

function lookUpComment({ id, lookUp }: ResourceModel): string {
  const used = lookUp.map((name) => `\`${name}\``).join(", ");
  const written = `Looks up a record that something else manages; fails when there is none. Its id is ${idForms(id).join(" or ")}.`;
  return comment([written, `Taken from \`state\`: ${used}. All else is what the server answers.`], "  ");
}

function member(property: PropertyModel, isRequired: boolean): string {
  const type = inputType(property.shape, { isOptional: !isRequired });
  return `${propertyComment(property, "  ")}\n  ${property.name}${isRequired ? "" : "?"}: ${type};`;
}

/** Only declared: a field of the class would hide the Output that Pulumi's constructor has put there. */
function outputMember(property: PropertyModel): string {
  const type = plainType(property.shape) + (property.isAlwaysSet ? "" : " | undefined");
  return `${propertyComment(property, "  ")}\n  declare readonly ${property.name}: pulumi.Output<${type}>;`;
}
