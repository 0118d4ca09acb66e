import { describe, expect, it } from "vitest";
import { absent, mediaType, other, param, parameters, set, setUp, unauthorized, vars } from "./policy-harness";

describe("who may ask", () => {
  it.each([
    ["no token", null],
    ["another token", "Bearer nope"],
    ["a token without its scheme", "nope"],
  ])("answers 401 to %s, before anything else", async (_name, authorization) => {
    const { call } = setUp();
    for (const line of [`GET ${parameters}`, `POST ${parameters}`, "GET /api/v2/policy-sets/polset-none"]) {
      const answer = await call(line, { headers: { authorization, "content-type": "text/plain" } });
      expect(answer).toMatchObject({ status: 401, body: unauthorized });
    }
  });

  it.each(["POST", "PATCH", "DELETE"])("answers 415 to a %s without the media type", async (method) => {
    const { call } = setUp();
    const detail = "content-type must be application/vnd.api+json";
    const body = { errors: [{ status: "415", title: "invalid content type", detail }] };
    for (const type of ["application/json", null]) {
      const answer = await call(`${method} ${parameters}/var-1`, { headers: { "content-type": type } });
      expect(answer).toMatchObject({ status: 415, body });
    }
  });

  it("accepts the media type with a parameter", async () => {
    const { call } = setUp();
    const headers = { "content-type": `${mediaType}; charset=utf-8` };
    expect((await call(`POST ${parameters}`, { body: vars(param()), headers })).status).toBe(201);
  });

  it.each([
    "GET /api/v2/policy-sets/polset-none",
    "GET /api/v2/policy-sets/polset-none/parameters",
    "POST /api/v2/policy-sets/polset-none/parameters",
    `GET ${parameters}/var-none`,
    `PATCH ${parameters}/var-none`,
    `DELETE ${parameters}/var-none`,
    "GET /api/v2/nothing",
    "GET /nothing",
  ])("answers 404 to %s", async (line) => {
    const { call } = setUp();
    expect(await call(line)).toMatchObject({ status: 404, body: absent });
  });

  it("keeps a parameter of one set out of another", async () => {
    const { call, create } = setUp();
    const { id } = await create(param());
    expect(await call(`GET /api/v2/policy-sets/${other}/parameters/${id}`)).toMatchObject({ status: 404 });
  });

  it("shows that a policy set exists", async () => {
    const { call } = setUp();
    const answer = await call(`GET /api/v2/policy-sets/${set}`);
    expect(answer).toMatchObject({ status: 200, body: { data: { id: set, type: "policy-sets" } } });
  });

  // @covers policy: Authentication, errors, limits, versions > versions
  it("answers ping and discovery without a token", async () => {
    const { call } = setUp();
    const headers = { authorization: null };
    const ping = await call("GET /api/v2/ping", { headers });
    expect(ping.status).toBe(204);
    expect(ping.headers.get("tfp-api-version")).toBe("2.6");
    expect(ping.headers.get("tfp-appname")).toBe("HCP Terraform");
    expect(ping.headers.get("x-ratelimit-limit")).toBe("30");
    expect((await call("GET /.well-known/terraform.json", { headers })).body).toMatchObject({ "tfe.v2": "/api/v2/" });
  });
});

describe("the list", () => {
  const page = (current: number, size: number, last: number, total: number) => ({
    "current-page": current,
    "page-size": size,
    "prev-page": current > 1 && current <= last ? current - 1 : null,
    "next-page": current < last ? current + 1 : null,
    "total-pages": last,
    "total-count": total,
  });

  async function withParameters(count: number) {
    const { call, create } = setUp();
    for (let index = 0; index < count; index++) await create(param({ key: `k${index}` }));
    return async (query: string) => (await call(`GET ${parameters}${query}`)).body;
  }

  // @covers policy: Endpoints > 3: no page
  it("has every parameter and nothing else when no page is asked for", async () => {
    const list = await withParameters(25);
    const body = await list("");
    expect(Object.keys(body)).toEqual(["data"]);
    expect(body.data).toHaveLength(25);
    expect(body.data[24].attributes.key).toBe("k24");
  });

  it.each([
    ["?page%5Bsize%5D=10", 10, "k0", page(1, 10, 3, 25)],
    // @covers policy: Endpoints > 2: page[size]
    // @covers policy: Endpoints > 4: brackets
    // @covers policy: Authentication, errors, limits, versions > default page size
    ["?page%5Bnumber%5D=2", 5, "k20", page(2, 20, 2, 25)],
    ["?page[number]=2&page[size]=10", 10, "k10", page(2, 10, 3, 25)],
    ["?page[number]=3&page[size]=10", 5, "k20", page(3, 10, 3, 25)],
    // @covers policy: Endpoints > 1: page[number]
    ["?page[number]=9&page[size]=10", 0, undefined, page(9, 10, 3, 25)],
    [`?page[number]=${"9".repeat(400)}`, 0, undefined, page(Number.MAX_SAFE_INTEGER, 20, 2, 25)],
    // @covers policy: Endpoints > 2: page[size]
    ["?page[size]=500", 25, "k0", page(1, 100, 1, 25)],
    ["?page[size]=x&page[number]=-1", 20, "k0", page(1, 20, 2, 25)],
  ])("cuts %s", async (query, count, first, pagination) => {
    const list = await withParameters(25);
    const body = await list(query);
    expect(body.data).toHaveLength(count);
    expect(body.data[0]?.attributes.key).toBe(first);
    expect(body.meta.pagination).toEqual(pagination);
  });

  // @covers policy: Endpoints > 4: brackets
  it("links the neighbours with encoded brackets", async () => {
    const list = await withParameters(3);
    const at = (number: number) => `http://tfe.test${parameters}?page%5Bnumber%5D=${number}&page%5Bsize%5D=1`;
    expect((await list("?page[number]=2&page[size]=1")).links).toEqual({
      self: at(2),
      first: at(1),
      prev: at(1),
      next: at(3),
      last: at(3),
    });
    expect((await list("?page[size]=1")).links).toMatchObject({ prev: null, next: at(2) });
    expect((await list("?page[number]=3&page[size]=1")).links).toMatchObject({ prev: at(2), next: null });
  });
});

// @covers policy: Authentication, errors, limits, versions > rate and size limits
describe("rate limiting", () => {
  // @covers policy: Authentication, errors, limits, versions > rate and size limits
  it("counts down within a second and says in fractions when it starts anew", async () => {
    let now = 1_000_000;
    const { call } = setUp({ clock: () => new Date(now) });
    const limits = async () => {
      const { headers } = await call(`GET ${parameters}`);
      return ["limit", "remaining", "reset"].map((name) => headers.get(`x-ratelimit-${name}`));
    };
    expect(await limits()).toEqual(["30", "29", "1.000"]);
    now += 400;
    expect(await limits()).toEqual(["30", "28", "0.600"]);
    now += 600;
    expect(await limits()).toEqual(["30", "29", "1.000"]);
  });

  it.each([
    ["without a limit", undefined, 200],
    ["with a limit of 30", 30, 429],
  ])("%s answers the 31st request of a second with %i", async (_name, requestsPerSecond, status) => {
    const { call } = setUp({ clock: () => new Date(0), requestsPerSecond });
    for (let count = 0; count < 30; count++) expect((await call(`GET ${parameters}`)).status).toBe(200);
    const answer = await call(`GET ${parameters}`);
    expect(answer.status).toBe(status);
    expect(answer.headers.get("x-ratelimit-remaining")).toBe("0");
    // Nothing promises a Retry-After: clients go by the reset (reference A.6).
    expect(answer.headers.get("retry-after")).toBeNull();
    if (status === 429) {
      expect(answer.body).toEqual({
        errors: [{ detail: "You have exceeded the API's rate limit.", status: 429, title: "Too many requests" }],
      });
    }
  });
});
