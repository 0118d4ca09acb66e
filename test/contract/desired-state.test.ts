// @run test: generated values by the dozen
// @without-terraform: generated values by the dozen are the provider's matter, and the driver without the CLI has them

import { expect, it } from "vitest";
import type { Values } from "../../provider/core/definition.ts";
import { arbitraryInputs } from "../support/arbitrary-inputs.ts";
import {
  addressOf,
  type Patch,
  patched,
  patchFrom,
  type ResourceCase,
  type Treatment,
} from "../support/contract-case.ts";
import type { HostName, ResourceName } from "../support/contract-host.ts";
import { secretsServer } from "../support/contract-servers.ts";
import { InputsRefused } from "../support/contract-stack.ts";
import type { Subject } from "../support/contract-subject.ts";
import { forEveryPairing } from "../support/contract-suite.ts";
import { fc } from "../support/fast-check.ts";
import { testExtent } from "../support/test-extent.mts";

const runs = { quick: 3, usual: 6, whole: 12 }[testExtent];
/** What a host adds to the engine shows sooner. */
const runsOf = (host: HostName) => (host === "engine" ? runs : runs / 3);
/** Their generated inputs name servers, users, tokens, mounts or places that do not exist. */
const needsThings: readonly ResourceName[] = [
  "identityGroup",
  "jwtConfig",
  "cloudStaticRole",
  "cloudStaticRoleSet",
  "cloudRootRotation",
  "clusterExportedServices",
  "clusterIntention",
  "policyPolicySet",
  "clusterPeering",
  "clusterPeeredClusters",
  "clusterPeeringToken",
  "sysAuthMount",
  "sysSecretsMount",
  "policyParameter",
  "policyParameterSet",
];

forEveryPairing(
  "desired state",
  ({ of, open, resource, host }) => {
    it("A then B leaves on the server what B alone leaves, for mixtures of the case's own values", {
      timeout: 120_000,
    }, async () => {
      await fc.assert(
        fc.asyncProperty(mixture(of), mixture(of), async (first, second) => {
          const subject = await open();
          const a = await accepted(subject, await mixed(subject, of, first), of);
          const b = await accepted(subject, await mixed(subject, of, second), of);
          await expectSameAsAlone(subject, a, b, of.again);
        }),
        { numRuns: runsOf(host) },
      );
    });

    if (needsThings.includes(resource)) return;
    // @covers jwt: Endpoints > POST auth/{mount}/role/{name}
    // @covers cloud: Endpoints > POST {mount}/roles/{name}
    it("A then B leaves on the server what B alone leaves, for generated values", { timeout: 120_000 }, async () => {
      const address = addressOf(resource);
      const generated = arbitraryInputs(resource, secretsServer);
      await fc.assert(
        fc.asyncProperty(generated, generated, async (first, second) => {
          const subject = await open();
          const own = Object.fromEntries(address.map((name) => [name, subject.ground.minimal[name]]));
          const refused = Object.keys(of.fields).filter((name) => isRefused(of, name));
          // A limit may refuse the step from one to the other.
          const without = Object.fromEntries([...refused, "maxDeletes"].map((name) => [name, undefined]));
          const [a, b] = [patched(first, { ...without, ...own }), patched(second, { ...without, ...own })];
          await expectSameAsAlone(subject, a, b);
        }),
        { numRuns: runsOf(host) },
      );
    });
  },
  { writesOften: true },
);

async function expectSameAsAlone(subject: Subject, a: Values, second: Values, again?: Patch): Promise<void> {
  const { stack } = subject;
  await stack.up(a);
  const isChange = (await stack.preview(second)).step !== "same";
  const b = isChange ? await subject.with(second, again) : second;
  await stack.up(b);
  expect(await stack.preview(b)).toEqual({ step: "same", replaces: [] });
  expect(await subject.stored()).toEqual(await subject.storedAlone(b));
  expect(await stack.refresh()).toBe(true);
  expect(await stack.preview(b)).toEqual({ step: "same", replaces: [] });
}

type Choice = "unset" | "full" | "changed";

/** For every property in which form it is set. */
function mixture(of: ResourceCase): fc.Arbitrary<Record<string, Choice>> {
  const choices = Object.keys(of.fields).map((field) => [field, fc.constantFrom<Choice>("unset", "full", "changed")]);
  return fc.record(Object.fromEntries(choices));
}

async function mixed({ world, ground }: Subject, of: ResourceCase, choices: Record<string, Choice>): Promise<Values> {
  let args = ground.minimal;
  for (const [field, treatment] of Object.entries<Treatment>(of.fields)) {
    if (choices[field] === "full" && field in ground.full) args = { ...args, [field]: ground.full[field] };
    if (choices[field] !== "changed" || treatment.means !== "update") continue;
    args = patched(args, await patchFrom(treatment.patch, world, ground));
  }
  return args;
}

/** The arguments without those that the rules refuse beside the others; the minimal ones are always accepted. */
async function accepted({ stack, ground }: Subject, args: Values, of: ResourceCase): Promise<Values> {
  let left = args;
  for (let rounds = Object.keys(of.fields).length; rounds > 0; rounds--) {
    const refusal = await stack.preview(left).catch((error: unknown) => error);
    if (!(refusal instanceof InputsRefused)) return left;
    const wrong = refusal.failures.map(({ property }) => property.split(/[.[]/)[0] ?? "");
    left = { ...patched(left, Object.fromEntries(wrong.map((name) => [name, ground.minimal[name]]))) };
    if (wrong.every((name) => name in ground.minimal)) return ground.minimal;
  }
  return ground.minimal;
}

function isRefused(of: ResourceCase, name: string): boolean {
  return Object.entries<Treatment>(of.fields).some(([field, { means }]) => field === name && means === "refused");
}
