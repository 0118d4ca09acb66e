// @servers embedded vault

import { describe, expect, it } from "vitest";
import type { Definition, Values } from "../../provider/core/definition.ts";
import { definitions } from "../../provider/resources/index.ts";
import { hostNames } from "../support/contract-host.ts";
import { engineWithLog } from "../support/contract-host-engine.ts";
import { closeServersAfterwards, servicesUnderTest } from "../support/contract-servers.ts";
import { createStack } from "../support/contract-stack.ts";
import { isProbe, type SeenRequest } from "../support/contract-traffic.ts";
import { openWorld } from "../support/contract-world.ts";
import { jwtMount } from "./cases/mounts.ts";

closeServersAfterwards();

const CUT = "a connection cut after the server has done it";
const isDelete = ({ method }: SeenRequest) => method === "DELETE";

describe.each(hostNames)("a record of a set, through the %s host,", (host) => {
  if (servicesUnderTest.includes("secrets"))
    describe("that is deleted", () => {
      const begin = async () => {
        const world = await openWorld();
        const mount = await jwtMount(world);
        const one = { roleType: "jwt", userClaim: "sub", boundAudiences: ["https://aud.example"] };
        const set = (...names: string[]) => ({ mount, roles: Object.fromEntries(names.map((name) => [name, one])) });
        const stack = createStack(world.host(host, "jwtRoleSet"));
        await stack.up(set("a", "b"));
        const isThere = async (name: string) =>
          (await world.raw("secrets").ask(`GET auth/${mount}/role/${name}`)).status === 200;
        return { world, stack, set, isThere };
      };

      it("without an answer is looked for: where it is gone, all is done", async () => {
        const { world, stack, set, isThere } = await begin();
        world.traffic.strikeAll(isDelete, CUT);
        await stack.up(set("a"));
        world.traffic.calm();
        expect(await isThere("b")).toBe(false);
        expect(await stack.preview(set("a"))).toEqual({ step: "same", replaces: [] });
        await stack.up(set("a", "b"));
        expect(await isThere("b")).toBe(true);
      });

      it("without an answer, and cannot be looked for, is made again where the program has it again", async () => {
        const { world, stack, set, isThere } = await begin();
        let isOver = false;
        world.traffic.strikeAll((request) => {
          isOver ||= isDelete(request);
          return isOver && !isProbe(request);
        }, CUT);
        await expect(stack.up(set("a"))).rejects.toThrow(/it is not known whether it was deleted/);
        world.traffic.calm();
        expect(await isThere("b")).toBe(false);
        await stack.up(set("a", "b"));
        expect(await isThere("b")).toBe(true);
        expect(await stack.preview(set("a", "b"))).toEqual({ step: "same", replaces: [] });
      });
    });

  if (servicesUnderTest.includes("policy"))
    describe("whose id the server gives", () => {
      const begin = async () => {
        const world = await openWorld();
        const policySetId = world.servers.freshPolicySet();
        const set = (sensitive: boolean, ...keys: string[]) => ({
          policySetId,
          parameters: Object.fromEntries(keys.map((key) => [key, { value: `v-${key}`, sensitive }])),
        });
        const keys = async () => {
          const { body } = await world.raw("policy").ask(`GET policy-sets/${policySetId}/parameters`);
          const { data } = body as { data: { attributes: { key: string } }[] };
          return data.map(({ attributes }) => attributes.key).sort();
        };
        return { world, stack: createStack(world.host(host, "policyParameterSet")), set, keys };
      };

      it("that is deleted to be made anew, and is refused then, is made by the run that goes back", async () => {
        const { world, stack, set, keys } = await begin();
        await stack.up(set(true, "a"));
        world.traffic.strikeAll(({ method }) => method === "POST", "403");
        await expect(stack.up(set(false, "a"))).rejects.toThrow(/403/);
        world.traffic.calm();
        expect(await keys()).toEqual([]);
        await stack.up(set(true, "a"));
        expect(await keys()).toEqual(["a"]);
        expect(await stack.preview(set(true, "a"))).toEqual({ step: "same", replaces: [] });
      });

      it("whose deletion and creation nobody has answered for is there once in the end, or not at all", async () => {
        const { world, stack, set, keys } = await begin();
        await stack.up(set(true, "a", "b"));
        const from = (method: string) => {
          let isOver = false;
          return (request: SeenRequest) => {
            isOver ||= request.method === method;
            return isOver;
          };
        };
        world.traffic.strikeAll(from("DELETE"), CUT);
        await expect(stack.up(set(true, "b"))).rejects.toThrow(/it is not known whether it was deleted/);
        world.traffic.calm();
        await stack.up(set(true, "a", "b"));
        expect(await keys()).toEqual(["a", "b"]);

        world.traffic.strikeAll(from("POST"), CUT);
        await expect(stack.up(set(true, "a", "b", "c"))).rejects.toThrow(/it is not known whether it was written/);
        world.traffic.calm();
        expect(await keys()).toEqual(["a", "b", "c"]);
        await stack.up(set(true, "a", "b"));
        expect(await keys()).toEqual(["a", "b"]);
        await stack.destroy();
        expect(await keys()).toEqual([]);
      });
    });
});

it.runIf(servicesUnderTest.includes("secrets"))(
  "an exclusive set removes nothing in a mount made anew by the run that writes it there",
  async () => {
    const world = await openWorld();
    const engine = engineWithLog(world.config(), []);
    const make = async (definition: Definition, args: Values) =>
      engine.create(definition, (await engine.check(definition, args)).inputs);
    const role = { roleType: "jwt", userClaim: "sub", boundAudiences: ["a"] };
    const { jwtRoleSet, sysAuthMount } = definitions;
    const [raw, path] = [world.raw("secrets"), world.fresh("remade")];
    const mount = await make(sysAuthMount, { path, type: "jwt" });
    const args = { mount: path, defaults: role, roles: { ci: {} }, exclusive: true };
    const { id, state } = await make(jwtRoleSet, args);
    await raw.call(`DELETE sys/auth/${path}`);
    await raw.call(`POST sys/auth/${path}`, { type: "jwt" });
    await raw.call(`POST auth/${path}/role/theirs`, { role_type: "jwt", user_claim: "email", bound_audiences: ["b"] });
    const lines: string[] = [];
    const later = engineWithLog(world.config(), lines);
    for (const _ of ["preview", "update"]) {
      later.startRun();
      await later.diff(sysAuthMount, mount.state, (await later.check(sysAuthMount, { path, type: "jwt" })).inputs);
      await later.diff(jwtRoleSet, state, (await later.check(jwtRoleSet, args)).inputs);
    }
    await later.update(jwtRoleSet, id, state, (await later.check(jwtRoleSet, args)).inputs);
    expect(lines.join()).toMatch(
      /1 record \("?theirs"?\) that the program does not name stays: .*made anew; the next one does/,
    );
    expect((await raw.ask(`GET auth/${path}/role/theirs`)).status).toBe(200);
  },
);
