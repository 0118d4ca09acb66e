import { isRecord } from "../core/unknowns";
import { type Answer, type Dialect, type Doubt, parseJson, type Question, redirectHint } from "./dialect";

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
  isAbsent: (answer) => answer.status === 404 && errorsOf(answer)?.length === 0,
  doubt: (question, answer) =>
    answer.status === 404 && /no handler for route/.test(answer.text) ? unmounted(question) : undefined,
  details: (answer) => (errorsOf(answer) ?? []).map(unwrapped),
  hint: (question, answer) => redirectHint(answer) ?? hint(question, answer),
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

const CAPABILITY: Readonly<Record<string, string>> = {
  GET: "read",
  POST: "create and update",
  PATCH: "patch",
  DELETE: "delete",
};

function hint({ method, path }: Question, answer: Answer): string | undefined {
  if (answer.status === 403) {
    if (/invalid token/.test(answer.text))
      return "The token is unknown, expired or revoked; give a new one in VAULT_TOKEN.";
    return `The token needs "${CAPABILITY[method] ?? method}" on ${path.replace(/\?.*/, "")}, or is no longer valid.`;
  }
  if (answer.status === 503 && /sealed/i.test(answer.text)) return "Unseal the server and run again.";
  if (answer.status === 404 && /no handler for route/.test(answer.text))
    return "Nothing is mounted there: check the mount path and the namespace.";
  if (answer.status === 404 && /unsupported path/.test(answer.text))
    return "Something else is mounted there, or the server is too old for this.";
  if (answer.status === 404 && /namespace not found/.test(answer.text)) return "Check VAULT_NAMESPACE.";
  if (answer.status === 429) return "A rate limit quota of the server refuses more requests now; run again later.";
  if (/Cannot call config\/rotate-root when either/.test(answer.text))
    return "Give the root configuration an access key and secret key first.";
  return undefined;
}
