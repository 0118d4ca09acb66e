import type { Definition } from "../provider/core/definition";
import type { PackageModel, PropertyModel, ResourceModel } from "./package-model";
import type { Shape } from "./property-shape";
import { propertyProse } from "./tsdoc";

/** The package with all that is said of a single resource also said of the settings of a set's records, in the same order. */
export function withSettings(model: PackageModel, definitions: Readonly<Record<string, Definition>>): PackageModel {
  const resources = model.resources.map((resource) => {
    const of = definitions[resource.name]?.members?.of;
    const single = model.resources.find(({ name }) => definitions[name] === of);
    if (of === undefined || single === undefined) return resource;
    const inputs = resource.inputs.map((property) => ({ ...property, shape: described(property.shape, single) }));
    return { ...resource, inputs };
  });
  return { ...model, resources };
}

function described(shape: Shape, single: ResourceModel): Shape {
  if (shape.kind === "map") return { ...shape, value: described(shape.value, single) };
  if (shape.kind !== "record") return shape;
  const members = single.inputs.flatMap((property) => {
    const member = shape.members.find(({ name }) => name === property.name);
    return member ? [{ ...member, shape: property.shape, description: proseOf(property) }] : [];
  });
  return { ...shape, members };
}

/** A record that is made anew replaces no resource. */
function proseOf(property: PropertyModel): string {
  const { fallback, isDuration } = property;
  const prose = propertyProse({ ...property, replaces: false });
  return fallback === undefined || isDuration ? prose : `${prose} Default: \`${fallback}\`.`;
}
