import { createHash, randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Values } from "../../provider/core/definition.ts";
import { attributeName } from "../../provider/hosts/terraform/names.ts";
import { type ResourceCase, serviceOf } from "../support/contract-case.ts";
import type { FaultName } from "../support/contract-fault.ts";
import {
  type HostName,
  hasResource,
  hostNames,
  hosts,
  pulumiHostNames,
  type ResourceName,
} from "../support/contract-host.ts";
import { asRecorded, expectHidden, formsOf, textsOf } from "../support/contract-secrets.ts";
import { closeServersAfterwards, servicesUnderTest } from "../support/contract-servers.ts";
import { createStack } from "../support/contract-stack.ts";
import { openWorld, type World } from "../support/contract-world.ts";
import { cases } from "./cases/index.ts";
import { issuedToken } from "./cases/peers.ts";

closeServersAfterwards();

/** Those that answer to Pulumi. */
const pulumiHosts = ["dynamic", "plugin"] as const;

interface Secretful {
  readonly resource: ResourceName;
  readonly property: string;
  /** What must be set beside it. */
  readonly beside: Values;
  /** A change that leaves the secret alone. */
  readonly unrelated: Values;
  fresh(world: World): Promise<string> | string;
  /** The property's value, where the secret stands inside it. Such a secret has no fingerprint: it is compared by its value. */
  inside?(secret: string | object): Values;
}

/** Characters that every encoding on the way writes differently. */
const random = () => `"${randomBytes(12).toString("base64url")}\\<é>&+ /${randomBytes(6).toString("hex")}`;

const parameter: Secretful = {
  resource: "policyParameter",
  property: "value",
  beside: { sensitive: true },
  unrelated: { category: "policy-set" },
  fresh: random,
};

const secretful: readonly Secretful[] = [
  {
    resource: "jwtConfig",
    property: "oidcClientSecret",
    beside: {},
    unrelated: { boundIssuer: "https://other.example" },
    fresh: random,
  },
  { resource: "cloudRootConfig", property: "secretKey", beside: {}, unrelated: { maxRetries: 7 }, fresh: random },
  parameter,
  {
    resource: "policyParameterSet",
    property: "parameters",
    beside: {},
    unrelated: { parallel: 2 },
    fresh: random,
    inside: (value) => ({ apiToken: { value, sensitive: true } }),
  },
  {
    resource: "policyParameterSet",
    property: "defaults",
    beside: { parameters: { apiToken: { sensitive: true } } },
    unrelated: { parallel: 2 },
    fresh: random,
    inside: (value) => ({ value }),
  },
  {
    resource: "clusterPeering",
    property: "peeringToken",
    beside: {},
    unrelated: {},
    fresh: (world) => issuedToken(world),
  },
];

/** Before a write, the reads of an operation pass: only a write sends a secret. */
const REPEATED: FaultName = "a 422 that repeats what was sent";

const faults: readonly FaultName[] = [REPEATED, "403", "500", "an HTML page with status 502", "a cut connection"];

const underTest = secretful.filter(({ resource }) => servicesUnderTest.includes(serviceOf(resource)));

describe.each(underTest)("$property of $resource", (one) => {
  // The names of both tables agree, which the type of `cases` checks; here any of them is meant.
  const of = cases[one.resource] as unknown as ResourceCase;

  describe.each(hostNames.filter((name) => hasResource(name, one.resource)))("through the %s host", (name) => {
    // @covers cloud: Root configuration > secret_key
    it("is in what is sent, and in no error, log line or URL, whatever fails", async () => {
      const { world, secret, args } = await prepared(one, of);
      const texts: string[] = [];
      for (const fault of [undefined, ...faults]) {
        texts.push(...(await lifeUnder(fault, { world, name, one, of, args, secret })));
      }
      expect(texts.length).toBeGreaterThan(faults.length);
      expectHidden(texts, secret);
    });

    it("comes back as it was given: no difference after a round trip", async () => {
      const { world, args } = await prepared(one, of);
      const stack = createStack(world.host(name, one.resource));
      await stack.up(args);
      await stack.refresh();
      expect(await stack.preview(args)).toEqual({ step: "same", replaces: [] });
      // Terraform's state has no secret.
      if (name !== "terraform") expect(stack.entry()?.inputs[one.property]).toEqual(args[one.property]);
    });
  });

  if (one.inside === undefined)
    it.each(pulumiHostNames)(
      "has a fingerprint that changes with it and not otherwise, and tells nothing about it, through the %s host",
      async (name) => {
        const { world, secret, args } = await prepared(one, of);
        const host = world.host(name, one.resource);
        const first = (await host.check({}, args)).inputs;
        const [unchanged, unrelated] = [
          await host.check(first, args),
          await host.check(first, { ...args, ...one.unrelated }),
        ];
        const other = await host.check(first, { ...args, [one.property]: await one.fresh(world) });
        const elsewhere = await host.check({}, args);
        const prints = [first, unchanged.inputs, unrelated.inputs, other.inputs, elsewhere.inputs].map((inputs) =>
          JSON.stringify((inputs["fingerprints"] as Values)[one.property]),
        );
        expect(prints[0]).toMatch(/^"[0-9a-f]{8}"$/);
        expect(prints[1]).toBe(prints[0]);
        expect(prints[2]).toBe(prints[0]);
        expect(prints[3]).not.toBe(prints[0]);
        expect(prints[4]).not.toBe(prints[0]);
        const bare = createHash("sha256").update(secret).digest("hex");
        expect(bare.startsWith(JSON.parse(prints[0] ?? '""'))).toBe(false);
      },
    );

  it.each(pulumiHosts)("is in an envelope in everything that the %s host answers", async (name) => {
    const { world, secret, args } = await prepared(one, of);
    const host = hosts[name]({ resource: one.resource, config: world.config() });
    const stack = createStack(host);
    await stack.up(args);
    await stack.refresh();
    await stack.up(await again(world, of, { ...args, ...one.unrelated }));
    const holds = host.answers.filter((answer) => formsOf(secret).some((form) => answer.includes(form)));
    expect(holds.length).toBeGreaterThanOrEqual(3);
    expectHidden(host.answers.map(asRecorded), secret);
  });

  it.each(pulumiHosts)("is in an envelope in what a failure of the %s host leaves behind", async (name) => {
    const { world, secret, args } = await prepared(one, of);
    const host = hosts[name]({ resource: one.resource, config: world.config() });
    const { inputs } = await host.check({}, args);
    let wrote = false;
    world.traffic.strikeAll(({ method }) => {
      const isReadBack = wrote;
      wrote ||= method !== "GET";
      return isReadBack;
    }, "503");
    const error = await host.create(inputs).catch((reason: unknown) => reason);
    host.answers.length = 0;
    host.leftBehind(error);
    const left = host.answers.map(asRecorded).join();
    // The answer of a policy parameter is the record: nothing is read back that could fail.
    const isReadBack = String(of.requests.create.at(-1)).startsWith("GET ");
    const repeats = typeof of.requests.create.at(-1) !== "string";
    expect(left === "").toBe(!isReadBack && !repeats);
    expectHidden([left], secret);
  });

  if (hasResource("terraform", one.resource))
    it("is in nothing that Terraform keeps, which shows a change", async () => {
      const { world, secret, args } = await prepared(one, of);
      const host = world.host("terraform", one.resource);
      const stack = host.stack();
      // Of a set's record, under the name of its secret.
      const printed = one.inside ? "parameters.apiToken.value" : attributeName(one.property);
      const printOf = () => JSON.stringify(Object(stack.entry()?.outputs["fingerprints"])[printed]);
      await stack.up(args);
      const print = printOf();
      expect(print).toMatch(/^"[0-9a-f]{8}"$/);
      await stack.refresh();
      await stack.up(await again(world, of, { ...args, ...one.unrelated }));
      if (!of.again) expect(printOf()).toBe(print);
      await stack.up({ ...args, [one.property]: propertyOf(one, await one.fresh(world)) });
      expect(printOf()).not.toBe(print);
      expect(host.answers.length).toBeGreaterThan(10);
      expectHidden([...host.answers, ...host.log()], secret);
    });

  it.each(pulumiHosts)("is not named by a refusal of the %s host, which would show its value", async (name) => {
    const { world, args } = await prepared(one, of);
    const host = hosts[name]({ resource: one.resource, config: world.config() });
    const hidden = randomBytes(9).toString("hex");
    const wrong = { ...args, [one.property]: propertyOf(one, { not: "a text", but: hidden }) };
    const { failures } = await host.check({}, wrong);
    expect(failures.map(({ property }) => property.split(".")[0])).toContain(one.property);
    expect(host.answers.join()).not.toContain(`"property":"${one.property}`);
    expectHidden(
      failures.map(({ reason }) => reason),
      hidden,
    );
  });
});

const policyHosts = servicesUnderTest.includes("policy") ? hostNames : [];

// A program may mark it as a secret, of which the dynamic host is not told.
it.each(policyHosts)("a value that could be secret is in no message either, through the %s host", async (name) => {
  const of = cases.policyParameter as unknown as ResourceCase;
  const one = { ...parameter, beside: { sensitive: false } };
  const { world, secret, args } = await prepared(one, of);
  for (const fault of faults) expectHidden(await lifeUnder(fault, { world, name, one, of, args, secret }), secret);
});

async function prepared(one: Secretful, of: ResourceCase) {
  const world = await openWorld();
  const ground = await of.prepare(world);
  const secret = await one.fresh(world);
  return { world, secret, args: { ...ground.full, ...one.beside, [one.property]: propertyOf(one, secret) } };
}

function propertyOf({ inside }: Secretful, secret: string | object): unknown {
  return inside ? inside(secret) : secret;
}

interface Life {
  readonly world: World;
  readonly name: HostName;
  readonly one: Secretful;
  readonly of: ResourceCase;
  readonly args: Values;
  readonly secret: string;
}

/** Everything that shows while the resource is made, read, changed and deleted, with every request failing or none. */
async function lifeUnder(
  fault: FaultName | undefined,
  { world, name, one, of, args }: Life,
): Promise<readonly string[]> {
  const host = world.host(name, one.resource);
  const stack = createStack(host);
  const errors: string[] = [];
  const attempt = async (work: () => Promise<unknown>) => {
    if (fault) world.traffic.strikeAll(({ method }) => fault !== REPEATED || method !== "GET", fault);
    await work().catch((error: unknown) => errors.push(...textsOf(error)));
    world.traffic.calm();
    await work().catch((error: unknown) => errors.push(...textsOf(error)));
  };
  await attempt(() => stack.up(args));
  await attempt(() => stack.refresh());
  const changed = await again(world, of, { ...args, ...one.unrelated });
  await attempt(() => stack.up(changed));
  await attempt(() => stack.destroy());
  expect(errors.length > 0).toBe(fault !== undefined);
  const urls = world.traffic.seen().map(({ url }) => url);
  expect(urls.join()).toContain(serviceOf(one.resource) === "policy" ? "/api/v2/" : "/v1/");
  return [...errors, ...host.log(), ...urls];
}

async function again(world: World, of: ResourceCase, args: Values): Promise<Values> {
  const patch = of.unseen?.includes("peeringToken") ? { peeringToken: await issuedToken(world) } : {};
  return { ...args, ...patch };
}
