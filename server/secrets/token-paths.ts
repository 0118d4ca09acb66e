import { type Backend, definePath, type OperationRequest, type Reply } from "../framework/backend";
import type { Fields } from "../framework/field-type";
import { goValueText } from "../framework/go-format";
import { Failure, Refusal } from "../framework/refusal";
import type { IdentityStore } from "../identity/identity-store";
import { createToken, type TokenRequest } from "./create-token";
import type { MountTable } from "./mount-table";
import type { PolicyStore } from "./policy-store";
import { renewToken } from "./renew-token";
import type { TokenEntry, TokenStore } from "./token-store";
import { authBlock, lookupData } from "./token-views";

export interface TokenBackendOptions {
  readonly mounts: MountTable;
  readonly tokens: TokenStore;
  readonly policies: PolicyStore;
  readonly identities: IdentityStore;
  readonly now: () => Date;
}

const creationFields = {
  id: "string",
  policies: "slice",
  ttl: "string",
  lease: "string",
  explicit_max_ttl: "string",
  period: "string",
  display_name: "string",
  meta: "kvPairs",
  num_uses: "int",
  no_parent: "bool",
  no_default_policy: "bool",
  renewable: { type: "bool", default: true },
  type: "string",
  entity_alias: "string",
} as const;

/** The token store's paths, mounted at `auth/token/`. */
export function createTokenBackend(options: TokenBackendOptions): Backend {
  const { mounts, tokens, identities, now } = options;
  const viewOf = ({ entityId }: TokenEntry) => ({ now: now(), ofIdentity: identities.policiesOf(entityId) });
  const shown = (entry: TokenEntry) => lookupData(entry, viewOf(entry));
  const own = ({ caller }: Pick<OperationRequest<Fields>, "caller">) => known(tokens.find(caller.token));
  const create = (request: OperationRequest<typeof creationFields>): Reply => {
    const { data, caller } = request;
    const asked: TokenRequest = {
      id: data.get("id"),
      policies: data.get("policies").map(goValueText),
      ttl: data.get("ttl") || data.get("lease"),
      explicitMaxTtl: data.get("explicit_max_ttl"),
      period: data.get("period"),
      displayName: data.get("display_name"),
      meta: data.given("meta") ?? null,
      uses: data.get("num_uses"),
      isOrphan: data.get("no_parent"),
      withoutDefaultPolicy: data.get("no_default_policy"),
      renewable: data.get("renewable"),
      type: data.get("type"),
      entityAlias: data.get("entity_alias"),
    };
    const { entry, warnings } = createToken(options, { asked, parent: caller });
    return { auth: authBlock(entry, viewOf(entry)), warnings };
  };
  const lookup = ({ data, caller }: OperationRequest<{ token: "string" }>): Reply => ({
    data: shown(known(tokens.find(data.get("token") || caller.token))),
  });
  return {
    sudoPaths: ["create-orphan", "accessors/", "revoke-orphan"],
    paths: [
      definePath({ pattern: "create", fields: creationFields, operations: { update: create } }),
      definePath({
        pattern: "lookup-self",
        fields: { token: "string" },
        operations: {
          read: (request) => ({ data: shown(own(request)) }),
          update: (request) => ({ data: shown(own(request)) }),
        },
      }),
      definePath({
        pattern: "lookup",
        fields: { token: "string" },
        operations: { read: lookup, update: lookup },
      }),
      definePath({
        pattern: "lookup-accessor",
        fields: { accessor: "string" },
        operations: {
          update: ({ data }) => {
            if (data.get("accessor") === "") throw new Failure("missing accessor", { status: 400 });
            const entry = tokens.findByAccessor(data.get("accessor"));
            if (entry === undefined) throw new Failure("invalid accessor", { status: 400 });
            return { data: { ...shown(entry), id: "" } };
          },
        },
      }),
      definePath({
        pattern: "accessors/?",
        fields: {},
        operations: { list: () => ({ data: { keys: tokens.accessors() } }) },
      }),
      definePath({
        pattern: "revoke-self",
        fields: {},
        operations: {
          update: (request) => {
            if (own(request).type === "batch") throw new Refusal("batch tokens cannot be revoked");
            tokens.revoke(request.caller.token);
            return undefined;
          },
        },
      }),
      definePath({
        pattern: "revoke",
        fields: { token: "string" },
        operations: {
          update: ({ data }) => {
            if (data.get("token") === "") throw new Refusal("missing token ID");
            tokens.revoke(data.get("token"));
            return undefined;
          },
        },
      }),
      definePath({
        pattern: "renew-self",
        fields: { token: "string", increment: "durationSecond" },
        operations: {
          update: (request) => {
            const present = own(request);
            const mount = mounts.route(present.path);
            if (mount === undefined) throw new Failure("unable to retrieve system view from router");
            const incrementSeconds = request.data.get("increment");
            const { clientCertificates } = request;
            const renewal = { incrementSeconds, mount, now: now(), clientCertificates };
            const { entry, warnings } = renewToken(present, renewal);
            tokens.put(entry);
            return { auth: authBlock(entry, viewOf(entry)), warnings };
          },
        },
      }),
    ],
  };
}

function known(entry: TokenEntry | undefined): TokenEntry {
  if (entry === undefined) throw new Refusal("bad token", { status: 403 });
  return entry;
}
