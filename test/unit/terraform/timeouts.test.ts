// @run test: it waits for clocks
import { expect, onTestFinished, test } from "vitest";
import { check } from "../../../provider/core/check";
import { diff } from "../../../provider/core/diff";
import type { Engine } from "../../../provider/engine/engine";
import type { TimeLimit } from "../../../provider/engine/time-limit";
import { applyResourceChange } from "../../../provider/hosts/terraform/apply";
import type { Host } from "../../../provider/hosts/terraform/call";
import { planResourceChange } from "../../../provider/hosts/terraform/plan";
import type { Request } from "../../../provider/hosts/terraform/protocol";
import { configureProvider, validateResourceConfig } from "../../../provider/hosts/terraform/provider-calls";
import { readResource } from "../../../provider/hosts/terraform/read";
import { createSession } from "../../../provider/hosts/terraform/session";
import { renamed } from "../../../provider/hosts/terraform/shape";
import type { ResourceTable } from "../../../provider/hosts/terraform/table";
import { wrongTimeouts } from "../../../provider/hosts/terraform/timeouts";
import { messageOf, type RawRecord, rawOf, recordIn, UNKNOWN_RAW } from "../../../provider/hosts/terraform/value";
import { openStandIn, peeringIn, standInToken } from "../../support/peering-stand-in.ts";
import { hostWith, terraformTables as tables } from "../../support/terraform-host";
import { configWith } from "../../support/terraform-rules";

function tableOf(typeName: string): ResourceTable {
  const table = tables.resources.get(typeName);
  if (!table) throw new Error(`there is no ${typeName}`);
  return table;
}
const timeouts = { create: "1m", read: "2m", update: "1h30m", delete: "30" };

/** The message that an answer has under a name. */
const recordAt = (answer: object, name: string): RawRecord =>
  recordIn((Reflect.get(answer, name) as { msgpack: Uint8Array }).msgpack) ?? {};

test("each operation has its own, and a change of them alone is planned and writes nothing", async () => {
  const limits: (TimeLimit | undefined)[] = [];
  const id = "auth/jwt/role/ci";
  const state = { mount: "jwt", name: "ci", roleType: "jwt", userClaim: "sub", boundSubject: "x" };
  const engine: Partial<Engine> = {
    check: async (definition, news) => check(definition, news),
    diff: async (definition, olds, news) => diff(definition, olds, news),
    create: async (_, inputs) => ({ id, state: inputs }),
    update: async (_, _id, _olds, news) => ({ id, state: news }),
    read: async () => ({ id, state }),
    delete: async () => undefined,
  };
  const plain = hostWith(engine);
  const host: Host = {
    ...plain,
    session: {
      ...plain.session,
      within: (work, limit) => {
        limits.push(limit);
        return work({});
      },
    },
  };
  const typeName = "trustplane_jwt_role";
  const config = { ...configWith(tableOf(typeName), state), timeouts };
  const asked = async (prior: RawRecord | undefined, wanted: RawRecord | undefined) => {
    const request = { typeName, priorState: messageOf(prior), config: messageOf(wanted), priorPrivate: Buffer.of() };
    const plan = await planResourceChange(host, request as unknown as Request);
    const { plannedState, plannedPrivate } = plan.answer as { plannedState: object; plannedPrivate: Uint8Array };
    const apply = { ...request, plannedState, plannedPrivate } as unknown as Request;
    const applied = await applyResourceChange(host, apply);
    expect([plan.diagnostics ?? [], applied.diagnostics ?? []]).toEqual([[], []]);
    return { planned: plan.answer, record: recordAt(applied.answer, "newState") };
  };

  const { record: created } = await asked(undefined, config);
  expect(created["timeouts"]).toEqual(timeouts);
  const current = { typeName, currentState: messageOf(created), private: Buffer.of() } as unknown as Request;
  expect(recordAt((await readResource(host, current)).answer, "newState")["timeouts"]).toEqual(timeouts);
  const { planned, record: changed } = await asked(created, { ...config, timeouts: { ...timeouts, delete: "45" } });
  expect(recordAt(planned, "plannedState")).toEqual({ ...created, timeouts: { ...timeouts, delete: "45" } });
  expect(planned).toMatchObject({ requiresReplace: [] });
  await asked({ ...changed, user_claim: "other" }, { ...config, timeouts });
  await asked(changed, undefined);

  const ofOperation = (operation: string, seconds: number) => ({ seconds, setting: `timeouts.${operation}` });
  expect(limits).toEqual([
    ofOperation("create", 60),
    ofOperation("read", 120),
    // Only that with something to write.
    ofOperation("update", 5400),
    ofOperation("delete", 45),
  ]);
});

test("a wrong one is refused at its place before anything is asked, and one that is not known yet is not judged", async () => {
  const wrong = { create: "soon", read: "-1m", update: "0s", delete: UNKNOWN_RAW };
  expect(wrongTimeouts({ timeouts: wrong })).toEqual([
    { property: "timeouts.create", reason: expect.stringMatching(/^is not a duration; allowed is /) },
    { property: "timeouts.read", reason: "must not be negative" },
    { property: "timeouts.update", reason: "must be at least a second" },
  ]);
  expect([null, UNKNOWN_RAW].flatMap((each) => wrongTimeouts({ timeouts: each }))).toEqual([]);
  const typeName = "trustplane_sys_policy";
  const config = {
    ...configWith(tableOf(typeName), { name: "a", rules: [{ path: "a", capabilities: ["read"] }] }),
    timeouts: { delete: "x" },
  };
  const request = { typeName, config: messageOf(config), priorState: messageOf(undefined), priorPrivate: Buffer.of() };
  const host = hostWith({ check: async (definition, news) => check(definition, news) });
  for (const call of [validateResourceConfig, planResourceChange]) {
    const { diagnostics } = await call(host, request as unknown as Request);
    expect(diagnostics).toMatchObject([{ attribute: { steps: [{ attributeName: "timeouts" }] } }]);
  }
});

test("ends the wait for a peering that never becomes ACTIVE, and the failure says so", async () => {
  const { config: stack } = await openStandIn(() => peeringIn("ESTABLISHING", { PeerID: "other" }));
  const host: Host = { tables, session: createSession({}, () => undefined) };
  onTestFinished(() => host.session.end());
  const provider = tables.provider.map(({ name, property, shape, type }) => {
    const text = Object.entries(stack).find(([key]) => key.endsWith(property))?.[1];
    return [name, text === undefined ? null : rawOf(type, renamed(shape, JSON.parse(text), "attribute"))] as const;
  });
  await configureProvider(host, { config: messageOf(Object.fromEntries(provider)) } as Request);
  const typeName = "trustplane_cluster_peering";
  const values = { peerName: "east", peeringToken: standInToken, waitForActive: true };
  const config = messageOf({ ...configWith(tableOf(typeName), values), timeouts: { ...timeouts, create: "1s" } });
  const request = { typeName, config, priorState: messageOf(undefined), priorPrivate: Buffer.of() };
  const { answer } = await planResourceChange(host, request as unknown as Request);

  const { diagnostics } = await applyResourceChange(host, { ...request, ...answer } as unknown as Request);

  expect(diagnostics?.map(({ detail }) => detail)).toEqual([
    expect.stringMatching(/^creating .*: its timeout of 1 s is over \(timeouts\.create\)/),
  ]);
});
