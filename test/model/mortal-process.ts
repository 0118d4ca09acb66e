import { DYNAMIC } from "../../provider/core/type-token.ts";
import type { Journal } from "../../provider/engine/journal.ts";
import { type Asked, type Config, type ProviderProcess, processes } from "./provider-process.ts";
import type { Traffic } from "./way.ts";

/** A provider that is not heard of any more once it has died in the middle of a request. */
class Killed extends Error {}

interface Opening {
  readonly config: Config;
  readonly traffic: Traffic;
  /** What the processes of the run tell each other. */
  journal(): Journal;
  readonly host?: keyof typeof processes | undefined;
}

/**
 * The providers of one run: each resource goes to the process of its type and of its provider. A stack that moves from one
 * host to the other has both.
 */
export async function openMortalProcess({ config, traffic, journal, host }: Opening): Promise<ProviderProcess> {
  const open = new Map<string, ProviderProcess>();
  const processOf = async ({ urn, instance }: Asked): Promise<ProviderProcess> => {
    const name = host ?? (urn.includes(DYNAMIC) ? "dynamic" : "plugin");
    const key = `${name} ${instance}`;
    const known = open.get(key) ?? (await processes[name](config, journal()));
    open.set(key, known);
    return known;
  };
  const unlessDead = async <T>(work: Promise<T>): Promise<T> => {
    const outcome = await work.then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
    if (traffic.isDead) throw new Killed("the provider was killed");
    if ("error" in outcome) throw outcome.error;
    return outcome.value;
  };
  return {
    check: async (asked) => unlessDead((await processOf(asked)).check(asked)),
    diff: async (asked) => unlessDead((await processOf(asked)).diff(asked)),
    foresee: async (asked) => unlessDead((await processOf(asked)).foresee(asked)),
    create: async (asked) => unlessDead((await processOf(asked)).create(asked)),
    read: async (asked) => unlessDead((await processOf(asked)).read(asked)),
    update: async (asked) => unlessDead((await processOf(asked)).update(asked)),
    delete: async (asked) => unlessDead((await processOf(asked)).delete(asked)),
    leftBehind(error, asked) {
      if (error instanceof Killed) return undefined;
      return [...open.values()].map((one) => one.leftBehind(error, asked)).find((left) => left !== undefined);
    },
    log: () => [...open.values()].flatMap((one) => one.log()),
    end: async () => void (await Promise.all([...open.values()].map((one) => one.end()))),
  };
}
