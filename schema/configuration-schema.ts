import {
  SERVICE_NAMES,
  type Service,
  type ServiceDefaults,
  serviceDefaults,
  TAKE_OVER,
} from "../provider/core/connection-entry";
import type { PropertyModel } from "./package-model";
import { type NamedTypes, type PropertySpec, TAKE_OVER_PLACE } from "./package-types";
import { propertyProse } from "./tsdoc";

/** What a service is, for who configures it. */
export const serviceTitles: Readonly<Record<Service, string>> = {
  secrets: "Vault or OpenBao, which serves `jwt`, `cloud`, `identity` and `sys`",
  cluster: "Consul, which serves `cluster`",
  policy: "HCP Terraform or Terraform Enterprise, which serves `policy`",
};

/** What a key beside the connections says for all of them. */
export const TAKE_OVER_TEXT =
  "Whether a new resource takes over a record that somebody else has made: `same` takes over one that is as the program says and refuses another, `always` writes over any, `never` refuses all. The `takeOver` of a resource comes first, then that of its connection. When unset: `TRUSTPLANE_TAKE_OVER` of the environment, then `same`.";

/** A field of a connection, and how it is found when the configuration does not say. */
export interface ConnectionModel extends PropertyModel {
  readonly environment: readonly string[];
}

/** The fields of a service's own connection, or of a named one. */
export function connectionModel(fields: readonly PropertyModel[], service?: Service): readonly ConnectionModel[] {
  const defaults: ServiceDefaults | undefined = service && serviceDefaults[service];
  const tenants = ["namespace", "partition"].filter((tenant) => defaults && tenant !== defaults.tenant);
  const foreign = [
    ...tenants,
    ...(defaults && !defaults.hasLogin ? ["login"] : []),
    ...(defaults && defaults.httpAuthVariable === undefined ? ["httpAuthEnv"] : []),
  ];
  return fields
    .filter(({ name }) => !foreign.includes(name))
    .map((field) => ({
      ...field,
      // A field's name is a key of the table.
      environment: defaults?.environment[field.name as keyof ServiceDefaults["environment"]] ?? [],
      ...(field.name === "address" && defaults ? { fallback: JSON.stringify(defaults.address) } : {}),
    }));
}

/** The package's configuration, which an explicit provider takes as well. */
export function configurationSpec(
  fields: readonly PropertyModel[],
  types: NamedTypes,
): Readonly<Record<string, PropertySpec>> {
  const service = (name: Service) => [
    name,
    { ...connectionType(fields, types, name), description: `How to reach ${serviceTitles[name]}.` },
  ];
  const connections = {
    type: "object",
    additionalProperties: connectionType(fields, types),
    description: "Further connections by name; a resource picks one with `connection`.",
  };
  const takeOver = {
    ...types.typeOf({ kind: "words", words: TAKE_OVER }, TAKE_OVER_PLACE),
    description: TAKE_OVER_TEXT,
  };
  return { ...Object.fromEntries(SERVICE_NAMES.map(service)), connections, takeOver };
}

function connectionType(fields: readonly PropertyModel[], types: NamedTypes, service?: Service) {
  const name = service ? `${service.charAt(0).toUpperCase()}${service.slice(1)}Connection` : "NamedConnection";
  // The words of a field are the same in every kind of connection.
  const place = { module: "index", owner: "Connection" };
  const words = { kind: "words", words: SERVICE_NAMES } as const;
  const own = connectionModel(fields, service).map((field) => [
    field.name,
    fieldSpec(field, types.typeOf(field.shape, { ...place, property: field.name })),
  ]);
  const kind = {
    ...types.typeOf(words, { module: "index", owner: "Connection", property: "service" }),
    description: "Which kind of server it is.",
  };
  return types.named("index", name, () => ({
    type: "object",
    description: service ? `A connection to ${serviceTitles[service]}.` : "A further connection.",
    properties: { ...(service ? {} : { service: kind }), ...Object.fromEntries(own) },
    required: service ? [] : ["service"],
  }));
}

function fieldSpec(field: ConnectionModel, type: object): PropertySpec {
  const { environment, fallback, secret } = field;
  const sentences = [propertyProse(field), environmentSentence(field), fallback && `Default: ${fallback}.`];
  // Generated SDKs write these into the provider's inputs, and so into the state: which server it is belongs there. A
  // path of one machine and a token do not, and are looked up where the provider runs.
  const isRecorded = ["address", "namespace", "partition"].includes(field.name) && environment.length > 0;
  return {
    ...type,
    description: sentences.filter(Boolean).join(" "),
    ...(isRecorded ? { defaultInfo: { environment } } : {}),
    ...(secret ? { secret: true } : {}),
  };
}

export function environmentSentence({ name, environment }: ConnectionModel): string {
  if (environment.length === 0) return "";
  const variables = environment.map((variable) => `\`${variable}\``).join(" or ");
  const condition = name === "token" ? "When an entry names no token" : "When unset";
  return `${condition}: ${variables} of the environment.`;
}
