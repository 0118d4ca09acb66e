import { expect, onTestFinished } from "vitest";
import { functions } from "../../../provider/functions/index.ts";
import { patched } from "../../support/contract-case.ts";
import { engineWithLog } from "../../support/contract-host-engine.ts";
import { showsWriteOnly } from "../../support/contract-servers.ts";
import { startEmbedded } from "../../support/contract-servers-embedded.ts";
import { expectSame, recordOf, storedAfter, subjectOf, type Trap } from "../../support/contract-trap.ts";
import { openWorld } from "../../support/contract-world.ts";

const role = "arn:aws:iam::123456789012:role/deploy";
const policy = "arn:aws:iam::123456789012:policy/deploy";

/** Traps of the cloud engine (reference secrets-server 6). */
export const cloudTraps: readonly Trap[] = [
  {
    number: 2,
    title: "lease durations read back as Go prints them",
    async test() {
      const { subject } = await storedAfter("cloudLeaseConfig", { lease: "90s", leaseMax: "1d" });
      const answer = await subject.world
        .raw("secrets")
        .call(`GET ${String(subject.ground.full["mount"])}/config/lease`);
      expect(answer).toMatchObject({ data: { lease: "1m30s", lease_max: "24h0m0s" } });
      await expectSame("cloudLeaseConfig", { lease: "90s", leaseMax: "1d" }, { lease: "1m30s", leaseMax: "24h" });
      await expectSame("cloudLeaseConfig", { lease: 3600 }, { lease: "1h0m0s" });
    },
  },
  {
    number: 6,
    title: "lists and maps that were never sent read null, sent empty they read empty: both are unset",
    async test() {
      const { stack, ground, world } = await subjectOf("cloudRole");
      const path = `${String(ground.minimal["mount"])}/roles/deploy`;
      const body = { credential_type: "iam_user", policy_arns: ground.minimal["policyArns"] };
      await world.raw("secrets").call(`POST ${path}`, body);
      await stack.adopt(path);
      expect(await stack.preview(ground.minimal)).toEqual({ step: "same", replaces: [] });
      await stack.up({ ...ground.minimal, iamGroups: [], iamTags: {} });
      expect(await stack.preview(ground.minimal)).toEqual({ step: "same", replaces: [] });
    },
  },
  {
    number: 9,
    title: "a root configuration is always sent whole, and a rotated key is never overwritten by the old one",
    async test() {
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
  },
  {
    number: 10,
    title: "a template that is unset reads back as the default text",
    async test() {
      const { stored, subject } = await storedAfter("cloudRootConfig", { usernameTemplate: undefined });
      expect(stored["username_template"]).toContain("(unix_time)");
      expect(await subject.stack.refresh()).toBe(true);
      expect(subject.stack.entry()?.inputs).not.toHaveProperty("usernameTemplate");
    },
  },
  {
    number: 11,
    title: "retries that are unset read back as -1",
    test: async () => void (await expectSame("cloudRootConfig", { maxRetries: undefined }, { maxRetries: -1 })),
  },
  {
    number: 12,
    title: "an identity token lifetime that is unset reads back as 0",
    async test() {
      const { stack, ground } = await subjectOf("cloudRootConfig");
      await stack.up(ground.minimal);
      await stack.refresh();
      expect(await stack.preview({ ...ground.minimal, identityTokenTtl: 0 })).toEqual({ step: "same", replaces: [] });
    },
  },
  {
    number: 13,
    title: "a region that is unset stays empty",
    async test() {
      const { stored, subject } = await storedAfter("cloudRootConfig", { region: undefined });
      expect(stored["region"]).toBe("");
      await subject.stack.refresh();
      expect(subject.stack.entry()?.inputs).not.toHaveProperty("region");
    },
  },
  {
    number: 16,
    title: "a policy document compares as JSON, and the program's own text stays in the state",
    async test() {
      const text = '{ "Version": "2012-10-17",\n  "Statement": [] }';
      const { stack } = await expectSame(
        "cloudRole",
        { policyDocument: text },
        { policyDocument: '{"Statement":[],"Version":"2012-10-17"}' },
      );
      expect(stack.entry()?.inputs["policyDocument"]).toBe(text);
    },
  },
  {
    number: 17,
    title: "a policy document given as an object is sent as text, which is all that the server takes",
    async test() {
      const document = { Version: "2012-10-17", Statement: [] };
      const { stored } = await storedAfter("cloudRole", { policyDocument: document });
      expect(stored["policy_document"]).toBe(JSON.stringify(document));
    },
  },
  {
    number: 31,
    title: "a user path that is unset stays empty, and / is a value of its own that other types may not have",
    async test() {
      const { subject } = await storedAfter("cloudRole", { userPath: undefined });
      expect((await recordOf(subject))["user_path"]).toBe("");
      expect((await subject.stack.preview({ ...subject.ground.full, userPath: "/" })).step).toBe("update");
      const assumed = { credentialType: "assumed_role", userPath: "/", permissionsBoundaryArn: undefined };
      await expect(subject.stack.preview({ ...subject.ground.full, ...assumed })).rejects.toThrow(
        /userPath only valid/,
      );
    },
  },
  {
    number: 32,
    title: "a change of type clears what the new type may not have",
    async test() {
      const assumed = {
        credentialType: "assumed_role",
        roleArns: [role],
        userPath: undefined,
        permissionsBoundaryArn: undefined,
        iamTags: undefined,
        maxStsTtl: "1h",
      };
      const there = await storedAfter("cloudRole", {}, assumed);
      expect(there.stored).toMatchObject({ user_path: "", permissions_boundary_arn: "", max_sts_ttl: 3600 });
      const back = await storedAfter("cloudRole", assumed, {});
      expect(back.stored).toMatchObject({ max_sts_ttl: 0, user_path: "/ci/" });
      expect(back.stored["role_arns"]).toEqual([]);
    },
  },
  {
    number: 33,
    title: "a legacy role with two types is shown as it is, and brought to the type that the program says",
    async test() {
      const { stack, ground, world } = await subjectOf("cloudRole");
      const path = `${String(ground.minimal["mount"])}/roles/deploy`;
      await world.raw("secrets").call(`POST ${path}`, { policy: '{"Version":"2012-10-17"}' });
      const adopted = await stack.adopt(path);
      expect(adopted["credentialType"]).toBe("iam_user,federation_token");
      expect(await stack.up(ground.minimal)).toBe("update");
      expect(await stack.preview(ground.minimal)).toEqual({ step: "same", replaces: [] });
    },
  },
  {
    number: 34,
    title: "the legacy policy and arn are sent as today's fields, so that they can be read back",
    async test() {
      const legacy = { mount: undefined, name: "deploy" };
      for (const [given, expected] of [
        [{ policy: '{"Version":"2012-10-17"}' }, { policy_document: '{"Version":"2012-10-17"}' }],
        [{ arn: role }, { role_arns: [role], credential_type: "assumed_role" }],
        [{ arn: policy }, { policy_arns: [policy], credential_type: "iam_user" }],
      ] as const) {
        const subject = await subjectOf("cloudRole");
        const args = { ...legacy, mount: subject.ground.full["mount"], ...given };
        await subject.stack.up(args);
        const answer = await subject.world.raw("secrets").call(`GET ${String(args.mount)}/roles/deploy`);
        expect(answer).toMatchObject({ data: expected });
        await subject.stack.refresh();
        expect(await subject.stack.preview(args)).toEqual({ step: "same", replaces: [] });
      }
    },
  },
  {
    number: 35,
    title: "another user is another static role, and the extra members of an answer are no inputs",
    async test() {
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
    },
  },
  {
    number: 36,
    title: "what the API cannot delete is forgotten with a warning, and a root configuration can be blanked",
    async test() {
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
  },
  {
    number: 37,
    title: "deleting a role twice is no error",
    async test() {
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
    },
  },
  {
    number: 46,
    title: "the session token goes by two names",
    async test() {
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
    },
  },
  {
    number: 47,
    title: "a change of the rotation period is a change in place, whatever the server says about the schedule",
    async test() {
      const { stack, ground } = await subjectOf("cloudStaticRole");
      await stack.up(ground.full);
      expect(await stack.up({ ...ground.full, rotationPeriod: "2d" })).toBe("update");
      await stack.refresh();
      expect(await stack.preview({ ...ground.full, rotationPeriod: 172800 })).toEqual({ step: "same", replaces: [] });
    },
  },
  {
    number: 48,
    title: "numbers are reset to their default, as null would make them 0",
    async test() {
      const retries = await storedAfter("cloudRootConfig", { maxRetries: 5 }, { maxRetries: undefined });
      expect(retries.stored["max_retries"]).toBe(-1);
      const uses = await storedAfter("jwtRole", { tokenNumUses: 5 }, { tokenNumUses: undefined });
      expect(uses.stored["token_num_uses"]).toBe(0);
    },
  },
];
