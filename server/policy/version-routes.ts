import { Hono } from "hono";
import { jsonApiResponse } from "./json-api";
import type { PolicySetStore } from "./policy-set-store";
import type { VersionStore } from "./version-store";

/** The endpoints of policy set versions. What is uploaded is taken, and never looked at. */
export function versionRoutes(sets: PolicySetStore, versions: VersionStore): Hono {
  const app = new Hono();
  app.post("/api/v2/policy-sets/:set/versions", (context) => {
    const { id } = sets.read(context.req.param("set"));
    const version = versions.create(id);
    sets.addVersion(id, version);
    return jsonApiResponse(201, { data: versions.document(version, new URL(context.req.url).origin) });
  });
  app.get("/api/v2/policy-set-versions/:version", (context) => {
    const version = context.req.param("version");
    return jsonApiResponse(200, { data: versions.document(version, new URL(context.req.url).origin) });
  });
  // The address in the link is a secret of its own: it takes no token.
  app.put("/uploads/:version", async (context) => {
    await context.req.arrayBuffer();
    versions.upload(context.req.param("version"));
    return new Response(null, { status: 200 });
  });
  return app;
}
