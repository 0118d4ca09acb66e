import { renamed, type Shape } from "../../provider/hosts/terraform/shape";
import { isAddress, partsOfAddress } from "./address";
import { terraformTable, terraformTables } from "./terraform-tables";

/** How a property, a part of it and a text are called for the user of a resource. */
export interface Words {
  /** `boundClaims.ref[]`, as the user's program writes it. */
  path(path: string): string;
  /** The other way round. Paths of the tables stay as they are. */
  ownPath(path: string): string;
  /** What stands at that path. */
  value(path: string, value: unknown): unknown;
  text(text: string): string;
}

const OWN: Words = {
  path: (path) => path,
  ownPath: (path) => path,
  value: (_, value) => value,
  text: (text) => text,
};

/** The words for a resource: those of the tables for a URN of Pulumi, those of Terraform for an address. */
export function wordsFor(urn: string): Words {
  if (!isAddress(urn)) return OWN;
  const table = terraformTable(partsOfAddress(urn).type);
  if (!table) return { ...OWN, text: inTerraform };
  const attributes = [...table.inputs, ...table.outputs];
  const found = (path: string, to: "name" | "property" = "name") => {
    let shape: Shape | undefined;
    let isRoot = true;
    const name = path.replace(STEP, (part) => {
      const inside = isRoot || shape?.kind === "record" ? membersOf(isRoot ? attributes : shape) : undefined;
      const member = inside?.find(({ name, property }) => part === property || (to === "property" && part === name));
      shape = inside ? member?.shape : shape && "item" in shape ? shape.item : undefined;
      isRoot = false;
      return member?.[to] ?? part;
    });
    return { name, shape };
  };
  return {
    path: (path) => found(path).name,
    ownPath: (path) => found(path, "property").name,
    value(path, value) {
      const { shape } = found(path);
      return shape ? renamed(shape, value, "attribute") : value;
    },
    text: inTerraform,
  };
}

/** A step of a path: a name, or what stands in brackets. */
const STEP = /\["(?:[^"\\]|\\.)*"\]|\[(?:\d+|\*)?\]|[^.[\]]+/g;

interface NamedShape {
  readonly property: string;
  readonly name: string;
  readonly shape: Shape;
}

function membersOf(of: readonly NamedShape[] | Shape | undefined): readonly NamedShape[] {
  if (of === undefined || !("kind" in of)) return of ?? [];
  if (of.kind !== "record") return [];
  return of.members.map(({ property, attribute, shape }) => ({ property, name: attribute, shape }));
}

function inTerraform(text: string): string {
  return PHRASES.reduce((said, [ours, its]) => said.replaceAll(ours, its), terraformTables().wording(text));
}

/** What is said of a state of Pulumi, and of Terraform. */
const PHRASES: readonly (readonly [ours: string, its: string])[] = [
  ["it is encrypted in the state; --decrypt compares it", "the state does not have it"],
];

/** A change at a path, in these words. */
export function changeInWords<T extends { readonly path: string; readonly before?: unknown; readonly after?: unknown }>(
  { path: pathOf, value }: Words,
  change: T,
): T {
  const { path } = change;
  return {
    ...change,
    path: pathOf(path),
    ...("before" in change ? { before: value(path, change.before) } : {}),
    ...("after" in change ? { after: value(path, change.after) } : {}),
  };
}
