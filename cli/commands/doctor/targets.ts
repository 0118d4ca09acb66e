import { isDefaultProvider } from "../../../provider/core/config-keys";
import { SERVICE_NAMES, type Service } from "../../../provider/core/connection-entry";
import { parseJson } from "../../../provider/core/parse-json";
import { isRecord } from "../../../provider/core/unknowns";
import type { Configuration } from "../../../provider/engine/settings";
import { needsOfStep, type ResourceNeeds } from "../../facts/needs/needs-of-stack";
import { assertKnown, DEFAULT } from "../../sources/engines";
import { addressVariables, labelOf, namesService, trustedConfiguration } from "../../sources/trusted-configuration";
import type { Trusted } from "../../sources/trusted-entry";
import { connectionsIn, entryIn } from "../../stack/stack-configuration";
import type { RecordedProvider } from "../../stack/stack-row";
import type { StackState } from "../../stack/state";

/** A connection to inspect. */
export interface Target {
  readonly label: string;
  readonly service: Service;
  /** Undefined for the service's own connection. */
  readonly name: string | undefined;
  readonly config: Configuration;
  /** What the user calls the setting of the address; undefined where none has it and the default counts. */
  readonly addressFrom: string | undefined;
  /** The resources of the stack that use it. */
  readonly resources: readonly ResourceNeeds[];
}

/** The connections that the environment, the configuration or `--connection` names, and those that the stack uses. */
export function targetsOf(
  stack: StackState | undefined,
  trusted: Trusted,
  warn: (message: string) => void,
): readonly Target[] {
  const resources = (stack?.same ?? []).flatMap(needsOfStep);
  const recorded = [...(stack?.providers ?? new Map<string, RecordedProvider>())];
  const isThere = recorded.some(([, { name }]) => isDefaultProvider(name));
  const providers = isThere ? recorded : [["", DEFAULT] as const, ...recorded];
  assertKnown(
    trusted,
    providers.map(([, provider]) => provider),
  );
  const found = providers.flatMap(([urn, provider]) => {
    const of = resources.filter((resource) => resource.provider === urn);
    return targetsWith(provider, of, trusted, warn);
  });
  // The dynamic classes and the plugin have a default provider each, for the same connections.
  const groups = Map.groupBy(found, ({ label, service }) => JSON.stringify([service, label]));
  return [...groups.values()].flatMap((same) => {
    const [first] = same;
    return first ? [{ ...first, resources: same.flatMap((each) => each.resources) }] : [];
  });
}

function targetsWith(
  provider: RecordedProvider,
  uses: readonly ResourceNeeds[],
  trusted: Trusted,
  warn: (message: string) => void,
): readonly Target[] {
  const config = trustedConfiguration(provider, trusted, warn);
  const target = (service: Service, name: string | undefined): Target => {
    const label = labelOf(provider, name ?? service);
    const resources = uses.filter((use) => use.service === service && use.connection === name);
    const entry = name === undefined ? config(service) : JSON.stringify(namedEntries(config)[name] ?? {});
    const addressFrom = placeOfAddress({ label, service, name, entry }, trusted);
    return { label, service, name, config, addressFrom, resources };
  };
  const own = SERVICE_NAMES.filter(
    (service) =>
      uses.some((use) => use.service === service && use.connection === undefined) ||
      Object.keys(entryIn({ values: { [service]: config(service) ?? "" }, encrypted: [] }, service) ?? {}).length > 0 ||
      (isDefaultProvider(provider.name) && namesService(service, trusted.env)),
  );
  const named = Object.entries(namedEntries(config)).flatMap(([name, { service }]) => {
    const known = SERVICE_NAMES.find((each) => each === service);
    return known ? [[name, known] as const] : [];
  });
  // The stack may use a connection that nobody describes: opening it says so.
  const used = uses.flatMap((use) => (use.connection === undefined ? [] : [[use.connection, use.service] as const]));
  return [
    ...own.map((service) => target(service, undefined)),
    ...[...new Map([...used, ...named])].map(([name, service]) => target(service, name)),
  ];
}

function namedEntries(config: Configuration) {
  return connectionsIn({ values: { connections: config("connections") ?? "" }, encrypted: [] });
}

interface Addressed extends Pick<Target, "label" | "service" | "name"> {
  /** The text of its entry. */
  readonly entry: string | undefined;
}

/** The order is that of the provider: what the entry says, then the first variable that is set. */
function placeOfAddress({ label, service, name, entry }: Addressed, { env, named }: Trusted): string | undefined {
  if (named.get(label)?.["address"] !== undefined) return `--connection ${label}`;
  const parsed = parseJson(entry ?? "");
  const configKey = name === undefined ? `trustplane:${service}` : `trustplane:connections.${name}`;
  if (isRecord(parsed) && parsed["address"] !== undefined) return `address in ${configKey}`;
  if (name !== undefined) return undefined;
  return addressVariables(service).find((variable) => env[variable]);
}
