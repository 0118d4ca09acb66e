import type { dynamic } from "@pulumi/pulumi";
import type { Journal } from "../../provider/engine/journal.ts";
import { type DynamicProvider, dynamicProvider } from "../../provider/hosts/dynamic/dynamic-provider.ts";
import type { ResourceName } from "../support/contract-host.ts";
import { annotated, isObject, type Marked, openedAll, wired } from "./marks.ts";
import { type Config, PROVIDER, type ProviderProcess } from "./provider-process.ts";

/**
 * Pulumi's own dynamic provider host around our modules, as `@pulumi/pulumi/cmd/dynamic-provider` is: it takes no
 * secrets, finds the provider in the properties, and gives its text back with every answer.
 */
export async function openDynamicProcess(given: Config, journal: Journal): Promise<ProviderProcess> {
  const config = ofAnotherProcess(given);
  const lines: string[] = [];
  const providers = new Map<ResourceName, DynamicProvider>();

  async function call<T>(
    resource: ResourceName,
    props: Marked,
    work: (provider: DynamicProvider) => Promise<T>,
  ): Promise<T> {
    if (typeof props[PROVIDER] !== "string") throw new Error("requireFromString(...).handler is not a function");
    let configuring: Promise<void> | undefined;
    let provider = providers.get(resource);
    if (provider === undefined) {
      provider = dynamicProvider(resource, journal);
      providers.set(resource, provider);
      configuring = provider.configure({ config: configOf(config) });
    }
    const stop = listenToLog(lines);
    try {
      const [answer] = await Promise.all([work(provider), configuring]);
      return wired(answer);
    } finally {
      stop();
    }
  }
  const including = (answer: unknown, props: Marked): Marked => ({
    ...(answer as Marked),
    ...(PROVIDER in props ? { [PROVIDER]: props[PROVIDER] } : {}),
  });

  return {
    async check({ resource, olds, news }) {
      const answer = await call(resource, news, (provider) => provider.check(sent(olds), sent(news)));
      const failures = (answer.failures ?? []).map(({ property, reason }) => ({ property, reason }));
      return { inputs: annotated(including(answer.inputs, news), news), failures };
    },
    async diff({ resource, id, inputs, outputs, news }) {
      const answer = await call(resource, news, (provider) => provider.diff(id, sent(outputs), sent(news)));
      // Where the answer leaves it open, the engine compares the inputs.
      const differs = answer.changes ?? JSON.stringify(sorted(inputs)) !== JSON.stringify(sorted(news));
      return { differs, replaces: answer.replaces ?? [] };
    },
    // A creation is not previewed.
    foresee: async () => {},
    async create({ resource, news }) {
      const { id, outs } = await call(resource, news, (provider) => provider.create(sent(news)));
      return { id, outputs: annotated(including(outs, news), news) };
    },
    async read({ resource, id, inputs, outputs }) {
      const props = Object.keys(outputs).length === 0 ? inputs : outputs;
      const found = await call(resource, props, (provider) => provider.read(id, sent(props)));
      if (found.id === undefined || found.id === "") return undefined;
      const read = including(found.inputs ?? inputs, props);
      return {
        id: found.id,
        outputs: annotated(including(found.props, props), outputs),
        inputs: annotated(read, inputs),
      };
    },
    async update({ resource, id, outputs, news }) {
      const { outs } = await call(resource, news, (provider) => provider.update(id, sent(outputs), sent(news)));
      return annotated(including(outs, news), news);
    },
    async delete({ resource, id, outputs }) {
      await call(resource, outputs, (provider) => provider.delete(id, sent(outputs)));
    },
    leftBehind(error, { news }) {
      if (!isObject(error) || typeof error["id"] !== "string" || !isObject(error["properties"])) return undefined;
      return { id: error["id"], outputs: annotated(wired(error["properties"]), news) };
    },
    log: () => lines,
    end: async () => {},
  };
}

function sent(values: Marked): Record<string, unknown> {
  return { ...wired(openedAll(values)) };
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, sorted(value[key])]));
}

function configOf(config: Config): dynamic.Config {
  const get = (key: string) => config[key.replace("trustplane:", "")];
  return { get, require: (key: string) => get(key) ?? "" } as dynamic.Config;
}

let processes = 0;

/** The dynamic host shares an engine between resources of the same configuration: nobody uses what this one has more. */
function ofAnotherProcess(config: Config): Config {
  processes += 1;
  const connections = JSON.parse(config["connections"] ?? "{}") as object;
  const more = { [`process-${processes}`]: { service: "secrets", address: "http://127.0.0.1:9" } };
  return { ...config, connections: JSON.stringify({ ...connections, ...more }) };
}

const write = process.stderr.write.bind(process.stderr);

/** The dynamic host logs to the standard error stream, which the engine shows. Runs come one after the other. */
function listenToLog(lines: string[]): () => void {
  process.stderr.write = (chunk: string | Uint8Array) => {
    lines.push(String(chunk));
    return true;
  };
  return () => {
    process.stderr.write = write;
  };
}
