import type { dynamic } from "@pulumi/pulumi";
import type { Definition, Values } from "../../core/definition";
import { isProviderError, oneLine } from "../../core/errors";
import { same } from "../../core/field";
import { hiddenProperties } from "../../core/fingerprint";
import { asSecret } from "../../core/secret-envelope";
import { shownFailure } from "../../core/shown-failure";
import { inputsOf } from "../../engine/engine";
import { definitions } from "../../resources";
import { engineFor } from "./engine-for";
import { quietError } from "./quiet-error";

export type DefinitionName = keyof typeof definitions;
type Props = Readonly<Record<string, unknown>>;

/** The functions of a dynamic provider, over the engine. */
export interface Host {
  check(olds: Props, news: Props): Promise<dynamic.CheckResult>;
  diff(id: string, olds: Props, news: Props): Promise<dynamic.DiffResult>;
  create(inputs: Props): Promise<dynamic.CreateResult>;
  read(id: string, props: Props): Promise<dynamic.ReadResult>;
  update(id: string, olds: Props, news: Props): Promise<dynamic.UpdateResult>;
  delete(id: string, props: Props): Promise<void>;
}

/** Pulumi keeps the text of the provider beside the properties. */
const PROVIDER = "__provider";

export function createHost(name: DefinitionName, config: Readonly<Record<string, string | undefined>>): Host {
  const definition: Definition = definitions[name];
  const engine = engineFor(config, log);
  const sealed = (values: Values) => withSecrets(definition, values);
  return {
    async check(olds, news) {
      const checked = await quietly(() => engine.check(definition, own(news), own(olds)));
      const failures = checked.failures.map((failure) => shownFailure(definition, checked.inputs, failure));
      return { inputs: sealed(checked.inputs), failures };
    },
    async diff(_id, olds, news) {
      const [before, after] = [own(olds), own(news)];
      const { changed, replaces } = engine.diff(definition, before, after);
      if (changed.length === 0) return { changes: false };
      // Undefined lets the engine show the difference itself, nested; it sees inputs only.
      const inInputs = Object.entries(definition.fields).some(([key, field]) => !same(field, before[key], after[key]));
      return { ...(inInputs ? {} : { changes: true }), replaces: [...replaces], deleteBeforeReplace: true };
    },
    async create(inputs) {
      const { id, state } = await complete(definition, inputs, () => engine.create(definition, own(inputs)));
      return { id, outs: sealed(state) };
    },
    async read(id, props) {
      const found = await quietly(() => engine.read(definition, id, own(props)));
      if (!found) return {};
      return { id: found.id, props: sealed(found.state), inputs: sealed(inputsOf(definition, found.state)) };
    },
    async update(id, olds, news) {
      const { state } = await complete(definition, news, () => engine.update(definition, id, own(olds), own(news)));
      return { outs: sealed(state) };
    },
    delete: (id, props) => quietly(() => engine.delete(definition, id, own(props))),
  };
}

function log(level: "info" | "warning", message: string): void {
  // The engine shows the standard streams of a dynamic provider among the diagnostics.
  process.stderr.write(`${level}: ${oneLine(message)}\n`);
}

function own(props: Props): Values {
  return Object.fromEntries(Object.entries(props).filter(([key, value]) => key !== PROVIDER && value !== undefined));
}

function withSecrets(definition: Definition, values: Values): Record<string, unknown> {
  const secret = hiddenProperties(definition, values);
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, secret.includes(key) ? asSecret(value) : value]),
  );
}

async function quietly<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw quietError(error);
  }
}

/** What was written before a failure is recorded; its properties must hold the provider, or it cannot be used again. */
async function complete<T>(definition: Definition, inputs: Props, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isProviderError(error) || error.code !== "PartialError") throw quietError(error);
    const properties = { ...withSecrets(definition, error.properties ?? {}), [PROVIDER]: inputs[PROVIDER] };
    throw Object.assign(quietError(error), { id: error.id, properties, reasons: [error.message] });
  }
}
