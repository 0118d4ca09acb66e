// @servers embedded

import { describe, expect, it, onTestFinished } from "vitest";
import type { Values } from "../../provider/core/definition.ts";
import { definitions } from "../../provider/resources/index.ts";
import { hostNames } from "../support/contract-host.ts";
import { engineWithLog } from "../support/contract-host-engine.ts";
import { closeServersAfterwards, servicesUnderTest } from "../support/contract-servers.ts";
import { createStack } from "../support/contract-stack.ts";
import { openWorld, type World } from "../support/contract-world.ts";

closeServersAfterwards();

const policyHosts = servicesUnderTest.includes("policy") ? hostNames : [];
const [staging, production, project] = ["ws-demo000000000001", "ws-demo000000000002", "prj-demo000000000001"];
const data = (type: string, id: string) => ({ data: [{ type, id }] });
const sets = (attributes: object) => ({ data: { type: "policy-sets", attributes } });

it.runIf(policyHosts.length > 0)(
  "parameters are gone with a set that the same run finds gone, and not with a lost permission",
  async () => {
    const world = await openWorld();
    const engine = engineWithLog(world.config(), []);
    onTestFinished(() => engine.end());
    const make = async (resource: "policyPolicySet" | "policyParameter" | "policyParameterSet", args: Values) => {
      const { inputs } = await engine.check(definitions[resource], args);
      const { id, state } = await engine.create(definitions[resource], inputs);
      return { state, read: () => engine.read(definitions[resource], id, state) };
    };
    const set = await make("policyPolicySet", { organization: "demo", name: world.fresh("set") });
    const { policySetId } = set.state;
    const inIt = [
      await make("policyParameter", { policySetId, key: "a" }),
      await make("policyParameterSet", { policySetId, parameters: { b: {} } }),
      await make("policyParameterSet", { policySetId, parameters: { c: {} }, exclusive: true }),
    ];
    const reads = () => Promise.allSettled([...inIt, set].map(({ read }) => read()));
    world.traffic.strikeAll(({ url }) => url.includes(String(policySetId)), "a JSON:API 404");
    engine.startRun();
    expect((await reads()).map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected", "fulfilled"]);
    world.traffic.calm();
    await world.raw("policy").call(`DELETE policy-sets/${String(policySetId)}`);
    engine.startRun();
    expect(await reads()).toEqual(Array(4).fill({ status: "fulfilled", value: undefined }));
  },
);

describe.each(policyHosts)("a policy set through the %s host", (name) => {
  async function open() {
    const world = await openWorld();
    const args = { organization: "demo", name: world.fresh("set") };
    const host = world.host(name, "policyPolicySet");
    return { world, host, args, stack: createStack(host) };
  }

  /** The sets of this name that the server has. */
  async function named(world: World, text: string): Promise<readonly { readonly id: string }[]> {
    const path = `organizations/demo/policy-sets?search%5Bname%5D=${text}`;
    const answer = await world.raw("policy").call(`GET ${path}`);
    // What the API answers to a list.
    return (answer as { data: { id: string }[] }).data;
  }

  // @covers beyond: Endpoints > POST organizations/{organization}/policy-sets
  it("is made once although the answer is lost, and the next run has it", async () => {
    const { world, args, stack } = await open();
    world.traffic.strikeAll(({ method }) => method === "POST", "a connection cut after the server has done it");
    await expect(stack.up(args)).rejects.toThrow(/no answer/);
    world.traffic.calm();
    const made = await named(world, args.name);
    expect(made).toHaveLength(1);
    stack.untaint();

    expect(await stack.up({ ...args, description: "second" })).toBe("update");

    expect(stack.entry()?.id).toBe(`demo/${made[0]?.id}`);
    expect(await named(world, args.name)).toHaveLength(1);
  });

  it("is not asked for twice where a gateway fails, as the first request may have been carried out", async () => {
    const { world, args, stack } = await open();
    world.traffic.strikeAll(({ method }) => method === "POST", "503");
    await expect(stack.up(args)).rejects.toThrow(/503/);
    expect(world.traffic.seen().filter(({ method }) => method === "POST")).toHaveLength(1);
  });

  // @covers beyond: Policy set > name
  it("takes the name of a set for its id in an import, and records the id", async () => {
    const { host, args, stack } = await open();
    await stack.up({ ...args, description: "text" });
    const again = createStack(host);
    expect(await again.adopt(`demo/${args.name}`)).toMatchObject({ ...args, description: "text" });
    expect(again.entry()).toMatchObject({ id: stack.entry()?.id });
    expect(await again.preview({ ...args, description: "text" })).toEqual({ step: "same", replaces: [] });
  });

  // @covers beyond: Policy set > kind
  it("does not take over one of another kind, whose policies are in another language", async () => {
    const { world, args, stack } = await open();
    await world.raw("policy").call("POST organizations/demo/policy-sets", sets({ name: args.name, kind: "opa" }));
    await expect(stack.up(args)).rejects.toThrow(/it exists already, with another kind \("opa"\)/);
    expect(await named(world, args.name)).toHaveLength(1);
  });

  it("keeps the workspaces and projects that others attach, until the program has named some", async () => {
    const { world, args, host, stack } = await open();
    await stack.up(args);
    const path = `policy-sets/${(await named(world, args.name))[0]?.id}`;
    const attached = { workspaces: data("workspaces", staging), projects: data("projects", project) };
    const theirs = { ...attached, "workspace-exclusions": data("workspaces", production) };
    await world.raw("policy").call(`PATCH ${path}`, { data: { type: "policy-sets", relationships: theirs } });
    await stack.refresh();

    expect(await stack.up(args)).toBe("same");
    expect(await stack.up({ ...args, description: "other" })).toBe("update");
    expect(await world.raw("policy").call(`GET ${path}`)).toMatchObject({ data: { relationships: theirs } });
    await stack.refresh();

    const imported = createStack(host);
    expect(await imported.adopt(`demo/${args.name}`)).toMatchObject({ workspaceIds: [staging], projectIds: [project] });
    expect(await stack.up({ ...args, workspaceIds: [production] })).toBe("update");
    expect(await stack.up(args)).toBe("update");
    const left = { ...theirs, workspaces: { data: [] } };
    expect(await world.raw("policy").call(`GET ${path}`)).toMatchObject({ data: { relationships: left } });
  });

  it("gives its parameters the id that they want", async () => {
    const { world, args, stack } = await open();
    await stack.up(args);
    const { policySetId } = stack.entry()?.outputs ?? {};
    const parameter = createStack(world.host(name, "policyParameter"));
    expect(await parameter.up({ policySetId, key: "k" })).toBe("create");
    await stack.destroy();
    // They go with their set; whoever reads them alone cannot tell that from a lost permission.
    await expect(parameter.refresh()).rejects.toThrow(
      /there is no such policy set, .* `(pulumi state delete|terraform state rm)`/,
    );
  });

  // @covers beyond: Endpoints > DELETE policy-sets/{policySetId}
  it("is not taken for gone by a token that may read it, but not manage policies", async () => {
    const { world, args, stack } = await open();
    await stack.up(args);
    world.traffic.strikeAll(({ method }) => method !== "GET", "a JSON:API 404");
    await expect(stack.destroy()).rejects.toThrow(/404 not found .*may read the policy set, but not manage policies/);
    world.traffic.strikeAll(() => true, "a JSON:API 404");
    await expect(stack.destroy()).rejects.toThrow(/404 not found .*cannot read the policy sets of organizations\/demo/);
    await expect(stack.refresh()).rejects.toThrow(/404 not found .*cannot read the policy sets of organizations\/demo/);
    world.traffic.calm();
    expect(await stack.refresh()).toBe(true);
    expect(await named(world, args.name)).toHaveLength(1);
  });

  // @covers beyond: Endpoints > GET organizations/{organization}/policy-sets
  it("is found on the second page of its organization", async () => {
    const { world, args, stack } = await open();
    const organization = world.fresh("org");
    const raw = world.raw("policy");
    await raw.call("POST organizations", { data: { type: "organizations", attributes: { name: organization } } });
    const others = Array.from({ length: 100 }, (_, at) => sets({ name: `other-${at}` }));
    await Promise.all(others.map((set) => raw.call(`POST organizations/${organization}/policy-sets`, set)));
    await stack.up({ ...args, organization });
    world.traffic.forget();
    expect(await stack.refresh()).toBe(true);
    expect(world.traffic.seen().map(({ url }) => /page%5Bnumber%5D=(\d)/.exec(url)?.[1])).toEqual([undefined, "2"]);
  });
});
