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

describe("a policy set that is not found", () => {
  const question = { method: "DELETE", path: "policy-sets/polset-a" };

  it("is perhaps gone when it cannot be read either: the list of its organization is looked at next", () => {
    const doubt = tfe.doubt?.(question, notFound);
    expect(doubt?.path).toBe("policy-sets/polset-a");
    expect(doubt?.isGone(notFound)).toBe(true);
  });

  it.each([
    ["it can be read", policySet],
    ["the token is refused", answer(401, { errors: [{ title: "unauthorized" }] })],
    ["a proxy finds nothing", answer(404, "<html>")],
    ["the server fails", answer(500, "")],
  ])("stays an error while %s", (_, second) => {
    const doubt = tfe.doubt?.(question, notFound);
    expect(doubt?.isGone(second)).toBe(false);
    expect(doubt?.otherwise).toContain("not manage policies");
  });

  it.each(["organizations/acme/policy-sets?page%5Bsize%5D=100", "organizations/acme"])(
    "is never what a 404 of %s means",
    (path) => {
      const doubt = tfe.doubt?.({ method: "GET", path }, notFound);
      expect(doubt?.path).toBe("organizations/acme");
      expect(doubt?.isGone(notFound)).toBe(false);
      expect(doubt?.otherwise).toContain("cannot read the policy sets of organizations/acme");
    },
  );

  it.each([
    ["organizations/acme/policy-sets?page%5Bsize%5D=100", { path: "organizations/acme", id: "acme" }],
    ["policy-sets/polset-a/parameters", { path: "policy-sets/polset-a", id: "polset-a" }],
    ["policy-sets/polset-a", undefined],
    ["policy-sets/polset-a/parameters/var-b", undefined],
  ])("where the list is %s, is looked for in %j", (path, home) => {
    expect(tfe.home?.(path)).toEqual(home);
    expect(tfe.answers({ method: "GET", path })).toBe(home ? "list" : "record");
  });

  it("is said to be out of reach where it cannot be made", () => {
    const question = { method: "POST", path: "organizations/acme/policy-sets" };
    expect(adviceOn(tfe, question, notFound)).toBe(
      "Either the organization acme does not exist, or the token may not manage policies there.",
    );
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
    ["POST policy-sets/polset-a/parameters", { data: { type: "vars", attributes: { key: "k" } } }],
    ["PATCH policy-sets/polset-a/parameters/var-b", { data: { type: "vars", id: "var-b", attributes: { key: "k" } } }],
    ["POST organizations/acme/policy-sets", { data: { type: "policy-sets", attributes: { key: "k" } } }],
    ["PATCH policy-sets/polset-a", { data: { type: "policy-sets", id: "polset-a", attributes: { key: "k" } } }],
  ])("%s has an envelope", (line, body) => {
    const [method = "", path = ""] = line.split(" ");
    expect(tfe.body({ key: "k" }, { method, path })).toEqual(body);
  });

  it("names relationships beside the attributes", () => {
    const workspaces = { data: [{ id: "ws-1", type: "workspaces" }] };
    const question = { method: "PATCH", path: "policy-sets/polset-a" };
    expect(tfe.body({ global: false, "relationships/workspaces": workspaces }, question)).toEqual({
      data: { type: "policy-sets", id: "polset-a", attributes: { global: false }, relationships: { workspaces } },
    });
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

  const workspaces = { data: [{ id: "ws-1", type: "workspaces" }] };
  const organization = { data: { id: "acme", type: "organizations" } };
  it.each([
    ["with those of its relationships that are lists", false, { "relationships/workspaces": workspaces }],
    // Trap: a global set lists workspaces that nobody attached.
    ["without what a global policy set is attached to", true, {}],
  ])("are %s", (_, global, related) => {
    const data = { id: "polset-a", attributes: { global }, relationships: { organization, workspaces } };
    expect(tfe.record({ data })).toEqual({ id: "polset-a", global, ...related });
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
