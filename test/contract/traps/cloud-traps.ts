import { expect, onTestFinished } from "vitest";
import { functions } from "../../../provider/functions/index.ts";
import { patched } from "../../support/contract-case.ts";
import { engineWithLog } from "../../support/contract-host-engine.ts";
import { showsWriteOnly } from "../../support/contract-servers.ts";
import { startEmbedded } from "../../support/contract-servers-embedded.ts";
import { expectSame, recordOf, storedAfter, subjectOf, type Trap, trap } from "../../support/contract-trap.ts";
import { openWorld } from "../../support/contract-world.ts";

const role = "arn:aws:iam::123456789012:role/deploy";

/** Traps of the cloud engine, but those of its dynamic roles (reference secrets-server 6). */
export const cloudTraps: readonly Trap[] = [
  // @covers cloud: Lease configuration > lease
  trap(2, "lease durations read back as Go prints them", async () => {
    const { subject } = await storedAfter("cloudLeaseConfig", { lease: "90s", leaseMax: "1d" });
    const answer = await subject.world.raw("secrets").call(`GET ${String(subject.ground.full["mount"])}/config/lease`);
    expect(answer).toMatchObject({ data: { lease: "1m30s", lease_max: "24h0m0s" } });
    await expectSame("cloudLeaseConfig", { lease: "90s", leaseMax: "1d" }, { lease: "1m30s", leaseMax: "24h" });
    await expectSame("cloudLeaseConfig", { lease: 3600 }, { lease: "1h0m0s" });
  }),
  trap(6, "lists and maps that were never sent read null, sent empty they read empty: both are unset", async () => {
    const { stack, ground, world } = await subjectOf("cloudRole");
    const path = `${String(ground.minimal["mount"])}/roles/deploy`;
    const body = { credential_type: "iam_user", policy_arns: ground.minimal["policyArns"] };
    await world.raw("secrets").call(`POST ${path}`, body);
    await stack.adopt(path);
    expect(await stack.preview(ground.minimal)).toEqual({ step: "same", replaces: [] });
    await stack.up({ ...ground.minimal, iamGroups: [], iamTags: {} });
    expect(await stack.preview(ground.minimal)).toEqual({ step: "same", replaces: [] });
  }),
  // @covers cloud: Endpoints > POST {mount}/config/root
  trap(
    9,
    "a root configuration is always sent whole, and a rotated key is never overwritten by the old one",
    async () => {
      const subject = await subjectOf("cloudRootConfig");
      const { stack, ground, world } = subject;
      const keys = await world.servers.cloudUser(world.fresh("root"));
      const given = {
        accessKey: keys.access_key,
        secretKey: keys.secret_key,
        iamEndpoint: keys["iam_endpoint"],
        stsEndpoint: keys["sts_endpoint"],
      };
      const args = patched(ground.full, given);
      await stack.up(args);
      await stack.up({ ...args, region: "us-east-2" });
      if (showsWriteOnly) expect(await recordOf(subject)).toMatchObject({ secret_key: keys.secret_key });
      // A server that has lost either half of the key refuses to rotate it.
      const rotate = () => world.raw("secrets").call(`POST ${String(ground.full["mount"])}/config/rotate-root`);
      await rotate();
      const live = await recordOf(subject);
      expect(live["access_key"]).not.toBe(keys.access_key);

      expect(await stack.refresh()).toBe(true);
      expect(await stack.preview({ ...args, region: "us-east-2" })).toEqual({ step: "same", replaces: [] });
      await stack.up({ ...args, region: "us-west-1" });
      expect(await recordOf(subject)).toEqual({ ...live, region: "us-west-1" });
      await rotate();
      expect((await recordOf(subject))["access_key"]).not.toBe(live["access_key"]);
    },
  ),
  // @covers cloud: Root configuration > username_template
  trap(10, "a template that is unset reads back as the default text", async () => {
    const { stored, subject } = await storedAfter("cloudRootConfig", { usernameTemplate: undefined });
    expect(stored["username_template"]).toContain("(unix_time)");
    expect(await subject.stack.refresh()).toBe(true);
    expect(subject.stack.entry()?.inputs).not.toHaveProperty("usernameTemplate");
  }),
  // @covers cloud: Root configuration > max_retries
  trap(
    11,
    "retries that are unset read back as -1",
    async () => void (await expectSame("cloudRootConfig", { maxRetries: undefined }, { maxRetries: -1 })),
  ),
  // @covers cloud: Root configuration > identity_token_ttl
  // @covers cloud: Limits > 3600 seconds
  trap(12, "an identity token lifetime that is unset reads back as 0", async () => {
    const { stack, ground } = await subjectOf("cloudRootConfig");
    await stack.up(ground.minimal);
    await stack.refresh();
    expect(await stack.preview({ ...ground.minimal, identityTokenTtl: 0 })).toEqual({ step: "same", replaces: [] });
  }),
  // @covers cloud: Root configuration > region
  trap(13, "a region that is unset stays empty", async () => {
    const { stored, subject } = await storedAfter("cloudRootConfig", { region: undefined });
    expect(stored["region"]).toBe("");
    await subject.stack.refresh();
    expect(subject.stack.entry()?.inputs).not.toHaveProperty("region");
  }),
  // @covers cloud: Static role > username
  // @covers beyond: cloud.StaticRole > id
  trap(35, "another user is another static role, and the extra members of an answer are no inputs", async () => {
    const { stack, ground, world } = await subjectOf("cloudStaticRole");
    await stack.up(ground.full);
    const username = world.fresh("user");
    await world.servers.cloudUser(username);
    expect(await stack.preview({ ...ground.full, username })).toMatchObject({
      step: "replace",
      replaces: ["username"],
    });
    await stack.refresh();
    for (const name of ["id", "assumeRoleArn", "externalId"]) expect(stack.entry()?.inputs).not.toHaveProperty(name);
    expect(stack.entry()?.outputs["userId"]).toMatch(/^\w{16,128}$/);
  }),
  trap(
    36,
    "what the API cannot delete is forgotten with a warning, and a root configuration can be blanked",
    async () => {
      for (const resource of ["cloudLeaseConfig", "jwtConfig"] as const) {
        const { stack, ground, stored, world } = await subjectOf(resource);
        const host = world.host("engine", resource);
        stack.restart(host);
        await stack.up(ground.full);
        await stack.destroy();
        expect(await stored()).toBeDefined();
        expect(host.log().join()).toMatch(/stays on the server: the API cannot delete it/);
      }
      const root = await subjectOf("cloudRootConfig");
      await root.stack.up({ ...root.ground.full, onDelete: "blank" });
      await root.stack.destroy();
      expect(await recordOf(root)).toMatchObject({
        ...{ access_key: "", region: "", max_retries: -1 },
        ...(showsWriteOnly && { secret_key: "" }),
      });
    },
  ),
  // @covers cloud: Errors > role that is not there
  trap(37, "deleting a role twice is no error", async () => {
    for (const resource of ["cloudRole", "jwtRole", "cloudStaticRole"] as const) {
      const { stack, ground, world, known } = await subjectOf(resource);
      await stack.up(ground.minimal);
      const { id } = stack.entry() ?? { id: "" };
      const host = world.host("engine", resource);
      await host.delete(id, known());
      await host.delete(id, known());
      await stack.destroy();
      expect(stack.entry()).toBeUndefined();
    }
  }),
  trap(46, "the session token goes by two names", async () => {
    const openbao = await startEmbedded({ profile: "openbao" });
    onTestFinished(() => openbao.close());
    // OpenBao has only the older one.
    for (const world of [await openWorld(), await openWorld({ servers: openbao })]) {
      const [mount, secrets] = [world.fresh("m"), world.raw("secrets")];
      await secrets.call(`POST sys/mounts/${mount}`, { type: "aws" });
      await secrets.call(`POST ${mount}/config/root`, await world.servers.cloudUser(world.fresh("root")));
      await secrets.call(`POST ${mount}/roles/deploy`, { credential_type: "assumed_role", role_arns: [role] });
      const { call } = engineWithLog(world.config(), []);
      const { results } = await call(functions.cloudGetCredentials, { mount, name: "deploy", endpoint: "sts" });
      expect(results).toMatchObject({ sessionToken: expect.stringMatching(/./) });
    }
  }),
  // @covers cloud: Rotation of static roles > 3: another period
  trap(
    47,
    "a change of the rotation period is a change in place, whatever the server says about the schedule",
    async () => {
      const { stack, ground } = await subjectOf("cloudStaticRole");
      await stack.up(ground.full);
      expect(await stack.up({ ...ground.full, rotationPeriod: "2d" })).toBe("update");
      await stack.refresh();
      expect(await stack.preview({ ...ground.full, rotationPeriod: 172800 })).toEqual({ step: "same", replaces: [] });
    },
  ),
  trap(48, "numbers are reset to their default, as null would make them 0", async () => {
    const retries = await storedAfter("cloudRootConfig", { maxRetries: 5 }, { maxRetries: undefined });
    expect(retries.stored["max_retries"]).toBe(-1);
    const uses = await storedAfter("jwtRole", { tokenNumUses: 5 }, { tokenNumUses: undefined });
    expect(uses.stored["token_num_uses"]).toBe(0);
  }),
];
