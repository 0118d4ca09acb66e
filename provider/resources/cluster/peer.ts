import * as z from "zod";
import { isEmpty } from "../../core/canonical";
import type { Definition, Pending, Values } from "../../core/definition";
import type { Failure } from "../../core/errors";
import { type Field, required, row } from "../../core/field";
import {
  boolean,
  isPrintable,
  local,
  lowerCase,
  NOT_PRINTABLE,
  segment,
  string,
  stringList,
  stringMap,
} from "../../core/rows";
import { rule } from "../../core/rules";
import { isAddress } from "./token-content";

/** Rows and rules that a peering has on both of its sides. */

/** The peer's name, a DNS label. */
export function peerName(): Field<string, true> {
  const label = "a DNS label: at most 63 lower-case letters, digits or hyphens, with a letter or digit at both ends";
  return { ...required(segment(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, label)), place: "body", wire: "PeerName" };
}

/** `default` is the same as no partition, which is all that the community edition knows. */
export function partition(): Field<string, false> {
  const schema = z
    .string({ error: "must be a string" })
    .regex(/^[^/\s]*$/, { error: "must be a name without slashes and blanks" })
    .refine(isPrintable, { error: NOT_PRINTABLE })
    .refine((name) => name !== "." && name !== "..", { error: "must not be `.` or `..`" });
  return lowerCase({
    ...string("Partition"),
    schema,
    canonical: (value) => (value === "default" ? "" : (value ?? "")),
  });
}

export const meta = () => stringMap("Meta");

/** The id of the record, and whether the other side has ended the peering. */
export const peeringId = () => required(string("ID"));

export function terminated(): Field<boolean, false> {
  const plain = row<boolean>({ place: "body", wire: "State", schema: undefined as never });
  return { ...plain, decode: (state) => (state === "TERMINATED" ? true : undefined) };
}

/**
 * Whether a write waits until the clusters are connected. It is nothing of the record: another value is no change by
 * itself, as that would establish again, with a token that is spent.
 */
export function waitForActive(): Field<boolean, false> {
  return { ...local(boolean(""), true), canonical: () => true };
}

/** What to look at when a peering stays in a state on its way to ACTIVE (reference cluster B.10). */
const TODO: Readonly<Record<string, string>> = {
  PENDING: "The token was not exchanged: see the log of this cluster's leader.",
  ESTABLISHING:
    "This cluster has not opened its connection to the other one yet: see the log of its leader, which opens one every five seconds at most when there are many.",
  FAILING:
    "The connection to the other cluster breaks: check that the addresses in its token (gRPC TLS port or mesh gateway) can be reached from all servers of this cluster, and stay open.",
};

/** What a peering still is on its way to ACTIVE. One that is ended, or on its way out, does not get there. */
export function onItsWayToActive({ State }: Values, { waitForActive }: Values): Pending | undefined {
  const state = String(State);
  const todo = waitForActive === false ? undefined : TODO[state];
  return todo === undefined ? undefined : { state, wanted: "ACTIVE", todo };
}

/** The rules of one side's name and metadata, which are properties of these names. */
export function peerRules<const Name extends string, const Meta extends string>(name: Name, meta: Meta) {
  return [
    rule([name], (values) =>
      values[name] === "token" || values[name] === "establish"
        ? "is reserved: the API has an endpoint of that name"
        : undefined,
    ),
    rule([meta], (values) => metaFailures(meta, (values[meta] ?? {}) as Record<string, string>)),
  ];
}

/** Addresses for the other side to dial. Any text is taken here; the other cluster then refuses it (reference cluster B.5, B.6). */
export function externalAddresses(): Field<string[], false> {
  const address = z.string().refine(isAddress, { error: "must be host:port, such as 192.0.2.7:8503" });
  return stringList("ServerExternalAddresses", address);
}

/** Leaves out the partition that is there anyway: the community edition refuses to be asked for it. */
export function withoutDefaultPartition(inputs: Values, property = "partition"): Values {
  const { [property]: given, ...rest } = inputs;
  return isEmpty(given) || String(given).toLowerCase() === "default" ? rest : inputs;
}

/** What is the same of both sides of a peering: how it is found, how it ends, and how it is removed. */
export const peeringLife = {
  read: { path: "v1/peerings[?partition={partition}]", pick: peeringOf },
  stage: ({ DeletedAt, State }: Values) => (DeletedAt ? "leaving" : State === "TERMINATED" ? "ended" : undefined),
  delete: {
    method: "DELETE",
    path: "v1/peering/{peerName}[?partition={partition}]",
    awaitGone: true,
    isStuck: ({ State }: Values) => State === "TERMINATED",
  },
} as const satisfies Pick<Definition, "read" | "stage" | "delete">;

/** The peering of a list; the server looks names up in lower case. */
export function peeringOf(list: unknown, values: Values): Values | undefined {
  const name = String(values["peerName"]).toLowerCase();
  const found = (Array.isArray(list) ? (list as Values[]) : []).find(
    (peering) => String(peering["Name"]).toLowerCase() === name,
  );
  return found && { ...found, PeerName: found["Name"] };
}

const PAIRS = 64;
const KEY_BYTES = 128;
const VALUE_BYTES = 512;

function metaFailures(property: string, meta: Record<string, string>): Failure[] {
  const bytes = (text: string) => new TextEncoder().encode(text).length;
  const pairs = Object.entries(meta);
  const found = pairs.length > PAIRS ? [{ property, reason: `must have at most ${PAIRS} pairs` }] : [];
  for (const [key, value] of pairs) {
    const at = `${property}[${JSON.stringify(key)}]`;
    if (!/^[a-zA-Z0-9_-]+$/.test(key))
      found.push({ property: at, reason: "has a key with other characters than letters, digits, _ and -" });
    if (bytes(key) > KEY_BYTES) found.push({ property: at, reason: `has a key longer than ${KEY_BYTES} bytes` });
    if (key.startsWith("consul-"))
      found.push({ property: at, reason: "has a key that begins with `consul-`, which is reserved" });
    if (bytes(value) > VALUE_BYTES) found.push({ property: at, reason: `must be at most ${VALUE_BYTES} bytes long` });
  }
  return found;
}
