import { expect, it } from "vitest";
import type { Definition, Values } from "../../../provider/core/definition.ts";
import { createEngine } from "../../../provider/engine/engine.ts";
import { definitions } from "../../../provider/resources/index.ts";
import { serve } from "../../support/loopback-server.ts";

/** What an import, a refresh, an update and a deletion of these values ask a server for. */
async function askedWith(definition: Definition, id: string, state: Values) {
  const asked: string[] = [];
  const { origin } = await serve((request, response) => {
    if (!request.url?.includes("sys/health")) asked.push(`${request.method} ${request.url}`);
    response.end("{}");
  });
  const entry = JSON.stringify({ address: origin, token: "t", maxRetries: 0 });
  const engine = createEngine({ config: (key) => (key === "takeOver" ? undefined : entry), env: {}, log: () => {} });
  const outcomes = await Promise.allSettled([
    engine.read(definition, id, {}),
    engine.read(definition, id, state),
    engine.update(definition, id, state, { ...state, force: true }),
    engine.delete(definition, id, state),
  ]);
  const messages = outcomes.map((outcome) => (outcome.status === "rejected" ? String(outcome.reason.message) : "done"));
  return { asked, messages };
}

it.each([
  ["jwtRole", "auth/jwt/../../sys/policies/acl/role/x", { mount: "jwt/../../sys/policies/acl", name: "x" }],
  ["cloudRole", "../sys/policies/acl/roles/x", { mount: "../sys/policies/acl", name: "x" }],
  ["sysAuthMount", "sys/auth/../policies/acl/x", { path: "../policies/acl/x", type: "jwt" }],
  ["clusterPeeringToken", "..", { peerName: ".." }],
  ["policyParameter", "../polset-demo000000000001", { policySetId: "..", parameterId: "polset-demo000000000001" }],
] as const)("nothing is asked about a %s whose address leads to another record", async (name, id, state) => {
  const { asked, messages } = await askedWith(definitions[name], id, state);

  expect(asked).toEqual([]);
  for (const [index, verb] of ["reading", "reading", "updating", "deleting"].entries())
    expect(messages[index]).toMatch(
      new RegExp(`^${verb} .*leads to no such record: \\w+ must .* correct the id or the state`),
    );
});

it("a mount is not moved from an address that leads to another record", async () => {
  const asked: string[] = [];
  const { origin } = await serve((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.end("{}");
  });
  const engine = createEngine({
    config: (key) => (key === "takeOver" ? undefined : JSON.stringify({ address: origin, token: "t", maxRetries: 0 })),
    env: {},
    log: () => {},
  });
  const [olds, news] = [
    { path: "../policies/acl/x", type: "jwt" },
    { path: "jobs", type: "jwt" },
  ];
  const moving = engine.update(definitions.sysAuthMount, "sys/auth/../policies/acl/x", olds, news);

  await expect(moving).rejects.toThrow(/leads to no such record: path must/);
  expect(asked).toEqual([]);
});

it("a parameter whose recorded id leads to its policy set is neither changed nor deleted", async () => {
  const state = { policySetId: "polset-demo000000000001", parameterId: "..", key: "k" };
  const { asked, messages } = await askedWith(definitions.policyParameter, "polset-demo000000000001/k", state);

  expect(asked.filter((request) => !request.startsWith("GET"))).toEqual([]);
  expect(messages.slice(2)).toEqual([
    expect.stringMatching(/^updating .*parameterId must be `var-` followed/),
    expect.stringMatching(/^deleting .*parameterId must be `var-` followed/),
  ]);
});
