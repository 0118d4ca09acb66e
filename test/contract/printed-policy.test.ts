// @run test: every word of every policy
// @without-terraform: it asks the engine or Pulumi's hosts

import { describe, expect, it } from "vitest";
import { grantsFor, type Needy, policyOf } from "../../cli/facts/needs/policy-of.ts";
import { lacking } from "../../provider/core/availability.ts";
import { type Need, needsOf } from "../../provider/dialects/needs.ts";
import { type Grant, policyText } from "../../provider/dialects/vault-policy.ts";
import { definitionOf, patched } from "../support/contract-case.ts";
import { secretsServer, serverKind } from "../support/contract-servers.ts";
import type { Subject } from "../support/contract-subject.ts";
import { forEveryPairing, type Pairing } from "../support/contract-suite.ts";
import { limit } from "../support/limited-subject.ts";

type Policy = (subject: Subject) => string;
/** Something that has to work with a policy. */
type Story = (subject: Subject, pairing: Pairing, policy: Policy) => Promise<void>;

const wholeLife: Story = async (subject, pairing, policy) => {
  const { stack, ground, with: over } = subject;
  await limit(subject, pairing, policy(subject));
  expect(await stack.up(ground.full)).toBe("create");
  expect(await stack.refresh()).toBe(true);
  await stack.up(await over(ground.minimal, pairing.of.again));
  expect(await stack.refresh()).toBe(true);
  await stack.destroy();
};

const blanked: Story = async (subject, pairing, policy) => {
  const { stack, ground, stored } = subject;
  await stack.up(ground.full);
  await limit(subject, pairing, policy(subject));
  const before = await stored();
  await stack.destroy();
  if (definitionOf(pairing.resource).delete !== "forget") expect(await stored()).not.toEqual(before);
};

const compared: Story = async (subject, pairing, policy) => {
  const { stack, ground } = subject;
  await stack.up(ground.full);
  await limit(subject, pairing, policy(subject));
  expect(await stack.refresh()).toBe(true);
  expect(await stack.preview(ground.full)).toEqual({ step: "same", replaces: [] });
};

/** What another hand has changed is written again, in place. A peering is not changed in place. */
const repaired: Story = async (subject, pairing, policy) => {
  const { stack, ground, known, with: over } = subject;
  const { stage, parts } = definitionOf(pairing.resource);
  if (stage ?? parts) return;
  await stack.up(ground.full);
  await limit(subject, pairing, policy(subject));
  await ground.edit(known());
  expect(await stack.refresh()).toBe(true);
  await stack.up(await over(ground.full, pairing.of.again));
};

/** What is attached to a record goes without it. */
const detached: Story = async (subject, pairing, policy) => {
  const { stack, ground } = subject;
  const { attached } = definitionOf(pairing.resource);
  if (!attached) return;
  await stack.up(ground.full);
  await limit(subject, pairing, policy(subject));
  await stack.up(patched(ground.full, { [attached.property]: undefined }));
};

/** A mount that is gone takes its records along. */
const mountGone: Story = async (subject, pairing, policy) => {
  const { stack, ground, world } = subject;
  if (!("mount" in definitionOf(pairing.resource).fields)) return;
  await stack.up(ground.minimal);
  await limit(subject, pairing, policy(subject));
  const list = stack.entry()?.id.startsWith("auth/") ? "auth" : "mounts";
  await world.raw("secrets").call(`DELETE sys/${list}/${String(ground.minimal["mount"])}`);
  expect(await stack.refresh()).toBe(false);
};

const kinds = [
  { title: "the printed policy", isNeeded: () => true, stories: [wholeLife, repaired, detached, blanked, mountGone] },
  {
    title: "the printed policy for reading",
    isNeeded: (need: Need) => need.for === "read",
    stories: [compared, mountGone],
  },
] as const;

describe.each(kinds)("$title", ({ title, isNeeded, stories }) => {
  forEveryPairing(
    title,
    (pairing) => {
      const definition = definitionOf(pairing.resource);
      if (definition.dialect === "tfe") {
        it("is words, as the API has no policy language", () =>
          expect(policyOf("policy", [])).toContain("Manage policies"));
        return;
      }
      const needy = ({ ground }: Subject): readonly Needy[] => {
        const needs = [ground.full, ground.minimal].flatMap((values) => needsOf(definition, values));
        return [
          { title: "the resource", needs: needs.filter((need) => isNeeded(need) && isAsked(need) && !need.isOptional) },
        ];
      };
      const service = definition.dialect === "vault" ? "secrets" : "cluster";

      /** Whether every story ends well with the policy, each on a subject of its own. */
      async function suffices(policy: Policy): Promise<boolean> {
        for (const story of stories) {
          const subject = await pairing.open();
          const isWell = await story(subject, pairing, policy).then(
            () => true,
            () => false,
          );
          if (!isWell) return false;
        }
        return true;
      }

      it.each(stories)("is enough (story %#)", async (story) => {
        await story(await pairing.open(), pairing, (subject) => policyOf(service, needy(subject)));
      });

      it("has nothing that could be left out", async () => {
        if (service === "cluster") {
          const weaker = policyOf("cluster", []).replace(
            /peering.*/,
            title.endsWith("reading") ? "" : 'peering = "read"',
          );
          expect(await suffices(() => weaker)).toBe(false);
          return;
        }
        const all = wordsOf(grantsFor(needy(await pairing.open())));
        expect(all.length).toBeGreaterThan(0);
        // The stories do not do everything with every record of a set: what one needs, each may need.
        const kindOf = (word: string) => (definition.members ? word.replace(/[^/]+$/, "") : word);
        const needed = new Set<string>();
        for (const [index, word] of all.entries()) {
          const without: Policy = (subject) => policyText(withoutWord(grantsFor(needy(subject)), index));
          if (!(await suffices(without))) needed.add(kindOf(word));
        }
        expect(all.filter((word) => !needed.has(kindOf(word)))).toEqual([]);
      });
    },
    // A real Consul may crash where a peering goes before its stream has opened, so there each is waited for.
    { hosts: ["engine"], writesOften: serverKind !== "consul" },
  );
});

/** Whether the server of this run asks for it. */
function isAsked({ on }: Need): boolean {
  return on === undefined || lacking(on, secretsServer) === undefined;
}

function wordsOf(grants: readonly Grant[]): readonly string[] {
  return grants.flatMap(({ path, capabilities }) => capabilities.map((word) => `${word} ${path}`));
}

/** The grants without their word of this number. */
function withoutWord(grants: readonly Grant[], number: number): readonly Grant[] {
  let at = 0;
  return grants
    .map((grant) => ({ ...grant, capabilities: grant.capabilities.filter(() => at++ !== number) }))
    .filter(({ capabilities }) => capabilities.length > 0);
}
