import { timingSafeEqual } from "node:crypto";
import { Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { z } from "zod";
import type { Clock } from "../clock";
import { CloudFailure } from "../cloud/cloud-failure";
import type { CloudIdentity } from "../cloud/cloud-identity";
import { answerDirectory, answerTokenService } from "../cloud/token-service";
import type { FaultBook } from "../faults/fault-book";
import { faultScript } from "../faults/fault-script";
import type { FetchService } from "../http/fetch-exchange";
import type { RequestLog } from "../http/request-log";
import type { Issuer } from "../issuer/issuer";
import { services } from "../service";
import { bodyOf, parsed } from "./admin-request";
import { addCloudRoutes } from "./cloud-routes";
import { addIssuerRoutes } from "./issuer-routes";

export interface AdminOptions {
  readonly token: string;
  readonly faults: FaultBook;
  readonly log: RequestLog;
  readonly cloud: CloudIdentity;
  readonly clock: Clock;
  readonly issuer: Issuer | undefined;
  /** The stored records of every service, write-only values included. */
  records(): Readonly<Record<string, unknown>>;
  seal(): void;
  unseal(): void;
  /** Sets whether lists of peerings say that the ACLs hid some of them. */
  filterResults(isFiltered: boolean): void;
  /** Does what has become due by the clock. */
  catchUp(): void;
}

const faultsBody = z.union([
  z.strictObject({ spec: faultScript }).transform(({ spec }) => [spec]),
  z.strictObject({ specs: z.array(faultScript).min(1) }).transform(({ specs }) => specs),
]);
// About three hundred years: every date stays in the range that Go can print.
const clockBody = z.strictObject({ advanceSeconds: z.number().min(0).max(1e10) });
const filteredBody = z.strictObject({ filtered: z.boolean() });
const requestsQuery = z.object({ service: z.enum(services).optional() });

/** The interface for tests and demos: faults, the request log, stored records, the seal, the clock, the cloud and the issuer. */
export function createAdminService(options: AdminOptions): FetchService {
  const { faults, log, cloud, clock, issuer } = options;
  const app = new Hono();
  // Signed with the cloud's keys instead of the admin's token.
  app.post("/cloud/sts", (context) => {
    options.catchUp();
    return answerTokenService(context.req.raw, cloud);
  });
  app.post("/cloud/iam", (context) => {
    options.catchUp();
    return answerDirectory(context.req.raw, cloud);
  });
  app.use(async (context, next) => {
    if (!isToken(context.req.header("authorization"), options.token)) {
      return context.json({ errors: ["the admin interface needs Authorization: Bearer <admin token>"] }, 401);
    }
    options.catchUp();
    return next();
  });
  app.onError((error, context) => {
    if (error instanceof HTTPException) return context.json({ errors: [error.message] }, error.status);
    if (error instanceof CloudFailure) return context.json({ errors: [error.message] }, 409);
    throw error;
  });
  app.notFound((context) => context.json({ errors: [`no ${context.req.method} ${context.req.path} here`] }, 404));

  app.get("/faults", (context) => context.json({ faults: faults.all() }));
  app.post("/faults", async (context) => {
    const scripts = parsed(faultsBody, await bodyOf(context.req.raw));
    return context.json({ faults: scripts.map((script) => faults.add(script)) }, 201);
  });
  app.delete("/faults", (context) => {
    faults.clear();
    return context.body(null, 204);
  });
  app.delete("/faults/:id", (context) => {
    if (!faults.remove(Number(context.req.param("id")))) throw new HTTPException(404, { message: "no such fault" });
    return context.body(null, 204);
  });

  app.get("/requests", (context) => {
    const { service } = parsed(requestsQuery, context.req.query());
    return context.json({
      requests: log.all().filter((request) => service === undefined || request.service === service),
    });
  });
  app.delete("/requests", (context) => {
    log.clear();
    return context.body(null, 204);
  });

  app.get("/records", (context) =>
    context.body(JSON.stringify(options.records()), 200, { "content-type": "application/json" }),
  );
  app.post("/seal", (context) => {
    options.seal();
    return context.body(null, 204);
  });
  app.post("/unseal", (context) => {
    options.unseal();
    return context.body(null, 204);
  });

  app.put("/cluster/results-filtered", async (context) => {
    options.filterResults(parsed(filteredBody, await bodyOf(context.req.raw)).filtered);
    return context.body(null, 204);
  });

  const time = () => ({ now: new Date(clock.now()).toISOString() });
  app.get("/clock", (context) => context.json(time()));
  app.post("/clock", async (context) => {
    clock.advance(parsed(clockBody, await bodyOf(context.req.raw)).advanceSeconds * 1000);
    options.catchUp();
    return context.json(time());
  });

  addCloudRoutes(app, cloud);
  if (issuer !== undefined) addIssuerRoutes(app, issuer);
  return { fetch: (request) => app.fetch(request) };
}

function isToken(header: string | undefined, token: string): boolean {
  const [given, wanted] = [Buffer.from(header ?? ""), Buffer.from(`Bearer ${token}`)];
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
