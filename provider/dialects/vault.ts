import type { WireRecord } from "../core/definition";
import { parseJson } from "../core/parse-json";
import { trimSlashes } from "../core/rows";
import { NAMESPACES } from "../core/tenant";
import { isRecord } from "../core/unknowns";
import type { Answer, Dialect, Doubt, IssuedToken, Logins, Question, ShownMount } from "./dialect";
import { laterIndex } from "./vault-index";
import { GRANTS, grantLine } from "./vault-policy";

/** What the server says where nothing is mounted, for this token and namespace. */
export const NO_HANDLER = /no handler for route/;

/** What the server says to a list where the mount has no such collection, or none that can be listed. */
export const NO_COLLECTION = /unsupported (path|operation)/;

export const NO_MOUNT = "Nothing is mounted there: check the mount path and the namespace.";

const DOUBLED = "Nothing is mounted there: write the mount without `auth/`, which trustplane adds.";
const isDoubled = (path: string) => path.startsWith("auth/auth/");

const CAPABILITY: Readonly<Record<string, string>> = { GET: "read", POST: "update", PATCH: "patch", DELETE: "delete" };
/** Paths that the server keeps for tokens with `sudo` (reference secrets-server 5.1). */
const ROOT_PROTECTED = /^sys\/(?:auth\/.|remount$)/;

const UNKNOWN_TOKEN = /invalid token/;

const UNSEAL = "Unseal the server and run again.";

const SECONDARY =
  "This cluster is a secondary for disaster recovery, which serves nothing until it is promoted: give the address of the primary.";
const BALANCER = "A load balancer seems to answer with the health of a node";

/** HashiCorp Vault and OpenBao. */
export const vault: Dialect & { readonly logins: Logins } = {
  service: "secrets",
  prefix: "/v1/",
  contentType: "application/json",
  headers: ({ token, namespace }) => ({
    "x-vault-request": "true",
    ...(token === undefined ? {} : { "x-vault-token": token }),
    ...(namespace === undefined ? {} : { "x-vault-namespace": namespace }),
  }),
  consistency: {
    position: (known, { headers }) => {
      const index = headers["x-vault-index"];
      return index === undefined ? known : laterIndex(known, index);
    },
    // A standby that is not as far asks the active node, where it may; it answers 412 otherwise, which is asked again.
    headers: (index) => ({ "x-vault-index": index, "x-vault-inconsistent": "forward-active-node" }),
  },
  tenancy: {
    property: "namespace",
    within: (own, named) => [trimSlashes(own ?? ""), named].filter(Boolean).join("/"),
    pathIn: (named, path) => `${named}/${path}`,
    isInIdentity: true,
    on: NAMESPACES,
  },
  body: (members) => members,
  record: (json) => (isRecord(json) ? (json["data"] ?? undefined) : undefined),
  answers: () => "record", // a list of names is one, too, and so are the mounts
  flaw: (json, expects, question) => flaw(json, expects, question),
  warnings: (json) => textsIn(isRecord(json) ? json["warnings"] : undefined),
  hasStandbys: true,
  issued: (json) => issuedIn(json),
  logins: {
    methods: ["jwt", "kubernetes", "approle", "aws", "cert"],
    path: "auth/{mount}/login",
    members: (_, proof) => proof,
    issued: tokenIn,
    renew: "auth/token/renew-self",
    end: "auth/token/revoke-self",
    unwrap: "sys/wrapping/unwrap",
    isUnknown: ({ status, text }) => status === 403 && UNKNOWN_TOKEN.test(text),
  },
  names: {
    query: "?list=true",
    unsupported: NO_COLLECTION,
    of: (record) => textsIn(isRecord(record) ? record["keys"] : []),
  },
  mounts: { listFor: mountsFor, aloneAt: (path) => SHOWN_MOUNT + path, in: shownMounts },
  openPaths: ["/login", "/oidc/auth_url"],
  isAbsent: (answer) => answer.status === 404 && errorsIn(answer)?.length === 0,
  doubt: (question, answer) =>
    answer.status === 404 && NO_HANDLER.test(answer.text) ? unmounted(question) : undefined,
  doubtAt(path) {
    // The server's own mounts are always there.
    if (path.startsWith("sys/") || path.startsWith("identity/")) return undefined;
    return { path: mountsFor(path), why: "Shows whether the mount is there, and of which type." };
  },
  capabilities: (question, options) => capabilities(question, options),
  details: (answer) => textsIn(errorsIn(answer)).map(unwrapped),
  advice: [
    {
      status: 403,
      text: UNKNOWN_TOKEN,
      todo: "The token is unknown, expired or revoked; give a new one in {token}.",
      isAboutToken: true,
    },
    {
      status: 403,
      todo: grant,
      isAboutToken: true,
    },
    {
      status: 400,
      text: /error checking oidc discovery URL/,
      todo: "The server itself, not this machine, reads that address, and the `issuer` in the answer must be exactly this URL: check the address, a slash at its end, the server's DNS and firewall, and the CA that it trusts for it.",
    },
    {
      status: 400,
      text: /error checking jwks URL/,
      todo: "The server itself, not this machine, must reach that address: check the address, the server's DNS and firewall, and the CA that it trusts for it.",
    },
    {
      status: 400,
      text: /group alias name is already in use/,
      todo: "Another group has this alias: remove it there first, or give another name.",
    },
    {
      status: 400,
      text: /path(?: is)? already in use at/,
      todo: "Another mount has that path. If this program moves it as well, let this resource depend on it; if the two are to change paths, move one of them to a third path first, in a run of its own.",
    },
    {
      status: 400,
      text: /check-and-set parameter did not match/,
      todo: "Somebody else has written it since it was looked at: run again.",
    },
    { status: 503, text: /sealed/i, todo: UNSEAL },
    { status: 404, text: NO_HANDLER, todo: ({ path }) => (isDoubled(path) ? DOUBLED : NO_MOUNT) },
    {
      status: 404,
      text: /unsupported path/,
      todo: "The mount has no such path: check that its path is only that of the mount, and that the server is new enough for this.",
    },
    { status: 404, text: /namespace not found/, todo: "Check the namespace." },
    { text: /disabled in replication DR secondary mode/, todo: SECONDARY },
    { status: 472, todo: SECONDARY },
    { status: 473, todo: `${BALANCER}, a performance standby: let it count 473 as healthy, or ask the active node.` },
    { status: 474, todo: `${BALANCER}, a standby that has lost the active one: run again when there is one.` },
    { status: 429, todo: "A rate limit quota of the server refuses more requests now; run again later." },
    {
      text: /InvalidClientTokenId/,
      todo: "AWS does not know the access key of the root configuration. A new one takes some seconds to be known everywhere: run again. If it lasts, the key is another account's, or is gone.",
    },
    {
      text: /Cannot call config\/rotate-root when either/,
      todo: "Give the root configuration an access key and secret key first.",
    },
  ],
  // A proxy may block the health endpoint; the seal's status names the cluster, too.
  probes: ["sys/health?standbyok=true&perfstandbyok=true", "sys/seal-status"],
  server(answer, { namespace }) {
    const status = answer && parseJson(answer.text);
    if (!isRecord(status)) return undefined;
    const { version, cluster_id: cluster } = status;
    if (typeof version !== "string" || !/^v?\d+\./.test(version)) return undefined;
    if (typeof cluster !== "string" || cluster === "") return undefined; // sealed: see `hindrance`
    const product = isVault(status, version) ? "vault" : "openbao";
    const within = namespace ? `/${trimSlashes(namespace)}` : "";
    const enterprise = status["enterprise"] === true || /\+ent/.test(version);
    return { product, version, enterprise, identity: `${product}:${cluster}${within}` };
  },
  hindrance(answer) {
    const status = parseJson(answer.text);
    return isRecord(status) && status["sealed"] === true ? { why: "it is sealed", todo: UNSEAL } : undefined;
  },
};

/** OpenBao's health lacks Vault's members for edition and clock, and its seal's status has another date. */
function isVault(status: WireRecord, version: string): boolean {
  return /^v?1\./.test(version) || "enterprise" in status || ("build_date" in status && !("commit_date" in status));
}

/** What a token lacks, and the line of a policy that gives it. */
function grant({ method, path: asked, tenant }: Question): string {
  const own = asked.replace(/\?.*/, "");
  // Policies are those of the token's own namespace, which is the connection's.
  const path = tenant === undefined ? own : `${tenant}/${own}`;
  const needed = capabilities({ method, path: asked });
  // A refusal does not tell whether the record would have been new.
  const all = method === "POST" ? ["create", ...needed] : needed;
  return `The token needs "${all.join(" and ")}" on ${path}, or is no longer valid. ${GRANTS}${grantLine({ path, capabilities: all })}`;
}

function capabilities({ method, path }: Question, { isNew = false } = {}): readonly string[] {
  const word = method === "GET" && isListing(path) ? "list" : isNew ? "create" : (CAPABILITY[method] ?? method);
  return ROOT_PROTECTED.test(path) ? [word, "sudo"] : [word];
}

/** A login answers in a block of its own; credentials are data beside their lease. */
function issuedIn(json: unknown): WireRecord | undefined {
  if (!isRecord(json)) return undefined;
  const { auth, data, lease_id, lease_duration, renewable } = json;
  if (isRecord(auth)) return auth;
  // A renewal answers the lease alone.
  const isLease = typeof lease_id === "string" && lease_id !== "";
  return isRecord(data) || isLease
    ? { ...(isRecord(data) ? data : {}), lease_id, lease_duration, renewable }
    : undefined;
}

function tokenIn(json: unknown): IssuedToken | undefined {
  const auth = isRecord(json) ? json["auth"] : undefined;
  if (!isRecord(auth)) return undefined;
  const { client_token: token, lease_duration: seconds, renewable, token_type: type } = auth;
  if (typeof token !== "string" || token === "") return undefined;
  return {
    token,
    seconds: typeof seconds === "number" ? seconds : 0,
    renewable: renewable === true,
    isBatch: type === "batch",
  };
}

function errorsIn(answer: Answer): readonly unknown[] | undefined {
  const json = parseJson(answer.text);
  return isRecord(json) && Array.isArray(json["errors"]) ? json["errors"] : undefined;
}

function textsIn(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.filter((text) => typeof text === "string") : [];
}

function flaw(json: unknown, expects: "record" | "list", { path }: Question): string | undefined {
  const data = isRecord(json) ? json["data"] : undefined;
  if (expects === "list") return Array.isArray(data) ? undefined : "its `data` is no list";
  if (!isRecord(data)) return "its `data` is no object";
  if (isListing(path)) {
    const { keys } = data;
    const isNames = Array.isArray(keys) && keys.every((name) => typeof name === "string");
    return isNames ? undefined : "its `keys` are no list of names";
  }
  return MOUNTS.includes(path) && mountsIn(data) === undefined ? "it lists no mounts" : undefined;
}

const MOUNTS = ["sys/auth", "sys/mounts"];

/** The paths of the mounts. Every server has some of its own, so a list without one is none. */
function mountsIn(data: unknown): readonly string[] | undefined {
  const mounts = isRecord(data) ? Object.entries(data) : [];
  const isMount = ([, mount]: [string, unknown]) => isRecord(mount) && typeof mount["type"] === "string";
  return mounts.length > 0 && mounts.every(isMount) ? mounts.map(([path]) => path) : undefined;
}

function isListing(path: string): boolean {
  return /[?&]list=true(&|$)/.test(path);
}

/** `1 error occurred:\n\t* text\n\n` is the server's way to say `text`. */
function unwrapped(text: string): string {
  return text
    .replace(/^\d+ errors? occurred:\s*/, "")
    .replace(/\s*\n\t\* /g, "; ")
    .replace(/^\* /, "")
    .trim();
}

/** The list of the mounts among which this path is. */
function mountsFor(path: string): string {
  return path.startsWith("auth/") ? "sys/auth" : "sys/mounts";
}

/** What Vault's own pages ask, and any token may that may do something in the mount: 403 elsewhere, and where there is none. */
const SHOWN_MOUNT = "sys/internal/ui/mounts/";

function shownMounts(path: string, record: unknown): readonly ShownMount[] {
  const data = isRecord(record) ? record : {};
  if (path.startsWith(SHOWN_MOUNT)) return shownMount(mountsFor(path.slice(SHOWN_MOUNT.length)), data["path"], data);
  return Object.entries(data).flatMap(([name, mount]) => shownMount(path, name, mount));
}

/** The type is the name of a plugin. One from outside the server has a checksum, and may have any name. */
function shownMount(list: string, name: unknown, mount: unknown): readonly ShownMount[] {
  if (typeof name !== "string" || !isRecord(mount) || typeof mount["type"] !== "string") return [];
  const isBuiltIn = (mount["running_sha256"] ?? "") === "";
  return [{ path: list === "sys/auth" ? `auth/${name}` : name, type: mount["type"], isBuiltIn }];
}

/** "No handler for route": the mount is gone, or this is the wrong namespace. The list of mounts knows. */
function unmounted({ path }: Question): Doubt {
  const isAuth = path.startsWith("auth/");
  const inside = isAuth ? path.slice("auth/".length) : path;
  const isMounted = (answer: Answer) => {
    const json = answer.status === 200 ? parseJson(answer.text) : undefined;
    const known = mountsIn(isRecord(json) ? json["data"] : undefined);
    return known?.some((mount) => `${inside}/`.startsWith(mount));
  };
  return {
    path: mountsFor(path),
    isGone: (answer) => isMounted(answer) === false,
    isLate: (answer) => isMounted(answer) === true,
    missing: isDoubled(path) ? DOUBLED : NO_MOUNT,
    otherwise: isDoubled(path)
      ? DOUBLED
      : "Nothing is mounted there for this token: check the mount path and the namespace.",
  };
}
