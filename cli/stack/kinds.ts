import { isEmpty, picked } from "../../provider/core/canonical";
import type { Service } from "../../provider/core/connection-entry";
import type { Definition, Values } from "../../provider/core/definition";
import { fill, requiredPlaceholders } from "../../provider/core/template";
import { dialects } from "../../provider/dialects";
import { listingOf } from "../../provider/dialects/listing";
import { hasOwnRecord } from "../../provider/engine/find-records";
import { definitions } from "../../provider/resources";

/** What is known of where records are: the path of a mount, or the id of a policy set. */
export interface Place {
  readonly values: Values;
  /** The record that is the place, such as the mount. */
  readonly giver?: { readonly definition: Definition; readonly id: string };
}

/** The kinds of records that a server can show. */
export const kinds: readonly Definition[] = Object.values<Definition>(definitions).filter(hasOwnRecord);

/** The types of mounts with which the resources of a module work. */
const MOUNT_TYPES: Readonly<Record<string, readonly string[]>> = { jwt: ["jwt", "oidc"], cloud: ["aws", "cloud"] };

export function serviceOf({ dialect }: Pick<Definition, "dialect">): Service {
  return dialects[dialect].service;
}

/** What must be known to look for records of this kind. */
export function neededFor(kind: Definition): string[] {
  return requiredPlaceholders(listingOf(kind) ?? kind.read.path);
}

/** Whether records of this kind are in mounts. */
export function isInMounts(kind: Definition): boolean {
  return neededFor(kind).includes("mount");
}

/** Whether this resource is a mount. */
export function isMount({ token }: Pick<Definition, "token">): boolean {
  return token === "sys:AuthMount" || token === "sys:SecretsMount";
}

/** The place that a record makes for records of this kind; undefined where they cannot be in it. */
export function placeIn(giver: Definition, id: string, values: Values, kind: Definition): Place | undefined {
  const needed = neededFor(kind);
  if (needed.length === 0 || giver.dialect !== kind.dialect) return undefined;
  const about = { giver: { definition: giver, id } };
  if (isInMounts(kind)) {
    const isAuth = kind.read.path.startsWith("auth/");
    const types = MOUNT_TYPES[moduleOf(kind)] ?? [];
    const isThere = giver.token === (isAuth ? "sys:AuthMount" : "sys:SecretsMount");
    return isThere && types.includes(String(values["type"]))
      ? { values: { mount: values["path"] }, ...about }
      : undefined;
  }
  const isComplete = moduleOf(giver) === moduleOf(kind) && needed.every((name) => !isEmpty(values[name]));
  return isComplete && giver !== kind
    ? { values: Object.fromEntries(needed.map((name) => [name, values[name]])), ...about }
    : undefined;
}

/** The place of a record with these values. */
export function placeAt(kind: Definition, values: Values): Place {
  const place = { values: picked(values, neededFor(kind)) };
  if (!isInMounts(kind)) return place;
  const giver: Definition = kind.read.path.startsWith("auth/") ? definitions.sysAuthMount : definitions.sysSecretsMount;
  return { ...place, giver: { definition: giver, id: fill(giver.id, { path: values["mount"] }) } };
}

/** The property of a place that a name in a kind's path stands for. */
export function propertyOfPlace(giver: Definition, name: string): string {
  return isMount(giver) && name === "mount" ? "path" : name;
}

export function moduleOf({ token }: Pick<Definition, "token">): string {
  return token.split(":")[0] ?? "";
}

/** `jwt.Role` of `jwt:Role`. */
export function classOf({ token }: Pick<Definition, "token">): string {
  return token.replace(":", ".");
}
