import { type Args, type Field, type Kind, local, type Stored } from "./kind.ts";

/** Records of a Consul cluster. Peerings that are dialled are left out: their streams change records by the clock. */

const meta: Field = {
  arg: "meta",
  value: (n, fresh) => (n % 2 === 0 ? undefined : { team: fresh() }),
  at: (stored) => stored.Meta ?? {},
  as: (value) => value ?? {},
};

export const intention: Kind = {
  resource: "clusterIntention",
  token: "cluster:Intention",
  service: "cluster",
  names: { arg: "destination", pool: ["web", "api"] },
  fixed: () => ({}),
  fields: [
    {
      arg: "sources",
      value: (n, fresh) => [{ name: fresh(), action: n % 2 === 0 ? "allow" : "deny" }],
      at: (stored) => stored.Sources.map(({ Name, Action }: Stored) => `${Name} ${Action}`),
      as: (value) => (value as Args[]).map(({ name, action }) => `${String(name)} ${String(action)}`),
    },
    meta,
  ],
  secrets: () => [],
  path: ({ destination }) => `config/service-intentions/${String(destination)}`,
  id: ({ destination }) => String(destination),
};

export const exportedServices: Kind = {
  resource: "clusterExportedServices",
  token: "cluster:ExportedServices",
  service: "cluster",
  fixed: () => ({}),
  fields: [
    {
      arg: "services",
      value: (n, fresh) => (n % 3 === 0 ? [] : [{ name: fresh(), consumers: [{ peer: "east" }] }]),
      at: (stored) => (stored.Services ?? []).map(({ Name }: Stored) => Name),
      as: (value) => ((value ?? []) as Args[]).map(({ name }) => name),
    },
    meta,
  ],
  secrets: () => [],
  path: () => "config/exported-services/default",
  id: () => "default",
};

export const peeringToken: Kind = {
  resource: "clusterPeeringToken",
  token: "cluster:PeeringToken",
  service: "cluster",
  names: { arg: "peerName", pool: ["east", "west"] },
  fixed: () => ({}),
  fields: [meta, local("generation", (n) => [undefined, 1, 2][n % 3])],
  secrets: () => [],
  path: ({ peerName }) => `peering/${String(peerName)}`,
  id: ({ peerName }) => String(peerName),
};
