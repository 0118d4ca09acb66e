import { describe, expect, it } from "vitest";
import { type Answer, adviceOn } from "../../../provider/dialects/dialect";
import { tfe } from "../../../provider/dialects/tfe";

const answer = (status: number, body: unknown, headers = {}): Answer => ({
  status,
  headers,
  text: typeof body === "string" ? body : JSON.stringify(body),
});
const notFound = answer(404, { errors: [{ status: "404", title: "not found" }] });
const policySet = answer(200, { data: { type: "policy-sets", id: "polset-a", attributes: {} } });
const parameter = { method: "GET", path: "policy-sets/polset-a/parameters/var-b" };
const list = { method: "GET", path: "policy-sets/polset-a/parameters?page%5Bnumber%5D=2" };

describe("a parameter that is not found", () => {
  it("may be hidden, so a 404 alone says nothing", () => {
    expect(tfe.isAbsent(notFound)).toBe(false);
  });

  it.each([parameter, { ...parameter, method: "DELETE" }])(
    "is settled by whether its policy set can be read",
    (question) => {
      const doubt = tfe.doubt?.(question, notFound);
      expect(doubt?.path).toBe("policy-sets/polset-a");
      expect(doubt?.isGone(policySet)).toBe(true);
    },
  );

  it.each([
    ["the set is not found either", notFound],
    ["the token is refused", answer(401, { errors: [{ title: "unauthorized" }] })],
    ["the server fails", answer(500, "")],
    ["the limit is reached", answer(429, {})],
    ["a proxy answers in its place", answer(200, { message: "blocked" })],
    ["an empty record is answered", answer(200, { data: {} })],
    ["another set is answered", answer(200, { data: { type: "policy-sets", id: "polset-b" } })],
    ["another kind of thing is answered", answer(200, { data: { type: "workspaces", id: "polset-a" } })],
  ])("stays an error while %s", (_, second) => {
    expect(tfe.doubt?.(parameter, notFound)?.isGone(second)).toBe(false);
  });

  it("stays an error where the whole list is not found: a readable set has one", () => {
    const doubt = tfe.doubt?.(list, notFound);
    expect(doubt?.path).toBe("policy-sets/polset-a");
    expect(doubt?.isGone(policySet)).toBe(false);
    expect(doubt?.otherwise).toContain("policy-sets/polset-a");
  });

  it.each([401, 403, 429, 500, 503])("is not what %d means", (status) => {
    expect(tfe.doubt?.(parameter, answer(status, ""))).toBeUndefined();
    expect(tfe.isAbsent(answer(status, ""))).toBe(false);
  });
});

describe("the API's words", () => {
  it.each([
    [{ errors: [{ status: "404", title: "not found" }] }, ["not found"]],
    [
      { errors: [{ status: "422", title: "invalid attribute", detail: "Key has already been taken" }] },
      ["Key has already been taken"],
    ],
    // The status is a number here.
    [
      { errors: [{ status: 429, title: "Too many requests", detail: "You have exceeded the API's rate limit." }] },
      ["You have exceeded the API's rate limit."],
    ],
    [{ errors: [{ detail: "a" }, { title: "b" }, {}] }, ["a", "b"]],
    [{ errors: "x" }, []],
    [{ errors: [{ detail: { toString: 1 } }, { title: 5 }, null, "x", { detail: "", title: "c" }] }, ["c"]],
    ["<html>Bad Gateway</html>", []],
    ["", []],
  ])("in %j are %j", (body, words) => {
    expect(tfe.details(answer(422, body))).toEqual(words);
  });
});

describe("what to do about the API's answer", () => {
  // @covers policy: What the service does > editions
  it.each([
    [401, "GET", "{token}"],
    [404, "POST", "polset-a does not exist, or the token may not manage policies there"],
    [429, "GET", "lower --parallel"],
  ])("%d to %s is said", (status, method, words) => {
    expect(adviceOn(tfe, { method, path: "policy-sets/polset-a/parameters" }, answer(status, ""))).toContain(words);
  });

  it.each([
    [{ "x-ratelimit-limit": "5" }, "The rate limit of 5 requests a second is used up"],
    [{}, "The rate limit is used up"],
    [{ "x-ratelimit-limit": "many" }, "The rate limit is used up"],
  ])("a rate limit is named as it is announced: %j", (headers, words) => {
    expect(adviceOn(tfe, parameter, answer(429, {}, headers))).toContain(words);
  });

  it("is not invented", () => {
    expect(adviceOn(tfe, parameter, answer(422, {}))).toBeUndefined();
  });
});

describe("a request to the API", () => {
  // @covers policy: Authentication, errors, limits, versions > authentication
  it.each([
    ["t", { accept: "application/vnd.api+json", authorization: "Bearer t" }],
    [undefined, { accept: "application/vnd.api+json" }],
  ])("with the token %s has its headers", (token, headers) => {
    expect(tfe.headers({ token, namespace: undefined })).toEqual(headers);
  });

  // @covers policy: Parameter > data.type
  it.each([
    [{}, { data: { type: "vars", attributes: { key: "k" } } }],
    [{ parameterId: "var-b" }, { data: { type: "vars", id: "var-b", attributes: { key: "k" } } }],
  ])("of %j is an envelope", (values, body) => {
    expect(tfe.body({ key: "k" }, values)).toEqual(body);
  });
});

describe("the records of an answer", () => {
  const entry = { id: "var-b", type: "vars", attributes: { key: "k", value: null }, relationships: {} };
  const record = { id: "var-b", key: "k", value: null };

  it.each([
    [{ data: entry }, record],
    [{ data: [entry] }, [record]],
    [{ data: [] }, []],
    [{ data: null }, undefined],
    [undefined, undefined],
  ])("%j are %j", (json, found) => {
    expect(tfe.record(json)).toEqual(found);
  });

  it.each([
    [
      { links: { next: "https://app.terraform.io/api/v2/policy-sets/a/parameters?page%5Bnumber%5D=2" } },
      "policy-sets/a/parameters?page%5Bnumber%5D=2",
    ],
    [
      { links: { next: "/api/v2/policy-sets/a/parameters?page%5Bnumber%5D=2" } },
      "policy-sets/a/parameters?page%5Bnumber%5D=2",
    ],
    [{ links: { next: null } }, undefined],
    [{ links: {} }, undefined],
    [{ data: [] }, undefined],
    [undefined, undefined],
    // Not the end of the list: whoever follows it finds that it is no page of it.
    [{ links: { next: 5 } }, "no address"],
    [{ links: { next: "http://" } }, "no address"],
    [{ links: { next: "/elsewhere?page=2" } }, "/elsewhere?page=2"],
  ])("go on after %j at %s", (json, path) => {
    expect(tfe.nextPage?.(json)).toBe(path);
  });
});

it("the server is known by its host, without asking", () => {
  expect(tfe.probes).toBeUndefined();
  expect(tfe.server(undefined, { host: "app.terraform.io", namespace: undefined })).toEqual({
    product: "tfe",
    enterprise: false,
    identity: "tfe:app.terraform.io",
  });
});
