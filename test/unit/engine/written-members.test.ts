import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import type { Values } from "../../../provider/core/definition.ts";
import { createEngine } from "../../../provider/engine/engine.ts";
import { definitions } from "../../../provider/resources/index.ts";
import { serve } from "../../support/loopback-server.ts";

/** What an engine that asks nothing about its server sends there, by request. */
async function engineWithWrites(record: unknown, list: unknown = record) {
  const sent: Record<string, Values> = {};
  let stored = record;
  const { origin } = await serve(async (request, response) => {
    const body = await text(request);
    if (body !== "") sent[`${request.method} ${request.url}`] = JSON.parse(body);
    // A role is what was written last.
    if (request.method === "POST") stored = { data: { ...JSON.parse(body) } };
    const mounts = { data: { "jwt/": { type: "jwt" }, "cloud/": { type: "aws" } } };
    if (request.url?.startsWith("/v1/sys/")) return void response.end(JSON.stringify(mounts));
    response.end(JSON.stringify(request.url?.endsWith("/parameters") ? list : stored));
  });
  const entry = JSON.stringify({ address: origin, token: "t", maxRetries: 0, offline: true });
  return {
    engine: createEngine({ config: (key) => (key === "takeOver" ? undefined : entry), env: {}, log: () => {} }),
    sent,
  };
}

describe("offline", () => {
  const role = { mount: "jwt", name: "ci", userClaim: "sub", roleType: "jwt", boundAudiences: ["a"] };
  const id = "auth/jwt/role/ci";

  it("a field that only some servers have is reset when the program does not set it any more", async () => {
    const { engine, sent } = await engineWithWrites({ data: { user_claim: "sub" } });
    await engine.update(definitions.jwtRole, id, { ...role, aliasMetadata: { team: "a" } }, role);
    expect(sent["POST /v1/auth/jwt/role/ci"]).toMatchObject({ alias_metadata: {} });
  });

  it("one that neither the program nor the state has is left out", async () => {
    const { engine, sent } = await engineWithWrites({ data: { user_claim: "sub" } });
    await engine.update(definitions.jwtRole, id, { ...role, aliasMetadata: {} }, { ...role, userClaim: "email" });
    expect(sent["POST /v1/auth/jwt/role/ci"]).not.toHaveProperty("alias_metadata");
  });

  it("it is blanked too, where the state has it", async () => {
    const { engine, sent } = await engineWithWrites({ data: {} });
    const state = { mount: "cloud", onDelete: "blank", rotationPeriod: "1h" };
    await engine.delete(definitions.cloudRootConfig, "cloud/config/root", state);
    expect(sent["POST /v1/cloud/config/root"]).toMatchObject({ rotation_period: 0, access_key: "" });
    expect(sent["POST /v1/cloud/config/root"]).not.toHaveProperty("rotation_window");
  });
});

describe("a change of a parameter", () => {
  it("is recorded beside what another hand has changed, also where the answer shows only the change", async () => {
    const shown = (attributes: Values) => ({ id: "var-a", type: "vars", attributes });
    const there = shown({ key: "a", value: "theirs", sensitive: false, category: "policy-set" });
    const { engine } = await engineWithWrites({ data: shown({ key: "b" }) }, { data: [there] });
    const [olds, id] = [{ policySetId: "polset-demo000000000001", value: "ours" }, "polset-demo000000000001/var-a"];
    const state = { ...olds, key: "a", parameterId: "var-a" };
    const { state: left } = await engine.update(definitions.policyParameter, id, state, { ...olds, key: "b" });
    expect(left).toMatchObject({ key: "b", value: "theirs" });
  });

  const set = "polset-demo000000000001";
  const olds = { policySetId: set, key: "region", value: "eu", sensitive: false, parameterId: "var-1" };
  const { parameterId: _, ...inputs } = olds;

  it.each([
    [
      "that hides its value sends the value, which may have been changed elsewhere",
      { sensitive: true },
      { value: "eu" },
    ],
    ["that hides a value that is not set resets it", { sensitive: true, value: undefined }, { value: "" }],
    ["of its key alone leaves the value alone", { key: "area" }, {}],
  ])("%s", async (_title, change, more) => {
    const { engine, sent } = await engineWithWrites(
      { data: { id: "var-1", type: "vars", attributes: {} } },
      { data: [{ id: "var-1", type: "vars", attributes: { key: "region", value: "eu", sensitive: false } }] },
    );
    await engine.update(definitions.policyParameter, `${set}/var-1`, olds, { ...inputs, ...change });
    const { value: _value, ...attributes } = { value: "", ...change };
    expect(sent[`PATCH /api/v2/policy-sets/${set}/parameters/var-1`]).toEqual({
      data: { type: "vars", id: "var-1", attributes: { ...attributes, ...more } },
    });
  });
});
