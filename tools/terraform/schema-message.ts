import { functions } from "../../provider/functions/index";
import { serviceDefinition } from "../../provider/hosts/terraform/protocol";
import { schemaAnswer } from "../../provider/hosts/terraform/provider-schema";
import { type PackageSchema, tablesOf } from "../../provider/hosts/terraform/table";
import { definitions } from "../../provider/resources/index";

/** The answer to `GetProviderSchema` as it is sent. */
export function schemaMessage(schema: PackageSchema): Buffer | undefined {
  const tables = tablesOf(Object.values(definitions), schema, Object.values(functions));
  return serviceDefinition("tfplugin6.Provider")["GetProviderSchema"]?.responseSerialize(schemaAnswer(tables));
}
