import { enableCompileCache, flushCompileCache } from "node:module";
import { ownFolder } from "./own-folder";

/** Loads code with what was compiled of it the last time, and keeps what is compiled now. */
export async function withCompiledCode<T>(load: () => Promise<T>): Promise<T> {
  const folder = ownFolder("compile-cache", process.env);
  if (folder === undefined) return load();
  enableCompileCache(folder);
  const loaded = await load();
  // Pulumi kills the process that serves dynamic providers: it has no end at which to keep anything.
  flushCompileCache();
  return loaded;
}
