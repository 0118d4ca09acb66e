import { describe, expect, it } from "vitest";
import type { Values } from "../../provider/core/definition.ts";
import { mountedOf } from "../../provider/engine/mount-type.ts";
import { definitionOf, patched, pathOf, type RequestLine, serviceOf } from "../support/contract-case.ts";
import { firstChange } from "../support/contract-fault-loop.ts";
import { hasResource, hostNames } from "../support/contract-host.ts";
import type { ServiceName } from "../support/contract-raw.ts";
import { servicesUnderTest } from "../support/contract-servers.ts";
import { createStack } from "../support/contract-stack.ts";
import { forEveryPairing } from "../support/contract-suite.ts";
import { isForeseen, isProbe, lineOf, type Traffic } from "../support/contract-traffic.ts";
import { openWorld } from "../support/contract-world.ts";
import { terraformCore } from "../support/terraform-core.ts";
import { issuedToken } from "./cases/peers.ts";

/** Terraform's CLI configures the provider for the plan and once more for the apply: each asks which server it is, where it has to know. */
const isCli = terraformCore === "cli";

forEveryPairing("requests", (pairing) => {
  const { of, open, resource } = pairing;
  const prefix = serviceOf(resource) === "policy" ? "/api/v2/" : "/v1/";
  const sent = (line: string, values: Values) => pathOf(line)(values).replace(" ", ` ${prefix}`);
  const mounted = mountedOf(definitionOf(resource));
  /**
   * The check asks what is mounted, and where the write is a run of its own, as here, it does too: `mount-types.test.ts` counts.
   * A record that needs the list has it then.
   */
  const afterMounts = (budget: readonly RequestLine[]): readonly RequestLine[] => {
    const list = `GET sys/${mounted?.within ? "auth" : "mounts"}`;
    return mounted ? [{ repeated: list }, ...budget.filter((line) => line !== list)] : budget;
  };
  // The check of the dynamic classes and Terraform's plan look at what the write then looks at once more.
  const looksAhead = pairing.host === "dynamic" || pairing.host === "terraform" || isForeseen(definitionOf(resource));
  const expectSent = (traffic: Traffic, budget: readonly RequestLine[], values: Values) => {
    const plain = budget.map((line) => sent(typeof line === "string" ? line : line.repeated, values));
    const waits = budget.flatMap((line) => (typeof line === "string" ? [] : [sent(line.repeated, values)]));
    const ahead = (of.requests.ahead ?? []).map((line) => sent(line, values));
    const all = lines(traffic).filter((line) => !ahead.includes(line));
    const sentLines = looksAhead ? withoutPreview(all, plain) : all;
    expect(withoutWaiting(sentLines, waits)).toEqual(plain);
  };

  // @covers beyond: Endpoints > GET sys/health
  it("create, update, read and delete send what they must, and ask which server it is once per connection", async () => {
    const { stack, ground, world, known, with: over } = await open();
    const { patch, from } = firstChange(pairing);
    const before = await over(ground.minimal, from && patched({}, {}));
    const connections = resource === "clusterPeeredClusters" ? 2 : serviceOf(resource) === "policy" ? 0 : 1;

    await stack.up(before);
    expectSent(world.traffic, afterMounts(of.requests.create), known());
    const most = connections * (isCli ? 2 : 1);
    const asked = world.traffic.seen().filter(isProbe).length;
    expect([connections, most]).toContain(asked);
    world.traffic.forget();

    const after = await over(ground.full, from, patch);
    const changeable = patched(after, Object.fromEntries(fixedIn(of.fields).map((name) => [name, before[name]])));
    expect(await stack.up(changeable)).toBe("update");
    expectSent(world.traffic, afterMounts(of.requests.update), known());
    world.traffic.forget();

    await stack.refresh();
    expectSent(world.traffic, of.requests.read, known());
    world.traffic.forget();

    await stack.preview(changeable);
    expect(isCli ? lines(world.traffic) : world.traffic.seen()).toEqual([]);

    // Without what lets a delete do more, or ask less, than it does by itself.
    await stack.up(patched(changeable, { force: ground.minimal["force"], onDelete: undefined }));
    world.traffic.forget();
    await stack.destroy();
    expectSent(world.traffic, of.requests.delete, known());
    if (!isCli) expect(world.traffic.seen().filter(isProbe)).toEqual([]);
  });

  it("a preview without refresh sends nothing but the question which server it is", async () => {
    const { stack, ground, world, restart } = await open();
    await stack.up(ground.full);
    restart();
    world.traffic.forget();
    await stack.preview(ground.full);
    expect(lines(world.traffic)).toEqual([]);
    // A pair is on two servers.
    expect(world.traffic.seen().length).toBeLessThanOrEqual(resource === "clusterPeeredClusters" ? 2 : 1);
  });

  it("offline, nothing asks which server it is", async () => {
    const { stack, ground, world } = await open({ offline: true });
    await stack.up(ground.minimal);
    await stack.refresh();
    expect(world.traffic.seen().filter(isProbe)).toEqual([]);
    expect(await stack.preview(ground.minimal)).toEqual({ step: "same", replaces: [] });
  });
});

const many = [1, 2, 3, 4, 5];
/** None with Terraform's CLI, where each of these stacks is a program and a run of its own. */
const hostsOf = (service: ServiceName) => (servicesUnderTest.includes(service) && !isCli ? hostNames : []);

const issuing = hostsOf("cluster").filter((name) => hasResource(name, "clusterPeeringToken"));

describe.each(issuing)("many records through the %s host", (name) => {
  // @covers peering: Endpoints > GET peerings
  it("a refresh lists all peerings of a connection once", async () => {
    const world = await openWorld();
    const hosts = { tokens: world.host(name, "clusterPeeringToken"), peerings: world.host(name, "clusterPeering") };
    const stacks = many.map(() => createStack(hosts.tokens));
    const taken = many.map(() => createStack(hosts.peerings));
    for (const stack of stacks) await stack.up({ peerName: world.fresh("east") });
    for (const stack of taken)
      await stack.up({ peerName: world.fresh("west"), peeringToken: await issuedToken(world) });
    world.traffic.forget();
    await Promise.all([...stacks, ...taken].map((stack) => stack.refresh()));
    // One per process of a connection; the two kinds are two processes here.
    expect(lines(world.traffic)).toEqual(["GET /v1/peerings", "GET /v1/peerings"]);
  });
});

describe.each(hostsOf("policy"))("many records through the %s host", (name) => {
  // @covers policy: Endpoints > GET policy-sets/{policySetId}/parameters
  it("a refresh lists a policy set once", async () => {
    const world = await openWorld();
    const { policySet } = world.servers.policy;
    const host = world.host(name, "policyParameter");
    const stacks = many.map(() => createStack(host));
    for (const stack of stacks) await stack.up({ policySetId: policySet, key: world.fresh("key") });
    world.traffic.forget();
    await Promise.all(stacks.map((stack) => stack.refresh()));
    const list = `GET /api/v2/policy-sets/${policySet}/parameters`;
    expect(lines(world.traffic)).toEqual([list]);
    world.traffic.forget();
    const preview = () => createStack(host).preview({ policySetId: policySet, key: world.fresh("new") });
    await Promise.all(many.map(preview));
    expect(lines(world.traffic).length).toBeLessThanOrEqual(1);
  });
});

describe.each(hostsOf("secrets"))("many records through the %s host", (name) => {
  // @covers beyond: Endpoints > GET sys/auth
  it("a refresh lists the mounts once", async () => {
    const world = await openWorld();
    const host = world.host(name, "sysAuthMount");
    const stacks = many.map(() => createStack(host));
    for (const stack of stacks) await stack.up({ path: world.fresh("jwt"), type: "jwt" });
    world.traffic.forget();
    await Promise.all(stacks.map((stack) => stack.refresh()));
    expect(lines(world.traffic)).toEqual(["GET /v1/sys/auth"]);
  });

  it("parallel calls of a new process ask once which server it is", async () => {
    const world = await openWorld();
    const host = world.host(name, "sysAuthMount");
    const args = many.map(() => ({ path: world.fresh("jwt"), type: "jwt" }));
    await Promise.all(args.map((one) => createStack(host).up(one)));
    expect(world.traffic.seen().filter(isProbe)).toHaveLength(1);
  });
});

function lines(traffic: Traffic): string[] {
  return traffic
    .seen()
    .filter((request) => !isProbe(request))
    .map(lineOf);
}

/** What a wait sent again and again, once; the embedded server deletes at once, so there nothing is left out. */
function withoutWaiting(lines: readonly string[], waits: readonly string[]): readonly string[] {
  return lines.filter((line, at) => line !== lines[at - 1] || !waits.includes(line));
}

/** What is read before the first write, once, and without what the budget reads only later. */
function withoutPreview(lines: readonly string[], budget: readonly string[]): readonly string[] {
  const firstWrite = (all: readonly string[]) => all.findIndex((line) => !line.startsWith("GET "));
  const [first, early] = [firstWrite(lines), budget.slice(0, firstWrite(budget))];
  if (first < 0) return lines;
  const read = lines.slice(0, first).filter((line) => early.includes(line) || !budget.includes(line));
  return [...new Set(read), ...lines.slice(first)];
}

/** What cannot be changed in place. */
function fixedIn(fields: Readonly<Record<string, { readonly means: string }>>): string[] {
  return Object.keys(fields).filter((name) => fields[name]?.means === "replace");
}
