import { expect, it, onTestFinished } from "vitest";
import { cases } from "../contract/cases/index.ts";
import type { ResourceCase } from "../support/contract-case.ts";
import type { ResourceName } from "../support/contract-host.ts";
import type { ContractServers, ServiceAddress } from "../support/contract-servers.ts";
import { startEmbedded } from "../support/contract-servers-embedded.ts";
import { openSubject } from "../support/contract-subject.ts";
import { openWorld } from "../support/contract-world.ts";
import { lastingPorts, newDataFile } from "./data-harness.ts";

/** Both servers on data files; each start ends what runs, and takes its addresses, by which clusters know each other. */
function lastingServers(): () => Promise<ContractServers> {
  const lasting = async () => ({ data: newDataFile(), ports: await lastingPorts() });
  const [first, second] = [lasting(), lasting()];
  let running: ContractServers | undefined;
  onTestFinished(() => running?.close());
  return async () => {
    await running?.close();
    running = await startEmbedded(await first, await second);
    return byAddress(running);
  };
}

/** Asked by address: after a restart another server of this process answers there. */
function byAddress(servers: ContractServers): ContractServers {
  const { secrets, cluster, peer, policy } = servers;
  const only = ({ address, token }: ServiceAddress) => ({ address, token });
  const { policySet } = policy;
  return {
    ...servers,
    ...{ secrets: only(secrets), cluster: only(cluster), peer: only(peer) },
    policy: { ...only(policy), policySet },
  };
}

// The keys of `cases` are the names of the resources.
it.each(Object.keys(cases) as ResourceName[])(
  "a stack with %s knows the server again after a restart, and finds nothing changed",
  async (resource) => {
    const start = lastingServers();
    // The names of both tables agree, which the type of `cases` checks; here any of them is meant.
    const of = cases[resource] as unknown as ResourceCase;
    const world = await openWorld({ servers: await start() });
    const { stack, ground } = await openSubject({ resource, host: "engine", of, world });
    const args = ground.full;
    expect(await stack.up(args)).toBe("create");

    await start();
    stack.restart(world.host("engine", resource));

    expect(await stack.refresh()).toBe(true);
    expect(await stack.preview(args)).toEqual({ step: "same", replaces: [] });
    expect(await stack.up(args)).toBe("same");
    await stack.destroy();
    expect(stack.entry()).toBeUndefined();
  },
);

it("a stack does not take another server for it: what that one lacks is not gone", async () => {
  const world = await openWorld({ servers: await lastingServers()() });
  // As above.
  const of = cases.jwtRole as unknown as ResourceCase;
  const { stack, ground } = await openSubject({ resource: "jwtRole", host: "engine", of, world });
  await stack.up(ground.full);

  const another = await openWorld({ servers: await lastingServers()() });
  stack.restart(another.host("engine", "jwtRole"));

  await expect(stack.refresh()).rejects.toThrow("the state was written to another server");
});
