import * as z from "zod";
import type { Availability } from "./availability";
import { TAKE_OVER } from "./connection-entry";
import { type Field, onlyOn, row } from "./field";
import { isPrintable, local, lowerCase, NOT_PRINTABLE, oneOf, string, trimSlashes } from "./rows";

/** The part of a server in which a record is: a namespace of Vault and OpenBao, a partition of Consul. */

/** The servers that have namespaces. Vault's community edition ignores the header that names one. */
export const NAMESPACES: Availability = { vaultEnterprise: "0.11.0", openbao: "2.3.0" };

/** Names that the servers keep for themselves. */
const RESERVED = ["root", "sys", "audit", "auth", "cubbyhole", "identity"];

/** A namespace below the connection's own. */
function namespace(): Field<string, false> {
  const segments = (text: string) => trimSlashes(text).split("/");
  const schema = z
    .string({ error: "must be a string" })
    .regex(/^\/*([^/\s]+(\/[^/\s]+)*)?\/*$/, { error: "must be a path such as `team` or `team/ci`" })
    .refine(isPrintable, { error: NOT_PRINTABLE })
    .refine((text) => !segments(text).some((name) => name === "." || name === ".."), {
      error: "must not have `.` or `..` as a segment",
    })
    .refine((text) => !segments(text).some((name) => RESERVED.includes(name)), {
      error: `must not have a name that the server keeps for itself (${RESERVED.join(", ")}): it is relative to the connection's own namespace, and left out it is that one`,
    });
  const plain = { ...local(string("")), schema, normalise: trimSlashes };
  return onlyOn(NAMESPACES, { ...plain, canonical: (value) => trimSlashes(value ?? "") });
}

/** `default` is the same as no partition. The community edition has no other. */
export function partition(): Field<string, false> {
  const schema = z
    .string({ error: "must be a string" })
    .regex(/^[^/\s]*$/, { error: "must be a name without slashes and blanks" })
    .refine(isPrintable, { error: NOT_PRINTABLE })
    .refine((name) => name !== "." && name !== "..", { error: "must not be `.` or `..`" });
  const canonical = (value: string | undefined) => (value === "default" ? "" : (value ?? ""));
  return lowerCase(row<string>({ place: "local", wire: "", schema, canonical }));
}

/** The row that every resource and function of an API has. */
export const tenantRows = {
  vault: {
    /**
     * Namespace of the record, below the connection's own, such as `team/ci`; the connection's own when unset.
     * @source vault/namespaces
     */
    namespace: namespace(),
  },
  consul: {
    /**
     * Admin partition of the record, Enterprise only, instead of the connection's own, which it is when unset; `default` is
     * the same as none.
     * @source consul/partitions
     */
    partition: partition(),
  },
  tfe: {},
} as const;

/** An API family, and so a kind of tenant. */
export type Family = keyof typeof tenantRows;

/** The rows that name the server and the tenant, by API family. */
export type TenantRows<F extends Family> = (typeof tenantRows)[F];

const connection = {
  /** Name of the connection that serves the resource. @default the service's own connection */
  connection: local(string("")),
};

/** A row for what is done when the record is made, and not later: another value alone is no change. */
export const takeOverRow = {
  /**
   * Whether a record that somebody else has made is taken over when the resource is created: `same` takes over one that is as
   * the program says, `always` writes over any, `never` refuses all. Changing only this property does nothing.
   * @default what its connection says
   */
  takeOver: { ...local(oneOf("", TAKE_OVER)), canonical: () => "" as const },
};

/**
 * Every resource takes `takeOver` and `connection`, and `namespace` or `partition` where its API has such. Another one of these
 * is another place, so they are part of the identity.
 */
export type Common<F extends Family = Family> = typeof connection & TenantRows<F> & typeof takeOverRow;
export type CommonName = "connection" | "namespace" | "partition" | "takeOver";

export function commonRows<F extends Family>(family: F): Common<F> {
  return { ...connection, ...tenantRows[family], ...takeOverRow };
}

/** The property that names the tenant; undefined where the API has none. */
export function tenantProperty(family: Family): "namespace" | "partition" | undefined {
  return family === "vault" ? "namespace" : family === "consul" ? "partition" : undefined;
}

/** The tenant that these values name; undefined where it is the connection's own. */
export function tenantIn(family: Family, values: Readonly<Record<string, unknown>>): string | undefined {
  const property = tenantProperty(family);
  const named = property === undefined ? undefined : values[property];
  const name = typeof named === "string" ? trimSlashes(named) : "";
  return name === "" ? undefined : name;
}

/** The properties that say where a record is, and nothing of the record itself. */
export function placeProperties(family: Family): readonly string[] {
  const property = tenantProperty(family);
  return property === undefined ? ["connection"] : ["connection", property];
}
