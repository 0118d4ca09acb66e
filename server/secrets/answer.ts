import { randomUUID } from "node:crypto";
import type { Page } from "../framework/backend";
import { goJson } from "../framework/go-json";
import type { Outgoing } from "../http/exchange";
import type { TransportProfile } from "../profiles/secrets-profile";
import type { CoreReply, CoreRequest } from "./core";

/** Sent with every answer. */
export const commonHeaders: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "content-type": "application/json",
  "strict-transport-security": "max-age=31536000; includeSubDomains",
};

export function errorAnswer(status: number, errors: readonly string[]): Outgoing {
  return { status, headers: commonHeaders, body: goJson({ errors }) };
}

/** A document outside the envelope, such as `sys/health`. */
export function plainAnswer(status: number, document: Readonly<Record<string, unknown>>): Outgoing {
  return { status, headers: commonHeaders, body: goJson(document) };
}

// These repeat the members of `data` at the top level; `sys/policies/…` and the remount status do not.
const repeatsData = /^sys\/(?:mounts|auth|policy|capabilities(?:-self|-accessor)?)(?:\/|$)|^sys\/remount$/;

/** The envelope of Vault's answers, or the status of an empty answer. */
export function replyAnswer(
  { reply, mountType }: CoreReply,
  { verb, path, wrapSeconds }: Pick<CoreRequest, "verb" | "path" | "wrapSeconds">,
  { namesMountType }: Pick<TransportProfile, "namesMountType">,
): Outgoing {
  if (reply?.page !== undefined) return pageAnswer(reply.page);
  const warnings = reply?.warnings ?? [];
  const data = reply?.data ?? null;
  const isEmptyList = verb === "list" && warnings.length === 0 && !(data !== null && "keys" in data);
  if (isEmptyList || (reply === undefined && verb === "read")) return errorAnswer(404, []);
  const saysNothing = data === null && warnings.length === 0 && reply?.auth === undefined && reply?.lease === undefined;
  if (saysNothing) return { status: reply?.emptyStatus ?? 204, headers: commonHeaders, body: "" };
  const envelope = {
    request_id: randomUUID(),
    lease_id: reply?.lease?.id ?? "",
    renewable: reply?.lease?.isRenewable ?? false,
    lease_duration: reply?.lease?.seconds ?? 0,
    data,
    wrap_info: null,
    warnings: warnings.length > 0 ? warnings : null,
    auth: reply?.auth ?? null,
    ...(namesMountType ? { mount_type: mountType } : {}),
  };
  return plainAnswer(200, repeatsData.test(path) && wrapSeconds === 0 ? { ...data, ...envelope } : envelope);
}

// Vault sends a page of a back end without the other common headers.
function pageAnswer({ status, contentType, body }: Page): Outgoing {
  return { status, headers: { "cache-control": "no-store", "content-type": contentType }, body };
}
