import type { X509Certificate } from "node:crypto";
import type { Caller, Operation, Reply } from "../framework/backend";
import { isWithinBounds } from "../framework/bound-address";
import { dispatch, isUnsupported, matchPath, recordExists } from "../framework/dispatch";
import { goQuoted } from "../framework/go-quoted";
import { Failure, multierrorText, Refusal } from "../framework/refusal";
import type { WireObject } from "../framework/wire-value";
import type { IdentityStore } from "../identity/identity-store";
import type { SecretsProfile } from "../profiles/secrets-profile";
import type { AccessList } from "./access-list";
import type { LeaseStore } from "./lease-store";
import { issueLoginToken } from "./login";
import { fullPath, type Mount, type MountTable, mountView } from "./mount-table";
import { isPermitted } from "./permitted-request";
import type { PolicyStore } from "./policy-store";
import type { Capability } from "./policy-text";
import type { AccessOf, TokenAccess } from "./token-access";
import type { TokenEntry, TokenStore } from "./token-store";
import { assertWrapping } from "./wrapping-token";

/** Verbs that no path here implements still pass token and policy before they are refused. */
export type Verb = Operation | "header" | "patch" | "options";

export interface CoreRequest {
  readonly verb: Verb;
  /** Without `/v1/`, unescaped; a list ends in `/`. */
  readonly path: string;
  readonly body: WireObject;
  readonly token: string | undefined;
  readonly remoteAddress: string;
  /** 0 for an answer that is not to be wrapped. */
  readonly wrapSeconds: number;
  readonly clientCertificates: readonly X509Certificate[] | undefined;
}

export interface CoreReply {
  readonly reply: Reply | undefined;
  readonly mountType: string;
}

export interface CoreParts {
  readonly mounts: MountTable;
  readonly tokens: TokenStore;
  readonly policies: PolicyStore;
  readonly identities: IdentityStore;
  readonly now: () => Date;
  readonly leases: LeaseStore;
  readonly profile: SecretsProfile;
  readonly accessOf: AccessOf;
}

const operations: ReadonlySet<string> = new Set<Operation>(["read", "update", "delete", "list"]);

/**
 * Handles one request in Vault's order: token, existence check, policy, mount, then the back end.
 * @throws Refusal with the final text and status.
 */
export async function handleRequest(parts: CoreParts, request: CoreRequest): Promise<CoreReply> {
  assertWrapping(parts.tokens, request);
  const mount = parts.mounts.route(request.path);
  if (mount !== undefined && isUnsupported(mount.backend, request.path.slice(fullPath(mount).length))) {
    throw new Refusal(`${request.path} is not supported by the embedded server`, { status: 501 });
  }
  if (mount !== undefined && isLoginPath(mount, request.path)) return handleLogin(parts, { mount, request });
  const asking = { request, ...callerToken(parts, request) };
  try {
    return await handleForToken(parts, asking);
  } finally {
    if (asking.token.usesLeft < 0) parts.tokens.revoke(asking.token.id);
  }
}

interface TokenRequest extends TokenAccess {
  readonly request: CoreRequest;
  readonly token: TokenEntry;
}

async function handleForToken(parts: CoreParts, asking: TokenRequest): Promise<CoreReply> {
  const { request, token } = asking;
  const mount = parts.mounts.route(request.path);
  const hasSudo = authorize(asking.access, { parts, request, mount });
  if (mount === undefined) throw new Refusal(noHandlerText(request.path), { status: 404 });
  if (mount.isTainted) {
    throw new Refusal(`no handler for route ${goQuoted(request.path)}. route entry is tainted.`, { status: 404 });
  }
  const answered = await runOperation(mount, { ...asking, parts, hasSudo });
  const reply = answered && parts.leases.register(answered, { path: request.path, token });
  if (token.usesLeft < 0 && reply?.secret !== undefined) {
    throw new Refusal(
      "Secret cannot be returned; token had one use left, so leased credentials were immediately revoked.",
    );
  }
  return { reply, mountType: mount.type };
}

function isLoginPath(mount: Mount, path: string): boolean {
  const relativePath = path.slice(fullPath(mount).length);
  return mount.backend.loginPaths?.some((each) => isPathOf(each, relativePath)) ?? false;
}

/** No token is needed, errors stay bare, and the envelope names no mount type. */
async function handleLogin(
  parts: CoreParts,
  { mount, request }: { mount: Mount; request: CoreRequest },
): Promise<CoreReply> {
  const nobody: Caller = { token: request.token ?? "", displayName: "", policies: [], hasSudo: false };
  try {
    const { login, ...reply } = (await dispatchTo(mount, { parts, request, caller: nobody })) ?? {};
    if (login === undefined) return { reply, mountType: "" };
    const { auth, warnings } = issueLoginToken(parts, { login, mount, path: request.path });
    return { reply: { ...reply, auth, warnings: [...(reply.warnings ?? []), ...warnings] }, mountType: "" };
  } catch (failure) {
    if (failure instanceof Failure) throw new Refusal(failure.message, { status: failure.status });
    throw failure;
  }
}

function callerToken(
  parts: CoreParts,
  { token: id, remoteAddress }: CoreRequest,
): TokenAccess & { readonly token: TokenEntry } {
  const { tokens, profile, accessOf } = parts;
  if (id === undefined) throw new Refusal("permission denied", { status: 403 });
  const entry = tokens.find(id);
  if (entry === undefined || entry.usesLeft < 0) throw new Refusal(profile.transport.unknownToken, { status: 403 });
  const ofToken = accessOf(entry);
  if (ofToken === undefined || !isWithinBounds(remoteAddress, entry.boundAddresses)) {
    throw new Refusal("permission denied", { status: 403 });
  }
  return { ...ofToken, token: tokens.spend(entry) };
}

interface Authorization {
  readonly parts: CoreParts;
  readonly request: CoreRequest;
  readonly mount: Mount | undefined;
}

/** Whether the caller has `sudo` on the path. */
function authorize(access: AccessList, { parts, request, mount }: Authorization): boolean {
  const relativePath = mount === undefined ? "" : request.path.slice(fullPath(mount).length);
  const needed = neededCapability({ parts, request, mount, relativePath });
  if (access.isRoot) return true;
  const grant = access.grantOn(request.path, { isList: request.verb === "list" });
  const hasSudo = grant?.capabilities.has("sudo") ?? false;
  const needsSudo = mount?.backend.sudoPaths?.some((path) => isPathOf(path, relativePath)) ?? false;
  const { comparesMembers } = parts.profile.policies;
  const isAllowed =
    grant !== undefined && needed !== undefined && isPermitted(grant, { ...request, needed, comparesMembers });
  if (!isAllowed || (needsSudo && !hasSudo)) throw new Refusal(multierrorText(["permission denied"]), { status: 403 });
  return hasSudo;
}

interface Asked extends Authorization {
  readonly relativePath: string;
}

function neededCapability({ parts, request, mount, relativePath }: Asked): Capability | undefined {
  if (request.verb !== "update") return capabilityOf[request.verb];
  const matched = mount === undefined ? undefined : matchPath(mount.backend, relativePath);
  if (mount === undefined || matched === undefined) return "update";
  try {
    const { coercion } = parts.profile;
    const exists = recordExists(matched, { body: request.body, mount: mountView(mount), coercion });
    return exists === false ? "create" : "update";
  } catch (failure) {
    // Before the policy decision errors are not wrapped.
    if (failure instanceof Failure) throw new Refusal(failure.message, { status: failure.status });
    throw failure;
  }
}

// No capability allows HEAD and OPTIONS: only root may use them.
const capabilityOf: Readonly<Record<Exclude<Verb, "update">, Capability | undefined>> = {
  read: "read",
  header: undefined,
  options: undefined,
  delete: "delete",
  list: "list",
  patch: "patch",
};

function isPathOf(path: string, relativePath: string): boolean {
  return path.endsWith("*") ? relativePath.startsWith(path.slice(0, -1)) : path === relativePath;
}

interface AuthorizedRequest extends TokenRequest {
  readonly parts: CoreParts;
  readonly hasSudo: boolean;
}

async function runOperation(
  mount: Mount,
  { parts, request, token, policies, hasSudo }: AuthorizedRequest,
): Promise<Reply | undefined> {
  const { id, displayName } = token;
  try {
    return await dispatchTo(mount, { parts, request, caller: { token: id, displayName, policies, hasSudo } });
  } catch (failure) {
    if (failure instanceof Failure) throw new Refusal(multierrorText([failure.message]), { status: failure.status });
    throw failure;
  }
}

function dispatchTo(
  mount: Mount,
  { parts, request, caller }: { parts: CoreParts; request: CoreRequest; caller: Caller },
): Promise<Reply | undefined> {
  const { verb: operation, body, remoteAddress, wrapSeconds, clientCertificates } = request;
  const relativePath = request.path.slice(fullPath(mount).length);
  if (!isOperation(operation)) throw unimplemented(mount, relativePath);
  const { coercion } = parts.profile;
  const asked = {
    mount: mountView(mount),
    caller,
    remoteAddress,
    wrapSeconds,
    clientCertificates,
    operation,
    relativePath,
    body,
    coercion,
  };
  return dispatch(mount.backend, asked);
}

function unimplemented(mount: Mount, relativePath: string): Failure {
  return matchPath(mount.backend, relativePath) === undefined
    ? new Failure("unsupported path", { status: 404 })
    : new Failure("unsupported operation", { status: 405 });
}

function isOperation(verb: Verb): verb is Operation {
  return operations.has(verb);
}

function noHandlerText(path: string): string {
  return `no handler for route ${goQuoted(path)}. route entry not found.`;
}
