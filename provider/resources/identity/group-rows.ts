import * as z from "zod";
import { setOf } from "../../core/canonical";
import { type Field, row } from "../../core/field";
import { isPrintable, NOT_PRINTABLE, path, stringSet } from "../../core/rows";
import { isRecord } from "../../core/unknowns";

/** The name under which an auth method knows an external group. */
export interface GroupAlias {
  /** Path of the auth method's mount, without `auth/`. The provider looks its accessor up. */
  mount: string;
  /** Name of the group in the claim that the role's `groupsClaim` names. */
  name: string;
}

/** A name that the server keeps as it was written, and looks for in any letter case. */
export function nameInAnyCase(wire: string): Field<string, false> {
  return row({
    place: "path",
    wire,
    schema: z
      .string({ error: "must be a string" })
      .refine(isPrintable, { error: NOT_PRINTABLE })
      .refine((value) => !/^[\s/]|[\s/]$/.test(value), { error: "must not begin or end with a blank or a slash" })
      .refine((value) => !/(^|\/)\.{1,2}(\/|$)|\/\//.test(value), { error: "must not have `.` or `..` as a segment" }),
    canonical: (value) => value?.toLowerCase(),
  });
}

/** Names of policies: some servers keep their letter case, others do not. */
export function policyNames(wire: string): Field<string[], false> {
  const names = stringSet(wire);
  return { ...names, canonical: (values) => setOf((values ?? []).map((value) => value.trim().toLowerCase())) };
}

/** Members that a program names. Those of an external group come and go with logins. */
export function namedMembers(wire: string): Field<string[], false> {
  const ids = stringSet(wire);
  return { ...ids, decode: (members, { type } = {}) => (type === "external" ? undefined : ids.decode(members)) };
}

/** The alias of a group. One whose mount is gone counts as none: nobody can log in there. */
export function groupAlias(wire: string): Field<GroupAlias, false> {
  const mountPath = path();
  const shape = {
    mount: mountPath.schema,
    name: z.string({ error: "must be a string" }).regex(/\S/, { error: "must not be empty" }),
  };
  return row<GroupAlias>({
    place: "body",
    wire,
    schema: z.strictObject(shape, {
      error: ({ code }) => (code === "invalid_type" ? "must be { mount, name }" : undefined),
    }),
    normalise: ({ mount, name }) => ({ mount: mountPath.normalise(mount), name }),
    decode(alias) {
      if (!isRecord(alias)) return undefined;
      const mount = /^auth\/(.+)\/$/.exec(String(alias["mount_path"]))?.[1];
      return mount === undefined ? undefined : { mount, name: String(alias["name"]) };
    },
    canonical: (alias) => alias && { mount: mountPath.canonical(alias.mount), name: alias.name },
  });
}

/** The server's id of the alias. */
export function idOfAlias(wire: string): Field<string, false> {
  return row({
    place: "body",
    wire,
    schema: z.string(),
    decode: (alias) => (isRecord(alias) && typeof alias["id"] === "string" ? alias["id"] : undefined),
  });
}
