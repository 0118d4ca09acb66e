import type { Hono } from "hono";
import { z } from "zod";
import type { Issuer } from "../issuer/issuer";
import { responseModes } from "../issuer/issuer-client";
import { bodyOf, parsed } from "./admin-request";

const claims = z.record(z.string(), z.unknown());

const bodies = {
  client: z.strictObject({
    redirectUris: z.array(z.url()).optional(),
    responseMode: z.enum(responseModes).optional(),
  }),
  user: z.strictObject({ sub: z.string().min(1), claims: claims.default({}), userinfoClaims: claims.default({}) }),
  token: z.strictObject({ claims }),
};

/** The issuer: its client, its users, and JWTs without a login. */
export function addIssuerRoutes(app: Hono, { client, users, mint }: Issuer): void {
  const shownClient = () => ({ clientId: client.id, ...client.settings() });
  app.get("/issuer/client", (context) => context.json(shownClient()));
  app.put("/issuer/client", async (context) => {
    const { redirectUris, responseMode } = parsed(bodies.client, await bodyOf(context.req.raw));
    client.change({
      ...(redirectUris === undefined ? {} : { redirectUris }),
      ...(responseMode === undefined ? {} : { responseMode }),
    });
    return context.json(shownClient());
  });

  app.get("/issuer/users", (context) => context.json({ users: users.all() }));
  app.put("/issuer/users", async (context) => {
    const user = parsed(bodies.user, await bodyOf(context.req.raw));
    users.put(user);
    return context.json(user);
  });
  app.delete("/issuer/users/:sub", (context) => {
    users.remove(context.req.param("sub"));
    return context.body(null, 204);
  });

  app.post("/issuer/tokens", async (context) => {
    const { claims } = parsed(bodies.token, await bodyOf(context.req.raw));
    return context.json({ token: await mint(claims) }, 201);
  });
}
