import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createPolicyService } from "../../server/policy/policy-service";

const set = "polset-demo000000000001";
const other = "polset-demo000000000002";
const parameters = `/api/v2/policy-sets/${set}/parameters`;
const mediaType = "application/vnd.api+json";

interface Call {
  readonly body?: unknown;
  readonly headers?: Record<string, string | null>;
}

function setUp(options: Partial<Parameters<typeof createPolicyService>[0]> = {}) {
  const token = randomUUID();
  const service = createPolicyService({ token, policySet: set, policySets: [other], ...options });
  const call = async (line: string, { body, headers = {} }: Call = {}) => {
    const [method = "", path = ""] = line.split(" ");
    const sent = { authorization: `Bearer ${token}`, "content-type": mediaType, ...headers };
    const init: RequestInit = {
      method,
      headers: Object.entries(sent).filter((entry): entry is [string, string] => entry[1] !== null),
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    };
    const request = new Request(`http://tfe.test${path}`, init);
    const response = await service.fetch(request, { remoteAddress: "127.0.0.1" });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === "" ? undefined : JSON.parse(text) };
  };
  const create = async (attributes: Record<string, unknown>, ps = set) => {
    const answer = await call(`POST /api/v2/policy-sets/${ps}/parameters`, { body: vars(attributes) });
    expect(answer.status).toBe(201);
    return answer.body.data as { id: string; attributes: Record<string, unknown> };
  };
  return { service, call, create };
}

const vars = (attributes: Record<string, unknown>) => ({ data: { type: "vars", attributes } });
const param = (attributes: Record<string, unknown> = {}) => ({ key: "k", category: "policy-set", ...attributes });
const invalid = (attribute: string, detail: string) => ({
  status: "422",
  title: "invalid attribute",
  detail,
  source: { pointer: `/data/attributes/${attribute}` },
});
const unauthorized = { errors: [{ status: "401", title: "unauthorized" }] };
const absent = { errors: [{ status: "404", title: "not found" }] };

describe("one parameter", () => {
  it("is created with 201 and shown in the documented shape", async () => {
    const { call } = setUp();
    const answer = await call(`POST ${parameters}`, { body: vars(param({ value: "v" })) });
    expect(answer.status).toBe(201);
    expect(answer.headers.get("content-type")).toBe(mediaType);
    const id = answer.body.data.id;
    expect(id).toMatch(/^var-[A-Za-z0-9]{16}$/);
    expect(answer.body).toEqual({
      data: {
        id,
        type: "vars",
        attributes: { key: "k", value: "v", sensitive: false, category: "policy-set" },
        relationships: {
          configurable: {
            data: { id: set, type: "policy-sets" },
            links: { related: `/api/v2/policy-sets/${set}` },
          },
        },
        links: { self: `${parameters}/${id}` },
      },
    });
    expect(await call(`GET ${parameters}/${id}`)).toMatchObject({ status: 200, body: answer.body });
  });

  it.each([
    [{}, ""],
    [{ value: "" }, ""],
    [{ value: null }, ""],
    [{ value: 5 }, "5"],
    [{ value: "5", unknown: "ignored" }, "5"],
  ])("with %j has the value %j", async (attributes, value) => {
    const { create } = setUp();
    expect((await create(param(attributes))).attributes["value"]).toBe(value);
  });

  it("never shows a sensitive value, while the records for the admin interface do", async () => {
    const { call, create, service } = setUp();
    const secret = randomUUID();
    const { id, attributes } = await create(param({ value: secret, sensitive: true }));
    const answers = [
      await call(`GET ${parameters}/${id}`),
      await call(`PATCH ${parameters}/${id}`, { body: vars({ value: `${secret}2` }) }),
      await call(`GET ${parameters}`),
    ];
    expect(attributes["value"]).toBeNull();
    expect(JSON.stringify(answers)).not.toContain(secret);
    expect(answers[1]?.body.data.attributes.value).toBeNull();
    expect(service.records()).toEqual({
      [`policy-sets/${set}/parameters/${id}`]: {
        id,
        key: "k",
        value: `${secret}2`,
        category: "policy-set",
        sensitive: true,
      },
    });
  });

  it.each([
    ["value", { value: "new" }, { key: "k", value: "new" }],
    ["key", { key: "renamed" }, { key: "renamed", value: "v" }],
    ["nothing", {}, { key: "k", value: "v" }],
  ])("keeps what a PATCH of %s leaves out", async (_name, changes, expected) => {
    const { call, create } = setUp();
    const { id } = await create(param({ value: "v" }));
    const answer = await call(`PATCH ${parameters}/${id}`, { body: vars(changes) });
    expect(answer.status).toBe(200);
    expect(answer.body.data.attributes).toEqual({ sensitive: false, category: "policy-set", ...expected });
  });

  it("becomes sensitive in place, and its value disappears from the answer", async () => {
    const { call, create, service } = setUp();
    const { id } = await create(param({ value: "v" }));
    const answer = await call(`PATCH ${parameters}/${id}`, { body: vars({ sensitive: true }) });
    expect(answer.body.data.attributes).toMatchObject({ sensitive: true, value: null });
    expect(Object.values(service.records())).toMatchObject([{ value: "v" }]);
  });

  it("is deleted with 204 and then unknown", async () => {
    const { call, create } = setUp();
    const { id } = await create(param());
    expect(await call(`DELETE ${parameters}/${id}`)).toMatchObject({ status: 204, body: undefined });
    expect(await call(`GET ${parameters}/${id}`)).toMatchObject({ status: 404, body: absent });
    expect(await call(`DELETE ${parameters}/${id}`)).toMatchObject({ status: 404, body: absent });
  });
});

describe("a refused write", () => {
  const listed = invalid("category", "Category is not included in the list");
  const tooLong = invalid("key", "Key is too long (maximum is 128 characters)");
  const tooBig = invalid("value", "Value is too long (maximum is 262144 bytes)");
  it.each([
    ["a blank key", param({ key: "" }), [invalid("key", "Key can't be blank")]],
    ["a missing key", { category: "policy-set" }, [invalid("key", "Key can't be blank")]],
    ["a key of 129 characters", param({ key: "k".repeat(129) }), [tooLong]],
    ["another category", param({ category: "env" }), [listed]],
    ["no category", { key: "k" }, [invalid("category", "Category can't be blank"), listed]],
    ["a value over 256 KB", param({ value: "v".repeat(262145) }), [tooBig]],
    ["a key that is taken", param({ key: "taken" }), [invalid("key", "Key has already been taken")]],
    ["several at once", { key: " ", category: "x" }, [invalid("key", "Key can't be blank"), listed]],
  ])("names %s", async (_name, attributes, errors) => {
    const { call, create } = setUp();
    await create(param({ key: "taken" }));
    expect(await call(`POST ${parameters}`, { body: vars(attributes) })).toMatchObject({
      status: 422,
      body: { errors },
    });
  });

  it("accepts a key of 128 characters, a value of 256 KB and the same key in another set", async () => {
    const { create } = setUp();
    await create(param({ key: "k".repeat(128), value: "v".repeat(262144) }));
    await create(param());
    await create(param(), other);
  });

  it.each([
    ["key", { key: "other" }, [invalid("key", "Key cannot be updated for a sensitive variable")]],
    [
      "flag",
      { sensitive: false },
      [
        invalid(
          "sensitive",
          "Sensitive cannot be changed from true to false on saved records. To make this variable readable, destroy this record and create a new one with the same key value.",
        ),
        invalid("sensitive", "Sensitive cannot be updated for a sensitive variable"),
      ],
    ],
  ])("says that the %s of a sensitive parameter is locked", async (_name, changes, errors) => {
    const { call, create } = setUp();
    const { id } = await create(param({ sensitive: true }));
    expect(await call(`PATCH ${parameters}/${id}`, { body: vars(changes) })).toMatchObject({
      status: 422,
      body: { errors },
    });
    const unchanged = { ...param(), sensitive: true, value: "new" };
    expect(await call(`PATCH ${parameters}/${id}`, { body: vars(unchanged) })).toMatchObject({ status: 200 });
  });

  it("refuses renaming to a key that is taken", async () => {
    const { call, create } = setUp();
    await create(param({ key: "taken" }));
    const { id } = await create(param());
    const answer = await call(`PATCH ${parameters}/${id}`, { body: vars({ key: "taken" }) });
    expect(answer.body).toEqual({ errors: [invalid("key", "Key has already been taken")] });
  });

  it.each([
    ['{"data":', 400, { status: "400", title: "JSON body is invalid", detail: `765: unexpected token at '{"data":'` }],
    [
      { data: { type: "variables", attributes: param() } },
      422,
      {
        status: "422",
        title: "unprocessable entity",
        detail: "data.type must be vars",
        source: { pointer: "/data/type" },
      },
    ],
    [
      {},
      422,
      {
        status: "422",
        title: "unprocessable entity",
        detail: "data is missing or malformed",
        source: { pointer: "/data" },
      },
    ],
    [
      vars({ key: ["k"] }),
      422,
      {
        status: "422",
        title: "unprocessable entity",
        detail: "data.attributes.key is missing or malformed",
        source: { pointer: "/data/attributes/key" },
      },
    ],
  ])("answers the malformed body %j with %i", async (body, status, error) => {
    const { call } = setUp();
    expect(await call(`POST ${parameters}`, { body })).toMatchObject({ status, body: { errors: [error] } });
  });
});

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

  it("has every parameter and nothing else when no page is asked for", async () => {
    const list = await withParameters(25);
    const body = await list("");
    expect(Object.keys(body)).toEqual(["data"]);
    expect(body.data).toHaveLength(25);
    expect(body.data[24].attributes.key).toBe("k24");
  });

  it.each([
    ["?page%5Bsize%5D=10", 10, "k0", page(1, 10, 3, 25)],
    ["?page%5Bnumber%5D=2", 5, "k20", page(2, 20, 2, 25)],
    ["?page[number]=2&page[size]=10", 10, "k10", page(2, 10, 3, 25)],
    ["?page[number]=3&page[size]=10", 5, "k20", page(3, 10, 3, 25)],
    ["?page[number]=9&page[size]=10", 0, undefined, page(9, 10, 3, 25)],
    ["?page[size]=500", 25, "k0", page(1, 100, 1, 25)],
    ["?page[size]=x&page[number]=-1", 20, "k0", page(1, 20, 2, 25)],
  ])("cuts %s", async (query, count, first, pagination) => {
    const list = await withParameters(25);
    const body = await list(query);
    expect(body.data).toHaveLength(count);
    expect(body.data[0]?.attributes.key).toBe(first);
    expect(body.meta.pagination).toEqual(pagination);
  });

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

describe("rate limiting", () => {
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
    [false, 200],
    [true, 429],
  ])("with limitsRate %s answers the 31st request with %i", async (limitsRate, status) => {
    const { call } = setUp({ clock: () => new Date(0), limitsRate });
    for (let count = 0; count < 30; count++) expect((await call(`GET ${parameters}`)).status).toBe(200);
    const answer = await call(`GET ${parameters}`);
    expect(answer.status).toBe(status);
    expect(answer.headers.get("x-ratelimit-remaining")).toBe("0");
    if (limitsRate) {
      expect(answer.body).toEqual({
        errors: [{ detail: "You have exceeded the API's rate limit.", status: 429, title: "Too many requests" }],
      });
    }
  });
});
