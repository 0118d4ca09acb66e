import type { Ground, ResourceCase } from "./contract-case.ts";
import { serverKind } from "./contract-servers.ts";

/**
 * The case for tests that write by the hundred: there a real server is not waited for. A Consul cluster opens its streams
 * every five seconds at most: with the wait, these suites had not ended after ten minutes.
 */
export function unwaited(of: ResourceCase): ResourceCase {
  if (serverKind === "embedded" || of.unwaited === undefined) return of;
  const without = (ground: Ground): Ground => ({
    ...ground,
    minimal: { ...ground.minimal, ...of.unwaited },
    full: { ...ground.full, ...of.unwaited },
  });
  return { ...of, prepare: async (world) => without(await of.prepare(world)) };
}
