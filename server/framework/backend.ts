import type { X509Certificate } from "node:crypto";
import type { BoundAddress } from "./bound-address";
import type { FieldData } from "./field-data";
import type { Fields } from "./field-type";
import type { Storage } from "./storage";

/*
 * The Vault-like framework as data. A back end is a table of paths:
 *
 *   export function createAwsBackend({ storage }: BackendOptions): Backend {
 *     return {
 *       paths: [
 *         definePath({
 *           pattern: `roles/${nameSegment("name", { also: "@" })}`, // anchored at both ends for you
 *           fields: { name: "string", policy_arns: "commaStringSlice", max_retries: { type: "int", default: -1 } },
 *           existenceCheck: ({ data }) => storage.get(`role/${data.get("name")}`) !== undefined, // only where Vault has one
 *           operations: {
 *             read: ({ data }) => ({ data: { … } }),  // `undefined`: 404 for read, 204 for the others
 *             update: ({ data }) => { throw new Refusal("text") },
 *             list: () => listing(storage.list("role/")),
 *           },
 *         }),
 *       ],
 *     };
 *   }
 *
 * `data.given(field)` is the value if the caller supplied one, else `undefined`; `data.get(field)` falls back to the
 * field's default, then to the type's zero value. Values are coerced before an operation runs. Path captures win over body
 * fields. POST and PUT are `update`. What an operation throws: `Refusal` (the text verbatim, 400 unless `status`),
 * `Failure` (a bare error: 500, wrapped in `1 error occurred:`). Warnings about unknown fields are added for you.
 */

export type Operation = "read" | "update" | "delete" | "list";

/** The mount as it is at the time of the request: tuning and moving change it. */
export interface MountView {
  /** With its trailing slash; auth mounts begin with `auth/`. */
  readonly path: string;
  readonly type: string;
  readonly defaultLeaseSeconds: number;
  readonly maxLeaseSeconds: number;
}

export interface Caller {
  readonly token: string;
  readonly displayName: string;
  readonly policies: readonly string[];
  /** On the path of this request. */
  readonly hasSudo: boolean;
}

export interface OperationRequest<F extends Fields> {
  readonly data: FieldData<F>;
  readonly operation: Operation;
  readonly mount: MountView;
  readonly caller: Caller;
  readonly remoteAddress: string;
  /** How long the token lasts that the answer will be wrapped in; 0 for an answer that is not wrapped. */
  readonly wrapSeconds: number;
  /** The client's own first; undefined without TLS. */
  readonly clientCertificates: readonly X509Certificate[] | undefined;
}

/** The user that a back end has authenticated, and the token to issue: the core issues it. Lifetimes are seconds, 0 is unset. */
export interface Login {
  /** Name of the entity's alias on this mount. */
  readonly alias: string;
  /** Follows the mount in the name that the token is shown with; `""` for none. */
  readonly displayName: string;
  /** Aliases of the groups that it is in. */
  readonly groups: readonly string[];
  /** Of the token, and of the alias where this has no other. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly aliasMetadata?: Readonly<Record<string, string>> | null;
  readonly policies: readonly string[];
  readonly withoutDefaultPolicy: boolean;
  readonly terms: LeaseTerms;
  readonly explicitMaxSeconds: number;
  readonly uses: number;
  readonly boundAddresses: readonly BoundAddress[];
  /** `default` lets the mount decide. */
  readonly tokenType: string;
  /** The role that the back end gets again when the token is renewed. */
  readonly role: string;
  /** What it gets again then, besides. */
  readonly internal?: Readonly<Record<string, string>>;
}

/** A token of a back end that is to be renewed. */
export interface LoginRenewal extends Pick<OperationRequest<Fields>, "clientCertificates"> {
  /** As the token shows them. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly policies: readonly string[];
  readonly internal: Readonly<Record<string, string>>;
}

export interface LeaseTerms {
  readonly ttlSeconds: number;
  readonly maxSeconds: number;
  readonly periodSeconds: number;
}

/** New credentials for a caller: the core gives them a lease. */
export interface IssuedSecret {
  /** 0 for the lifetime of the mount. */
  readonly ttlSeconds: number;
  readonly maxTtlSeconds: number;
  readonly isRenewable: boolean;
  /** What the back end needs to end them. */
  readonly internal: Readonly<Record<string, unknown>>;
}

/** A lease as an answer shows it. */
export interface ShownLease {
  readonly id: string;
  readonly seconds: number;
  readonly isRenewable: boolean;
}

/** What a successful operation answers; `undefined` instead of it is 404 for a read and 204 for the others. */
export interface Reply {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly warnings?: readonly string[];
  readonly auth?: Readonly<Record<string, unknown>>;
  /** Only of an operation on one of the `loginPaths`. */
  readonly login?: Login;
  readonly secret?: IssuedSecret;
  readonly lease?: ShownLease;
  /** An answer that was wrapped before, to be wrapped as it is. */
  readonly rewrapped?: Wrapped;
  /** The status of an empty answer, instead of 204. */
  readonly emptyStatus?: number;
  /** Sent as it is, without the envelope. */
  readonly page?: Page;
}

/** An answer as a token keeps it. */
export interface Wrapped {
  /** The envelope. */
  readonly body: string;
  /** Of the request that was answered. */
  readonly path: string;
  /** The lifetime of its token. */
  readonly seconds: number;
}

export interface Page {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

export type OperationHandler<F extends Fields> = (
  request: OperationRequest<F>,
) => Reply | undefined | Promise<Reply | undefined>;

export interface Path<F extends Fields = Fields> {
  readonly pattern: string;
  readonly fields: F;
  /** Fields that the product does not know, so that they are ignored like any other unknown one. */
  readonly ignores?: readonly string[];
  /** Members that the product does not show. */
  readonly hides?: readonly string[];
  /** No field is unknown to it. */
  readonly takesAnything?: boolean;
  /** With this check, a POST of a missing record needs `create` instead of `update`, and coercion fails before the policy check. */
  readonly existenceCheck?: (request: Pick<OperationRequest<F>, "data" | "mount">) => boolean;
  readonly operations: { readonly [O in Operation]?: OperationHandler<F> };
}

export interface Backend {
  readonly paths: readonly Path[];
  /** Paths that need `sudo` besides their own capability; a trailing `*` is a prefix. */
  readonly sudoPaths?: readonly string[];
  /** Patterns of paths that the real one has and this one does not: nobody is told that they are not there. */
  readonly unsupported?: readonly string[];
  /** Paths that need no token and whose errors are not wrapped. */
  readonly loginPaths?: readonly string[];
  /** The lifetimes for the renewal of a token of this back end. @throws Failure, or Refusal with an answer of its own */
  renewalTerms?(role: string, renewal: LoginRenewal): LeaseTerms;
  /** The lifetimes of a secret as they are now, for its renewal. */
  renewSecret?(secret: IssuedSecret): Pick<IssuedSecret, "ttlSeconds" | "maxTtlSeconds">;
  /** Revokes a secret. @throws Error when that fails: the lease stays. */
  revokeSecret?(secret: IssuedSecret, issuedMs: number): void;
  /** Does the work that is due by the clock. */
  runDue?(): void;
}

export interface BackendOptions {
  readonly storage: Storage;
  readonly now: () => Date;
}

/** Checks the operations of one path against its own fields. */
export function definePath<const F extends Fields>(path: Path<F>): Path {
  // The dispatcher hands a path only data that was made from the path's own fields, so forgetting their types is safe.
  return path as unknown as Path;
}

/** A path segment as Vault's `GenericNameRegex`: begins and ends with a word character. */
export function nameSegment(name: string, { also = "" }: { also?: string } = {}): string {
  return `(?<${name}>\\w(?:[\\w.${also}-]*\\w)?)`;
}

/** The answer of a LIST: keys sorted as storage lists them, no keys at all for an empty collection. */
export function listing(keys: readonly string[]): Reply {
  return { data: keys.length > 0 ? { keys } : {} };
}
