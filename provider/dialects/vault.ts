import type { Values } from "../core/definition";
import { parseJson } from "../core/parse-json";
import { isRecord } from "../core/unknowns";
import type { Answer, Dialect, Doubt, Question } from "./dialect";

/** What the server says where nothing is mounted, for this token and namespace. */
export const NO_HANDLER = /no handler for route/;

const CAPABILITY: Readonly<Record<string, string>> = {
  GET: "read",
  POST: "create and update",
  PATCH: "patch",
  DELETE: "delete",
};

/** HashiCorp Vault and OpenBao (reference secrets-server 1). */
export const vault: Dialect = {
  prefix: "/v1/",
  contentType: "application/json",
  headers: ({ token, namespace }) => ({
    "x-vault-request": "true",
    ...(token === undefined ? {} : { "x-vault-token": token }),
    ...(namespace === undefined ? {} : { "x-vault-namespace": namespace }),
  }),
  body: (members) => members,
  record: (json) => (isRecord(json) ? (json["data"] ?? undefined) : undefined),
  issued: (json) => issuedIn(json),
  isAbsent: (answer) => answer.status === 404 && errorsOf(answer)?.length === 0,
  doubt: (question, answer) =>
    answer.status === 404 && NO_HANDLER.test(answer.text) ? unmounted(question) : undefined,
  details: (answer) => (errorsOf(answer) ?? []).map(unwrapped),
  advice: [
    {
      status: 403,
      text: /invalid token/,
      todo: "The token is unknown, expired or revoked; give a new one in VAULT_TOKEN.",
    },
    {
      status: 403,
      todo: ({ method, path }) =>
        `The token needs "${capability(method, path)}" on ${path.replace(/\?.*/, "")}, or is no longer valid.`,
    },
    { status: 503, text: /sealed/i, todo: "Unseal the server and run again." },
    { status: 404, text: NO_HANDLER, todo: "Nothing is mounted there: check the mount path and the namespace." },
    {
      status: 404,
      text: /unsupported path/,
      todo: "Something else is mounted there, or the server is too old for this.",
    },
    { status: 404, text: /namespace not found/, todo: "Check VAULT_NAMESPACE." },
    { status: 429, todo: "A rate limit quota of the server refuses more requests now; run again later." },
    {
      text: /Cannot call config\/rotate-root when either/,
      todo: "Give the root configuration an access key and secret key first.",
    },
  ],
  probe: "sys/health?standbyok=true&perfstandbyok=true",
  server(answer, { namespace }) {
    const health = answer && parseJson(answer.text);
    if (!isRecord(health) || typeof health["version"] !== "string") return undefined;
    const version = health["version"];
    // OpenBao's answer has none of Vault's edition and clock members (reference secrets-server 5.2).
    const product = "enterprise" in health || version.startsWith("1.") ? "vault" : "openbao";
    const cluster = typeof health["cluster_id"] === "string" ? health["cluster_id"] : undefined;
    if (cluster === undefined) return undefined; // sealed: it cannot say which cluster it is
    const identity = namespace
      ? `${product}:${cluster}/${namespace.replace(/^\/+|\/+$/g, "")}`
      : `${product}:${cluster}`;
    return { product, version, enterprise: health["enterprise"] === true, identity };
  },
};

function capability(method: string, path: string): string {
  return method === "GET" && path.endsWith("?list=true") ? "list" : (CAPABILITY[method] ?? method);
}

/** A login answers in a block of its own; credentials are data beside their lease (reference secrets-server 1.6, 3.2). */
function issuedIn(json: unknown): Values | undefined {
  if (!isRecord(json)) return undefined;
  const { auth, data, lease_id, lease_duration, renewable } = json;
  if (isRecord(auth)) return auth;
  return isRecord(data) ? { ...data, lease_id, lease_duration, renewable } : undefined;
}

function errorsOf(answer: Answer): string[] | undefined {
  const json = parseJson(answer.text);
  return isRecord(json) && Array.isArray(json["errors"]) ? json["errors"].map(String) : undefined;
}

/** `1 error occurred:\n\t* text\n\n` is the server's way to say `text`. */
function unwrapped(text: string): string {
  return text
    .replace(/^\d+ errors? occurred:\s*/, "")
    .replace(/\s*\n\t\* /g, "; ")
    .replace(/^\* /, "")
    .trim();
}

/** "No handler for route": the mount is gone, or this is the wrong namespace. The list of mounts knows. */
function unmounted({ path }: Question): Doubt {
  const isAuth = path.startsWith("auth/");
  const inside = isAuth ? path.slice("auth/".length) : path;
  return {
    path: isAuth ? "sys/auth" : "sys/mounts",
    settles(answer) {
      const mounts = answer.status === 200 ? parseJson(answer.text) : undefined;
      const known = isRecord(mounts) && isRecord(mounts["data"]) ? Object.keys(mounts["data"]) : undefined;
      return known?.every((mount) => !`${inside}/`.startsWith(mount)) ?? false;
    },
    otherwise: "Nothing is mounted there for this token: check the mount path and the namespace.",
  };
}
