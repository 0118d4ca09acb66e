import type { Hono } from "hono";
import type { ExpiringMap } from "../framework/expiring-map";
import type { Claims } from "./issuer-users";

/** `/userinfo`: the claims of the user of an access token (OpenID Connect Core, section 5.3). */
export function addUserinfoEndpoint(app: Hono, { accessTokens }: { accessTokens: ExpiringMap<Claims> }): void {
  app.on(["GET", "POST"], "/userinfo", (context) => {
    const token = /^Bearer +(\S+)$/i.exec(context.req.header("authorization") ?? "")?.[1];
    const claims = token === undefined ? undefined : accessTokens.get(token);
    if (claims !== undefined) return context.json(claims, 200, { "cache-control": "no-store" });
    const challenge = token === undefined ? "Bearer" : 'Bearer error="invalid_token"';
    return context.json({ error: "invalid_token" }, 401, { "www-authenticate": challenge });
  });
}
