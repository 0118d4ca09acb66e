import { Hono } from "hono";
import { jsonApiResponse, unsupported } from "./json-api";
import { neighbourDocument } from "./neighbour-routes";
import type { NeighbourStore } from "./neighbour-store";
import { paginate } from "./pagination";
import { type PolicySet, type Relation, relations, relationTypes } from "./policy-set";
import { policySetDocument } from "./policy-set-document";
import { parseIdentifiers, parsePolicySetRequest } from "./policy-set-request";
import type { PolicySetStore } from "./policy-set-store";
import type { VersionStore } from "./version-store";

interface Stores {
  readonly sets: PolicySetStore;
  readonly versions: VersionStore;
  readonly neighbours: NeighbourStore;
  /** Called after a set is removed. */
  forget(set: string): void;
}

/** The endpoints of policy sets, and of what they are attached to. */
export function policySetRoutes({ sets, versions, neighbours, forget }: Stores): Hono {
  const app = new Hono();
  const documentOf = (set: PolicySet) => policySetDocument(set, versions.current(set.versions));

  /** The answer to a read, with the related records that the request wants. */
  function answer(data: unknown, shown: readonly PolicySet[], url: string, envelope = {}): Response {
    const included = includedIn(shown, new URL(url));
    return jsonApiResponse(200, { data, ...(included.length > 0 ? { included } : {}), ...envelope });
  }

  function includedIn(shown: readonly PolicySet[], { searchParams, origin }: URL): readonly unknown[] {
    const names = (searchParams.get("include") ?? "").split(",").map((name) => name.trim().replaceAll("_", "-"));
    const ids = (relation: Relation) => new Set(shown.flatMap(({ related }) => related[relation]));
    const records = relations
      .filter((relation) => names.includes(relation))
      .flatMap((relation) => [...ids(relation)].map((id) => neighbours.read(relationTypes[relation], id)));
    const itsVersions = shown.flatMap((set) => [
      names.includes("newest-version") ? set.versions.at(-1) : undefined,
      names.includes("current-version") ? versions.current(set.versions) : undefined,
    ]);
    const distinct = [...new Set(itsVersions)].filter((id) => id !== undefined);
    return [...new Set(records)].map(neighbourDocument).concat(distinct.map((id) => versions.document(id, origin)));
  }

  const collection = "/api/v2/organizations/:organization/policy-sets";
  app.get(collection, (context) => {
    const { url } = context.req;
    const query = new URL(url).searchParams;
    if (query.has("filter[versioned]")) throw unsupported("filter[versioned]");
    const [search, kind] = [query.get("search[name]") ?? "", query.get("filter[kind]")];
    const found = sets
      .list(context.req.param("organization"))
      .filter(({ attributes }) => attributes.name.includes(search) && (kind === null || attributes.kind === kind));
    const page = paginate(found, url, { always: true });
    return answer(page.items.map(documentOf), page.items, url, page.envelope);
  });
  app.post(collection, async (context) => {
    const organization = context.req.param("organization");
    neighbours.read("organizations", organization);
    const set = sets.create(organization, parsePolicySetRequest(await context.req.text()));
    return jsonApiResponse(201, { data: documentOf(set) });
  });

  const member = "/api/v2/policy-sets/:set";
  app.get(member, (context) => {
    const set = sets.read(context.req.param("set"));
    return answer(documentOf(set), [set], context.req.url);
  });
  app.patch(member, async (context) => {
    const { id } = sets.read(context.req.param("set"));
    const set = sets.update(id, parsePolicySetRequest(await context.req.text()));
    return jsonApiResponse(200, { data: documentOf(set) });
  });
  app.delete(member, (context) => {
    const id = context.req.param("set");
    sets.remove(id);
    forget(id);
    return new Response(null, { status: 204 });
  });

  for (const relation of relations) {
    const path = `${member}/relationships/${relation}` as const;
    app.post(path, async (context) => {
      const { id } = sets.read(context.req.param("set"));
      sets.relate(id, relation, { add: parseIdentifiers(await context.req.text(), relation) });
      return new Response(null, { status: 204 });
    });
    app.delete(path, async (context) => {
      const { id } = sets.read(context.req.param("set"));
      sets.relate(id, relation, { take: parseIdentifiers(await context.req.text(), relation) });
      return new Response(null, { status: 204 });
    });
  }
  return app;
}
