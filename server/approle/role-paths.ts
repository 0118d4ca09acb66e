import { definePath, listing, nameSegment, type Path } from "../framework/backend";
import { Failure, Refusal } from "../framework/refusal";
import { refuseTaken, roleFields, roleWarnings, shownRole, writtenRole } from "./approle-role";
import type { ApproleStore } from "./approle-store";

/** `role/:role_name`, its listing and its role ID. */
export function rolePaths(store: ApproleStore): readonly Path[] {
  const isTakenFrom = (name: string) => (roleId: string) => (store.roleById(roleId)?.name ?? name) !== name;
  const ofRole = `role/${nameSegment("role_name")}`;
  return [
    definePath({
      pattern: "role/?",
      fields: {},
      operations: { list: () => listing(store.roleNames()) },
    }),
    definePath({
      pattern: ofRole,
      fields: roleFields,
      existenceCheck: ({ data }) => store.role(data.get("role_name")) !== undefined,
      operations: {
        read: ({ data }) => {
          const found = store.role(data.get("role_name"));
          return found && { data: shownRole(found.role) };
        },
        update: ({ data, mount: { maxLeaseSeconds } }) => {
          const name = data.get("role_name").toLowerCase();
          const stored = store.role(name)?.role;
          const role = writtenRole(data, { stored, maxLeaseSeconds, isTaken: isTakenFrom(name) });
          store.putRole({ name, role });
          const warnings = roleWarnings(role, data, maxLeaseSeconds);
          return warnings.length > 0 ? { warnings } : undefined;
        },
        delete: ({ data }) => {
          store.deleteRole(data.get("role_name").toLowerCase());
          return undefined;
        },
      },
    }),
    definePath({
      pattern: `${ofRole}/role-id`,
      fields: { role_name: "string", role_id: "string" },
      operations: {
        read: ({ data }) => {
          const found = store.role(data.get("role_name"));
          return found && { data: { role_id: found.role.role_id } };
        },
        update: ({ data }) => {
          const found = store.role(data.get("role_name"));
          if (found === undefined) throw new Failure("unsupported path", { status: 404 });
          const roleId = data.get("role_id");
          if (roleId === "") throw new Refusal("missing role_id");
          refuseTaken(roleId, isTakenFrom(found.name));
          store.putRole({ name: found.name, role: { ...found.role, role_id: roleId } });
          return undefined;
        },
      },
    }),
  ];
}
