import { goQuoted } from "../framework/go-quoted";
import { type Entry, type EntryShape, errorList } from "./config-fields";
import { ConsulRefusal } from "./consul-refusal";
import { intentionProblem, precedenceOf, withoutLowerCase } from "./intention-problem";

/** One kind of config entry. */
export interface ConfigKind {
  readonly shape: EntryShape;
  /** The permission, and whether it is about the entry's name. */
  readonly permission: "mesh" | "intention";
  /** The entry as it is stored. */
  normalised(entry: Entry): Entry;
  /** Why Consul refuses a normalised entry. */
  problem(entry: Entry): string | undefined;
}

const names = { Name: "text", Hash: "computed" } as const satisfies EntryShape;
const jwt = {
  Providers: [{ Name: "text", VerifyClaims: [{ Path: "texts", Value: "text" }] }],
} as const satisfies EntryShape;

const header = {
  Name: "text",
  Present: "flag",
  Exact: "text",
  Prefix: "text",
  Suffix: "text",
  Contains: "text",
  Regex: "text",
  Invert: "flag",
  IgnoreCase: "flag",
} as const satisfies EntryShape;

const permission = {
  Action: "text",
  HTTP: { PathExact: "text", PathPrefix: "text", PathRegex: "text", Header: [header], Methods: "texts" },
  JWT: jwt,
} as const satisfies EntryShape;

const source = {
  Name: "text",
  Action: "text",
  Permissions: [permission],
  Precedence: "computed",
  LegacyID: "computed",
  Type: "text",
  Description: "text",
  LegacyCreateTime: "computed",
  LegacyUpdateTime: "computed",
  Peer: "text",
  SamenessGroup: "text",
} as const satisfies EntryShape;

const exportedServices: ConfigKind = {
  shape: {
    ...names,
    Services: [
      { Name: "text", Namespace: "text", Consumers: [{ Partition: "text", Peer: "text", SamenessGroup: "text" }] },
    ],
    Meta: "map",
  },
  permission: "mesh",
  // The community edition forgets a namespace.
  normalised: ({ Services, ...entry }) =>
    Services === undefined
      ? entry
      : { ...entry, Services: (Services as Entry[]).map(({ Namespace: _, ...service }) => service) },
  problem: exportProblem,
};

const serviceIntentions: ConfigKind = {
  shape: { ...names, Sources: [source], JWT: jwt, Meta: "map" },
  permission: "intention",
  normalised(entry) {
    const sources = ((entry["Sources"] ?? []) as Entry[]).map((each) => withPrecedence(String(entry["Name"]), each));
    return { ...entry, Sources: sources.sort((a, b) => Number(b["Precedence"]) - Number(a["Precedence"])) };
  },
  problem: (entry) => metaProblem(entry) ?? intentionProblem(entry),
};

/** Known only as far as intentions look at them. */
const serviceDefaults: ConfigKind = {
  shape: { ...names, Protocol: "text" },
  permission: "mesh",
  normalised: (entry) => entry,
  problem: () => undefined,
};

const jwtProvider: ConfigKind = {
  shape: { ...names, JSONWebKeySet: { Local: { JWKS: "text" } } },
  permission: "mesh",
  normalised: (entry) => entry,
  problem: () => undefined,
};

export const configKinds: Readonly<Record<string, ConfigKind>> = {
  "exported-services": exportedServices,
  "jwt-provider": jwtProvider,
  "service-defaults": serviceDefaults,
  "service-intentions": serviceIntentions,
};

/** Kinds of Consul's that this server does not have. */
const otherKinds = [
  "api-gateway",
  "bound-api-gateway",
  "control-plane-request-limit",
  "file-system-certificate",
  "http-route",
  "ingress-gateway",
  "inline-certificate",
  "mesh",
  "proxy-defaults",
  "sameness-group",
  "service-resolver",
  "service-router",
  "service-splitter",
  "tcp-route",
  "terminating-gateway",
];

/** @throws ConsulRefusal, `status` for a kind that Consul does not have either. */
export function kindNamed(name: string, status: number, before = ""): ConfigKind {
  const kind = Object.hasOwn(configKinds, name) ? configKinds[name] : undefined;
  if (kind !== undefined) return kind;
  if (otherKinds.includes(name)) {
    throw new ConsulRefusal(501, `config entries of the kind ${name} are not supported by the embedded server`);
  }
  throw new ConsulRefusal(status, `${before}invalid config entry kind: ${name}`);
}

function withPrecedence(destination: string, source: Entry): Entry {
  const { Name, Action, Permissions, Type = "consul", ...rest } = withoutLowerCase(source);
  const always = { Name: Name ?? "", ...(Action ? { Action } : {}), ...(Permissions ? { Permissions } : {}) };
  return { ...always, Precedence: precedenceOf(destination, String(Name ?? "")), Type, ...rest };
}

/** @see ExportedServicesConfigEntry.Validate */
function exportProblem(entry: Entry): string | undefined {
  if (entry["Name"] !== "default") return 'exported-services Name must be "default"';
  const services = (entry["Services"] ?? []) as Entry[];
  const inMeta = metaProblem(entry);
  if (inMeta !== undefined) return inMeta;
  const consumersOf = (service: Entry) => (service["Consumers"] ?? []) as Entry[];
  for (const [i, service] of services.entries()) {
    const j = consumersOf(service).findIndex(({ SamenessGroup }) => SamenessGroup !== undefined);
    if (j >= 0) return `Services[${i}].Consumers[${j}]: sameness-groups are an enterprise-only feature`;
  }
  for (const [i, service] of services.entries()) {
    if (service["Name"] === undefined) return `Services[${i}]: service name cannot be empty`;
    if (consumersOf(service).length === 0) return `Services[${i}]: must have at least one consumer`;
    for (const [j, { Peer, Partition }] of consumersOf(service).entries()) {
      const at = `Services[${i}].Consumers[${j}]`;
      if (Peer !== undefined && Partition !== undefined)
        return `${at}: must define at most one of Peer, Partition, or SamenessGroup`;
      if (Partition === "*") return `${at}: exporting to all partitions (wildcard) is not supported`;
      if (Peer === "*") return `${at}: exporting to all peers (wildcard) is not supported`;
    }
  }
  return undefined;
}

function metaProblem({ Meta }: Entry): string | undefined {
  const pairs = Object.entries((Meta ?? {}) as Readonly<Record<string, string>>);
  const problems = [
    ...(pairs.length > 64 ? ["Meta exceeds maximum element count 64"] : []),
    ...pairs.flatMap(([key, value]) => [
      ...(Buffer.byteLength(key) > 128 ? [`Meta key ${goQuoted(key)} exceeds maximum length 128`] : []),
      ...(Buffer.byteLength(value) > 512 ? [`Meta value for key ${goQuoted(key)} exceeds maximum length 512`] : []),
    ]),
  ];
  return problems.length === 0 ? undefined : errorList(problems);
}
