import type { dynamic } from "@pulumi/pulumi";
import { CONFIG_KEYS } from "../../core/config-keys";
import type { Journal } from "../../engine/journal";
import type { DefinitionName, Host } from "./host";
import { onSupportedNode } from "./on-supported-node";

/** What Pulumi calls. One module per resource exports these functions, and nothing else ends up in the state. */
export interface DynamicProvider extends Required<Omit<dynamic.ResourceProvider, "delete" | "configure">> {
  configure(request: dynamic.ConfigureRequest): Promise<void>;
  delete(id: string, props: Record<string, unknown>): Promise<void>;
}

/**
 * The provider of one resource. The program loads this module too, to name it in the state, so everything that talks
 * to servers is loaded at the first call.
 */
export function dynamicProvider(name: DefinitionName, journal?: Journal): DynamicProvider {
  const config: Record<string, string | undefined> = {};
  const keys: string[] = [];
  let loaded: Promise<Host> | undefined;
  const host = () => {
    loaded ??= onSupportedNode(() => import("./host.js")).then(({ createHost }) =>
      createHost(name, { config, keys, journal }),
    );
    return loaded;
  };
  return {
    // Pulumi hands the provider to parallel calls before this has ended: nothing may come before the reads.
    async configure({ config: stack }) {
      for (const key of CONFIG_KEYS) config[key] = stack.get(PREFIX + key);
      keys.push(...ownKeys(stack));
    },
    check: async (olds, news) => (await host()).check(olds, news),
    diff: async (id, olds, news) => (await host()).diff(id, olds, news),
    create: async (inputs) => (await host()).create(inputs),
    read: async (id, props) => (await host()).read(id, props ?? {}),
    update: async (id, olds, news) => (await host()).update(id, olds, news),
    delete: async (id, props) => (await host()).delete(id, props),
  };
}

/** The keys of this package. Pulumi's interface only answers for a key, and its class has all of them. */
function ownKeys(stack: object): string[] {
  const all = "rawConfig" in stack && typeof stack.rawConfig === "object" ? Object.keys(stack.rawConfig ?? {}) : [];
  return all.flatMap((key) => (key.startsWith(PREFIX) ? [key.slice(PREFIX.length)] : []));
}

const PREFIX = "trustplane:";
