import { expect, it } from "vitest";
import { firstChange } from "../support/contract-fault-loop.ts";
import type { Subject } from "../support/contract-subject.ts";
import { forEveryPairing, type Pairing } from "../support/contract-suite.ts";
import { isProbe } from "../support/contract-traffic.ts";
import { openWorld, type World } from "../support/contract-world.ts";

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
    await expect(stack.up(args)).rejects.toThrow(/^updating .*another server/);
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
