import type * as pulumi from "@pulumi/pulumi";
import type { Traits } from "../resource";
import { sayWithoutPlugin } from "./plugin-notice";

/**
 * The caller's options and ours. What the dynamic class has made becomes this class's own. A replacement deletes first,
 * whatever the caller says: where one is forced, the engine does not ask the provider, and both records may have the
 * same id.
 */
export function optionsOf(
  { otherToken }: Traits,
  opts: pulumi.CustomResourceOptions = {},
): pulumi.CustomResourceOptions {
  sayWithoutPlugin();
  return { ...opts, aliases: [...(opts.aliases ?? []), { type: otherToken }], deleteBeforeReplace: true };
}
