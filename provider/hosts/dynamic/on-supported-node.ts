import { unsupportedNode } from "../../core/supported-node";
import { quietError } from "./quiet-error";

/** Loads what talks to servers. Rejects with one sentence on a Node.js that could not load it. */
export async function onSupportedNode<T>(load: () => Promise<T>): Promise<T> {
  const complaint = unsupportedNode(process);
  if (complaint !== undefined) throw quietError(complaint);
  const { withCompiledCode } = await import("../../engine/compile-cache.js");
  return withCompiledCode(load);
}
