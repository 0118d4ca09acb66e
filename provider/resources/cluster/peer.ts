import * as z from "zod";
import { isEmpty } from "../../core/canonical";
import type { Definition, Values, WireRecord } from "../../core/definition";
import { type Field, required, row } from "../../core/field";
import { boolean, local, segment, string, stringList } from "../../core/rows";
import { rule } from "../../core/rules";
import type { Stage } from "../../core/stage";
import { peeringMetaFailures } from "./meta";
import { isAddress } from "./token-content";

/** Rows and rules that both sides of a peering have. */

/** The peer's name, a DNS label. */
export function peerName(): Field<string, true> {
  const label = "a DNS label: at most 63 lower-case letters, digits or hyphens, with a letter or digit at both ends";
  return { ...required(segment(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, label)), place: "body", wire: "PeerName" };
}

/** Id of the peering record. */
export const peeringId = () => required(string("ID"));

/** True when the other side has ended the peering. */
export function terminated(): Field<boolean, false> {
  const plain = row<boolean>({ place: "body", wire: "State", schema: undefined as never });
  return { ...plain, decode: (state) => (state === "TERMINATED" ? true : undefined) };
}

/**
 * Whether a write waits until the clusters are connected. The record does not have it, and another value alone is no
 * change: an update would establish the peering again, with a token that was already used.
 */
export function waitForActive(): Field<boolean, false> {
  return { ...local(boolean(""), true), canonical: () => true };
}

/** What to check when a peering stays in a state before ACTIVE. */
const TODO: Readonly<Record<string, string>> = {
  PENDING: "The token was not exchanged: see the log of this cluster's leader.",
  ESTABLISHING:
    "This cluster has not connected to the other one yet: see the log of its leader. With many peerings, the leader opens a connection only every five seconds.",
  FAILING:
    "The connection to the other cluster fails: check that all servers of this cluster reach the addresses in the token (gRPC TLS port or mesh gateway), and that nothing closes the connections.",
};

/** The state of a peering that will still become ACTIVE, or undefined. One that is ended or being deleted will not. */
export function onItsWayToActive({ State }: WireRecord, { waitForActive }: Values): Stage | undefined {
  const state = String(State);
  const todo = waitForActive === false ? undefined : TODO[state];
  return todo === undefined ? undefined : { is: "pending", state, wanted: "ACTIVE", todo };
}

/** The rules for the name and the metadata of one side; the two arguments are the names of the properties. */
export function peerRules<const Name extends string, const Meta extends string>(name: Name, meta: Meta) {
  return [
    rule([name], (values) =>
      values[name] === "token" || values[name] === "establish"
        ? "is reserved: the API has an endpoint of that name"
        : undefined,
    ),
    rule([meta], (values) => peeringMetaFailures(meta, (values[meta] ?? {}) as Record<string, string>)),
  ];
}

/** Addresses that the other side dials. This cluster accepts any text, the other one refuses it later. */
export function externalAddresses(): Field<string[], false> {
  const address = z.string().refine(isAddress, { error: "must be host:port, such as 192.0.2.7:8503" });
  return stringList("ServerExternalAddresses", address);
}

/** How a peering ends: the other side terminates it, or it is deleted. Deleting a terminated one can get stuck. */
export function ending({ DeletedAt, State }: WireRecord): Stage | undefined {
  const isTerminated = State === "TERMINATED";
  if (DeletedAt) return { is: "leaving", isStuck: isTerminated };
  return isTerminated ? { is: "ended" } : undefined;
}

/** Why a peering is not the one of this side: a cluster has one of a name. Only the side that dials knows the servers of the other one. */
export function otherDirection(side: "issues" | "dials", { PeerServerAddresses }: WireRecord): string | undefined {
  const is = isEmpty(PeerServerAddresses) ? "issues" : "dials";
  if (is === side) return undefined;
  return is === "dials"
    ? "it dials the other cluster with a token of that one"
    : "it has issued a token, and does not dial";
}

/** What both sides of a peering share: how it is found, when it is ended, and how it is deleted. */
export const peeringLife = {
  read: { path: "v1/peerings", pick: peeringOf },
  stage: ending,
  delete: { method: "DELETE", path: "v1/peering/{peerName}" },
} as const satisfies Pick<Definition, "read" | "stage" | "delete">;

/** Finds the peering in a list. The server compares names in lower case. */
export function peeringOf(list: unknown, values: Values): Values | undefined {
  const name = String(values["peerName"]).toLowerCase();
  const found = (Array.isArray(list) ? (list as Values[]) : []).find(
    (peering) => String(peering["Name"]).toLowerCase() === name,
  );
  return found && { ...found, PeerName: found["Name"] };
}
