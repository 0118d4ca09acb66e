import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { absent, invalid, mediaType, other, param, parameters, set, setUp, vars } from "./policy-harness";

describe("one parameter", () => {
  // @covers policy: Parameter > fields of the record
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

  // @covers policy: Parameter > value
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

  // @covers policy: Parameter > an update leaves out
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
    // @covers policy: Parameter > value
    ["a value over 256 KB", param({ value: "v".repeat(262145) }), [tooBig]],
    ["a key that is taken", param({ key: "taken" }), [invalid("key", "Key has already been taken")]],
    // @covers policy: Authentication, errors, limits, versions > status codes and bodies
    ["several at once", { key: " ", category: "x" }, [invalid("key", "Key can't be blank"), listed]],
  ])("names %s", async (_name, attributes, errors) => {
    const { call, create } = setUp();
    await create(param({ key: "taken" }));
    expect(await call(`POST ${parameters}`, { body: vars(attributes) })).toMatchObject({
      status: 422,
      body: { errors },
    });
  });

  // @covers policy: Parameter > key
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

  // @covers policy: Parameter > data.type
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
      "null",
      422,
      {
        status: "422",
        title: "unprocessable entity",
        detail: "data is missing or malformed",
        source: { pointer: "/data" },
      },
    ],
    [
      "[]",
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
