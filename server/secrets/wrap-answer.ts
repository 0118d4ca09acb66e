import type { Wrapped } from "../framework/backend";
import { rfc3339 } from "../framework/go-time";
import type { Outgoing } from "../http/exchange";
import type { TransportProfile } from "../profiles/secrets-profile";
import { errorAnswer, plainAnswer } from "./answer";
import type { CoreReply, CoreRequest } from "./core";
import { randomName, type TokenStore } from "./token-store";
import { wrappingPolicy } from "./wrapping-token";

interface Wrapping {
  readonly tokens: TokenStore;
  readonly now: () => Date;
  readonly profile: { readonly transport: Pick<TransportProfile, "namesMountType"> };
}

/** Keeps an answer under a new token of one use, and answers with that token. Answers that say nothing and pages stay. */
export function wrapAnswer(
  { tokens, now, profile }: Wrapping,
  { verb, path, wrapSeconds }: Pick<CoreRequest, "verb" | "path" | "wrapSeconds">,
  { answered: { reply, mountType }, outgoing }: { readonly answered: CoreReply; readonly outgoing: Outgoing },
): Outgoing {
  const seconds = reply?.rewrapped?.seconds ?? wrapSeconds;
  // Otherwise only the one who unwraps it would see that there is nothing.
  if (seconds > 0 && verb === "list" && outgoing.status === 404) return errorAnswer(404, ["unsupported path"]);
  if (seconds === 0 || outgoing.status !== 200 || reply?.page !== undefined) return outgoing;
  const wrapped: Wrapped = reply?.rewrapped ?? { body: String(outgoing.body), path, seconds };
  const time = now();
  const id = tokens.newId("service");
  const accessor = randomName(24);
  tokens.put({
    id,
    accessor,
    policies: [wrappingPolicy],
    path,
    meta: null,
    displayName: "",
    usesLeft: 1,
    parent: undefined,
    createdMs: time.getTime(),
    creationTtlSeconds: seconds,
    ttlSeconds: seconds,
    explicitMaxSeconds: seconds,
    periodSeconds: 0,
    expiresMs: time.getTime() + seconds * 1000,
    renewedMs: undefined,
    renewable: false,
    type: "service",
    entityId: "",
    boundAddresses: [],
    loginRole: undefined,
    wrapped,
  });
  const ofSecretId = mountType === "approle" ? reply?.data?.["secret_id_accessor"] : undefined;
  const inside = reply?.auth?.["accessor"] ?? ofSecretId;
  return plainAnswer(200, {
    request_id: "",
    lease_id: "",
    renewable: false,
    lease_duration: 0,
    data: null,
    wrap_info: {
      token: id,
      accessor,
      ttl: seconds,
      creation_time: rfc3339(time),
      creation_path: wrapped.path,
      ...(inside === undefined ? {} : { wrapped_accessor: inside }),
    },
    warnings: null,
    auth: null,
    ...(profile.transport.namesMountType ? { mount_type: "" } : {}),
  });
}
