import { describe, expect, it, test } from "vitest";
import type { HeldRecord } from "../../../provider/engine/held-record";
import { createPlanEffects, type PlannedResource } from "../../../provider/hosts/terraform/plan-effects";
import { definitions } from "../../../provider/resources/index.ts";
import { Command } from "../../support/command.ts";
import { engineWithLog } from "../../support/contract-host-engine.ts";

const held = (key: string, more: Partial<HeldRecord> = {}): HeldRecord => ({
  key,
  keys: [key],
  title: `Role ${key}`,
  id: key,
  isDeletable: true,
  ...more,
});
/** The record of `a` by another name of the server. */
const alsoA = held("A", { keys: ["A", "identity of a"], title: "Role a", id: "a" });
const knownA = held("a", { keys: ["a", "identity of a"] });
const [a, b, mark] = [held("a"), held("b"), held("mark", { isDeletable: false })];
const loses = "with all that is in it";
const [home, other] = [held("home", { loses }), held("other", { loses })];
const becomes = (by: string, before: readonly HeldRecord[], after?: readonly HeldRecord[]) => ({ by, before, after });
const stays = (by: string, ...records: HeldRecord[]) => becomes(by, records, records);
const goes = (by: string, ...records: HeldRecord[]) => becomes(by, records);
const comes = (by: string, ...records: HeldRecord[]) => becomes(by, [], records);
const replaced = (by: string, before: HeldRecord, after: HeldRecord) => ({
  ...becomes(by, [before], [after]),
  isReplaced: true,
});
const losesA = { ...becomes("1", [a, b], [b]), isSet: true };
const clears = (by: string, ...unmanaged: HeldRecord[]) => ({ ...comes(by), unmanaged });

/** An exclusive set that names nothing, before what it would remove is there. */
const owns = (by: string, record: HeldRecord) => ({
  ...comes(by),
  exclusive: { title: `Set ${by}`, clears: ({ key }: HeldRecord) => key === record.key },
});

const inBothOrders = <T>(one: T, other: T) =>
  [
    [one, other],
    [other, one],
  ] as const;

const TWICE = /Role a \(a\) twice.*`terraform state list -id='[12]'` and `terraform state list -id='[12]'`/;
const AS_WELL =
  /has Role a \(a\) for one resource, and.*another name.*`terraform state list -id='2'` shows the address/;
const TWO = /create Role a \(a\) for two resources.*another name/;
const DESTROYED = /destroy Role home \(home\) for one address, with all that is in it.*-id='1'` shows the old address/;
const KEPT = /delete Role a \(a\).*keep it for another.*`ignore` of the set.*-id='2'` shows/;
const CREATED = /delete Role a \(a\).*create it for another.*`ignore` of the set, or take it into the set.*program\.$/;

test.each([
  [
    "cloudRootConfig",
    { mount: "cloud", accessKey: "A", onDelete: "blank" },
    "with a key that only the server may have",
  ],
  ["cloudRootConfig", { mount: "cloud", onDelete: "blank" }, undefined],
  ["identityGroup", { name: "devs" }, "with its members and the id that others know"],
  ["sysAuthMount", { path: "jobs" }, "with all that is in it"],
  ["jwtRole", { mount: "jwt", name: "ci" }, undefined],
] as const)("a record of %s that goes loses what cannot be made again", (name, values, loses) => {
  const engine = engineWithLog({ secrets: '{"address":"http://127.0.0.1:1","token":"t"}' }, []);
  expect(engine.records(definitions[name], values)).toMatchObject([{ loses, isDeletable: true }]);
});

describe("what a plan makes of the records of a state", () => {
  it.each<[string, readonly PlannedResource[]]>([
    ["one is deleted, another stays", [goes("1", a), stays("2", b)]],
    ["both resources of a record are deleted", [goes("1", a), goes("2", a)]],
    ["both resources of a record stay", [stays("1", a), stays("2", a)]],
    ["one resource forgets what cannot be deleted", [goes("1", mark), stays("2", mark), goes("3", mark)]],
    ["a resource takes the place of another", [becomes("1", [a], [b]), goes("2", b)]],
    ["two resources change places", [replaced("1", a, b), replaced("2", b, a)]],
    ["a new resource gets what another one loses", [comes("1", a), goes("2", a)]],
    ["a record is made anew", [replaced("1", a, a)]],
    ["a new resource is planned twice", [comes("1", a), comes("1", a)]],
    ["a resource that is there is planned twice, and has lost a record meanwhile", [stays("1", a), comes("1", a)]],
    ["a place is made anew", [replaced("1", home, home)]],
    ["a place is made where another one moves away", [becomes("1", [home], [other]), comes("2", home)]],
    ["a place moves to where another one goes", [goes("1", home), becomes("2", [other], [home])]],
    ["a place goes to where it is not known yet", [becomes("1", [home], []), comes("2", home)]],
    ["an exclusive set removes what goes anyway", [clears("1", a), goes("2", a)]],
    ["two exclusive sets remove what is nobody's", [clears("1", a), clears("2", a)]],
  ])("is planned where %s", (_, resources) => {
    for (const order of [resources, resources.toReversed()]) {
      const effects = createPlanEffects();
      for (const resource of order) effects.note(resource);
    }
  });

  it.each<[string, PlannedResource, PlannedResource, RegExp]>([
    ["one deletes what another one keeps", goes("1", a), stays("2", a), TWICE],
    ["a set loses what another resource keeps", losesA, stays("2", a), TWICE],
    ["a resource goes to another record", becomes("1", [a], [b]), stays("2", a), TWICE],
    ["a resource of the same id keeps it", goes("1", a), stays("1", a), /twice.*-id='1'` shows/],
    ["a new resource has what another one keeps", comes("1", a), stays("2", a), AS_WELL],
    ["a set gets what another one keeps", becomes("1", [b], [a, b]), stays("2", a), AS_WELL],
    ["a resource is replaced by what another one keeps", replaced("1", b, a), stays("2", a), AS_WELL],
    ["a new resource has what cannot be deleted", comes("1", mark), stays("2", mark), /has Role mark/],
    ["two new resources have it", comes("1", a), comes("2", a), TWO],
    ["a new resource and a replacement have it", comes("1", a), replaced("2", b, a), TWO],
    ["a new resource has what is made anew for another", comes("1", a), replaced("2", a, a), TWO],
    ["a place is made anew for another address", goes("1", home), comes("2", home), DESTROYED],
    ["a place is made where another one is replaced", replaced("1", home, other), comes("2", home), DESTROYED],
    ["an exclusive set removes what another one keeps", clears("1", a), stays("2", a), KEPT],
    ["a refreshed one does", { ...becomes("1", [a, b], [b]), unmanaged: [a] }, stays("2", a), KEPT],
    ["an exclusive set removes what is made for another", clears("1", a), comes("2", a), CREATED],
    ["an exclusive set will remove what is made for another", owns("1", a), comes("2", a), /make Role a \(a\).*Set 1/],
    ["an exclusive set does by another name of the server", clears("1", alsoA), stays("2", knownA), KEPT],
  ])("is refused where %s, in either order, until another plan begins", (_, one, other, reason) => {
    for (const [first, second] of inBothOrders(one, other)) {
      const effects = createPlanEffects();
      effects.note(first);
      const refused = () => effects.note(second);
      expect(refused).toThrow(reason);
      // What is refused leaves no trace.
      expect(refused).toThrow(reason);
      effects.clear();
      expect(refused).not.toThrow();
    }
  });

  it.each<[string, PlannedResource, PlannedResource, RegExp | undefined]>([
    ["one deletes what the other keeps", goes("1", a), stays("2", a), /has Role a \(a\) twice/],
    ["both make one record", comes("1", a), comes("1", a), TWO],
    ["one makes the place anew that the other destroys", goes("1", home), comes("2", home), /destroy Role home/],
    [
      "a place moves away for the one, and is made for the other",
      becomes("1", [home], [other]),
      comes("2", home),
      undefined,
    ],
    ["a set of the one loses what the other keeps", losesA, stays("2", a), undefined],
    ["one gets what the other loses", comes("1", a), goes("2", a), undefined],
    [
      "an exclusive set of the one does not name what the other has",
      clears("1", a),
      stays("2", a),
      /delete Role a \(a\), which.*keep it for another.*`ignore` of the set.* shows/,
    ],
    ["an exclusive set of the one does not name what the other makes", clears("1", a), comes("2", a), CREATED],
  ])("of two provider blocks is known to both: %s", (_, one, other, reason) => {
    for (const [first, second] of inBothOrders(one, other)) {
      const command = new Command();
      createPlanEffects(command.open("update")).note(first);
      const noted = () => createPlanEffects(command.open("update")).note(second);
      if (reason) expect(noted).toThrow(reason);
      else expect(noted).not.toThrow();
    }
  });

  it.each([
    ["wants", clears("1", a), /delete Role a \(a\), which.*keep or create it for another.*program\.$/],
    ["clears", stays("2", a), KEPT],
    ["destroys", comes("2", home), /destroy Role home/],
    ["makes", goes("2", home), /destroy Role home/],
  ] as const)("of another block is known after its process has ended: it %s a record", (action, planned, reason) => {
    const command = new Command();
    command.open("update").note(action, ["a at its server"]);
    const keys = ["a", "a at its server"];
    const of = (records: readonly HeldRecord[]) => records.map((record) => ({ ...record, keys }));
    const { before, after, ...others } = { unmanaged: [], ...planned };
    const told = { ...others, before: of(before), after: after && of(after), unmanaged: of(others.unmanaged) };
    expect(() => createPlanEffects(command.open("update")).note(told)).toThrow(reason);
  });

  it("of another block that only forgets what it had is no destruction", () => {
    const command = new Command();
    const forgotten = held("home", { loses, isDeletable: false });
    createPlanEffects(command.open("update")).note(goes("1", forgotten));
    expect(() => createPlanEffects(command.open("update")).note(comes("2", forgotten))).not.toThrow();
  });

  it("of another block that is over is forgotten once the apply has begun", () => {
    const command = new Command();
    command.open("update").note("destroys", home.keys);
    command.open("update").note("wrote", ["another"]);
    expect(() => createPlanEffects(command.open("update")).note(comes("2", home))).not.toThrow();
  });
});
