import { isRecord } from "../../../provider/core/unknowns.ts";
import type { Spared } from "../../support/contract-case.ts";
import type { ServiceName } from "../../support/contract-raw.ts";
import type { World } from "../../support/contract-world.ts";

/** A token that works, from a cluster that knows the dialer under a name of its own. */
export async function issuedToken(world: World, issuer: ServiceName = "peer"): Promise<string> {
  const body = await world.raw(issuer).call("POST peering/token", { PeerName: world.fresh("dialer") });
  return String(isRecord(body) ? body["PeeringToken"] : undefined);
}

/** Where other clusters dial this one, as its tokens say: the clusters of the suite really connect. */
export async function dialledAddress(world: World, issuer: ServiceName): Promise<string> {
  const addresses = contentOf(await issuedToken(world, issuer))["ServerAddresses"];
  return String(Array.isArray(addresses) ? addresses[0] : undefined);
}

/** What a token says (reference B.5). */
export function contentOf(token: unknown): Record<string, unknown> {
  const content: unknown = JSON.parse(Buffer.from(String(token), "base64").toString());
  return isRecord(content) ? content : {};
}

/** Deletes a peering and waits until the name is free. */
export async function removePeering(world: World, name: string, at: ServiceName = "cluster"): Promise<void> {
  const raw = world.raw(at);
  await raw.call(`DELETE peering/${name}`);
  const { body } = await raw.ask(`GET peering/${name}`);
  const index = isRecord(body) ? body["ModifyIndex"] : undefined;
  // A blocking read answers when the record changes, here by going away (reference B.11).
  if (index !== undefined) await raw.ask(`GET peering/${name}?index=${String(index)}&wait=10s`);
}

/** While a peering comes up, an answer that there is no leader is waited out. */
export const waitSpared: Spared = {
  fault: "500",
  request: /^GET \/v1\/peerings/,
  reason: "while a cluster chooses its leader, its nodes answer 500, and the peering is asked for again",
};

/** What differs between two records of the same peering. */
export const volatileOfPeering = [
  "ID",
  "Name",
  "PeerID",
  "PeerCAPems",
  "PeerServerName",
  "PeerServerAddresses",
  "EstablishmentSecret",
  "PendingStreamSecret",
  "StreamSecret",
  "CreateIndex",
  "ModifyIndex",
  // These move while two clusters connect.
  "State",
  "StreamStatus",
  "Remote",
];
