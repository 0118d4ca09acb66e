import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { Values } from "../../../provider/core/definition.ts";
import type { Engine } from "../../../provider/engine/engine.ts";
import { ALONE, type Journal } from "../../../provider/engine/journal.ts";
import { definitions } from "../../../provider/resources/index.ts";
import { jwtMount } from "../../contract/cases/mounts.ts";
import { engineWithLog } from "../../support/contract-host-engine.ts";
import { startEmbedded } from "../../support/contract-servers-embedded.ts";
import { openWorld, type World } from "../../support/contract-world.ts";

const set = definitions.jwtRoleSet;
const role = { roleType: "jwt", userClaim: "sub", boundAudiences: ["https://aud.example"] };

let world: World;
let mount: string;
let logged: string[];

beforeEach(async () => {
  const servers = await startEmbedded();
  onTestFinished(() => servers.close());
  world = await openWorld({ servers });
  mount = await jwtMount(world);
  logged = [];
});

const engineIn = (journal: Partial<Journal>) => engineWithLog(world.config(), logged, { ...ALONE, ...journal });
const inputsOf = async (engine: Engine, names: readonly string[], more: Values = {}) => {
  const roles = Object.fromEntries(names.map((name) => [name, role]));
  const { inputs, failures } = await engine.check(set, { mount, exclusive: true, roles, ...more });
  expect(failures).toEqual([]);
  return inputs;
};
const makeByHand = (name: string) =>
  world
    .raw("secrets")
    .call(`POST auth/${mount}/role/${name}`, { role_type: "jwt", user_claim: "sub", bound_subject: "x" });

describe("where it is not seen how the CLI was called, what an exclusive set does not name", () => {
  it.each([
    [
      "Terraform",
      { removable: ["manual"] },
      /nothing of this kind by a saved plan; an `apply` that makes its own plan removes/,
    ],
    ["Pulumi", {}, /nothing of this kind; delete it on the server, or name it in `ignore`/],
  ])("stays, and no next run is promised, in %s", async (_, limits, said) => {
    await makeByHand("manual");
    const engine = engineIn({ sight: () => "unknown" });
    const { state } = await engine.create(set, await inputsOf(engine, ["x"]), limits);
    expect(state).toMatchObject({ unmanaged: ["manual"] });
    expect(logged.join("\n")).toMatch(said);
    expect(logged.join("\n")).not.toContain("the next one");
  });

  it("is removed where the plan of the same command has shown it", async () => {
    await makeByHand("manual");
    const engine = engineIn({ sight: () => "unknown", told: () => new Set(["clears"]) });
    const { state } = await engine.create(set, await inputsOf(engine, ["x"]), { removable: ["manual"] });
    expect(state).not.toHaveProperty("unmanaged");
  });
});

describe("a saved plan of a set whose state names a record as nobody's", () => {
  const SAVED = { isPlanSaved: () => true };

  /** What the apply of a plan leaves that has not shown it. */
  const leftState = async () => {
    await makeByHand("manual");
    const engine = engineIn({ sight: () => "saved" });
    const { state } = await engine.create(set, await inputsOf(engine, ["x"]), { removable: [] });
    expect(state).toMatchObject({ unmanaged: ["manual"] });
    return state;
  };
  const diffIn = async (journal: Partial<Journal>, more: Values = {}, names = ["x", "y"]) => {
    const state = await leftState();
    const engine = engineIn(journal);
    return engine.diff(set, state, await inputsOf(engine, names, more));
  };
  const OF_PART: Partial<Journal> = { ...SAVED, sight: () => "part" };
  const AT_ONCE: Partial<Journal> = { sight: () => "part" };

  it("is refused where it is for a part of the program: its apply would remove what it does not show", async () => {
    await expect(diffIn(OF_PART)).rejects.toThrow(
      /would remove 1 record \(manual\) that the state has in `unmanaged`, .* a part of the program\. Plan without -refresh=false/,
    );
  });

  it("is refused where the list fails", async () => {
    const state = await leftState();
    const engine = engineIn(SAVED);
    const inputs = await inputsOf(engine, ["x", "y"]);
    world.traffic.strikeAll(({ url }) => url.endsWith("?list=true"), "403");
    await expect(engine.diff(set, state, inputs)).rejects.toThrow(/cannot be listed: .*403/);
  });

  it.each([
    ["it ignores the record", OF_PART, { ignore: ["manual"] }, ["x", "y"]],
    ["it names the record", OF_PART, {}, ["x", "manual"]],
    ["it is not exclusive any more", OF_PART, { exclusive: false }, ["x", "y"]],
    ["it does not change the set", OF_PART, {}, ["x"]],
    ["it is applied at once", AT_ONCE, {}, ["x", "y"]],
  ] as const)("is made where %s", async (_, journal, more, names) => {
    await expect(diffIn(journal, more, [...names])).resolves.toBeDefined();
  });
});

describe("a refresh for a part of the program", () => {
  const readIn = async (journal: Partial<Journal>) => {
    const engine = engineIn({ ...journal, sight: () => "part" });
    const { id, state } = await engine.create(set, await inputsOf(engine, ["x"]));
    await makeByHand("manual");
    return (await engine.read(set, id, state))?.state;
  };

  it("says what nobody of the program has, as any other one", async () => {
    expect(await readIn({})).toMatchObject({ unmanaged: ["manual"] });
  });

  it("leaves it out where the plan is saved, whose apply would take it for shown", async () => {
    expect(await readIn({ isPlanSaved: () => true })).not.toHaveProperty("unmanaged");
  });
});
