import type { Definition } from "../../provider/core/definition";
import { type PackageSchema, type ResourceTable, type Tables, tablesOf } from "../../provider/hosts/terraform/table";
import { definitions } from "../../provider/resources";
import { packagedJson } from "../io/package-manifest";

let made: Tables | undefined;

/** How Terraform's attributes stand for the properties of the tables. Made when it is first needed: it reads the schema. */
export function terraformTables(): Tables {
  // The package's own file: its form is that of this release.
  made ??= tablesOf(Object.values<Definition>(definitions), packagedJson("schema", "schema.json") as PackageSchema);
  return made;
}

/** The table of a resource that Terraform has, such as `trustplane_jwt_role`. */
export function terraformTable(type: string): ResourceTable | undefined {
  return terraformTables().resources.get(type);
}
