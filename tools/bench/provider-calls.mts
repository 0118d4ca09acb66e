import type { BenchServer } from "./bench-server.mts";
import type { HostName } from "./hosts.mts";
import {
  checkedInputs,
  checkRequest,
  configureRequest,
  created,
  createRequest,
  diffChanges,
  diffRequest,
  type Props,
  type ProviderHost,
  startProviderHost,
} from "./provider-host.mts";
import { sampleRoles } from "./sample-resources.mts";

/** What the engine sends for a resource when nothing has changed, as properties. */
export interface UnchangedResource {
  readonly id: string;
  /** What create has answered. */
  readonly state: Props;
  /** What the program says. */
  readonly inputs: Props;
  /** What check makes of it. */
  readonly checked: Props;
}

/** The same as encoded requests. */
export interface EncodedCalls {
  readonly check: Uint8Array;
  readonly diff: Uint8Array;
}

/** Does the work with a host that was just started and configured. */
export async function withHost<T>(
  name: HostName,
  programFolder: string,
  server: BenchServer,
  work: (host: ProviderHost) => Promise<T>,
): Promise<T> {
  const host = await startProviderHost(name, programFolder, server.env);
  try {
    await host.call("Configure", configureRequest());
    return await work(host);
  } finally {
    await host.stop();
  }
}

/** Creates roles, because diff is given what create has answered. The dynamic host needs its provider's text. */
export async function createUnchanged(
  host: ProviderHost,
  count: number,
  provider?: string,
): Promise<UnchangedResource[]> {
  const resources: UnchangedResource[] = [];
  for (const role of sampleRoles(count)) {
    const inputs = { ...role, ...(provider === undefined ? {} : { __provider: provider }) };
    const checked = checkedInputs(await host.call("Check", checkRequest({}, inputs)));
    const resource = { ...created(await host.call("Create", createRequest(checked))), inputs, checked };
    const answer = await host.call("Diff", encodedCalls(resource).diff);
    if (diffChanges(answer) !== false) throw new Error(`${resource.id} differs right after its creation`);
    resources.push(resource);
  }
  return resources;
}

/** Encodes the calls; with `provider` they go to another provider of the same host. */
export function encodedCalls({ id, state, inputs, checked }: UnchangedResource, provider?: string): EncodedCalls {
  const [olds, news, checkedNews] = [state, inputs, checked].map((props) => ({
    ...props,
    ...(provider === undefined ? {} : { __provider: provider }),
  }));
  return { check: checkRequest(olds ?? {}, news ?? {}), diff: diffRequest(id, olds ?? {}, checkedNews ?? {}) };
}

/** A provider that does nothing, as long as the real one: what is left is the host. */
export function idleProvider(provider: string): string {
  const idle =
    "exports.handler = () => ({ check: async (olds, news) => ({ inputs: news }), diff: async () => ({ changes: false }) }); //";
  return idle.padEnd(provider.length, " ");
}
