import { isDefaultProvider } from "../../provider/core/config-keys";
import {
  SERVICE_NAMES,
  type Service,
  type ServiceDefaults,
  serviceDefaults,
} from "../../provider/core/connection-entry";
import { ProviderError } from "../../provider/core/errors";
import type { Configuration, Environment, Settings } from "../../provider/engine/settings";
import { connectionsIn, entryIn, type RawEntry } from "../stack/stack-configuration";
import type { RecordedProvider } from "../stack/stack-row";
import { type Trusted, type TrustedEntry, trustedEntry } from "./trusted-entry";

/** The connections that a provider uses: the services' own ones, and the named ones. */
interface Connections {
  readonly own: ReadonlyMap<string, TrustedEntry>;
  readonly named: ReadonlyMap<string, TrustedEntry>;
}

/** The configuration for reading a provider's records. It refuses a server that only the state names. */
export function trustedConfiguration(
  provider: RecordedProvider,
  trusted: Trusted,
  warn: (message: string) => void,
): Configuration {
  const { own, named } = connectionsOf(provider, trusted);
  const source = isDefaultProvider(provider.name) && trusted.stack ? trusted.stack : provider;
  const from = source === provider ? "the state" : "the stack's configuration";
  function textOf(key: string): string | undefined {
    if (source.encrypted.includes(key)) {
      const todo = key === "connections" ? "give --connection" : "set the environment's variables";
      warn(`trustplane:${key} is encrypted in ${from} and not used: ${todo}, or --decrypt it`);
    }
    return texts.get(key);
  }
  function assertTrusted({ configKey, name, service }: Settings): void {
    const isOwn = configKey === `trustplane:${service}`;
    const found = (isOwn ? own : named).get(name);
    if (found?.refusal !== undefined) throw new ProviderError("ConfigError", found.refusal);
    if (!found || found.unused.length === 0) return;
    const label = labelOf(provider, name);
    warn(`settings of ${label} that only the state has are not used: ${found.unused.join(", ")} (see --connection)`);
  }
  const entries = (of: ReadonlyMap<string, TrustedEntry>) => [...of].map(([name, { entry }]) => [name, entry] as const);
  const texts = new Map([
    ...entries(own).map(([name, entry]) => [name, JSON.stringify(entry)] as const),
    ["connections", JSON.stringify(Object.fromEntries(entries(named)))],
  ]);
  const of = isDefaultProvider(provider.name) ? "stack" : "program";
  return Object.assign(textOf, { of, assertTrusted } as const);
}

/** The names that `--connection` takes for the connections of these providers. */
export function labelsOf(providers: Iterable<RecordedProvider>, trusted: Trusted): ReadonlySet<string> {
  const labels = [...providers].flatMap((provider) => {
    const { own, named } = connectionsOf(provider, trusted);
    return [...own.keys(), ...named.keys()].map((name) => labelOf(provider, name));
  });
  return new Set([...SERVICE_NAMES, ...labels]);
}

function connectionsOf(provider: RecordedProvider, trusted: Trusted): Connections {
  const isOfStack = isDefaultProvider(provider.name);
  const stack = isOfStack ? trusted.stack : undefined;
  const entryFor = (name: string, service: Service | undefined, recorded: RawEntry = {}, configured?: RawEntry) => {
    const label = labelOf(provider, name);
    return [name, trustedEntry({ label, service, isDefault: isOfStack, recorded, configured }, trusted)] as const;
  };
  const [recorded, configured] = [connectionsIn(provider), stack ? connectionsIn(stack) : {}];
  // When the state has the connections encrypted, `--connection` describes them completely, with their service.
  const flagged = isOfStack ? [...trusted.named].filter(([, entry]) => "service" in entry).map(([name]) => name) : [];
  const names = new Set([...Object.keys(recorded), ...Object.keys(configured), ...flagged]);
  return {
    own: new Map(
      SERVICE_NAMES.map((name) => entryFor(name, name, entryIn(provider, name), stack && entryIn(stack, name))),
    ),
    named: new Map([...names].map((name) => entryFor(name, undefined, recorded[name], configured[name]))),
  };
}

/** What `--connection` and reports call a provider's connection. */
export function labelOf(provider: RecordedProvider, name: string): string {
  return isDefaultProvider(provider.name) ? name : `${provider.name}.${name}`;
}

/** Whether a variable of the ecosystem is set for this service. */
export function namesService(service: Service, env: Environment): boolean {
  const { environment, hostTokens }: ServiceDefaults = serviceDefaults[service];
  const isSet = (variable: string) => Boolean(env[variable]);
  const isHostToken = (name: string) => hostTokens !== undefined && name.startsWith(hostTokens.variable);
  return Object.values(environment).flat().some(isSet) || Object.keys(env).some(isHostToken);
}

export function addressVariables(service: Service): readonly string[] {
  return serviceDefaults[service].environment.address;
}
