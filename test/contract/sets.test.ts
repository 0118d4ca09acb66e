// @servers embedded vault

import { describe, expect, it } from "vitest";
import type { Values } from "../../provider/core/definition.ts";
import { isRecord } from "../../provider/core/unknowns.ts";
import type { Engine } from "../../provider/engine/engine.ts";
import { definitions } from "../../provider/resources/index.ts";
import { Command, type Phase } from "../support/command.ts";
import { definitionOf } from "../support/contract-case.ts";
import { hostNames, type ResourceName } from "../support/contract-host.ts";
import { engineWithLog } from "../support/contract-host-engine.ts";
import type { ServiceName } from "../support/contract-raw.ts";
import { closeServersAfterwards, servicesUnderTest } from "../support/contract-servers.ts";
import { createStack, InputsRefused } from "../support/contract-stack.ts";
import { isMountsList, isProbe } from "../support/contract-traffic.ts";
import { openWorld, type World } from "../support/contract-world.ts";
import { jwtMount } from "./cases/mounts.ts";

closeServersAfterwards();

/** What a test needs of one kind of set. */
interface Kind {
  readonly set: ResourceName;
  readonly single: ResourceName;
  readonly service: ServiceName;
  /** Names that nobody else uses. */
  open(world: World): Promise<Ground>;
}

interface Ground {
  readonly names: readonly [string, string, string, string];
  /** The arguments of a set of these names; `revision` changes every record. */
  set(names: readonly string[], more?: Values, revision?: number): Values;
  single(name: string): Values;
  /** The names of the records that are there, of those that the test uses. */
  stored(): Promise<readonly string[]>;
  put(name: string): Promise<unknown>;
  remove(name: string): Promise<unknown>;
  /** True for a request that is about this record. */
  isAbout(name: string): (request: { readonly method: string; readonly url: string }) => boolean;
}

const kinds: readonly Kind[] = [
  {
    set: "jwtRoleSet",
    single: "jwtRole",
    service: "secrets",
    async open(world) {
      const mount = await jwtMount(world);
      const raw = world.raw("secrets");
      const common = { roleType: "jwt", userClaim: "sub", boundAudiences: ["https://aud.example"] };
      const path = (name: string) => `auth/${mount}/role/${name}`;
      return {
        names: ["a", "b-1", "c.d", "stray"],
        set: (names, more = {}, revision = 0) => ({
          mount,
          defaults: { ...common, tokenTtl: 60 + revision },
          roles: Object.fromEntries(names.map((name) => [name, { boundSubject: name }])),
          ...more,
        }),
        single: (name) => ({ mount, name, ...common, tokenTtl: 60, boundSubject: name }),
        async stored() {
          const { body } = await raw.ask(`GET auth/${mount}/role?list=true`);
          const keys = isRecord(body) && isRecord(body["data"]) ? body["data"]["keys"] : [];
          return Array.isArray(keys) ? keys.map(String).sort() : [];
        },
        put: (name) => raw.call(`POST ${path(name)}`, { role_type: "jwt", user_claim: "sub", bound_subject: "x" }),
        remove: (name) => raw.call(`DELETE ${path(name)}`),
        isAbout:
          (name) =>
          ({ url }) =>
            url.endsWith(`/role/${name}`),
      };
    },
  },
];

const underTest = kinds.filter(({ service }) => servicesUnderTest.includes(service));

describe.each(underTest)("$set", ({ set, single, open }) => {
  describe.each(hostNames)("through the %s host", (host) => {
    const begin = async () => {
      const world = await openWorld();
      return { world, ground: await open(world), stack: createStack(world.host(host, set)) };
    };

    it("an exclusive set shows and removes what the program does not name, and leaves alone what it ignores", async () => {
      const { ground, stack } = await begin();
      const [a, b, , stray] = ground.names;
      await ground.put(stray);
      await ground.put("kept-one");

      const open = ground.set([a, b]);
      await stack.up(open);
      expect(await stack.preview(open)).toEqual({ step: "same", replaces: [] });
      const exclusive = { ...open, exclusive: true, ignore: ["kept-*"] };
      await stack.up(exclusive);
      expect(await ground.stored()).toEqual([a, b, "kept-one"]);
      expect(await stack.preview(exclusive)).toEqual({ step: "same", replaces: [] });

      await ground.put(stray);
      expect(await stack.preview(exclusive)).toEqual({ step: "update", replaces: [] });
      await stack.refresh();
      expect(await stack.preview(exclusive)).toEqual({ step: "update", replaces: [] });
      await stack.up(exclusive);
      expect(await ground.stored()).toEqual([a, b, "kept-one"]);
    });

    it("an exclusive set never removes more than maxDeletes, and changes nothing then", async () => {
      const { ground, stack, world } = await begin();
      const [a, b, c, stray] = ground.names;
      await stack.up(ground.set([a, b, c]));
      await ground.put(stray);
      const args = ground.set([a], { exclusive: true, maxDeletes: 2 }, 1);
      world.traffic.forget();

      await expect(stack.up(args)).rejects.toThrow(/3 records would be removed .* max(Deletes|_deletes) is 2/);
      expect(world.traffic.seen().filter(({ method }) => method !== "GET")).toEqual([]);

      await stack.up({ ...args, maxDeletes: 3 });
      expect(await ground.stored()).toEqual([a]);
    });

    it("a record that fails stops no other one, is named, and is all that the next run repairs", async () => {
      const { ground, stack, world } = await begin();
      const [a, b, c] = ground.names;
      world.traffic.strikeAll((request) => request.method !== "GET" && ground.isAbout(b)(request), "403");

      await expect(stack.up(ground.set([a, b, c]))).rejects.toThrow(/1 of 3 records failed: creating .*b-1.*403/);
      expect(await ground.stored()).toEqual([a, c]);
      expect(recordsOf(stack.entry()?.outputs)).toEqual([a, c]);

      world.traffic.calm();
      world.traffic.forget();
      stack.untaint();
      await stack.up(ground.set([a, b, c]));
      const writes = world.traffic.seen().filter(({ method }) => method !== "GET");
      expect(writes.map(ground.isAbout(b))).toEqual([true]);
      expect(await stack.preview(ground.set([a, b, c]))).toEqual({ step: "same", replaces: [] });
    });

    it("a write without an answer is repaired by the next run, and nothing else is", async () => {
      const { ground, stack, world } = await begin();
      const [a, b, c] = ground.names;
      await stack.up(ground.set([a, b, c]));
      const after = ground.set([a, b, c], {}, 1);
      const isWrite = ground.isAbout(b);
      world.traffic.strikeAll((request) => isWrite(request), "a connection cut after the server has done it");

      await expect(stack.up(after)).rejects.toThrow(/1 of 3 records failed/);
      world.traffic.calm();
      world.traffic.forget();
      expect((await stack.preview(after)).step).toBe("update");
      await stack.up(after);
      expect(
        world.traffic.seen().filter((request) => !isProbe(request) && !isMountsList(request) && !isWrite(request)),
      ).toEqual([]);
      expect(await stack.preview(after)).toEqual({ step: "same", replaces: [] });
      expect(await stack.refresh()).toBe(true);
      expect(await stack.preview(after)).toEqual({ step: "same", replaces: [] });
    });

    it("a set without records is one: it is made, read and, where it is exclusive, keeps its mount empty", async () => {
      const { ground, stack } = await begin();
      const [a] = ground.names;
      const empty = ground.set([], { exclusive: true });
      await stack.up(empty);
      expect(await stack.refresh()).toBe(true);
      expect(await stack.preview(empty)).toEqual({ step: "same", replaces: [] });
      await ground.put(a);
      await stack.up(empty);
      expect(await ground.stored()).toEqual([]);
    });

    it("refuses two names that are one record, a name that is none, and a setting that there is not", async () => {
      const { ground, stack } = await begin();
      const args = ground.set(["../x", "ok"]);
      const property = definitionOf(set).members?.property ?? "";
      const wrong = { ...args, [property]: { ...Object(args[property]), ok: { tokenTTL: 1 } } };
      const refusal = await stack.up(wrong).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(InputsRefused);
      const places = (refusal as InputsRefused).failures.map((failure) => failure.property);
      expect(places).toEqual([`${property}["../x"]`, `${property}.ok.tokenTTL`]);
    });
  });

  it("a run that is cancelled begins no further record, and records what it did", async () => {
    const world = await openWorld();
    const ground = await open(world);
    const definition = definitionOf(set);
    const [a, b, c] = ground.names;
    const engine = engineWithLog(world.config(), []);
    const { inputs } = await engine.check(definition, ground.set([a, b, c], { parallel: 1 }));
    const controller = new AbortController();
    world.traffic.hold(ground.isAbout(b), async () => controller.abort());

    const error: unknown = await engine.create(definition, inputs, { signal: controller.signal }).catch((e) => e);
    expect(error).toMatchObject({ code: "PartialError" });
    const left = (error as { properties: Values }).properties;
    expect(recordsOf(left)).toContain(a);
    expect(recordsOf(left)).not.toContain(c);
    expect(await ground.stored()).not.toContain(c);
  });

  it("single resources become a set, and a set single resources, without a write to the server", async () => {
    const world = await openWorld();
    const ground = await open(world);
    const [a, b] = ground.names;
    const [one, all] = [definitionOf(single), definitionOf(set)];
    const engine = engineWithLog(world.config(), []);
    const singles = await Promise.all([a, b].map((name) => engine.check(one, ground.single(name))));
    const made = await Promise.all(singles.map(({ inputs }) => engine.create(one, inputs)));
    const { inputs } = await engine.check(all, ground.set([a, b]));
    world.traffic.forget();

    // A run makes what is new in the program, and then deletes what has left it.
    engine.startRun();
    const whole = await engine.create(all, inputs);
    for (const { id, state } of made) await engine.delete(one, id, state);
    engine.startRun();
    for (const each of singles) await engine.create(one, each.inputs);
    await engine.delete(all, whole.id, whole.state);

    expect(world.traffic.seen().filter(({ method }) => method !== "GET")).toEqual([]);
    expect(await ground.stored()).toEqual([a, b]);
  });

  it("a set that only goes to another connection of its server keeps its records when its former resource goes", async () => {
    const world = await openWorld();
    const ground = await open(world);
    const [a, b] = ground.names;
    const config = world.config();
    const own: unknown = JSON.parse(config.secrets ?? "{}");
    const connections = JSON.stringify({ east: { ...Object(own), service: "secrets" } });
    const engine = engineWithLog({ ...config, connections }, []);
    const all = definitionOf(set);
    const { inputs } = await engine.check(all, ground.set([a, b]));
    const { id, state } = await engine.create(all, inputs);

    engine.startRun();
    const moved = await engine.check(all, ground.set([a, b], { connection: "east" }));
    await engine.diff(all, state, moved.inputs);
    await engine.update(all, id, state, moved.inputs);
    await engine.delete(all, id, state);

    expect(await ground.stored()).toEqual([a, b]);
  });

  it("a record that a set and a single resource of one program have is refused, naming the first", async () => {
    const world = await openWorld();
    const ground = await open(world);
    const [a, b] = ground.names;
    const engine = engineWithLog(world.config(), []);
    const one = await engine.check(definitionOf(single), ground.single(a));
    const all = await engine.check(definitionOf(set), ground.set([a, b]));
    await engine.create(definitionOf(single), one.inputs);

    await expect(engine.create(definitionOf(set), all.inputs)).rejects.toThrow(
      /1 of 2 .*two resources of this program/,
    );
    expect(await ground.stored()).toEqual([a, b]);
  });
});

function recordsOf(state: Values | undefined): string[] {
  const [records] = Object.values(state ?? {}).filter((value) => isRecord(value) && !("roleType" in value));
  return Object.keys(records ?? {}).sort();
}

describe.runIf(servicesUnderTest.includes("secrets"))("an exclusive set", () => {
  it.each(["jwtRole", "jwtRoleSet"] as const)(
    "leaves what a %s has through another name of the server",
    async (kind) => {
      const world = await openWorld();
      const { names, set, single, stored } = await (kinds[0] as Kind).open(world);
      const config = world.config();
      const elsewhere = JSON.parse(JSON.stringify(config).replaceAll("127.0.0.1", "localhost"));
      const command = new Command();
      const open = (phase: Phase) =>
        [config, elsewhere].map((of) => engineWithLog(of, [], command.open(phase))) as [Engine, Engine];
      const args = kind === "jwtRole" ? single(names[3]) : set([names[3]], { exclusive: true });
      const other = async (engine: Engine) => (await engine.check(definitions[kind], args)).inputs;
      const all = async (engine: Engine) =>
        (await engine.check(definitions.jwtRoleSet, set([names[0], names[1]], { exclusive: true }))).inputs;
      const made = engineWithLog(config, []);
      const { state } = await made.create(definitions[kind], await other(made));

      const [first, second] = open("preview");
      await first.foresee(definitions.jwtRoleSet, await all(first));
      await second.diff(definitions[kind], state, await other(second));
      const [now] = open("update");
      await now.create(definitions.jwtRoleSet, await all(now));
      expect(await stored()).toEqual([names[0], names[1], names[3]]);
    },
  );
});
