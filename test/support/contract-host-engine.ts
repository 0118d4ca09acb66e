import type { Definition } from "../../provider/core/definition.ts";
import { isProviderError } from "../../provider/core/errors.ts";
import { withIgnored } from "../../provider/core/ignored.ts";
import { stepsOf } from "../../provider/core/property-path.ts";
import { createEngine, type Engine, inputsOf } from "../../provider/engine/engine.ts";
import type { Journal } from "../../provider/engine/journal.ts";
import { createRun } from "../../provider/engine/run.ts";
import { definitions } from "../../provider/resources/index.ts";
import { createPulumiStack } from "./contract-stack.ts";
import type { HostOptions, PulumiHost } from "./host-under-test.ts";

/** The engine called directly, without any host around it. */
export function openEngineHost({ resource, config }: HostOptions): PulumiHost {
  const definition: Definition = definitions[resource];
  const lines: string[] = [];
  const engine = engineWithLog(config, lines);
  /** A test's writes are runs of their own: what a run has written it does not delete. */
  const newRun = () => {
    engine.startRun();
    return engine;
  };
  const host: PulumiHost = {
    stack: () => createPulumiStack(host),
    // Nothing is between it and the suite.
    answers: [],
    check: (olds, news) => newRun().check(definition, news, olds),
    async diff(_id, olds, news, ignoring = []) {
      const ignored = ignoring.map(stepsOf);
      const kept = withIgnored(definition, news, olds, ignored);
      const { changed, replaces } = await engine.diff(definition, olds, kept, { ignored, isUnread: true });
      return { differs: changed.length > 0, replaces };
    },
    create: (inputs) => newRun().create(definition, inputs),
    async read(id, olds) {
      const found = await engine.read(definition, id, olds);
      return found && { ...found, inputs: inputsOf(definition, found.state) };
    },
    update: async (id, olds, news, ignoring = []) =>
      (await newRun().update(definition, id, olds, news, { ignored: ignoring.map(stepsOf) })).state,
    delete: (id, olds) => newRun().delete(definition, id, olds),
    end: () => engine.end(),
    leftBehind: (error) =>
      isProviderError(error) && error.code === "PartialError" && error.id !== undefined
        ? { id: error.id, state: error.properties ?? {} }
        : undefined,
    log: () => lines,
  };
  return host;
}

/** An engine whose log can be read. */
export function engineWithLog(config: Readonly<Record<string, string>>, lines: string[], journal?: Journal): Engine {
  return createEngine({
    run: createRun(journal),
    config: (key) => config[key],
    env: process.env,
    log: (level, message) => lines.push(`${level}: ${message}`),
  });
}
