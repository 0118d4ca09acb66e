import type { IncomingMessage } from "node:http";

/** What Vault takes at most in one request (reference 1.7). */
export const bodyLimitBytes = 32 * 1024 * 1024;

/** Reads the whole body; `undefined` when it is over the limit (the rest of it is not read). */
export async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += chunk.length;
    if (size > bodyLimitBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
