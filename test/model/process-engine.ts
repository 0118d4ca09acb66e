import { isProviderError } from "../../provider/core/errors.ts";
import { inputsOf } from "../../provider/engine/engine.ts";
import type { Journal } from "../../provider/engine/journal.ts";
import { definitions } from "../../provider/resources/index.ts";
import { engineWithLog } from "../support/contract-host-engine.ts";
import { annotated, type Marked, opened, openedAll, secret, wired } from "./marks.ts";
import type { Config, ProviderProcess } from "./provider-process.ts";

/** Secret by class; that the hosts seal them is looked at on the hosts. */
const SECRET = ["secretKey", "oidcClientSecret", "providerConfig", "peeringToken", "fingerprintKey"];

/** The engine without any host: as the simplest host would use it. */
export async function openEngineProcess(config: Config, journal: Journal): Promise<ProviderProcess> {
  const lines: string[] = [];
  const engine = engineWithLog(config, lines, journal);
  const sealed = (values: Marked, asked: Marked): Marked => {
    const isSecret = (key: string) => SECRET.includes(key) || (key === "value" && values["sensitive"] === true);
    const plain = Object.entries(wired(values)).map(([key, value]) => [key, isSecret(key) ? secret(value) : value]);
    return annotated(Object.fromEntries(plain), asked);
  };
  return {
    async check({ resource, olds, news }) {
      const { inputs, failures } = await engine.check(definitions[resource], openedAll(news), openedAll(olds));
      return { inputs: sealed(inputs, news), failures };
    },
    async diff({ resource, outputs, news }) {
      const { changed, replaces } = await engine.diff(definitions[resource], openedAll(outputs), openedAll(news));
      return { differs: changed.length > 0, replaces };
    },
    foresee: ({ resource, news }) => engine.foresee(definitions[resource], openedAll(news)),
    async create({ resource, news }) {
      const { id, state } = await engine.create(definitions[resource], openedAll(news));
      return { id, outputs: sealed(state, news) };
    },
    async read({ resource, id, inputs, outputs }) {
      const found = await engine.read(definitions[resource], id, openedAll(outputs));
      if (found === undefined) return undefined;
      const state = inputsOf(definitions[resource], found.state);
      return { id: found.id, outputs: sealed(found.state, outputs), inputs: sealed(state, inputs) };
    },
    async update({ resource, id, outputs, news }) {
      const { state } = await engine.update(definitions[resource], id, openedAll(outputs), openedAll(news));
      return sealed(state, news);
    },
    delete: ({ resource, id, outputs }) => engine.delete(definitions[resource], id, opened(outputs) as Marked),
    leftBehind: (error, { news }) =>
      isProviderError(error) && error.code === "PartialError" && error.id !== undefined
        ? { id: error.id, outputs: sealed(error.properties ?? {}, news) }
        : undefined,
    log: () => lines,
    end: async () => {},
  };
}
