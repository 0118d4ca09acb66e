import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { jobKeyPem, jobToken } from "./jwt-logins.ts";
import { type AskingVault, asker, type VaultAsk } from "./vault-ask.ts";

const policy = "engineering";
const readable = `sys/policies/acl/${policy}`;
const role = { role_type: "jwt", user_claim: "sub", bound_audiences: ["trustplane"] };

/** What the guide "People and groups" says of a person who leaves a group. Told of the embedded server and of a real one. */
export function describeOffboarding(title: string, open: () => Promise<AskingVault>): void {
  describe(`a person who left a group of ${title}`, () => {
    let vault: AskingVault;
    let ask: VaultAsk;
    beforeAll(async () => {
      vault = await open();
      ask = asker(vault);
      await ask(`POST ${readable}`, { body: { policy: `path "${readable}" { capabilities = ["read"] }` } });
      for (const mount of ["people", "other"]) {
        await ask(`POST sys/auth/${mount}`, { body: { type: "jwt" } });
        await ask(`POST auth/${mount}/config`, { body: { jwt_validation_pubkeys: [jobKeyPem] } });
        await ask(`POST auth/${mount}/role/person`, { body: { ...role, groups_claim: "groups" } });
        await ask(`POST auth/${mount}/role/plain`, { body: role });
      }
      const group = await ask("POST identity/group", {
        body: { name: policy, type: "external", policies: [policy] },
      });
      const mount = await ask("GET sys/auth/people");
      const alias = { name: "engineering", mount_accessor: mount.data?.["accessor"], canonical_id: group.data?.["id"] };
      expect((await ask("POST identity/group-alias", { body: alias })).errors).toBe("");
    });
    afterAll(() => vault.close());

    /** A login with these groups, by one of the mounts. */
    async function logIn(person: string, groups: readonly string[], at = "people/person") {
      const [mount, name] = at.split("/");
      const jwt = await jobToken({ sub: person, groups });
      const { auth, errors } = await ask(`POST auth/${mount}/login`, { body: { role: name, jwt }, as: "" });
      const { client_token: token = "", accessor, entity_id: entity } = Object(auth);
      return { token: String(token), accessor: String(accessor), entity: String(entity), errors };
    }
    const reads = async (...tokens: readonly { readonly token: string }[]) =>
      Promise.all(tokens.map(async ({ token }) => (await ask(`GET ${readable}`, { as: token })).status));
    const renew = ({ token }: { readonly token: string }) => ask("POST auth/token/renew-self", { as: token, body: {} });
    const revoke = ({ accessor }: { readonly accessor: string }) =>
      ask("POST auth/token/revoke-accessor", { body: { accessor } });

    it("keeps the policy until a login without the group, and has it again after the renewal of an older token", async () => {
      const older = await logIn("ann", ["engineering"]);
      expect(await reads(older)).toEqual([200]);
      const newer = await logIn("ann", []);
      expect(await reads(older, newer)).toEqual([403, 403]);
      expect((await renew(older)).status).toBe(200);
      expect(await reads(older, newer)).toEqual([200, 200]);
      // The last login or renewal counts: that of a token without the group takes it away again.
      expect((await renew(newer)).status).toBe(200);
      expect(await reads(older, newer)).toEqual([403, 403]);
    });

    it("is out for good once the older tokens are revoked, and one login of the person came after that", async () => {
      const older = await logIn("bea", ["engineering"]);
      await revoke(older);
      // Without a login nobody has taken the person out of the group: a token of another way in has the policy.
      const newer = await logIn("bea", []);
      expect(await reads(older, newer)).toEqual([403, 403]);
      expect((await renew(older)).status).toBe(403);
      expect((await renew(newer)).status).toBe(200);
      expect(await reads(newer)).toEqual([403]);
    });

    it("stays in the group where only the tokens are revoked: a login of another method has the policy", async () => {
      const older = await logIn("cid", ["engineering"]);
      const accessor = (await ask("GET sys/auth/other")).data?.["accessor"];
      const alias = { name: "cid", canonical_id: older.entity, mount_accessor: accessor };
      expect((await ask("POST identity/entity-alias", { body: alias })).errors).toBe("");
      await revoke(older);
      expect(await reads(await logIn("cid", [], "other/plain"))).toEqual([200]);
    });

    it("can do nothing while the person's entity is disabled: no token works, and no login", async () => {
      const older = await logIn("dot", ["engineering"]);
      await ask(`POST identity/entity/id/${older.entity}`, { body: { disabled: true } });
      expect(await reads(older)).toEqual([403]);
      expect((await renew(older)).status).toBe(403);
      expect((await logIn("dot", [])).errors).not.toBe("");
      // Enabled again, the person is in the group as before.
      await ask(`POST identity/entity/id/${older.entity}`, { body: { disabled: false } });
      expect(await reads(older)).toEqual([200]);
    });

    it("is out of the group at once, with all tokens, where the person's entity is deleted", async () => {
      const older = await logIn("eve", ["engineering"]);
      expect((await ask(`DELETE identity/entity/id/${older.entity}`)).status).toBe(204);
      expect(await reads(older)).toEqual([403]);
      expect((await renew(older)).status).toBe(403);
      const renewed = await ask("POST auth/token/renew-accessor", { body: { accessor: older.accessor } });
      const newer = await logIn("eve", []);
      expect(newer.entity).not.toBe(older.entity);
      expect([renewed.status, await reads(older, newer)]).toEqual([expect.any(Number), [403, 403]]);
    });
  });
}
