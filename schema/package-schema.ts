import { NATIVE_CLASSES, PACKAGE_NAME } from "../provider/core/package-name";
import { dynamicTypeToken, typeToken } from "../provider/core/type-token";
import { configurationSpec } from "./configuration-schema";
import { languageOptions } from "./language-options";
import type { FunctionModel, PackageModel, PropertyModel, ResourceModel } from "./package-model";
import { type NamedTypes, namedTypes, type PropertySpec, TAKE_OVER_PLACE, type TypeSpec } from "./package-types";
import { deprecation, propertyProse } from "./tsdoc";

/** Properties by name, and those that are always there. */
interface ObjectSpec {
  readonly properties: Readonly<Record<string, PropertySpec>>;
  readonly required: readonly string[];
}

/** What the package's own `package.json` says of it. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly keywords: readonly string[];
}

const providerDescription =
  "How the servers are reached. What is not set comes from the environment of the servers' own tools; its token only where the address is the environment's.";

/** The package in the words of Pulumi's schema: what its CLI, its generators and the plugin's `GetSchema` take. */
export function packageSchema({ resources, functions, connection }: PackageModel, manifest: Manifest) {
  const { name, version, description, license, keywords } = manifest;
  const types = namedTypes(resources);
  const variables = configurationSpec(connection, types);
  return {
    name,
    displayName: name,
    version,
    description,
    license,
    keywords: [...keywords, "kind/native", "category/infrastructure"],
    meta: { moduleFormat: "(.*)(?:/[^/]*)" },
    language: languageOptions,
    config: { variables },
    provider: { description: providerDescription, inputProperties: variables },
    resources: byToken(
      resources.map((each) => [typeToken(`${each.module}:${each.className}`), resourceSpec(each, types)]),
    ),
    functions: byToken(
      functions.map((each) => [typeToken(`${each.module}:${each.functionName}`), functionSpec(each, types)]),
    ),
    // Last, as the others have found by now which types there are.
    types: byToken(types.found()),
  };
}

function resourceSpec(resource: ResourceModel, types: NamedTypes) {
  const { module, className, inputs, outputs, lookUp } = resource;
  const spec = propertySpecs(types, module, className);
  const arguments_ = objectSpec(inputs, spec, ({ isRequired }) => isRequired);
  return {
    description: describedWithExample(resource),
    ...objectSpec([...inputs, ...outputs], (property) => withoutDefault(spec(property)), isAlwaysSet),
    inputProperties: arguments_.properties,
    requiredInputs: arguments_.required,
    stateInputs: {
      type: "object",
      properties: Object.fromEntries(
        inputs.filter(({ name }) => lookUp.includes(name)).map((property) => [property.name, spec(property)]),
      ),
    },
    // A program moves from the dynamic class to the native one, and what it has made stays.
    aliases: [{ type: dynamicTypeToken(`${module}:${className}`) }],
  };
}

function functionSpec(model: FunctionModel, types: NamedTypes) {
  const spec = propertySpecs(types, model.module, model.functionName);
  return {
    description: describedWithExample(model),
    inputs: { type: "object", ...objectSpec(model.args, spec, ({ isRequired }) => isRequired) },
    outputs: { type: "object", ...objectSpec(model.results, (result) => withoutDefault(spec(result)), isAlwaysSet) },
  };
}

function propertySpecs(types: NamedTypes, module: string, owner: string) {
  const placeOf = ({ name }: PropertyModel) =>
    name === TAKE_OVER_PLACE.property ? TAKE_OVER_PLACE : { module, owner, property: name };
  return (property: PropertyModel) => propertySpec(property, types.typeOf(property.shape, placeOf(property)));
}

function propertySpec(property: PropertyModel, type: TypeSpec): PropertySpec {
  // A server's own default is said, not written: written ones end up in every state.
  const byServer = property.fallback !== undefined && property.preset === undefined;
  const prose = propertyProse(property);
  return {
    ...type,
    description: byServer ? `${prose} Default: ${property.fallback}.` : prose,
    ...(property.preset === undefined ? {} : { default: property.preset }),
    ...(property.deprecated === undefined ? {} : { deprecationMessage: deprecation(property.deprecated) }),
    // What is secret under a condition is marked by the provider, value by value.
    ...(property.secret === "always" ? { secret: true } : {}),
    ...(property.replaces ? { willReplaceOnChanges: true } : {}),
  };
}

/** Only what is written has a default. */
function withoutDefault({ default: _, ...spec }: PropertySpec): PropertySpec {
  return spec;
}

function isAlwaysSet(property: PropertyModel): boolean {
  return property.isAlwaysSet;
}

function objectSpec(
  properties: readonly PropertyModel[],
  spec: (property: PropertyModel) => PropertySpec,
  isThere: (property: PropertyModel) => boolean,
): ObjectSpec {
  return {
    properties: Object.fromEntries(properties.map((property) => [property.name, spec(property)])),
    required: properties.filter(isThere).map(({ name }) => name),
  };
}

/** The marks tell Pulumi's generators which part is for which language. */
function describedWithExample({ longForm }: ResourceModel | FunctionModel): string {
  // The schema describes the plugin's classes, which take the same arguments.
  const program = longForm.example.replace(`from "${PACKAGE_NAME}"`, `from "${NATIVE_CLASSES}"`);
  const example = `{{% example %}}\n\n\`\`\`typescript\n${program}\n\`\`\`\n{{% /example %}}`;
  return `${longForm.summary}\n\n{{% examples %}}\n## Example Usage\n${example}\n{{% /examples %}}`;
}

function byToken<Spec>(entries: readonly (readonly [string, Spec])[]): Readonly<Record<string, Spec>> {
  return Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));
}
