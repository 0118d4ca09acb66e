import type { Values } from "../../../provider/core/definition.ts";
import { changed, replaced, type Spelling } from "../../support/contract-case.ts";
import type { World } from "../../support/contract-world.ts";

/** What auth methods and secrets engines have in common. */
export const mountValues: Values = {
  description: "of the platform team",
  defaultLeaseTtl: "1h",
  maxLeaseTtl: "2h",
  listingVisibility: "unauth",
  passthroughRequestHeaders: ["X-B", "X-A"],
  allowedResponseHeaders: ["X-C"],
  auditNonHmacRequestKeys: ["role"],
  auditNonHmacResponseKeys: ["keys"],
  options: { flavour: "plain" },
  local: true,
  sealWrap: true,
  force: true,
};

export const mountFields = {
  description: changed({ description: "of the security team" }),
  defaultLeaseTtl: changed({ defaultLeaseTtl: 1800 }),
  maxLeaseTtl: changed({ maxLeaseTtl: "3h" }),
  listingVisibility: changed({ listingVisibility: "hidden" }),
  // @covers beyond: Mounts > passthrough_request_headers
  passthroughRequestHeaders: changed({ passthroughRequestHeaders: ["X-D"] }),
  // @covers beyond: Mounts > allowed_response_headers
  allowedResponseHeaders: changed({ allowedResponseHeaders: ["X-E"] }),
  // @covers beyond: Mounts > audit_non_hmac_request_keys
  auditNonHmacRequestKeys: changed({ auditNonHmacRequestKeys: ["name"] }),
  // @covers beyond: Mounts > audit_non_hmac_response_keys
  auditNonHmacResponseKeys: changed({ auditNonHmacResponseKeys: ["data"] }),
  options: changed({ options: { flavour: "sour", colour: "red" } }),
  // @covers beyond: Mounts > trim_request_trailing_slashes
  trimRequestTrailingSlashes: changed({ trimRequestTrailingSlashes: true }),
  // @covers beyond: Mounts > identity_token_key
  identityTokenKey: changed({ identityTokenKey: "default" }),
  pluginVersion: {
    means: "nothing",
    reason: "no server under test has an external plugin; see sys-mount-properties.test.ts",
  },
  // @covers beyond: Mounts > local
  local: replaced({ local: false }),
  // @covers beyond: Mounts > seal_wrap
  sealWrap: replaced({ sealWrap: false }),
  force: changed({ force: false }, { local: true }),
} as const;

/** What a server makes up for every mount. */
export const volatileOfMount = ["accessor", "uuid"];

export const mountSpellings: readonly Spelling[] = [
  // @covers beyond: Mounts > max_lease_ttl
  { title: "seconds and durations", one: { defaultLeaseTtl: 3600 }, other: { defaultLeaseTtl: "1h0m0s" } },
  { title: "0 and an unset duration", one: { maxLeaseTtl: 0 }, other: { maxLeaseTtl: undefined } },
  {
    title: "the order of sets",
    one: { passthroughRequestHeaders: ["a", "b"] },
    other: { passthroughRequestHeaders: ["b", "a"] },
  },
  { title: "an empty and an unset text", one: { description: "" }, other: { description: undefined } },
  {
    title: "an empty and an unset list",
    one: { allowedResponseHeaders: [] },
    other: { allowedResponseHeaders: undefined },
  },
  { title: "an empty and an unset map", one: { options: {} }, other: { options: undefined } },
];

export async function mountEdit(world: World, path: string): Promise<Values> {
  await world.raw("secrets").call(`POST ${path}/tune`, { description: "by hand", default_lease_ttl: "77s" });
  return { description: "by hand", defaultLeaseTtl: "1m17s" };
}
