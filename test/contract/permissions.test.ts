import { expect, it } from "vitest";
import { functions } from "../../provider/functions/index.ts";
import { definitions } from "../../provider/resources/index.ts";
import { definitionOf, serviceOf } from "../support/contract-case.ts";
import type { ServiceName } from "../support/contract-raw.ts";
import type { ContractServers } from "../support/contract-servers.ts";
import type { Subject } from "../support/contract-subject.ts";
import { forEveryPairing } from "../support/contract-suite.ts";
import { openWorld } from "../support/contract-world.ts";
import { clusterToken, documentedPolicy, policyForMount, secretsToken } from "../support/documented-policy.ts";

it("every page shows the policy to paste, but for an API that has none and for what anybody may do", () => {
  const tables = [...Object.values(definitions), ...Object.values(functions)];
  const without = tables.filter(({ token }) => documentedPolicy(token) === undefined).map(({ token }) => token);
  expect(without).toEqual(["policy:Parameter", "jwt:authUrl", "jwt:login", "policy:getParameters"]);
});

/** The servers, with tokens for the subject's service that may do what this policy says. */
async function limited({ world, ground }: Subject, service: ServiceName, policy: string): Promise<ContractServers> {
  const { servers, raw } = world;
  if (service === "cluster") {
    const [cluster, peer] = await Promise.all([
      clusterToken(raw("cluster"), policy),
      clusterToken(raw("peer"), policy),
    ]);
    return { ...servers, cluster: { ...servers.cluster, token: cluster }, peer: { ...servers.peer, token: peer } };
  }
  const { mount = ground.minimal["path"] } = ground.minimal;
  const text = typeof mount === "string" ? policyForMount(policy, mount) : policy;
  return { ...servers, secrets: { ...servers.secrets, token: await secretsToken(raw("secrets"), text) } };
}

forEveryPairing(
  "the documented policy",
  ({ resource, host, of, open }) => {
    const { token, dialect, fields } = definitionOf(resource);
    const policy = documentedPolicy(token);
    if (policy === undefined) {
      it("is none, as only the API without a policy language has none", () => expect(dialect).toBe("tfe"));
      return;
    }

    async function openWith(text: string): Promise<Subject> {
      const subject = await open();
      const servers = await limited(subject, serviceOf(resource), text);
      const world = await openWorld({ servers });
      subject.stack.restart(world.host(host, resource));
      return subject;
    }

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
      await stack.up(await over(ground.minimal, of.again));
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
