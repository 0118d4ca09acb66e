import type { Hono } from "hono";
import { z } from "zod";
import { CloudFailure } from "../cloud/cloud-failure";
import type { CloudIdentity } from "../cloud/cloud-identity";
import { accountId } from "../cloud/identity-records";
import { isTimeSecret } from "../cloud/time-code";
import { bodyOf, parsed } from "./admin-request";

const name = z.string().min(1);
const arn = z.string().startsWith("arn:").min(20);
/** A policy document, as text or as JSON. */
const document = z.union([z.string(), z.record(z.string(), z.unknown()).transform((value) => JSON.stringify(value))]);
const allowNothing = '{"Version":"2012-10-17","Statement":[]}';

const bodies = {
  user: z.strictObject({
    name,
    accessKeys: z.int().min(0).max(2).default(0),
    path: z.string().startsWith("/").endsWith("/").default("/"),
  }),
  group: z.strictObject({
    name,
    attachedPolicies: z.array(arn).default([]),
    inlinePolicies: z.record(z.string(), document).default({}),
  }),
  policy: z.strictObject({ name, document: document.default(allowNothing) }),
  role: z.strictObject({
    arn,
    externalId: z.string().min(2).nullable().default(null),
    maxSessionSeconds: z.int().min(3600).max(43_200).default(3600),
  }),
  device: z.strictObject({
    userName: name,
    serialNumber: z.string().min(9).optional(),
    secret: z.string().refine(isTimeSecret, "must be base 32, 16 characters or more").optional(),
  }),
  credentials: z.strictObject({ accessKeyId: name, secretKey: name, sessionToken: name.optional() }),
  keyDelay: z.strictObject({ seconds: z.number().min(0) }),
  throttle: z.strictObject({ calls: z.int().min(0) }),
  assignedRole: z.strictObject({ arn: arn.nullable() }),
};

/** Reads and changes what is in the embedded cloud: `cloud/users`, `groups`, `policies`, `roles`, `mfa-devices`, … */
export function addCloudRoutes(app: Hono, cloud: CloudIdentity): void {
  app.get("/cloud/users", (context) => context.json({ users: cloud.users() }));
  app.post("/cloud/users", async (context) => {
    const { name, ...options } = parsed(bodies.user, await bodyOf(context.req.raw));
    return context.json(cloud.addUser(name, options), 201);
  });
  app.delete("/cloud/users/:name", (context) => {
    cloud.removeUser(context.req.param("name"));
    return context.body(null, 204);
  });

  app.get("/cloud/groups", (context) => context.json({ groups: cloud.groups() }));
  app.post("/cloud/groups", async (context) =>
    context.json(cloud.addGroup(parsed(bodies.group, await bodyOf(context.req.raw))), 201),
  );
  app.delete("/cloud/groups/:name", (context) => {
    cloud.removeGroup(context.req.param("name"));
    return context.body(null, 204);
  });

  app.get("/cloud/policies", (context) => context.json({ policies: cloud.policies() }));
  app.post("/cloud/policies", async (context) => {
    const { name, document } = parsed(bodies.policy, await bodyOf(context.req.raw));
    return context.json(cloud.addPolicy({ arn: `arn:aws:iam::${accountId}:policy/${name}`, document }), 201);
  });
  app.delete("/cloud/policies/:arn{.+}", (context) => {
    cloud.removePolicy(context.req.param("arn"));
    return context.body(null, 204);
  });

  app.get("/cloud/roles", (context) => context.json({ roles: cloud.roles() }));
  app.put("/cloud/roles", async (context) =>
    context.json(cloud.putRole(parsed(bodies.role, await bodyOf(context.req.raw)))),
  );
  app.delete("/cloud/roles/:arn{.+}", (context) => {
    cloud.removeRole(context.req.param("arn"));
    return context.body(null, 204);
  });

  app.get("/cloud/mfa-devices", (context) => context.json({ mfaDevices: cloud.mfaDevices() }));
  app.post("/cloud/mfa-devices", async (context) => {
    const { userName, serialNumber, secret } = parsed(bodies.device, await bodyOf(context.req.raw));
    const device = {
      userName,
      ...(serialNumber === undefined ? {} : { serialNumber }),
      ...(secret === undefined ? {} : { secret }),
    };
    return context.json(cloud.addMfaDevice(device), 201);
  });
  app.delete("/cloud/mfa-devices/:serial{.+}", (context) => {
    cloud.removeMfaDevice(context.req.param("serial"));
    return context.body(null, 204);
  });

  app.get("/cloud/sessions", (context) => context.json({ sessions: cloud.sessions() }));
  app.post("/cloud/caller-identity", async (context) => {
    const { sessionToken, ...key } = parsed(bodies.credentials, await bodyOf(context.req.raw));
    try {
      const { arn } = cloud.callerIdentity({ ...key, ...(sessionToken === undefined ? {} : { sessionToken }) });
      return context.json({ arn });
    } catch (error) {
      if (error instanceof CloudFailure) return context.json({ errors: [error.message] }, 403);
      throw error;
    }
  });
  app.put("/cloud/key-delay", async (context) => {
    cloud.setKeyDelay(parsed(bodies.keyDelay, await bodyOf(context.req.raw)).seconds);
    return context.body(null, 204);
  });
  app.put("/cloud/throttle", async (context) => {
    cloud.throttle(parsed(bodies.throttle, await bodyOf(context.req.raw)).calls);
    return context.body(null, 204);
  });
  app.get("/cloud/assigned-role", (context) => context.json({ arn: cloud.assignedRole() ?? null }));
  app.put("/cloud/assigned-role", async (context) => {
    cloud.assignRole(parsed(bodies.assignedRole, await bodyOf(context.req.raw)).arn ?? undefined);
    return context.body(null, 204);
  });
}
