// @servers embedded: it is about Pulumi's dynamic host
// @without-terraform: it asks the engine or Pulumi's hosts
// @alone: its modules keep what they have loaded, for a process that serves one program

import { describe, expect, it } from "vitest";
import { dynamicProvider } from "../../provider/hosts/dynamic/dynamic-provider.ts";
import { addressOf } from "../support/contract-case.ts";
import { closeServersAfterwards } from "../support/contract-servers.ts";
import { resourceNames } from "../support/contract-suite.ts";
import { openWorld } from "../support/contract-world.ts";

closeServersAfterwards();

/** What Pulumi's dynamic host does to a provider beside calling it. */
describe("the dynamic host", () => {
  it.each(resourceNames)("%s: a module serves every function that Pulumi looks for", async (resource) => {
    const functions = ["check", "diff", "create", "read", "update", "delete", "configure"];
    const module: Record<string, unknown> = await import(`../../provider/hosts/dynamic/modules/${resource}.ts`);
    for (const name of functions) expect(module[name], name).toBeTypeOf("function");
  });

  it("calls that come before the configuration has been read are served with it all the same", async () => {
    const world = await openWorld();
    const mount = world.fresh("jwt");
    await world.raw("secrets").call(`POST sys/auth/${mount}`, { type: "jwt" });
    const provider = dynamicProvider("jwtRole");
    const texts = world.config();
    const args = { mount, roleType: "jwt", userClaim: "sub", boundAudiences: ["a"], __provider: "x" };
    const configured = provider.configure({
      config: { get: (key: string) => texts[key.replace("trustplane:", "")], require: () => "" },
    });
    const names = ["a", "b", "c", "d"];
    const made = await Promise.all(names.map((name) => provider.create({ ...args, name })));
    await configured;
    expect(made.map(({ id }) => id)).toEqual(names.map((name) => `auth/${mount}/role/${name}`));
  });

  it("the provider's text is no property, neither sent nor compared nor answered", async () => {
    const world = await openWorld();
    const mount = world.fresh("jwt");
    await world.raw("secrets").call(`POST sys/auth/${mount}`, { type: "jwt" });
    const provider = dynamicProvider("jwtRole");
    const texts = world.config();
    await provider.configure({
      config: { get: (key: string) => texts[key.replace("trustplane:", "")], require: () => "" },
    });
    const args = { mount, name: "ci", roleType: "jwt", userClaim: "sub", boundAudiences: ["a"] };
    const { inputs } = await provider.check({ __provider: "one" }, { ...args, __provider: "two" });
    const { id, outs } = await provider.create({ ...inputs, __provider: "two" });
    expect(await provider.diff(id, { ...outs, __provider: "one" }, { ...inputs, __provider: "two" })).toMatchObject({
      changes: false,
    });
    const read = await provider.read(id, { ...outs, __provider: "one" });
    for (const answer of [inputs, outs, read.props, read.inputs]) expect(answer).not.toHaveProperty("__provider");
  });

  it("a stack of an earlier version, which does not say what is secret, is left as it is", async () => {
    const provider = dynamicProvider("jwtRole");
    const news = { name: "ci", boundSubject: "s", secretInputs: [["boundSubject"]], __provider: "x" };

    expect(await provider.diff("id", { name: "ci", boundSubject: "s", __provider: "x" }, news)).toEqual({
      changes: false,
    });
  });

  it("a state of the native classes is completed without a write, and its record made again where it is not there", async () => {
    const world = await openWorld();
    const path = world.fresh("jwt");
    const api = world.raw("secrets");
    await api.call(`POST sys/auth/${path}`, { type: "jwt" });
    const provider = dynamicProvider("sysAuthMount");
    const texts = world.config();
    await provider.configure({
      config: { get: (key: string) => texts[key.replace("trustplane:", "")], require: () => "" },
    });
    const { data } = (await api.call("GET sys/auth")) as { data: Record<string, { accessor: string }> };
    const olds = { path, type: "jwt", accessor: data[`${path}/`]?.accessor };
    const news = { path, type: "jwt", __provider: "x" };

    expect(await provider.diff(`sys/auth/${path}`, olds, news)).toEqual({ changes: true });
    expect(await provider.update(`sys/auth/${path}`, olds, news)).toEqual({ outs: olds });

    await api.call(`DELETE sys/auth/${path}`);
    const { outs } = await provider.update(`sys/auth/${path}`, olds, news);
    expect(outs).toMatchObject({ accessor: expect.stringMatching(/^auth_jwt_/) });
    expect(outs.accessor).not.toBe(olds.accessor);
  });

  it.each(resourceNames)(
    "%s: a difference of inputs is left for Pulumi to show, property by property",
    async (resource) => {
      const { cases } = await import("./cases/index.ts");
      const world = await openWorld();
      const { full } = await cases[resource].prepare(world);
      const provider = dynamicProvider(resource);
      const texts = world.config();
      await provider.configure({
        config: { get: (key: string) => texts[key.replace("trustplane:", "")], require: () => "" },
      });
      const { inputs } = await provider.check({}, full);
      const [field = ""] = Object.keys(full).filter((name) => !addressOf(resource).includes(name));
      const difference = await provider.diff("id", inputs, { ...inputs, [field]: undefined });
      // `changes: true` would show none of it, and `false` nothing at all.
      expect(field === "" ? undefined : difference.changes).toBeUndefined();
      expect(await provider.diff("id", inputs, inputs)).toEqual({ changes: false });
    },
  );
});
