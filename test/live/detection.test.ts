import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Values } from "../../provider/core/definition.ts";
import {
  type LiveConsul,
  type LiveVault,
  liveVaultReleases,
  startLiveConsul,
  startLiveVault,
} from "../../tools/live/live-servers.mts";
import { hostNames, pulumiHostNames, type ResourceName } from "../support/contract-host.ts";
import { type RawApi, rawApi } from "../support/contract-raw.ts";
import { InputsRefused } from "../support/contract-stack.ts";
import { vaultReleases } from "../support/vault-releases.ts";
import { openWitnessedStack } from "../support/witness-proxy.ts";

const health = "GET /v1/sys/health?standbyok=true&perfstandbyok=true";
const roots = "GET /v1/connect/ca/roots";

describe.each(vaultReleases)("Vault %s", (version) => {
  let vault: LiveVault;
  let raw: RawApi;

  beforeAll(async () => {
    vault = await startLiveVault(version);
    raw = rawApi("secrets", vault);
    await raw.call("POST sys/auth/jwt", { type: "jwt" });
    await raw.call("POST sys/mounts/cloud", { type: "aws" });
  });
  afterAll(() => vault.close());

  describe.each(hostNames)("through the %s host", (host) => {
    const role = { name: "ci", roleType: "jwt", userClaim: "sub", boundAudiences: ["a"] };

    // Terraform keeps what server it was where only the provider sees it, and reads more often.
    if (host !== "terraform")
      it("is known by its cluster, after one question without a token", async () => {
        const { stack, requests } = await openWitnessedStack({
          host,
          resource: "jwtRole",
          service: "secrets",
          at: vault,
        });
        await stack.up(role);
        await stack.up({ ...role, tokenTtl: "1h" });
        await stack.refresh();
        const { cluster_id } = (await raw.call("GET sys/health")) as { cluster_id: string };
        expect(stack.entry()?.outputs["server"]).toBe(`vault:${cluster_id}`);

        // What is mounted is asked before a write.
        const asked = requests.filter(({ line }) => !line.endsWith(" /v1/sys/auth"));
        const questions = asked.filter(({ line }) => !line.includes("/auth/jwt/"));
        expect(questions.map(({ line }) => line)).toEqual([health]);
        expect(questions[0]?.headers).not.toHaveProperty("x-vault-token");
        expect(asked.filter(({ headers }) => headers["x-vault-token"] === vault.token)).toHaveLength(
          // The preview of the change looks. The dynamic classes look ahead of a creation, too, in its check.
          host === "dynamic" ? 9 : 8,
        );
        await stack.destroy();
      });

    it.each<[ResourceName, Values, string, string]>([
      ["jwtRole", role, "aliasMetadata", "Vault 2.0.0 or newer, or Vault Enterprise 1.21.0 or newer"],
      ["jwtRole", role, "callbackMode", "OpenBao 2.0.0 or newer"],
      ["jwtRole", role, "oidcDisableConfirmation", "OpenBao 2.5.0 or newer"],
      [
        "cloudStaticRole",
        { name: "ci", username: "ci", rotationPeriod: "1d" },
        "assumeRoleArn",
        "Vault Enterprise 1.19.0 or newer",
      ],
      ["cloudRootConfig", {}, "identityTokenTtl", "Vault Enterprise 1.16.0 or newer"],
    ])("refuses in a preview of %s %j the property %s, which needs %s", async (resource, args, property, needs) => {
      const { stack, requests } = await openWitnessedStack({ host, resource, service: "secrets", at: vault });
      const refusal = await stack.preview({ ...args, [property]: values[property] }).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(InputsRefused);
      const reason = `needs ${needs}; the server is Vault (community edition) ${liveVaultReleases[version]}`;
      expect((refusal as InputsRefused).failures).toEqual([{ property, reason }]);
      expect(requests.map(({ line }) => line)).toEqual([health]);
    });

    it("takes what its release has, writes it and reads it back the same", async () => {
      const { stack } = await openWitnessedStack({ host, resource: "cloudRole", service: "secrets", at: vault });
      const args = {
        name: `deploy-${host}`,
        credentialType: "assumed_role",
        roleArns: ["arn:aws:iam::123456789012:role/deploy"],
        sessionTags: { team: "infra" },
        externalId: "x-1",
        mfaSerialNumber: "arn:aws:iam::123456789012:mfa/root",
      };
      expect(await stack.up(args)).toBe("create");
      const answer = await raw.call(`GET cloud/roles/deploy-${host}`);
      expect(answer).toMatchObject({ data: { session_tags: { team: "infra" }, external_id: "x-1" } });
      expect(await stack.refresh()).toBe(true);
      expect(stack.entry()?.inputs).toMatchObject(args);
      expect(await stack.preview(args)).toEqual({ step: "same", replaces: [] });
    });
  });
});

const values: Values = {
  aliasMetadata: { team: "infra" },
  callbackMode: "direct",
  oidcDisableConfirmation: true,
  assumeRoleArn: "arn:aws:iam::123456789012:role/rotate",
  identityTokenTtl: 60,
};

describe("Consul", () => {
  let consul: LiveConsul;
  beforeAll(async () => {
    consul = await startLiveConsul({ datacenter: "dc1" });
  }, 60_000);
  afterAll(() => consul.close());

  it.each(pulumiHostNames)(
    "is known by its trust domain, after one question without a token, through the %s host",
    async (host) => {
      const { stack, requests } = await openWitnessedStack({
        host,
        resource: "clusterPeeringToken",
        service: "cluster",
        at: consul,
      });
      await stack.up({ peerName: `peer-${host}` });
      const answer = (await rawApi("cluster", consul).call("GET connect/ca/roots")) as { TrustDomain: string };
      expect(stack.entry()?.outputs["server"]).toBe(`consul:${answer.TrustDomain}`);
      await stack.refresh();

      const questions = requests.filter(({ line }) => !line.includes("/v1/peering"));
      expect(questions.map(({ line }) => line)).toEqual([roots]);
      expect(questions[0]?.headers).not.toHaveProperty("x-consul-token");
      await stack.destroy();
    },
  );
});
