import type { dynamic } from "@pulumi/pulumi";
import { CONFIG_KEYS } from "../../provider/core/config-keys.ts";
import type { Values } from "../../provider/core/definition.ts";
import type { Failure } from "../../provider/core/errors.ts";
import { isRecord } from "../../provider/core/unknowns.ts";
import { dynamicProvider } from "../../provider/hosts/dynamic/dynamic-provider.ts";
import { engineFor } from "../../provider/hosts/dynamic/engine-for.ts";
import { createPulumiStack } from "./contract-stack.ts";
import type { HostOptions, PulumiHost } from "./host-under-test.ts";

/** Pulumi keeps the provider's text beside the properties, and hands it to every call. */
const provided = { __provider: 'exports.handler = __f0; const provider = require("trustplane/dynamic/x")' };

/** The module that Pulumi loads, called the way Pulumi calls it. */
export function openDynamicHost({ resource, config }: HostOptions): PulumiHost {
  const provider = dynamicProvider(resource);
  const lines: string[] = [];
  const answers: string[] = [];
  // As Pulumi does: the provider is used before this has ended.
  const configured = provider.configure({ config: configOf(config) });
  /** Pulumi starts a process for each run, and a test one for all of its own. */
  const engine = () => engineFor(Object.fromEntries(CONFIG_KEYS.map((key) => [key, config[key]])), () => {});
  const newRun = () => engine().startRun();
  const call = async <T>(work: () => Promise<T>): Promise<T> => {
    const stop = listenToLog(lines);
    try {
      const [answer] = await Promise.all([work(), configured]);
      answers.push(JSON.stringify(answer) ?? "");
      return answer;
    } finally {
      stop();
    }
  };
  const host: PulumiHost = {
    stack: () => createPulumiStack(host),
    answers,
    log: () => lines,
    async check(olds, news, ignoring) {
      // The first call opens the engine, with the log of the host.
      if (answers.length > 0) newRun();
      const { inputs, failures } = await call(() => provider.check(sent(olds), sent(told(news, ignoring))));
      return { inputs: received(inputs), failures: (failures ?? []).map(failureFrom) };
    },
    async diff(id, olds, news) {
      const answer = await call(() => provider.diff(id, sent(olds), sent(news)));
      const replaces = answer.replaces ?? [];
      // Where the answer leaves it open, the engine compares the inputs, which differ.
      return { differs: answer.changes !== false, replaces: answer.deleteBeforeReplace ? replaces : [] };
    },
    async create(inputs) {
      newRun();
      const { id, outs } = await call(() => provider.create(sent(inputs)));
      return { id, state: received(outs) };
    },
    async read(id, olds) {
      const found = await call(() => provider.read(id, sent(olds)));
      if (found.id === undefined || found.id === null || found.id === "") return undefined;
      return { id: found.id, state: received(found.props), inputs: received(found.inputs) };
    },
    async update(id, olds, news) {
      newRun();
      const { outs } = await call(() => provider.update(id, sent(olds), sent(news)));
      return received(outs);
    },
    delete(id, olds) {
      newRun();
      return call(() => provider.delete(id, sent(olds)));
    },
    end: () => engine().end(),
    leftBehind(error) {
      if (!isRecord(error) || typeof error["id"] !== "string" || !isRecord(error["properties"])) return undefined;
      const { __provider, ...properties } = error["properties"];
      answers.push(JSON.stringify(properties));
      if (__provider !== provided.__provider) throw new Error("the record was left without its provider");
      return { id: error["id"], state: received(properties) };
    },
  };
  return host;
}

/** Pulumi's requests are JSON-like: what is undefined is not there. */
function sent(values: Values): Record<string, unknown> {
  return JSON.parse(JSON.stringify({ ...values, ...provided }));
}

function received(values: unknown): Values {
  const { __provider: _, ...plain } = JSON.parse(JSON.stringify(values ?? {})) as Record<string, unknown>;
  return Object.fromEntries(Object.entries(plain).map(([key, value]) => [key, opened(value)]));
}

/** The classes tell the provider in a property. */
function told(values: Values, ignoring?: readonly string[]): Values {
  return ignoring && ignoring.length > 0 ? { ...values, ignoredChanges: ignoring } : values;
}

const signature = "4dabf18193072939515e22adb298388d";

/** The engine takes secrets out of their envelopes, at any depth. */
function opened(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(opened);
  if (!isRecord(value)) return value;
  if (value[signature] === "1b47061264138c4ac30d75fd1eb44270") return opened(value["value"]);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, opened(member)]));
}

/** A failure without a property says where it stands in its reason. */
function failureFrom({ property, reason }: dynamic.CheckFailure): Failure {
  const [first = "", ...rest] = reason.split(" ");
  return property === "" ? { property: first, reason: rest.join(" ") } : { property, reason };
}

function configOf(config: Readonly<Record<string, string>>): dynamic.Config {
  const get = (key: string) => config[key.replace("trustplane:", "")];
  return { get, require: (key: string) => get(key) ?? "" } as dynamic.Config;
}

const listeners = new Set<string[]>();
const write = process.stderr.write.bind(process.stderr);

/** The dynamic host logs to the standard error stream, which the engine shows; until the answer is called, it goes here. */
function listenToLog(lines: string[]): () => void {
  listeners.add(lines);
  process.stderr.write = (chunk: string | Uint8Array) => {
    if (!/^(info|warning): /.test(String(chunk))) return write(chunk);
    for (const listener of listeners) listener.push(String(chunk));
    return true;
  };
  return () => {
    listeners.delete(lines);
    if (listeners.size === 0) process.stderr.write = write;
  };
}
