import { createHash, randomUUID, timingSafeEqual } from "node:crypto";
import { Hono } from "hono";
import { createMemoryTables, type Tables } from "../data/tables";
import {
  JsonApiRefusal,
  jsonApiMediaType,
  jsonApiResponse,
  notFound,
  rateLimited,
  unauthorized,
  unsupported,
  unsupportedMediaType,
} from "./json-api";
import { neighbourRoutes } from "./neighbour-routes";
import { createNeighbourStore, defaultOrganization, otherOrganization } from "./neighbour-store";
import { parameterRoutes } from "./parameter-routes";
import { createParameterStore } from "./parameter-store";
import { policySetRoutes } from "./policy-set-routes";
import { createPolicySetStore } from "./policy-set-store";
import { createRateWindow, usualRequestsPerSecond } from "./rate-window";
import { versionRoutes } from "./version-routes";
import { createVersionStore } from "./version-store";

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
const unsupportedPaths = new RegExp(
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

/** The APIs of HCP Terraform for policy sets and their parameters. */
export function createPolicyService(options: PolicyServiceOptions): PolicyService {
  const {
    requestsPerSecond = usualRequestsPerSecond,
    clock = () => new Date(),
    tables = createMemoryTables(),
  } = options;
  const others = (options.policySets ?? []).map((id) => [id, otherOrganization] as const);
  const policySets = { ...Object.fromEntries(others), [options.policySet]: defaultOrganization };
  const neighbours = createNeighbourStore({ clock, tables });
  const sets = createPolicySetStore({ policySets, neighbours, clock, tables });
  const versions = createVersionStore({ clock, tables });
  const parameters = createParameterStore(sets, tables);
  const countRequest = createRateWindow({ requestsPerSecond, clock });
  const isUser = (request: Request) => isSameToken(bearerToken(request), options.token);
  const app = new Hono<Environment>();

  app.onError((error) => {
    if (error instanceof JsonApiRefusal) return jsonApiResponse(error.status, { errors: error.errors });
    throw error;
  });
  app.notFound(({ req }) => {
    const { status, errors } = unsupportedPaths.test(req.path) ? unsupported(req.path) : notFound();
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

  app.route("/", policySetRoutes({ sets, versions, neighbours, forget: parameters.removeAll }));
  app.route("/", parameterRoutes(parameters));
  app.route("/", versionRoutes(sets, versions));
  app.route(
    "/",
    neighbourRoutes(neighbours, (type, id) => sets.forget(type, id).forEach(parameters.removeAll)),
  );
  const records = () => ({ ...sets.records(), ...parameters.records() });
  return { fetch: (request, info) => app.fetch(request, info), records };
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
