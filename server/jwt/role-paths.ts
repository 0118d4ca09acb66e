import { definePath, listing, nameSegment, type Path } from "../framework/backend";
import { reloadedAddress } from "../framework/bound-address";
import type { Storage } from "../framework/storage";
import { roleWarnings, writtenRole } from "./check-role";
import { roleFields } from "./role-fields";
import { emptyRole, type RoleRecord, shownRole } from "./role-record";

/** `role/:name` and its listing. Names are kept in lower case. */
export function rolePaths(storage: Storage): readonly Path[] {
  const read = (name: string) => storage.get<RoleRecord>(`role/${name}`);
  return [
    definePath({
      pattern: "role/?",
      fields: {},
      operations: { list: () => listing(storage.list("role/")) },
    }),
    definePath({
      pattern: `role/${nameSegment("name")}`,
      fields: roleFields,
      existenceCheck: ({ data }) => read(data.get("name")) !== undefined,
      operations: {
        read: ({ data }) => {
          const role = read(data.get("name"));
          return role === undefined ? undefined : { data: shownRole(role) };
        },
        update: ({ data, mount }) => {
          const stored = read(data.get("name"));
          const role = writtenRole(stored === undefined ? emptyRole : reloaded(stored), data, mount);
          storage.put(`role/${data.get("name")}`, role);
          const warnings = roleWarnings(role, mount);
          return warnings.length > 0 ? { warnings } : undefined;
        },
        delete: ({ data }) => {
          storage.delete(`role/${data.get("name")}`);
          return undefined;
        },
      },
    }),
  ];
}

function reloaded(role: RoleRecord): RoleRecord {
  return {
    ...role,
    token_bound_cidrs: role.token_bound_cidrs.map(reloadedAddress),
    bound_cidrs: role.bound_cidrs.map(reloadedAddress),
  };
}
