import { describe, expect, it } from "vitest";
import { createMemoryTables } from "../../server/data/tables";
import { startLasting } from "./data-harness";
import { absent, invalid, set, setUp, vars } from "./policy-harness";

const collection = "/api/v2/organizations/demo/policy-sets";
const staging = "ws-demo000000000001";
const sets = (attributes: object, relationships: object = {}) => ({
  data: { type: "policy-sets", attributes, relationships },
});
const linked = (type: string, ...ids: string[]) => ({ data: ids.map((id) => ({ id, type })) });

/** A service with a policy set, and the path of that. */
async function withSet(attributes: object = {}, relationships: object = {}) {
  const { call, ...rest } = setUp({ clock: () => new Date("2026-01-01T00:00:00Z") });
  const made = await call(`POST ${collection}`, { body: sets({ name: "a", ...attributes }, relationships) });
  expect(made.status).toBe(201);
  return { call, ...rest, id: String(made.body.data.id), path: `/api/v2/policy-sets/${made.body.data.id}` };
}

describe("a policy set", () => {
  it.each([
    [{ name: "" }, {}, invalid("name", "Name can't be blank")],
    [{ name: "a b" }, {}, invalid("name", "Name can only include letters, numbers, -, and _")],
    [{ name: set }, {}, invalid("name", "Name has already been taken")],
    [{ name: "b", kind: "x" }, {}, invalid("kind", "Kind is not included in the list")],
    [
      { name: "b", "policies-path": "/a" },
      {},
      invalid("policies-path", "Policies path can only be set with a VCS repository"),
    ],
  ])("with %j is refused", async (attributes, relationships, error) => {
    const { call } = setUp();
    const answer = await call(`POST ${collection}`, { body: sets(attributes, relationships) });
    expect(answer).toMatchObject({ status: 422, body: { errors: [error] } });
  });

  it.each([
    [{ global: true }, { workspaces: linked("workspaces", staging) }, "cannot be attached to workspaces"],
    [{}, { workspaces: linked("workspaces", "ws-elsewhere") }, "ws-elsewhere was not found"],
    [{}, { projects: linked("workspaces", staging) }, "is missing or malformed"],
  ])("with %j and %j is refused", async (attributes, relationships, words) => {
    const { call } = setUp();
    const answer = await call(`POST ${collection}`, { body: sets({ name: "b", ...attributes }, relationships) });
    expect(answer.status).toBe(422);
    expect(answer.body.errors[0].detail).toContain(words);
  });

  it("keeps its kind, whatever an update says", async () => {
    const { call, path } = await withSet();
    const answer = await call(`PATCH ${path}`, { body: sets({ kind: "opa" }) });
    expect(answer.body.data.attributes.kind).toBe("sentinel");
  });

  it("is attached and detached one by one, and loses what is deleted", async () => {
    const { call, path } = await withSet();
    const both = linked("workspaces", staging, "ws-demo000000000002");
    expect((await call(`POST ${path}/relationships/workspaces`, { body: both })).status).toBe(204);
    const one = linked("workspaces", staging);
    expect((await call(`DELETE ${path}/relationships/workspaces`, { body: one })).status).toBe(204);
    const read = async () => (await call(`GET ${path}`)).body.data;
    expect((await read()).relationships.workspaces).toEqual(linked("workspaces", "ws-demo000000000002"));
    await call("DELETE /api/v2/workspaces/ws-demo000000000002");
    expect(await read()).toMatchObject({
      attributes: { "workspace-count": 0 },
      relationships: { workspaces: { data: [] } },
    });
  });

  it("includes what it is attached to, where that is asked for", async () => {
    const { call, path } = await withSet({}, { workspaces: linked("workspaces", staging) });
    expect((await call(`GET ${path}`)).body).not.toHaveProperty("included");
    const { included } = (await call(`GET ${path}?include=workspaces,projects`)).body;
    expect(included).toMatchObject([{ id: staging, type: "workspaces", attributes: { name: "staging" } }]);
  });

  it("goes with its parameters, and with its organization", async () => {
    const { call, path, id } = await withSet();
    const parameter = await call(`POST ${path}/parameters`, { body: vars({ key: "k", category: "policy-set" }) });
    expect((await call(`DELETE ${path}`)).status).toBe(204);
    expect(await call(`GET ${path}/parameters/${parameter.body.data.id}`)).toMatchObject({ status: 404, body: absent });
    expect(await call(`GET ${path}`)).toMatchObject({ status: 404, body: absent });
    expect(id).toMatch(/^polset-[A-Za-z0-9]{16}$/);
    await call("DELETE /api/v2/organizations/demo");
    expect(await call(`GET /api/v2/policy-sets/${set}`)).toMatchObject({ status: 404 });
    expect(await call(`GET ${collection}`)).toMatchObject({ status: 404 });
  });

  it("has versions, of which the last one with policies is current", async () => {
    const { call, path } = await withSet();
    const first = (await call(`POST ${path}/versions`)).body.data;
    const second = (await call(`POST ${path}/versions`)).body.data;
    expect((await call(`PUT ${new URL(first.links.upload).pathname}`, { body: "tar" })).status).toBe(200);
    const { relationships } = (await call(`GET ${path}`)).body.data;
    expect(relationships["current-version"].data.id).toBe(first.id);
    expect(relationships["newest-version"].data.id).toBe(second.id);
  });
});

it("a list of policy sets has pages without being asked, and the links keep the search", async () => {
  const { call } = setUp();
  for (let at = 0; at < 21; at++) await call(`POST ${collection}`, { body: sets({ name: `x-${at}` }) });
  const { body } = await call(`GET ${collection}?search%5Bname%5D=x-`);
  expect(body.data).toHaveLength(20);
  expect(body.meta.pagination).toMatchObject({ "current-page": 1, "total-count": 21, "next-page": 2 });
  const next = new URL(body.links.next);
  expect((await call(`GET ${next.pathname}${next.search}`)).body.data).toHaveLength(1);
});

// go-tfe repeats a 501 for half a minute, and drops the text of a 404.
it.each(["GET /api/v2/organizations/demo/teams", "PATCH /api/v2/workspaces/ws-demo000000000001"])(
  "%s is of the real API, and not supported here",
  async (line) => {
    const { call } = setUp();
    const detail = `${line.split(" ")[1]} is not supported by the embedded server`;
    const error = { status: "405", title: "not supported", detail };
    expect(await call(line)).toMatchObject({ status: 405, body: { errors: [error] } });
  },
);

it("a data file keeps policy sets", async () => {
  const server = await startLasting({});
  const post = (path: string, body: object) => server.ok<{ data: { id: string } }>("policy", `POST ${path}`, body);
  const { data } = await post(collection, sets({ name: "kept" }));
  const read = () => server.ok("policy", `GET /api/v2/policy-sets/${data.id}`);
  const before = await read();
  await server.restart();
  expect(await read()).toEqual(before);
});

it("a data file of a release that only noted which sets there are has them as sets that nobody has changed", async () => {
  const opened = new Map<string, Map<string, never>>([
    ["policy/sets", new Map(Object.entries({ [set]: true as never }))],
  ]);
  const open = (name: string) => opened.get(name) ?? new Map();
  const { call } = setUp({ tables: { ...createMemoryTables(), open } });
  const { body } = await call(`GET /api/v2/policy-sets/${set}`);
  expect(body.data).toMatchObject({ id: set, attributes: { name: set, kind: "sentinel", global: false } });
});
