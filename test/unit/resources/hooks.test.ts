import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { check } from "../../../provider/core/check";
import type { Definition, Values, Write } from "../../../provider/core/definition";
import { diff } from "../../../provider/core/diff";
import { bodyOf, stateOf } from "../../../provider/core/record";
import { removalOf } from "../../../provider/core/removal";
import { deadCredentials } from "../../../provider/core/rotation";
import { decideCreate } from "../../../provider/engine/decide";
import { cloudRootConfig } from "../../../provider/resources/cloud/root-config";
import { clusterPeering } from "../../../provider/resources/cluster/peering";
import { clusterPeeringToken } from "../../../provider/resources/cluster/peering-token";
import { policyParameter } from "../../../provider/resources/policy/parameter";
import { policyPolicySet } from "../../../provider/resources/policy/policy-set";
import { sysAuthMount } from "../../../provider/resources/sys/auth-mount";
import { sysSecretsMount } from "../../../provider/resources/sys/secrets-mount";
import { peeringTokenText } from "../../support/valid-inputs";

const replaces = (definition: Definition, olds: Values, news: Values) => diff(definition, olds, news).replaces;

describe("a policy parameter is replaced", () => {
  const open = { policySetId: "polset-demo000000000001", key: "k", value: "v" };
  const hidden = { ...open, sensitive: true };

  it.each([
    ["when it would become readable again", hidden, open, ["sensitive"]],
    ["when a hidden one is renamed", hidden, { ...hidden, key: "l" }, ["key"]],
    ["for another policy set", open, { ...open, policySetId: "polset-demo000000000002" }, ["policySetId"]],
    ["not when a readable one is renamed", open, { ...open, key: "l" }, []],
    ["not when it becomes hidden", open, hidden, []],
    ["not when its hidden value changes", hidden, { ...hidden, value: "w" }, []],
    ["not when nothing changes", hidden, hidden, []],
  ])("%s", (_, olds, news, properties) => {
    expect(replaces(policyParameter, olds, news)).toEqual(properties);
  });

  const list = [
    { id: "var-1", key: "a" },
    { id: "var-2", key: "k" },
  ];
  it.each([
    ["by its id, also when its key was changed", { parameterId: "var-1", key: "k" }, list[0]],
    ["by its key before it has an id", { key: "k" }, list[1]],
    ["not by its key when it had an id: that one is another", { parameterId: "var-9", key: "k" }, undefined],
  ])("and is found in the list %s", (_, values, entry) => {
    expect(policyParameter.read.pick?.(list, values)).toBe(entry);
    expect(policyParameter.read.pick?.(undefined, values)).toBeUndefined();
  });
});

describe("a policy set", () => {
  const list = [
    { id: "polset-1", name: "a" },
    { id: "polset-2", name: "b" },
    { id: "polset-3", name: "polset-1" },
  ];
  it.each([
    ["by its id, also when its name was changed", { policySetId: "polset-1", name: "b" }, list[0]],
    ["by its name before it has an id", { name: "b" }, list[1]],
    ["by the name that an import has in the place of the id", { policySetId: "b" }, list[1]],
    ["not by its name when it had an id: that one is another", { policySetId: "polset-9", name: "b" }, undefined],
    ["by an id before a name that looks like one", { policySetId: "polset-1" }, list[0]],
  ])("is found in the list %s", (_, values, entry) => {
    expect(policyPolicySet.read.pick?.(list, values)).toBe(entry);
    expect(policyPolicySet.read.pick?.(undefined, values)).toBeUndefined();
  });

  const set = { organization: "demo", name: "a" };
  const live = { ...set, description: "old", workspaceIds: ["ws-1"] };
  const bodyOfWrite = ({ layout }: Write, before: Values) => layout?.(bodyOf(policyPolicySet, set), before);

  it("is made with what the program sets, and nothing that the API refuses beside it", () => {
    expect(bodyOfWrite(policyPolicySet.create, {})).toEqual({ name: "a" });
  });

  it("is taken over with what it has reset, but for its kind", () => {
    const reset = { description: null, "relationships/workspaces": { data: [] } };
    expect(bodyOfWrite(policyPolicySet.update, { ...live, kind: "opa" })).toEqual({ name: "a", ...reset });
  });
});

describe("a peering", () => {
  const [first, second] = [
    peeringTokenText({ PeerID: "p-1", ServerName: "a" }),
    peeringTokenText({ PeerID: "p-2", ServerName: "a" }),
  ];
  const elsewhere = peeringTokenText({ PeerID: "p-3", ServerName: "b" });
  const inputs = (peeringToken: string) => check(clusterPeering, { peerName: "a", peeringToken }).inputs;
  const state = { ...inputs(first), remotePeeringId: "p-1" };

  it.each([
    ["is left alone when it leads where its token says", {}, []],
    ["is left alone while the server does not say where it leads", { remotePeeringId: undefined }, []],
    ["asks for a repair when the other side has ended it", { terminated: true }, ["peeringToken"]],
    ["asks for a repair when it leads to another record", { remotePeeringId: "p-9" }, ["peeringToken"]],
  ])("%s", (_, more, changed) => {
    expect(diff(clusterPeering, { ...state, ...more }, inputs(first)).changed).toEqual(changed);
  });

  it("takes a new token of the same cluster in place, and is replaced for another cluster's", () => {
    expect(diff(clusterPeering, state, inputs(second))).toEqual({ changed: ["peeringToken"], replaces: [] });
    expect(replaces(clusterPeering, state, inputs(elsewhere))).toEqual(["peeringToken"]);
  });

  it("is told from another cluster's by what the server shows, with or without the old token", () => {
    for (const peeringToken of [undefined, "(not kept)", elsewhere]) {
      const shown = { ...state, peeringToken, peerServerName: "a" };
      expect(diff(clusterPeering, shown, inputs(second))).toEqual({ changed: ["peeringToken"], replaces: [] });
      if (peeringToken !== elsewhere)
        expect(replaces(clusterPeering, shown, inputs(elsewhere))).toEqual(["peeringToken"]);
    }
    // Another hand has led it elsewhere.
    expect(replaces(clusterPeering, { ...state, peerServerName: "b", remotePeeringId: "p-3" }, inputs(first))).toEqual([
      "peeringToken",
    ]);
  });

  it("is changed in place while nobody knows which cluster it leads to", () => {
    const unknown = { ...state, peeringToken: "(not kept)" };
    expect(diff(clusterPeering, unknown, inputs(elsewhere))).toEqual({ changed: ["peeringToken"], replaces: [] });
  });

  it.each([clusterPeering, clusterPeeringToken])(
    "is replaced for other metadata, which the server would ignore",
    (definition) => {
      const olds = { peerName: "a", peeringToken: first };
      expect(replaces(definition, olds, { ...olds, meta: { a: "b" } })).toEqual(["meta"]);
    },
  );

  it("has a new token issued for a new generation, and a new record when it has ended", () => {
    const olds = { peerName: "a", generation: 1 };
    expect(diff(clusterPeeringToken, olds, { ...olds, generation: 2 })).toEqual({
      changed: ["generation"],
      replaces: [],
    });
    expect(diff(clusterPeeringToken, { ...olds, terminated: true }, olds)).toEqual({
      changed: ["terminated"],
      replaces: ["terminated"],
    });
  });

  const pick = clusterPeering.read.pick;
  it("is found in the list under its name, whatever the case", () => {
    expect(pick?.([{ Name: "x" }, { Name: "A", ID: "1" }], { peerName: "a" })).toEqual({
      Name: "A",
      ID: "1",
      PeerName: "A",
    });
  });

  it("is not there in an empty list", () => {
    expect(pick?.([], { peerName: "a" })).toBeUndefined();
  });

  it.each([
    [
      { DeletedAt: "2026-01-01T00:00:00Z", State: "DELETING" },
      { is: "leaving", isStuck: false },
    ],
    [
      { DeletedAt: "2026-01-01T00:00:00Z", State: "TERMINATED" },
      { is: "leaving", isStuck: true },
    ],
    [{ State: "TERMINATED" }, { is: "ended" }],
    [{ State: "PENDING" }, { is: "pending", state: "PENDING", wanted: "ACTIVE", todo: expect.any(String) }],
    [{ State: "ACTIVE" }, undefined],
  ])("with %j is at the stage %j", (record, stage) => {
    expect(clusterPeering.stage?.(record, {})).toEqual(stage);
  });

  it("that is being deleted is none in the other direction, as it may not show any more whom it dialed", () => {
    const record = { Name: "a", ID: "1", State: "ESTABLISHING" };
    const create = (live: Values) =>
      decideCreate(clusterPeering, { peerName: "a" }, { record: live, server: undefined });
    expect(() => create(record)).toThrow(/it exists already, and it has issued a token, and does not dial/);
    expect(create({ ...record, State: "DELETING", DeletedAt: "2026-01-01T00:00:00Z" })).toMatchObject({
      does: "write",
    });
  });

  it("that issues a token is not waited for, as nobody has used the token yet", () => {
    expect(clusterPeeringToken.stage?.({ State: "PENDING" }, {})).toBeUndefined();
  });
});

describe("a root key", () => {
  const keys = { accessKey: "AKIAFIRST", secretKey: randomUUID() };
  const first = check(cloudRootConfig, keys).inputs;
  const rotated = { ...first, accessKey: "AKIAROTATED" };
  const { rotation } = cloudRootConfig;
  const kept = (live: Values, olds: Values | undefined, news: Values) =>
    rotation && deadCredentials(rotation, live, { olds, news });

  // @covers beyond: cloud.RootConfig > access_key
  it("that the server has rotated and that is recorded as the live one is no difference", () => {
    expect(diff(cloudRootConfig, rotated, check(cloudRootConfig, keys, rotated).inputs).changed).toEqual([]);
  });

  // @covers beyond: cloud.RootConfig > access_key
  it("that moved on the server is drift, unless the program expects it to move", () => {
    const answer = { access_key: "AKIAROTATED" };
    expect(stateOf(cloudRootConfig, answer, first)["accessKey"]).toBe("AKIAROTATED");
    const expecting = check(cloudRootConfig, { ...keys, rotatedByServer: true }).inputs;
    expect(stateOf(cloudRootConfig, answer, expecting)["accessKey"]).toBe(keys.accessKey);
    expect(stateOf(cloudRootConfig, { access_key: "" }, expecting)).not.toHaveProperty("accessKey");
  });

  it("is a difference when the program gives another pair", () => {
    const news = check(cloudRootConfig, { accessKey: "AKIASECOND", secretKey: randomUUID() }, rotated).inputs;
    expect(diff(cloudRootConfig, rotated, news).changed).toEqual(["accessKey", "secretKey"]);
    expect(kept(rotated, rotated, news)).toEqual([]);
  });

  it("of a dead pair is not sent again", () => {
    const news = check(cloudRootConfig, { ...keys, region: "eu-west-1" }, rotated).inputs;
    expect(kept(rotated, rotated, news)).toEqual(["accessKey", "secretKey"]);
    expect(kept(first, first, check(cloudRootConfig, keys, first).inputs)).toEqual([]);
  });
});

describe("a mount", () => {
  const list = { "jwt-ci/": { type: "jwt", description: "d", config: { default_lease_ttl: 60, max_lease_ttl: 0 } } };

  // @covers beyond: Mounts > accessor
  it("is found in the list under its path with a slash, its settings beside the rest", () => {
    expect(sysAuthMount.read.pick?.(list, { path: "jwt-ci" })).toMatchObject({
      type: "jwt",
      description: "d",
      default_lease_ttl: 60,
    });
  });

  it.each([["jwt"], ["jwt-ci/x"]])("is not another one's: %s", (path) => {
    expect(sysAuthMount.read.pick?.(list, { path })).toBeUndefined();
  });

  const body = { type: "aws", description: "d", options: {}, local: true, seal_wrap: false, default_lease_ttl: "1h" };
  it.each([sysAuthMount, sysSecretsMount])(
    "is enabled with its settings inside, and tuned without what cannot change",
    ({ create, update }) => {
      const { default_lease_ttl, ...outside } = body;
      expect(create.layout?.(body, {})).toEqual({ ...outside, config: { default_lease_ttl } });
      expect(update.layout?.(body, {})).toEqual({ description: "d", options: {}, default_lease_ttl });
      expect(update.layout?.(body, { options: { version: "1" } })).toMatchObject({ options: { version: "" } });
      expect(update.path).toBe(`${create.path}/tune`);
    },
  );

  it.each([{ type: "kv" }, { local: true }, { sealWrap: true }, { forceNoCache: true }])(
    "with %j is another mount",
    (changes) => {
      const mount = { path: "a", type: "aws" };
      expect(replaces(sysSecretsMount, mount, { ...mount, ...changes })).toEqual(Object.keys(changes));
    },
  );
});

describe("the end of a root configuration", () => {
  it.each([
    [{}, undefined],
    [{ onDelete: "forget" }, undefined],
    [{ onDelete: "blank" }, { method: "POST", path: "{mount}/config/root" }],
  ])("of %j is %j", (values, removal) => {
    expect(removalOf(cloudRootConfig, values)).toEqual(removal);
  });
});
