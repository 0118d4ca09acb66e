import type { Branch } from "./branch.ts";

const service = "secrets";
const dialect = "provider/dialects/vault.ts";
const advice = `${dialect} advice`;

const jwtRole = "auth/{mount}/role/{name}";
const cloudRole = "{mount}/roles/{name}";
const staticRole = "{mount}/static-roles/{name}";
const health = "GET sys/health?standbyok=true&perfstandbyok=true";

/** Advice by the text of an answer. */
const BY_TEXT: readonly Omit<Branch, "where" | "service">[] = [
  { status: 403, text: /invalid token/, requests: [`GET ${jwtRole}`, `POST ${jwtRole}`] },
  { status: 400, text: /error checking oidc discovery URL/, requests: ["POST auth/{mount}/config"] },
  { status: 400, text: /error checking jwks URL/, requests: ["POST auth/{mount}/config"] },
  {
    status: 503,
    text: /sealed/i,
    requests: [`GET ${jwtRole}`, `POST ${jwtRole}`, `DELETE ${jwtRole}`, "GET sys/mounts", "POST sys/mounts/{path}"],
  },
  { status: 404, text: /no handler for route/, requests: [`POST ${jwtRole}`, `POST ${cloudRole}`] },
  { status: 400, text: /group alias name is already in use/, requests: ["POST identity/group-alias"] },
  { status: 400, text: /path(?: is)? already in use at/, requests: ["POST sys/remount"] },
  {
    status: 404,
    text: /unsupported path/,
    requests: ["GET {mount}/role/{name}", "GET auth/{mount}/roles/{name}", "POST auth/{mount}/config/lease"],
  },
  { status: 400, text: /Cannot call config\/rotate-root when either/, requests: ["POST {mount}/config/rotate-root"] },
  {
    status: 400,
    text: /check-and-set parameter did not match/,
    requests: ["POST sys/policies/acl/{name}"],
    unrecorded: "OpenBao says it (`setPolicyInternal` in internal/vault/policy/policy_store.go of 2.6)",
  },
  {
    status: 500,
    text: /InvalidClientTokenId/,
    requests: ["POST {mount}/static-roles/{name}"],
    unrecorded:
      "AWS says it of a key that it does not know yet (hashicorp/terraform-provider-vault #2439); moto takes any key",
  },
  {
    status: 400,
    text: /disabled in replication DR secondary mode/,
    requests: [`GET ${jwtRole}`],
    unrecorded:
      "Enterprise says it of a secondary (DataDog/integrations-core #7819 and hashicorp/vault #3460 quote it)",
  },
];

/** Every branch on an answer of Vault or OpenBao. */
export const secretsBranches: readonly Branch[] = [
  {
    where: `${dialect} isAbsent`,
    service,
    status: 404,
    shows: /^\{"errors":\[\]\}$/m,
    requests: [
      "GET auth/{mount}/config",
      `GET ${jwtRole}`,
      "GET {mount}/config/root",
      "GET {mount}/config/lease",
      `GET ${cloudRole}`,
      `GET ${staticRole}`,
      "GET auth/{mount}/role?list=true",
      "GET {mount}/roles?list=true",
      "GET {mount}/static-roles?list=true",
    ],
  },
  {
    where: `${dialect} doubt`,
    service,
    status: 404,
    text: /no handler for route/,
    requests: [
      `GET ${jwtRole}`,
      `DELETE ${jwtRole}`,
      `GET ${cloudRole}`,
      `DELETE ${cloudRole}`,
      "GET {mount}/roles?list=true",
    ],
  },
  {
    where: `${dialect} unmounted`,
    service,
    status: 200,
    shows: /"data":\{/,
    requests: ["GET sys/auth", "GET sys/mounts"],
  },
  {
    where: `${dialect} shownMounts`,
    service,
    status: 200,
    shows: /"type":"jwt"/,
    requests: ["GET sys/internal/ui/mounts/auth/{mount}"],
  },
  { where: `${dialect} issuedIn`, service, status: 200, shows: /"auth":\{/, requests: ["POST auth/{mount}/login"] },
  {
    where: `${dialect} issuedIn`,
    service,
    status: 200,
    shows: /"lease_id":"[^"]/,
    requests: ["GET {mount}/creds/{name}", "POST {mount}/sts/{name}"],
  },
  { where: `${dialect} server`, service, status: 200, shows: /"cluster_id":"/, requests: [health] },
  { where: `${dialect} server`, service, status: 200, shows: /"enterprise":false/, requests: [health] },
  {
    where: `${dialect} server`,
    service,
    status: 200,
    shows: /"cluster_id":"/,
    requests: ["GET sys/seal-status"],
  },
  { where: `${dialect} isVault`, service, status: 200, shows: /"build_date":"/, requests: ["GET sys/seal-status"] },
  {
    where: `${dialect} flaw`,
    service,
    status: 200,
    shows: /"keys":\["/,
    requests: ["GET auth/{mount}/role?list=true", "GET {mount}/roles?list=true"],
  },
  { where: `${dialect} server`, service, status: 503, shows: /"sealed":true/, requests: [health] },
  {
    where: `${dialect} unwrapped`,
    service,
    status: 400,
    shows: /\d+ errors? occurred:/,
    requests: [`POST ${cloudRole}`],
  },
  {
    where: advice,
    service,
    status: 403,
    shows: /permission denied/,
    requests: [
      "GET auth/{mount}/config",
      `POST ${jwtRole}`,
      `DELETE ${jwtRole}`,
      "GET sys/auth",
      "POST sys/mounts/{path}",
    ],
  },
  {
    where: "provider/dialects/dialect.ts plainHint",
    service,
    status: 400,
    shows: /HTTP request to an HTTPS server/,
    requests: ["GET sys/mounts"],
    unrecorded: "Go's own server says it, before the product sees the request",
  },
  {
    where: "provider/engine/login-session.ts renewed",
    service,
    status: 200,
    shows: /"auth":\{/,
    requests: ["POST auth/token/renew-self"],
  },
  {
    where: advice,
    service,
    status: 404,
    text: /namespace not found/,
    requests: [`GET ${jwtRole}`],
    unrecorded: "OpenBao says it; Vault's community edition has no namespaces (reference secrets-server 1)",
  },
  ...[472, 473, 474].map(
    (status): Branch => ({
      where: advice,
      service,
      status,
      requests: [`GET ${jwtRole}`],
      unrecorded: "a load balancer's answer, with the status of a node's health (reference secrets-server 1)",
    }),
  ),
  ...BY_TEXT.map((row): Branch => ({ where: advice, service, ...row })),
  { where: advice, service, status: 429, shows: /quota exceeded/, requests: [`GET ${jwtRole}`, `POST ${jwtRole}`] },
  {
    where: "provider/dialects/vault.ts NO_COLLECTION",
    service,
    status: 404,
    text: /unsupported (path|operation)/,
    requests: ["GET auth/{mount}/{collection}?list=true", "GET {mount}/{collection}?list=true"],
  },
  {
    // A list that is refused is answered as any read that is refused.
    where: "provider/engine/unmanaged.ts isWithoutList",
    service,
    status: 403,
    shows: /permission denied/,
    requests: ["GET auth/{mount}/config", "GET sys/auth"],
  },
  {
    where: "provider/engine/foreseen-take-over.ts lookAhead",
    service,
    status: 403,
    shows: /permission denied/,
    requests: ["GET auth/{mount}/config"],
  },
  {
    where: "provider/engine/identification.ts identify",
    service,
    status: 404,
    requests: [health],
    unrecorded: "the answer of another product, such as Consul, or of a proxy",
  },
  {
    where: "provider/engine/inhabitants.ts boundTo",
    service,
    status: 403,
    shows: /permission denied/,
    requests: ["GET auth/{mount}/config", "GET sys/auth"],
  },
  {
    where: "provider/engine/traced.ts traced",
    service,
    status: 403,
    shows: /permission denied/,
    requests: ["GET auth/{mount}/config", "GET sys/auth"],
  },
  {
    where: "provider/functions/jwt/auth-url.ts refusal",
    service,
    status: 200,
    shows: /"auth_url":""/,
    requests: ["POST auth/{mount}/oidc/auth_url"],
  },
  {
    where: "provider/engine/answer.ts jsonOf",
    service,
    status: 204,
    requests: [`POST ${jwtRole}`, `DELETE ${jwtRole}`, "POST sys/mounts/{path}/tune", "POST {mount}/config/lease"],
  },
  {
    where: "provider/http/transport.ts redirectOf",
    service,
    status: 307,
    shows: /^location: /m,
    requests: ["GET sys//health"],
  },
  ...[301, 302, 308].map(
    (status): Branch => ({
      where: "provider/http/transport.ts redirectOf",
      service,
      status,
      requests: [health],
      unrecorded: "proxies redirect like this; the servers themselves do with 307",
    }),
  ),
  { where: "provider/http/rate-limit.ts slowDown", service, status: 429, requests: [`GET ${jwtRole}`] },
  { where: "provider/http/send.ts LATER", service, status: 429, requests: [`GET ${jwtRole}`] },
  { where: "provider/http/send.ts LATER", service, status: 503, requests: [`GET ${jwtRole}`] },
  {
    where: "provider/engine/write.ts isOpen",
    service,
    status: 408,
    requests: [`POST ${jwtRole}`],
    unrecorded: "a proxy's answer",
  },
  {
    where: "provider/http/send.ts LATER",
    service,
    status: 412,
    requests: [`GET ${jwtRole}`],
    unrecorded: "Vault Enterprise answers it for a replica that lags (reference secrets-server 1)",
  },
  {
    where: "provider/http/send.ts LATER",
    service,
    status: 502,
    requests: [`GET ${jwtRole}`],
    unrecorded: "a proxy's answer",
  },
];
