import { createHash } from "node:crypto";
import { style, submitScript } from "./issuer-page";

const sourceOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/**
 * Headers of a page that loads nothing, cannot be framed, and posts to the issuer or to where its answer goes: browsers hold a
 * form to its policy even when the answer to it is a redirect.
 */
export function pageHeaders({ returnsTo }: { returnsTo?: string } = {}): Record<string, string> {
  const url = returnsTo === undefined ? null : URL.parse(returnsTo);
  const target = url === null ? "" : ` ${url.origin === "null" ? url.protocol : url.origin}`;
  const policy = [
    "default-src 'none'",
    `style-src ${sourceOf(style)}`,
    `script-src ${sourceOf(submitScript)}`,
    `form-action 'self'${target}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ];
  return {
    "content-security-policy": policy.join("; "),
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
  };
}
