import { type Context, Hono } from "hono";
import { z } from "zod";
import { documentIn } from "./attributes";
import { jsonApiResponse } from "./json-api";
import type { Neighbour, NeighbourStore, NeighbourType } from "./neighbour-store";
import { paginate } from "./pagination";

/** The endpoints of what policy sets live in and refer to, as far as go-tfe's tests of policy sets need them. */
export function neighbourRoutes(
  neighbours: NeighbourStore,
  /** Called after a record is removed. */
  forget: (type: NeighbourType, id: string) => void,
): Hono {
  const app = new Hono();
  const made = (type: NeighbourType, organization: string, attributes: Neighbour["attributes"]) =>
    jsonApiResponse(201, { data: neighbourDocument(neighbours.create(type, organization, attributes)) });

  function single(path: string, type: NeighbourType): void {
    const idOf = (context: Context) => context.req.param("id") ?? "";
    app.get(`${path}/:id`, (context) =>
      jsonApiResponse(200, { data: neighbourDocument(neighbours.read(type, idOf(context))) }),
    );
    app.delete(`${path}/:id`, (context) => {
      neighbours.remove(type, idOf(context));
      forget(type, idOf(context));
      return new Response(null, { status: 204 });
    });
  }

  app.post("/api/v2/organizations", async (context) =>
    made("organizations", "", attributesIn(await context.req.text(), "organizations")),
  );
  single("/api/v2/organizations", "organizations");

  for (const type of ["workspaces", "projects", "policies"] as const) {
    const collection = `/api/v2/organizations/:organization/${type}` as const;
    app.get(collection, (context) => {
      const page = paginate(neighbours.list(type, context.req.param("organization")), context.req.url, {
        always: true,
      });
      return jsonApiResponse(200, { data: page.items.map(neighbourDocument), ...page.envelope });
    });
    app.post(collection, async (context) =>
      made(type, context.req.param("organization"), attributesIn(await context.req.text(), type)),
    );
    single(`/api/v2/${type}`, type);
  }

  app.post("/api/v2/admin/sentinel-versions", async (context) =>
    made("sentinel-versions", "", attributesIn(await context.req.text(), "sentinel-versions")),
  );
  single("/api/v2/admin/sentinel-versions", "sentinel-versions");

  // Nothing depends on what an organization has bought.
  app.get("/api/v2/admin/feature-sets", (context) => {
    const name = context.req.query("q") ?? "Business";
    const page = paginate([{ id: "fs-1", type: "feature-sets", attributes: { name } }], context.req.url, {
      always: true,
    });
    return jsonApiResponse(200, { data: page.items, ...page.envelope });
  });
  app.post("/api/v2/admin/organizations/:id/subscription", (context) => {
    neighbours.read("organizations", context.req.param("id"));
    return jsonApiResponse(200, { data: { id: "sub-1", type: "subscriptions", attributes: {} } });
  });
  return app;
}

export function neighbourDocument({
  id,
  type,
  organization,
  attributes,
  createdAt,
}: Neighbour): Record<string, unknown> {
  const owner = { organization: { data: { id: organization, type: "organizations" } } };
  return {
    id,
    type,
    attributes: { ...attributes, "created-at": createdAt },
    relationships: organization === "" ? {} : owner,
  };
}

function attributesIn(body: string, type: NeighbourType): Neighbour["attributes"] {
  const attributes = z.record(z.string(), z.unknown());
  return documentIn(body, z.object({ data: z.object({ type: z.literal(type), attributes }) }), type).data.attributes;
}
