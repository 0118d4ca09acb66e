import { onTestFinished } from "vitest";
import type { Environment } from "../../provider/engine/settings.ts";
import { type PluginAddress, reattachText } from "../../provider/hosts/terraform/handshake.ts";
import { listen } from "../../provider/hosts/terraform/listen.ts";
import { createSession, type Session } from "../../provider/hosts/terraform/session.ts";
import type { Tables } from "../../provider/hosts/terraform/table.ts";

/** The provider for Terraform in this process, which ends with the test. */
export interface ServedProvider {
  readonly session: Session;
  readonly address: PluginAddress;
}

export interface ServingOptions {
  readonly tables: Tables;
  /** The provider's own: where the servers are. */
  readonly env?: Environment;
  /** Gets the lines that no call answers. */
  readonly write?: (line: string) => void;
}

export function serveTerraform({ tables, env = process.env, write }: ServingOptions): Promise<ServedProvider> {
  const session = createSession(env, write);
  const serving = listen({ session, tables }, undefined, () => undefined);
  onTestFinished(async () => {
    await session.end();
    (await serving).close();
  });
  return serving.then(({ address }) => ({ session, address }));
}

/** By its source, in what the CLI reads to use a provider that runs already. */
export function reattached(sources: readonly string[], address: PluginAddress): string {
  const texts = sources.map((source) => reattachText(source, address, process.pid));
  return JSON.stringify(Object.assign({}, ...texts.map((text) => JSON.parse(text))));
}
