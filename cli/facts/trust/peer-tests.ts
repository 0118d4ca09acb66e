import { isEmpty, picked } from "../../../provider/core/canonical";
import type { Values } from "../../../provider/core/definition";
import { hasUnknown, isRecord } from "../../../provider/core/unknowns";
import { definitions } from "../../../provider/resources";
import type { EvaluatedRecord } from "../../stack/evaluated-records";
import { setDifference } from "../../text/lists";
import { hiddenRecord } from "./hidden-records";
import { listOf } from "./sentences";
import type { PeerTest } from "./trust-file";

/** What differs from what a test of a peer expects, in sentences. */
export function peerProblems(records: readonly EvaluatedRecord[], { peer, expect }: PeerTest): string[] {
  const unchecked = records.flatMap(({ definition, values }) => {
    const counts = PLAYED.get(definition.token);
    const { partition } = values;
    const isElsewhere = !hasUnknown(partition) && placeOf(partition) !== placeOf(peer.partition);
    if (counts === undefined || isElsewhere) return [];
    return hiddenRecord(definition, picked(values, counts))?.reason ?? [];
  });
  if (unchecked.length > 0) return unchecked;
  const isThere = records.some(({ definition, values }) => peersOf(definition.token, values).some(isSame(peer)));
  if (!isThere) return [`the stack has no peer ${peer.name}${peer.partition ? ` in partition ${peer.partition}` : ""}`];
  const { missing, more } = setDifference(reached(records, peer), expect.services.map(lowerCase));
  return [
    ...missing.map((service) => `the peer does not reach ${service}`),
    ...more.map((service) => `the peer also reaches ${service}`),
  ];
}

/** What of a record decides which services a peer reaches; the rest may be hidden. */
const PLAYED: ReadonlyMap<string, readonly string[]> = new Map([
  [definitions.clusterExportedServices.token, ["partition", "services"]],
  [definitions.clusterIntention.token, ["partition", "namespace", "destination", "sources"]],
]);

type Peer = PeerTest["peer"];

const placeOf = (partition: unknown) => (isEmpty(partition) ? "default" : String(partition));
const isSame = (peer: Peer) => (other: Peer) =>
  other.name === peer.name && placeOf(other.partition) === placeOf(peer.partition);

function peersOf(token: string, values: Values): readonly Peer[] {
  const peer = (name: unknown, partition: unknown): Peer => ({ name: String(name), partition: placeOf(partition) });
  switch (token) {
    case definitions.clusterPeering.token:
    case definitions.clusterPeeringToken.token:
      return [peer(values["peerName"], values["partition"])];
    case definitions.clusterPeeredClusters.token:
      return ["acceptor", "dialer"].map((side) => peer(values[`${side}PeerName`], values[`${side}Partition`]));
    case definitions.clusterExportedServices.token:
      return recordsIn(values["services"]).flatMap((service) =>
        recordsIn(service["consumers"]).map((consumer) => peer(consumer["peer"], values["partition"])),
      );
    default:
      return [];
  }
}

/** The services that are exported to a peer, without those that intentions keep all of its services from. */
function reached(records: readonly EvaluatedRecord[], peer: Peer): readonly string[] {
  const inPlace = (kind: { readonly token: string }) =>
    records
      .filter(
        ({ definition, values }) =>
          definition.token === kind.token && placeOf(values["partition"]) === placeOf(peer.partition),
      )
      .map(({ values }) => values);
  const exported = inPlace(definitions.clusterExportedServices)
    .flatMap(({ services }) => recordsIn(services))
    .filter(({ consumers }) => recordsIn(consumers).some((consumer) => consumer["peer"] === peer.name));
  const intentions = inPlace(definitions.clusterIntention);
  const names = exported.filter((service) => !isKeptFrom(peer, service, intentions)).map(serviceName);
  return [...new Set(names)];
}

/** True where every service of the peer is denied. */
function isKeptFrom({ name: peer }: Peer, service: Values, intentions: readonly Values[]): boolean {
  const own = serviceName(service);
  const space = own.replace(/[^/]*$/, "");
  const sourcesAt = (isMeant: (destination: string) => boolean) =>
    intentions
      .filter(({ destination, namespace }) => isMeant(serviceName({ name: destination, namespace })))
      .flatMap((intention) => recordsIn(intention["sources"]))
      .filter((source) => source["peer"] === peer);
  const levels = [own, `${space}*`, "*/*"].map((wanted) => sourcesAt((destination) => destination === wanted));
  const decisive = new Map<string, Values>();
  for (const sources of levels) {
    for (const source of sources) if (!decisive.has(serviceName(source))) decisive.set(serviceName(source), source);
    // Of all others this one decides, and no intention with a wider destination.
    if (decisive.has("*")) break;
  }
  // Where every service is exported, it is enough that one of them can be reached.
  const others = own.endsWith("*") ? sourcesAt((destination) => space === "*/" || destination.startsWith(space)) : [];
  return decisive.has("*") && [...decisive.values(), ...others].every(({ action }) => action === "deny");
}

/** The server compares names of services in lower case. */
function serviceName({ name, namespace }: Values): string {
  const own = isEmpty(namespace) || namespace === "default" ? "" : `${String(namespace)}/`;
  return lowerCase(`${own}${String(name)}`);
}

const lowerCase = (text: string) => text.toLowerCase();
const recordsIn = (value: unknown): readonly Values[] => listOf(value).filter(isRecord);
