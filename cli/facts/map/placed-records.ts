import { isEmpty } from "../../../provider/core/canonical";
import type { Definition, Values } from "../../../provider/core/definition";
import { step } from "../../../provider/core/property-path";
import { tenantIn, tenantProperty } from "../../../provider/core/tenant";
import type { EvaluatedRecord, Linted } from "../../stack/evaluated-records";
import { partsOfUrn } from "../../stack/resource-type";
import type { Place } from "./map-graph";
import type { MapResource } from "./trust-map";

/** A record, where it is, and the resource that declares it. */
export interface PlacedRecord {
  readonly definition: Definition;
  /** Secrets are replaced by "unknown". */
  readonly values: Values;
  readonly place: Place;
  readonly resource: MapResource;
  /** Of a set, where its properties are: `roles["ci"]`. */
  readonly within?: string;
}

/** Every record of the resources, those of sets one by one. */
export function placedRecords(resources: readonly Linted[]): readonly PlacedRecord[] {
  return resources.flatMap((resource) => resource.records.map((record) => placedRecord(resource, record)));
}

function placedRecord(
  { urn, name, class: type, definition: whole, provider }: Linted,
  { definition, values, of }: EvaluatedRecord,
): PlacedRecord {
  const resource = { urn, class: type, name, ...(of ? { record: of.name } : {}) };
  const place = placeOf(definition, values, provider);
  const within = of && whole.members ? { within: whole.members.property + step(of.name) } : {};
  return { definition, values, place, resource, ...within };
}

/** A default provider has the connection of everybody; one that the program creates has its own. */
function placeOf({ dialect }: Definition, values: Values, provider = ""): Place {
  const { name } = partsOfUrn(provider);
  const tenant = tenantProperty(dialect);
  const named = tenantIn(dialect, values);
  return {
    ...(isEmpty(values["connection"]) ? {} : { connection: String(values["connection"]) }),
    ...(tenant === undefined || named === undefined || named === "default" ? {} : { [tenant]: named }),
    ...(name === "" || name.startsWith("default") ? {} : { provider: name }),
  };
}
