import type { Definition } from "../../provider/core/definition";
import { typeToken } from "../../provider/core/type-token";
import { idForms } from "../id-forms";
import type { ResourceModel } from "../package-model";
import { resourcePermissions } from "../permissions";
import { sourcesSection } from "../sources";
import { driftSection } from "./drift-section";
import { permissionSection } from "./permission-section";
import { productName } from "./product-names";
import { durationNote, inputTable, named, outputTable, recordSections } from "./property-table";

/** The page of a resource: what a person wrote about it, and what its table says. */
export function resourcePage(resource: ResourceModel, definition: Definition): string {
  const { inputs, outputs, longForm } = resource;
  const sections = [
    longForm.text.trim().replace("\n\n", () => `\n\n${productName(definition.token)}\n\n`),
    "## Properties",
    durationNote(inputs),
    inputTable(inputs),
    ...recordSections(inputs, "Required."),
    ...(outputs.length === 0 ? [] : ["## What the server adds", outputTable(outputs)]),
    permissionSection(resourcePermissions(definition)),
    importSection(resource, definition),
    driftSection(definition),
    sourcesSection([...inputs, ...outputs]),
  ];
  return sections.filter(Boolean).join("\n\n");
}

function importSection({ module, className, id, lookUp }: ResourceModel, { token }: Definition): string {
  const forms = idForms(id);
  const [form = ""] = forms.map((each) => each.replaceAll("`", ""));
  const [first = ""] = lookUp;
  return `## Import

The id is ${forms.join(" or ")}. A record that is there already [is taken over if it is as the
program says](../configuration.md#a-record-that-is-there-already), and refused otherwise, unless \`takeOver\` says more. To have it in the
state before that, import it with the native plugin:

\`\`\`sh
pulumi import ${typeToken(token)} <resource name> '${form}'
\`\`\`

${elsewhere(lookUp)}, append ${named(lookUp)} to the id, as in
\`'${form}?${first}=east'\`. \`trustplane.${module}.${className}.get(name, id, { … })\` only reads the record; it takes the same
properties next to the id.`;
}

function elsewhere(lookUp: readonly string[]): string {
  const tenant = ["namespace", "partition"].find((name) => lookUp.includes(name));
  const connection = "If the record is on another connection than the service's own";
  return tenant === undefined ? connection : `${connection}, or in another ${tenant} than the connection's own`;
}
