import * as z from "zod";
import { isEmpty } from "../../core/canonical";
import { defineResource, type Values } from "../../core/definition";
import type { Failure } from "../../core/errors";
import { type Field, required, row, shared } from "../../core/field";
import { comparedSet, type NestedShape, nestedFromWire, nestedToWire } from "../../core/nested-records";
import { advice, rule } from "../../core/rules";
import { configEntry, recordsAt } from "./config-entry";
import { meta, metaFailures } from "./meta";
import { comparedPlace, withoutDefaultPlace } from "./place";

/** Who may use an exported service: a peer, a partition or a sameness group. */
export interface ServiceConsumer {
  /** Name of the peering, as this cluster calls the other one. */
  peer?: string;
  /** Admin partition of this cluster, Enterprise only. */
  partition?: string;
  /** Sameness group, Enterprise only. */
  samenessGroup?: string;
}

/** A service that others may use. */
export interface ExportedService {
  /** Name of the service; `*` for all services of the namespace, also those of the future. */
  name: string;
  /** Namespace of the service, Enterprise only; `*` for all. The default one when unset. */
  namespace?: string;
  /** Who may use the service. */
  consumers: ServiceConsumer[];
}

const CONSUMER = { peer: "Peer", partition: "Partition", samenessGroup: "SamenessGroup" } satisfies NestedShape;

const SERVICE = {
  name: "Name",
  namespace: { wire: "Namespace", compared: comparedPlace },
  consumers: { wire: "Consumers", of: CONSUMER, isSet: true },
} satisfies NestedShape;

const fields = {
  /** Services that others may use, each with those who may. The order does not matter; an empty list exports nothing. @source consul/exported-services services */
  services: shared(services("Services")),
  /** Metadata of the record, key to value. It has no effect. @source consul/exported-services meta */
  meta: meta(),
};

export const clusterExportedServices = defineResource({
  token: "cluster:ExportedServices",
  dialect: "consul",
  fields,
  id: "{partition|default}",
  label: "partition",
  identity: [],
  rewrite: (inputs) => withoutDefaultPlace(inputs),
  // The record is named after its partition, which may be the connection's own: `provider/dialects/consul-partition.ts`.
  ...configEntry("exported-services", "{partition|default}"),
  rules: [
    rule(["services"], (values) => serviceFailures(values)),
    advice(rule(["services"], (values) => consumersWithoutName(values))),
    rule(["meta"], ({ meta }) => metaFailures("meta", (meta ?? {}) as Record<string, string>)),
  ],
});

function services(wire: string): Field<ExportedService[], true> {
  const text = z.string({ error: "must be a string" });
  const one = z.strictObject(
    {
      name: text.min(1, { error: "must not be empty" }),
      namespace: text.optional(),
      consumers: z
        .array(
          z.strictObject(
            { peer: text.optional(), partition: text.optional(), samenessGroup: text.optional() },
            { error: ({ code }) => (code === "invalid_type" ? "must be { peer }" : undefined) },
          ),
          { error: "must be a list of { peer }" },
        )
        .min(1, { error: "must name at least one consumer" }),
    },
    { error: ({ code }) => (code === "invalid_type" ? "must be { name, consumers }" : undefined) },
  );
  return required({
    ...row<ExportedService[]>({
      place: "body",
      wire,
      // zod's optional member may be `undefined`; `exactOptionalPropertyTypes` knows only an absent one.
      schema: z.array(one, { error: "must be a list of { name, consumers }" }) as unknown as z.ZodType<
        ExportedService[]
      >,
      empty: [],
      encode: (all) => all.map((service) => nestedToWire(SERVICE, { ...service })),
      // The members of the shape are those of the interface.
      decode: (answer) =>
        ((answer ?? []) as Values[]).map((each) => nestedFromWire(SERVICE, each) as unknown as ExportedService),
      canonical: (all) => comparedSet(SERVICE, (all ?? []) as unknown as Values[]),
    }),
    mayBeEmpty: true,
  });
}

function serviceFailures(values: Values): readonly Failure[] {
  return recordsAt(values, "services").flatMap(([index, service]) => {
    const at = `services[${index}]`;
    const isOne = service["namespace"] === "*" && service["name"] !== "*";
    const consumers = recordsAt(service, "consumers").flatMap(([each, consumer]) =>
      consumerFailures(`${at}.consumers[${each}]`, consumer),
    );
    return [...(isOne ? [{ property: `${at}.name`, reason: "must be * where the namespace is *" }] : []), ...consumers];
  });
}

function consumerFailures(at: string, consumer: Values): readonly Failure[] {
  const named = Object.keys(CONSUMER).filter((name) => !isEmpty(consumer[name]));
  const all = ["peer", "partition"].filter((name) => consumer[name] === "*");
  return [
    ...(named.length > 1 ? [{ property: at, reason: `${named.join(" and ")} cannot be set together` }] : []),
    ...all.map((name) => ({ property: `${at}.${name}`, reason: `must name one ${name}: * stands for none here` })),
  ];
}

/** Consul stores a consumer without a name. */
function consumersWithoutName(values: Values): readonly Failure[] {
  return recordsAt(values, "services").flatMap(([index, service]) =>
    recordsAt(service, "consumers").flatMap(([each, consumer]) =>
      Object.keys(CONSUMER).every((name) => isEmpty(consumer[name]))
        ? [{ property: `services[${index}].consumers[${each}]`, reason: "names nobody: set peer" }]
        : [],
    ),
  );
}
