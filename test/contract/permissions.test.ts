// @run test: every call of every operation
// @without-terraform: it asks the engine or Pulumi's hosts

import { expect, it } from "vitest";
import { functions } from "../../provider/functions/index.ts";
import { definitions } from "../../provider/resources/index.ts";
import { definitionOf, writtenOver } from "../support/contract-case.ts";
import type { Subject } from "../support/contract-subject.ts";
import { forEveryPairing } from "../support/contract-suite.ts";
import { documentedPolicy, policyForMount } from "../support/documented-policy.ts";
import { openLimited } from "../support/limited-subject.ts";

it("every page shows the policy to paste, but for an API that has none and for what anybody may do", () => {
  const tables = [...Object.values(definitions), ...Object.values(functions)];
  const without = tables.filter(({ token }) => documentedPolicy(token) === undefined).map(({ token }) => token);
  expect(without).toEqual([
    "policy:Parameter",
    "policy:PolicySet",
    "policy:ParameterSet",
    "jwt:authUrl",
    "jwt:login",
    "policy:getParameters",
    "policy:getPolicySet",
  ]);
});

/** A documented policy for the mount of a subject. */
function fitted(policy: string, { ground }: Subject): string {
  const { mount = ground.minimal["path"] } = ground.minimal;
  return typeof mount === "string" ? policyForMount(policy, mount) : policy;
}

forEveryPairing(
  "the documented policy",
  (pairing) => {
    const { resource, of } = pairing;
    const { token, dialect, fields } = definitionOf(resource);
    const policy = documentedPolicy(token);
    if (policy === undefined) {
      it("is none, as only the API without a policy language has none", () => expect(dialect).toBe("tfe"));
      return;
    }

    const openWith = (text: string) => openLimited(pairing, (subject) => fitted(text, subject));

    it("is enough for the whole life of the resource", async () => {
      const { stack, ground, with: over } = await openWith(policy);
      expect(await stack.up(ground.full)).toBe("create");
      expect(await stack.refresh()).toBe(true);
      expect(await stack.preview(ground.full)).toEqual({ step: "same", replaces: [] });
      await stack.up(await over(ground.minimal, of.again));
      expect(await stack.refresh()).toBe(true);
      await stack.destroy();
    });

    it("is enough to delete what may be blanked or lost, and to find what is gone", async () => {
      const { stack, ground, known, with: over } = await openWith(policy);
      await stack.up(ground.full);
      await stack.destroy();
      await stack.up(writtenOver(resource, await over(ground.full, of.again)));
      await ground.remove(known());
      expect(await stack.refresh()).toBe(false);
    });

    if ("mount" in fields) {
      it("is enough to tell that the mount is gone", async () => {
        const { stack, ground, world } = await openWith(policy);
        await stack.up(ground.minimal);
        const list = stack.entry()?.id.startsWith("auth/") ? "auth" : "mounts";
        await world.raw("secrets").call(`DELETE sys/${list}/${String(ground.minimal["mount"])}`);
        expect(await stack.refresh()).toBe(false);
      });
    }

    it("is needed: a token without it is refused", async () => {
      const { stack, ground } = await openWith("# nothing");
      await expect(stack.up(ground.full)).rejects.toThrow(/403/);
    });
  },
  { hosts: ["engine"] },
);
