import { describe, expect, it } from "vitest";
import { definitions } from "../../provider/resources/index.ts";
import { Command } from "../support/command.ts";
import { firstChange } from "../support/contract-fault-loop.ts";
import { engineWithLog } from "../support/contract-host-engine.ts";
import { servicesUnderTest } from "../support/contract-servers.ts";
import { createStack } from "../support/contract-stack.ts";
import type { Subject } from "../support/contract-subject.ts";
import { forEveryPairing, type Pairing } from "../support/contract-suite.ts";
import { isProbe } from "../support/contract-traffic.ts";
import { openWorld, type World } from "../support/contract-world.ts";
import { jwtMount } from "./cases/mounts.ts";

forEveryPairing("another server than the one in the state", (pairing) => {
  const { of, host, resource } = pairing;

  // @covers beyond: Endpoints > GET connect/ca/roots
  it("a record that is not there is not declared gone", async () => {
    const { stack } = await moved(pairing);
    const before = stack.entry();
    await expect(stack.refresh()).rejects.toThrow(/^reading .*another server/);
    expect(stack.entry()).toEqual(before);
  });

  it("an update is refused before anything is sent", async () => {
    const { subject, stack, elsewhere } = await moved(pairing);
    const { from, patch } = firstChange(pairing);
    const args = await subject.with(subject.ground.full, from, patch);
    await expect(stack.up(args)).rejects.toThrow(/^(comparing|updating) .*another server/);
    expect(writes(elsewhere)).toEqual([]);
  });

  it("a preview that would change nothing is refused, too: nobody has looked", async () => {
    const { subject, stack, elsewhere } = await moved(pairing);
    await expect(stack.preview(subject.ground.full)).rejects.toThrow(/another server/);
    expect(writes(elsewhere)).toEqual([]);
  });

  it("a delete is refused before anything is sent, where there is something to send", async () => {
    const { stack, elsewhere } = await moved(pairing, "minimal");
    const before = stack.entry();
    const isForgotten = of.requests.delete.length === 0;
    const outcome = await stack.destroy().then(
      () => "forgotten",
      (error: Error) => error.message,
    );
    expect(outcome).toMatch(isForgotten ? /^forgotten$/ : /^deleting .*another server/);
    expect(stack.entry()).toEqual(isForgotten ? undefined : before);
    expect(writes(elsewhere)).toEqual([]);
  });

  it("the message names both servers and what to do", async () => {
    const { stack } = await moved(pairing);
    await expect(stack.refresh()).rejects.toThrow(
      /written to another server \(.+\) than the one at .+ \(.+\).*TRUSTPLANE_REBUILT=/,
    );
  });

  it("with `rebuilt` what is not there is gone, and is made again", async () => {
    const { subject, stack, elsewhere } = await moved(pairing);
    stack.restart(elsewhere.host(host, resource, { rebuilt: true }));
    expect(await stack.refresh()).toBe(false);
    expect(subject.ground).toBeDefined();
  });

  it("a server that does not say which it is declares nothing gone", async () => {
    const { stack, elsewhere } = await moved(pairing);
    elsewhere.traffic.strikeAll(isProbe, "503");
    const before = stack.entry();
    await expect(stack.refresh()).rejects.toThrow(/^reading /);
    expect(stack.entry()).toEqual(before);
  });
});

const inVault = servicesUnderTest.includes("secrets") ? (["jwtRole", "jwtRoleSet"] as const) : [];

describe.each(inVault)("a %s", (resource) => {
  it("that is new to a stack is not made on another server than the stack is on", async () => {
    const [home, elsewhere] = [await openWorld(), await openWorld({ which: "second" })];
    const command = new Command();
    const engineOf = (world: World, more = {}) => engineWithLog(world.config(more), [], command.open("update"));
    const { jwtRole, [resource]: definition } = definitions;
    const settings = { roleType: "jwt", userClaim: "sub", boundAudiences: ["a"] };
    const mount = await jwtMount(home);
    await elsewhere.raw("secrets").call(`POST sys/auth/${mount}`, { type: "jwt" });
    const { state } = await engineOf(home).create(jwtRole, { mount, name: "old", ...settings });

    const isElsewhere = /another server \(.+\) than the one at .+TRUSTPLANE_REBUILT=secrets/;
    const engine = engineOf(elsewhere);
    const made = (name: string) =>
      resource === "jwtRole" ? { mount, name, ...settings } : { mount, defaults: settings, roles: { [name]: {} } };
    await expect(engine.diff(jwtRole, state, { mount, name: "old", ...settings })).rejects.toThrow(isElsewhere);
    await expect(engine.foresee(definition, made("new"))).rejects.toThrow(isElsewhere);
    await expect(engine.create(definition, made("new"))).rejects.toThrow(isElsewhere);
    expect(writes(elsewhere)).toEqual([]);

    const rebuilt = engineOf(elsewhere, { rebuilt: true });
    await rebuilt.diff(jwtRole, state, { mount, name: "old", ...settings });
    await rebuilt.foresee(definition, made("other"));
    await rebuilt.create(definition, made("other"));
  });
});

// The engine decides. Terraform is another kind of state.
const hosts = inVault.length > 0 ? (["engine", "terraform"] as const) : [];

describe.each(hosts)("what somebody else has on a rebuilt server, through the %s host", (host) => {
  const [ours, theirs] = ["kv/*", "b-team/*"].map((path) => `path "${path}" {\n  capabilities = ["read"]\n}\n`);

  async function rebuilt(there = theirs) {
    const [home, elsewhere] = [await openWorld(), await openWorld({ which: "second" })];
    const name = home.fresh("rebuilt");
    const stack = createStack(home.host(host, "sysPolicy"));
    await stack.up({ name, policy: ours });
    await elsewhere.raw("secrets").call(`POST sys/policies/acl/${name}`, { policy: there });
    const begin = (more: object = {}) => stack.restart(elsewhere.host(host, "sysPolicy", { rebuilt: true, ...more }));
    begin();
    elsewhere.traffic.forget();
    return { name, stack, elsewhere, begin };
  }

  it("is not written over without a yes, and leaves the state of a refresh", async () => {
    const { name, stack, elsewhere, begin } = await rebuilt();
    const changed = { name, policy: `${ours}\n${ours?.replace("kv", "more")}` };
    await expect(stack.up(changed)).rejects.toThrow(/it exists already with other content: policy/);
    expect(await stack.refresh()).toBe(false);
    await expect(stack.up({ name, policy: ours })).rejects.toThrow(/it exists already with other content: policy/);
    expect(writes(elsewhere)).toEqual([]);
    begin({ takeOver: "always" });
    expect(await stack.up({ name, policy: ours })).toBe("create");
    expect(writes(elsewhere)).toHaveLength(1);
  });

  it("is not deleted, whatever it has, unless a run before has made it the stack's", async () => {
    for (const there of [theirs, ours]) {
      for (const isRefreshed of [false, true]) {
        const { stack, elsewhere } = await rebuilt(there);
        const isKept = there === ours || !isRefreshed;
        if (isRefreshed) expect(await stack.refresh()).toBe(isKept);
        await stack.destroy();
        expect(stack.entry()).toBeUndefined();
        expect(writes(elsewhere)).toEqual([]);
      }
    }
    const { stack, elsewhere, begin } = await rebuilt(ours);
    expect(await stack.refresh()).toBe(true);
    begin();
    await stack.destroy();
    expect(writes(elsewhere)).toHaveLength(1);
  });
});

/** A resource that was created on one set of servers, in a process that now talks to another one. */
async function moved(
  { open, host, resource }: Pairing,
  which: "full" | "minimal" = "full",
): Promise<{ subject: Subject; stack: Subject["stack"]; elsewhere: World }> {
  const subject = await open();
  await subject.stack.up(subject.ground[which]);
  const elsewhere = await openWorld({ which: "second" });
  subject.stack.restart(elsewhere.host(host, resource));
  return { subject, stack: subject.stack, elsewhere };
}

function writes({ traffic }: World) {
  return traffic.seen().filter(({ method }) => method !== "GET");
}
