import { expect } from "vitest";
import { expectSame, recordOf, storedAfter, subjectOf, type Trap, trap } from "../../support/contract-trap.ts";

const role = "arn:aws:iam::123456789012:role/deploy";
const policy = "arn:aws:iam::123456789012:policy/deploy";

/** Traps of dynamic roles of the cloud engine (reference secrets-server 6). */
export const cloudRoleTraps: readonly Trap[] = [
  // @covers cloud: Role > policy_document
  trap(16, "a policy document compares as JSON, and the program's own text stays in the state", async () => {
    const text = '{ "Version": "2012-10-17",\n  "Statement": [] }';
    const { stack } = await expectSame(
      "cloudRole",
      { policyDocument: text },
      { policyDocument: '{"Statement":[],"Version":"2012-10-17"}' },
    );
    expect(stack.entry()?.inputs["policyDocument"]).toBe(text);
  }),
  trap(17, "a policy document given as an object is sent as text, which is all that the server takes", async () => {
    const document = { Version: "2012-10-17", Statement: [] };
    const { stored } = await storedAfter("cloudRole", { policyDocument: document });
    expect(stored["policy_document"]).toBe(JSON.stringify(document));
  }),
  // @covers cloud: Role > user_path
  trap(
    31,
    "a user path that is unset stays empty, and / is a value of its own that other types may not have",
    async () => {
      const { subject } = await storedAfter("cloudRole", { userPath: undefined });
      expect((await recordOf(subject))["user_path"]).toBe("");
      expect((await subject.stack.preview({ ...subject.ground.full, userPath: "/" })).step).toBe("update");
      const assumed = { credentialType: "assumed_role", userPath: "/", permissionsBoundaryArn: undefined };
      await expect(subject.stack.preview({ ...subject.ground.full, ...assumed })).rejects.toThrow(
        /userPath only valid/,
      );
    },
  ),
  // @covers cloud: Role > credential_type
  trap(32, "a change of type clears what the new type may not have", async () => {
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
  }),
  trap(
    33,
    "a legacy role with two types is shown as it is, and brought to the type that the program says",
    async () => {
      const { stack, ground, world } = await subjectOf("cloudRole");
      const path = `${String(ground.minimal["mount"])}/roles/deploy`;
      await world.raw("secrets").call(`POST ${path}`, { policy: '{"Version":"2012-10-17"}' });
      const adopted = await stack.adopt(path);
      expect(adopted["credentialType"]).toBe("iam_user,federation_token");
      expect(await stack.up(ground.minimal)).toBe("update");
      expect(await stack.preview(ground.minimal)).toEqual({ step: "same", replaces: [] });
    },
  ),
  // @covers cloud: Role > legacy policy
  trap(34, "the legacy policy and arn are sent as today's fields, so that they can be read back", async () => {
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
  }),
];
