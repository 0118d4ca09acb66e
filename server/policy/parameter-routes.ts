import { Hono } from "hono";
import { jsonApiResponse } from "./json-api";
import { paginate } from "./pagination";
import { parameterDocument } from "./parameter-document";
import { parseParameterRequest } from "./parameter-request";
import type { ParameterStore } from "./parameter-store";

/** The endpoints of policy set parameters. */
export function parameterRoutes(store: ParameterStore): Hono {
  const app = new Hono();
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
  return app;
}
