import { createHash, randomUUID, timingSafeEqual } from "node:crypto";
import { Hono } from "hono";
import { createMemoryTables, type Tables } from "../data/tables";
import {
  JsonApiRefusal,
  jsonApiMediaType,
  jsonApiResponse,
  notFound,
  notSupported,
  rateLimited,
  unauthorized,
  unsupportedMediaType,
} from "./json-api";
import { paginate } from "./pagination";
import { parameterDocument, policySetDocument } from "./parameter-document";
import { parseParameterRequest } from "./parameter-request";
import { createParameterStore } from "./parameter-store";
import { createRateWindow, usualRequestsPerSecond } from "./rate-window";

export interface PolicyServiceOptions {
  /** The only token the service knows. */
  readonly token: string;
  /** The policy set that exists from the start. */
  readonly policySet: string;
  /** More policy sets that exist from the start. */
  readonly policySets?: readonly string[];
  readonly clock?: () => Date;
  readonly tables?: Tables;
  /**
   * How many requests a second a user, or an address without a token, may make; more get 429. Without it nobody is refused,
   * and the headers name the real service's thirty.
   */
  readonly requestsPerSecond?: number | undefined;
}

export interface PolicyService {
  fetch(request: Request, info: { remoteAddress: string }): Response | Promise<Response>;
  /** The stored records, write-only values included, keyed by path. */
  records(): Record<string, unknown>;
}

// What HCP Terraform has besides.
const unsupported = new RegExp(
  `^/api/v2/(?:${[
    ...["account", "admin", "agent-pools", "agents", "applies", "assessment-results", "authentication-tokens"],
    ...["configuration-versions", "cost-estimates", "github-app", "no-code-modules", "notification-configurations"],
    ...["oauth-clients", "oauth-tokens", "organization-memberships", "organizations", "plans", "policies"],
    ...["policy-checks", "policy-evaluations", "policy-sets", "policy-set-versions", "projects", "registry-modules"],
    ...["registry-providers", "reserved-tag-keys", "run-tasks", "run-triggers", "runs", "ssh-keys", "state-versions"],
    ...["subscriptions", "task-stages", "tasks", "team-access", "team-projects", "teams", "users", "varsets", "vars"],
    "workspaces",
  ].join("|")})(?:/|$)`,
);

type Environment = { Bindings: { remoteAddress: string } };

/** The policy set parameters API of HCP Terraform. */
export function createPolicyService(options: PolicyServiceOptions): PolicyService {
  const store = createParameterStore(
    [options.policySet, ...(options.policySets ?? [])],
    options.tables ?? createMemoryTables(),
  );
  const { requestsPerSecond = usualRequestsPerSecond, clock = () => new Date() } = options;
  const countRequest = createRateWindow({ requestsPerSecond, clock });
  const isUser = (request: Request) => isSameToken(bearerToken(request), options.token);
  const app = new Hono<Environment>();

  app.onError((error) => {
    if (error instanceof JsonApiRefusal) return jsonApiResponse(error.status, { errors: error.errors });
    throw error;
  });
  app.notFound(({ req }) => {
    const { status, errors } = unsupported.test(req.path) ? notSupported(req.path) : notFound();
    return jsonApiResponse(status, { errors });
  });

  app.use(async (context, next) => {
    // The limit is per user, and this service has one user. Requests without a valid token count by their address.
    const use = countRequest(isUser(context.req.raw) ? "user" : context.env.remoteAddress);
    if (use.exceeded && options.requestsPerSecond !== undefined) context.res = rateLimited();
    else await next();
    const decoration = { ...use.headers, "tfp-api-version": "2.6", "x-request-id": randomUUID() };
    for (const [name, value] of Object.entries(decoration)) context.res.headers.set(name, value);
  });

  app.get("/.well-known/terraform.json", () =>
    Response.json({ "tfe.v2": "/api/v2/", "tfe.v2.1": "/api/v2/", "tfe.v2.2": "/api/v2/" }),
  );
  app.get(
    "/api/v2/ping",
    () => new Response(null, { status: 204, headers: { "tfp-appname": "HCP Terraform", "cache-control": "no-cache" } }),
  );

  // Authentication, then media type, then look-up: the usual Rails order. No source states it.
  app.use("/api/v2/*", async (context, next) => {
    const { method, raw } = context.req;
    if (!isUser(raw)) throw unauthorized();
    if (["POST", "PATCH", "DELETE"].includes(method) && !isJsonApi(raw)) throw unsupportedMediaType();
    await next();
  });

  app.get("/api/v2/policy-sets/:set", (context) => {
    const set = context.req.param("set");
    if (!store.has(set)) throw notFound();
    return jsonApiResponse(200, { data: policySetDocument(set) });
  });

  const collection = "/api/v2/policy-sets/:set/parameters";
  app.get(collection, (context) => {
    const set = context.req.param("set");
    const page = paginate(store.list(set), context.req.url);
    const data = page.items.map((parameter) => parameterDocument(set, parameter));
    return jsonApiResponse(200, { data, ...page.envelope });
  });
  app.post(collection, async (context) => {
    const set = context.req.param("set");
    store.list(set);
    const parameter = store.create(set, parseParameterRequest(await context.req.text()));
    return jsonApiResponse(201, { data: parameterDocument(set, parameter) });
  });

  const member = `${collection}/:id` as const;
  app.get(member, (context) => {
    const { set, id } = context.req.param();
    return jsonApiResponse(200, { data: parameterDocument(set, store.read(set, id)) });
  });
  app.patch(member, async (context) => {
    const { set, id } = context.req.param();
    store.read(set, id);
    const parameter = store.update(set, id, parseParameterRequest(await context.req.text()));
    return jsonApiResponse(200, { data: parameterDocument(set, parameter) });
  });
  app.delete(member, (context) => {
    const { set, id } = context.req.param();
    store.remove(set, id);
    return new Response(null, { status: 204 });
  });

  return { fetch: (request, info) => app.fetch(request, info), records: () => store.records() };
}

function bearerToken(request: Request): string | undefined {
  return /^Bearer\s+(\S+)\s*$/i.exec(request.headers.get("authorization") ?? "")?.[1];
}

/** Digests make the lengths equal, which the constant-time comparison demands. */
function isSameToken(given: string | undefined, expected: string): boolean {
  const digest = (token: string) => createHash("sha256").update(token).digest();
  return given !== undefined && timingSafeEqual(digest(given), digest(expected));
}

function isJsonApi(request: Request): boolean {
  return request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() === jsonApiMediaType;
}
