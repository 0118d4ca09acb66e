import { type Backend, definePath, type OperationRequest, type Path, type Reply } from "../framework/backend";
import type { Fields } from "../framework/field-type";
import { goValueText } from "../framework/go-format";
import { Failure, Refusal } from "../framework/refusal";
import type { IdentityStore } from "../identity/identity-store";
import { createToken, type TokenRequest } from "./create-token";
import type { Mount, MountTable } from "./mount-table";
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

const tokenField = { token: "string" } as const;
const accessorField = { accessor: "string" } as const;
const increment = { increment: "durationSecond" } as const;
type AccessorRequest = OperationRequest<typeof accessorField>;

/** The token store's paths, mounted at `auth/token/`. */
export function createTokenBackend(options: TokenBackendOptions): Backend {
  const { tokens, identities, now } = options;
  const viewOf = ({ entityId }: TokenEntry) => ({ now: now(), ofIdentity: identities.policiesOf(entityId) });
  const shown = (entry: TokenEntry) => lookupData(entry, viewOf(entry));
  const own = ({ caller }: Pick<OperationRequest<Fields>, "caller">) => known(tokens.find(caller.token));
  const withAccessor = ({ data }: Pick<AccessorRequest, "data">): TokenEntry | undefined => {
    if (data.get("accessor") === "") throw new Failure("missing accessor", { status: 400 });
    return tokens.findByAccessor(data.get("accessor"));
  };
  const lookup = ({ data, caller }: OperationRequest<typeof tokenField>): Reply => ({
    data: shown(known(tokens.find(data.get("token") || caller.token))),
  });
  const lookupSelf = (request: OperationRequest<typeof tokenField>): Reply => ({ data: shown(own(request)) });
  return {
    sudoPaths: ["revoke-orphan", "accessors/"],
    unsupported: ["roles/.+", "create/.+", "tidy"],
    paths: [
      ...creationPaths(options, viewOf),
      // Roles of tokens cannot be made here, so there are none.
      definePath({ pattern: "roles/?", fields: {}, operations: { list: () => undefined } }),
      definePath({ pattern: "lookup-self", fields: tokenField, operations: { read: lookupSelf, update: lookupSelf } }),
      definePath({ pattern: "lookup", fields: tokenField, operations: { read: lookup, update: lookup } }),
      definePath({
        pattern: "lookup-accessor",
        fields: accessorField,
        operations: { update: (request) => ({ data: { ...shown(valid(withAccessor(request))), id: "" } }) },
      }),
      definePath({
        pattern: "accessors/?",
        fields: {},
        operations: { list: () => ({ data: { keys: tokens.accessors() } }) },
      }),
      ...revocationPaths(tokens, { own, withAccessor }),
      ...renewalPaths(options, { own, withAccessor, viewOf }),
    ],
  };
}

type ViewOf = (entry: TokenEntry) => Parameters<typeof authBlock>[1];

function creationPaths(options: TokenBackendOptions, viewOf: ViewOf): readonly Path[] {
  const createAt = (pattern: string, isOrphan: boolean): Path =>
    definePath({
      pattern,
      fields: creationFields,
      operations: {
        update: ({ data, caller }) => {
          const asked: TokenRequest = {
            id: data.get("id"),
            policies: data.get("policies").map(goValueText),
            ttl: data.get("ttl"),
            lease: data.get("lease"),
            explicitMaxTtl: data.get("explicit_max_ttl"),
            period: data.get("period"),
            displayName: data.get("display_name"),
            meta: data.given("meta") ?? null,
            uses: data.get("num_uses"),
            withoutParent: data.get("no_parent"),
            withoutDefaultPolicy: data.get("no_default_policy"),
            renewable: data.get("renewable"),
            type: data.get("type"),
            entityAlias: data.get("entity_alias"),
          };
          const { entry, warnings } = createToken(options, { asked, parent: caller, isOrphan });
          return { auth: authBlock(entry, viewOf(entry)), warnings };
        },
      },
    });
  return [createAt("create-orphan", true), createAt("create", false)];
}

interface Finding {
  readonly own: (request: Pick<OperationRequest<Fields>, "caller">) => TokenEntry;
  readonly withAccessor: (request: Pick<AccessorRequest, "data">) => TokenEntry | undefined;
}

function revocationPaths(tokens: TokenStore, { own, withAccessor }: Finding): readonly Path[] {
  const revoke = (entry: TokenEntry | undefined): undefined => {
    if (entry?.type === "batch") throw new Refusal("batch tokens cannot be revoked");
    if (entry !== undefined) tokens.revoke(entry.id);
  };
  const named = (id: string): TokenEntry | undefined => {
    if (id === "") throw new Refusal("missing token ID");
    return tokens.find(id);
  };
  return [
    definePath({ pattern: "revoke-self", fields: {}, operations: { update: (request) => revoke(own(request)) } }),
    definePath({
      pattern: "revoke",
      fields: tokenField,
      operations: { update: ({ data }) => revoke(named(data.get("token"))) },
    }),
    definePath({
      pattern: "revoke-accessor",
      fields: accessorField,
      operations: {
        update: (request) => {
          const entry = withAccessor(request);
          if (entry === undefined) return { warnings: ["No token found with this accessor"] };
          return revoke(entry);
        },
      },
    }),
    definePath({
      pattern: "revoke-orphan",
      fields: tokenField,
      operations: {
        update: ({ data }) => {
          const entry = named(data.get("token"));
          if (entry === undefined) throw new Refusal("token to revoke not found");
          if (entry.type !== "batch") tokens.releaseChildren(entry.id);
          return revoke(entry);
        },
      },
    }),
  ];
}

function renewalPaths(
  { mounts, tokens, identities, now }: TokenBackendOptions,
  { own, withAccessor, viewOf }: Finding & { readonly viewOf: ViewOf },
): readonly Path[] {
  const renew = (
    present: TokenEntry,
    { data, clientCertificates }: Pick<OperationRequest<typeof increment>, "data" | "clientCertificates">,
  ) => {
    const mount = mounts.route(present.path);
    if (mount === undefined) throw new Failure("unable to retrieve system view from router");
    const incrementSeconds = data.get("increment");
    const { entry, warnings } = renewToken(present, { incrementSeconds, mount, now: now(), clientCertificates });
    const renewed = rejoined(entry, mount);
    tokens.put(renewed);
    return { auth: authBlock(renewed, viewOf(renewed)), warnings };
  };
  // A token that no login has issued counts as one without groups, of any mount (read in Vault 1.21.1's RenewToken).
  const rejoined = (entry: TokenEntry, { accessor }: Mount): TokenEntry => {
    const { entityId, loginRole, loginGroups: groups = [] } = entry;
    if (entityId === "") return entry;
    const mountAccessor = loginRole === undefined ? "" : accessor;
    const loginGroups = identities.rejoin({ entityId, mountAccessor, groups });
    return groups.length === 0 ? entry : { ...entry, loginGroups };
  };
  const fields = { ...tokenField, ...increment };
  return [
    definePath({ pattern: "renew-self", fields, operations: { update: (request) => renew(own(request), request) } }),
    definePath({
      pattern: "renew",
      fields,
      operations: {
        update: (request) => {
          const id = request.data.get("token");
          if (id === "") throw new Refusal("missing token ID");
          const entry = tokens.find(id);
          if (entry === undefined) throw new Refusal("token not found");
          return renew(entry, request);
        },
      },
    }),
    definePath({
      pattern: "renew-accessor",
      fields: { ...accessorField, ...increment },
      operations: {
        update: (request) => {
          const { auth, warnings } = renew(valid(withAccessor(request)), request);
          return { auth: { ...auth, client_token: "" }, warnings };
        },
      },
    }),
  ];
}

function known(entry: TokenEntry | undefined): TokenEntry {
  if (entry === undefined) throw new Refusal("bad token", { status: 403 });
  return entry;
}

function valid(entry: TokenEntry | undefined): TokenEntry {
  if (entry === undefined) throw new Failure("invalid accessor", { status: 400 });
  return entry;
}
