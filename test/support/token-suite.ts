import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AskingVault, asker, type VaultAsk } from "./vault-ask.ts";

const bare = (text: string) => `1 error occurred:\n\t* ${text}\n\n`;
const sudo = (what: string) => `root or sudo privileges required to ${what}`;

/** By name: an administrator with sudo on `create` alone, and a token without it. */
const policies = {
  admin: `
    path "auth/token/create" { capabilities = ["update", "sudo"] }
    path "auth/token/*" { capabilities = ["create", "read", "update", "list", "delete"] }`,
  maker: 'path "auth/token/*" { capabilities = ["create", "read", "update", "list", "delete"] }',
  other: 'path "a" { capabilities = ["read"] }',
  Lookup: 'path "identity/*" { capabilities = ["read"] }',
};

type By = "root" | "admin" | "maker" | "expiring root";
type Refusal = readonly [by: By, request: string, body: object, error: string];

const create = "POST auth/token/create";
const orphan = "POST auth/token/create-orphan";

const refusals: readonly Refusal[] = [
  ["admin", create, { policies: ["root"] }, "root tokens may not be created without parent token being root"],
  ["admin", create, { policies: ["Root"] }, "root tokens may not be created without parent token being root"],
  ["admin", create, { policies: ["response-wrapping"] }, 'cannot assign policy "response-wrapping"'],
  ["root", create, { policies: ["control-group"] }, 'cannot assign policy "control-group"'],
  ["admin", orphan, { policies: ["other"] }, "child policies must be subset of parent"],
  ["admin", orphan, { period: "1h" }, sudo("create periodic token")],
  ["admin", orphan, { id: "chosen" }, sudo("specify token id")],
  ["admin", orphan, { no_parent: true }, sudo("create orphan token")],
  ["maker", create, { period: "1h" }, sudo("create periodic token")],
  ["maker", create, { policies: ["maker", "root"] }, "child policies must be subset of parent"],
  ["maker", create, { policies: ["other"] }, "child policies must be subset of parent"],
  ["maker", create, { id: "chosen" }, sudo("specify token id")],
  ["maker", create, { no_parent: true }, sudo("create orphan token")],
  ["root", create, { type: "batch", period: "1h" }, 'batch tokens cannot have "period" set'],
  ["root", create, { type: "batch", num_uses: 2 }, 'batch tokens cannot have "num_uses" set'],
  ["root", create, { type: "batch", explicit_max_ttl: "1h" }, 'batch tokens cannot have "explicit_max_ttl" set'],
  ["root", create, { type: "batch", explicit_max_ttl: "zz" }, '"explicit_max_ttl" value could not be parsed'],
  ["root", create, { type: "batch", policies: ["root"] }, "batch tokens cannot be root tokens"],
  ["root", create, { period: "zz" }, 'time: invalid duration "zz"'],
  ["root", create, { lease: "-1s" }, "lease must be positive"],
  ["root", create, { ttl: "-1s" }, "ttl must be positive"],
  ["root", create, { num_uses: -1 }, "number of uses cannot be negative"],
  ["root", create, { id: "a.b" }, "custom token ID cannot have a '.' in the value"],
  ["root", create, { type: "other" }, "invalid 'token_type' value"],
  ["root", create, { entity_alias: "x" }, "'entity_alias' is only allowed in combination with token role"],
  ["expiring root", create, {}, "expiring root tokens cannot create non-expiring root tokens"],
  ["root", "POST auth/token/renew", {}, "missing token ID"],
  ["root", "POST auth/token/renew", { token: "zz" }, "token not found"],
  ["root", "POST auth/token/renew-self", {}, "invalid lease ID"],
  ["root", "POST auth/token/renew-accessor", {}, bare("missing accessor")],
  ["root", "POST auth/token/renew-accessor", { accessor: "zz" }, bare("invalid accessor")],
  ["root", "POST auth/token/lookup-accessor", { accessor: "zz" }, bare("invalid accessor")],
  ["root", "POST auth/token/revoke", {}, "missing token ID"],
  ["root", "POST auth/token/revoke-orphan", {}, "missing token ID"],
  ["root", "POST auth/token/revoke-orphan", { token: "zz" }, "token to revoke not found"],
  ["root", "POST auth/token/revoke-accessor", {}, bare("missing accessor")],
  ["root", "POST sys/capabilities", { token: "zz", path: "a" }, bare("invalid token")],
  ["root", "POST sys/capabilities-self", {}, "paths must be supplied"],
  ["root", "POST sys/capabilities-self", { paths: [""] }, bare("missing path")],
  ["root", "POST sys/capabilities-accessor", { path: "a" }, "missing accessor"],
  ["root", "POST sys/capabilities-accessor", { path: "a", accessor: "zz" }, bare("invalid accessor")],
  ["root", "POST identity/entity", { policies: "root" }, "policies cannot contain root"],
  ["root", "POST identity/entity/id/zz", {}, "entity not found from id"],
  ["root", "POST identity/lookup/entity", {}, "query parameter not supplied"],
  [
    "root",
    "POST identity/lookup/entity",
    { alias_name: "x" },
    "both 'alias_name' and 'alias_mount_accessor' needs to be set",
  ],
  ["root", "POST identity/entity/batch-delete", {}, "missing entity ids to delete"],
  ["root", "POST identity/entity-alias", {}, "'id' or 'mount_accessor' and 'name' must be provided"],
  ["root", "POST identity/entity-alias", { name: "x", mount_accessor: "zz" }, 'invalid mount accessor "zz"'],
  ["root", "POST identity/entity-alias/id/zz", { name: "x" }, "invalid alias ID provided"],
];

/** Tokens, and the users whose they are, as every Vault has them. */
export function describeTokens(product: string, open: () => Promise<AskingVault>): void {
  describe(`tokens on ${product}`, () => {
    let vault: AskingVault;
    let ask: VaultAsk;
    let tokens: Record<By, string>;
    let accessor: string;
    beforeAll(async () => {
      vault = await open();
      ask = asker(vault);
      for (const [name, policy] of Object.entries(policies)) {
        await ask(`POST sys/policies/acl/${name}`, { body: { policy } });
      }
      tokens = {
        root: vault.token,
        admin: (await made({ policies: ["admin"] })).token,
        maker: (await made({ policies: ["maker"] })).token,
        "expiring root": (await made({ ttl: "1h" })).token,
      };
      await ask("POST sys/auth/approle", { body: { type: "approle" } });
      await ask("POST auth/approle/role/app", { body: { bind_secret_id: false, token_bound_cidrs: "127.0.0.0/8" } });
      const method = (await ask("GET sys/auth/approle")).data ?? {};
      accessor = String(method["accessor"]);
    });
    afterAll(() => vault.close());

    async function made(body: object, as?: string, at = create) {
      const { auth } = await ask(at, { body, as });
      return { ...auth, token: String(auth?.["client_token"]), accessor: String(auth?.["accessor"]) };
    }
    const lookup = (token: string) => ask("POST auth/token/lookup", { body: { token } });
    /** A login of the role's only user. */
    async function login() {
      const { role_id } = (await ask("GET auth/approle/role/app/role-id")).data ?? {};
      const { auth } = await ask("POST auth/approle/login", { body: { role_id }, as: "" });
      return { token: String(auth?.["client_token"]), entityId: String(auth?.["entity_id"]) };
    }

    it.each(refusals)("%s: %s %j is refused: %s", async (by, request, body, error) => {
      const answer = await ask(request, { body, as: tokens[by] });
      expect([answer.status >= 400, answer.errors]).toEqual([true, error]);
    });

    it.each<readonly [By, object, readonly string[]]>([
      ["admin", { policies: ["other", "unknown"] }, ["default", "other", "unknown"]],
      ["admin", { policies: ["other"], no_default_policy: true }, ["other"]],
      ["admin", {}, ["admin", "default"]],
      ["maker", {}, ["default", "maker"]],
      ["maker", { policies: ["default"] }, ["default"]],
      ["maker", { policies: ["maker"], no_default_policy: true }, ["maker"]],
    ])("%s creates %j with the policies %j", async (by, body, granted) => {
      expect(await made(body, tokens[by])).toMatchObject({ policies: granted, token_policies: granted, orphan: false });
    });

    it("who may write to it creates tokens without a parent, and what its parent may is all that they may", async () => {
      const { token } = await made({ policies: ["maker"] }, tokens.maker, orphan);
      expect((await lookup(token)).data).toMatchObject({ orphan: true, path: "auth/token/create-orphan" });
    });

    it("a root token with a maximum expires, without a warning", async () => {
      const answer = await ask(create, { body: { explicit_max_ttl: "1h", display_name: "a b/" } });
      expect([answer.warnings, answer.auth]).toMatchObject([null, { lease_duration: 3600, renewable: true }]);
      const shown = await lookup(String(answer.auth?.["client_token"]));
      expect(shown.data).toMatchObject({ display_name: "token-a-b", explicit_max_ttl: 3600 });
    });

    it("a token is renewed by others, with it or with its accessor", async () => {
      const { token, accessor: ofToken } = await made({ policies: ["other"], ttl: "1h" });
      const body = { token, increment: "2h" };
      expect((await ask("POST auth/token/renew", { body })).auth).toMatchObject({ lease_duration: 7200 });
      const byAccessor = { accessor: ofToken, increment: 60 };
      const renewed = await ask("POST auth/token/renew-accessor", { body: byAccessor });
      expect(renewed.auth).toMatchObject({ lease_duration: 60, client_token: "", accessor: ofToken });
      expect((await lookup(token)).data).toMatchObject({ creation_ttl: 3600, last_renewal: expect.any(String) });
    });

    it("the children of a token end with it, unless it is revoked alone", async () => {
      const parent = await made({ policies: ["maker"] });
      const child = await made({}, parent.token);
      await ask("POST auth/token/revoke-orphan", { body: { token: parent.token } });
      expect(await lookup(parent.token)).toMatchObject({ status: 403, errors: "bad token" });
      expect((await lookup(child.token)).data).toMatchObject({ orphan: true });
      const grandchild = await made({}, child.token);
      const revoked = () => ask("POST auth/token/revoke-accessor", { body: { accessor: child.accessor } });
      expect(await revoked()).toMatchObject({ status: 204 });
      expect((await lookup(grandchild.token)).status).toBe(403);
      expect((await revoked()).warnings).toEqual(["No token found with this accessor"]);
    });

    it("a batch token is neither renewed nor revoked", async () => {
      const { token } = await made({ type: "batch", policies: ["other"], ttl: "1h" });
      const errors = async (request: string) => (await ask(request, { body: { token } })).errors;
      expect(await errors("POST auth/token/revoke")).toBe("batch tokens cannot be revoked");
      expect(await errors("POST auth/token/revoke-orphan")).toBe("batch tokens cannot be revoked");
      expect(await errors("POST auth/token/renew")).toBe("batch tokens cannot be renewed");
    });

    it("tells what a token may do, of the token, its accessor and the caller", async () => {
      const { token, accessor: ofToken } = await made({ policies: ["admin"] });
      const paths = ["auth/token/create", "/auth/token/accessors", "a"];
      const wanted = {
        "auth/token/create": ["sudo", "update"],
        "/auth/token/accessors": ["create", "delete", "list", "read", "update"],
        a: ["deny"],
      };
      expect((await ask("POST sys/capabilities", { body: { token, paths } })).data).toEqual(wanted);
      const byAccessor = { accessor: ofToken, paths };
      expect((await ask("POST sys/capabilities-accessor", { body: byAccessor })).data).toEqual(wanted);
      expect((await ask("POST sys/capabilities-self", { body: { paths }, as: token })).data).toEqual(wanted);
      expect((await ask("POST sys/capabilities-self", { body: { path: "a" } })).data).toEqual({
        a: ["root"],
        capabilities: ["root"],
      });
    });

    it("a user reads its own entity by the policy default, by ID and by name, and no other", async () => {
      const { token, entityId } = await login();
      const own = await ask(`GET identity/entity/id/${entityId}`, { as: token });
      expect(own).toMatchObject({ status: 200, data: { id: entityId } });
      expect(await ask(`GET identity/entity/name/${own.data?.["name"]}`, { as: token })).toMatchObject({ status: 200 });
      const { data } = await ask("POST identity/entity", { body: { name: "Somebody" } });
      expect(await ask(`GET identity/entity/id/${data?.["id"]}`, { as: token })).toMatchObject({ status: 403 });
    });

    it("the tokens of an entity have its policies, and do nothing once it is disabled or gone", async () => {
      const { token, entityId } = await login();
      await ask(`POST identity/entity/id/${entityId}`, { body: { policies: "Lookup", metadata: { team: "a" } } });
      const listed = () => ask(`GET identity/entity/id/${entityId}`, { as: token });
      expect((await listed()).data).toMatchObject({ policies: ["Lookup"], metadata: { team: "a" }, disabled: false });
      expect((await lookup(token)).data).toMatchObject({ identity_policies: ["Lookup"] });
      await ask(`POST identity/entity/id/${entityId}`, { body: { disabled: true } });
      expect(await listed()).toMatchObject({ status: 403, errors: "permission denied" });
      await ask(`POST identity/entity/id/${entityId}`, { body: { disabled: false } });
      expect((await listed()).status).toBe(200);
      expect((await ask(`DELETE identity/entity/id/${entityId}`)).status).toBe(204);
      expect(await listed()).toMatchObject({ status: 403, errors: "permission denied" });
    });

    it("an entity is written and read by name, whatever its letter case", async () => {
      const body = { policies: "B,a,B", metadata: { x: "1" } };
      expect((await ask("POST identity/entity/name/Ann", { body })).data).toMatchObject({ name: "Ann", aliases: null });
      const { data } = await ask("GET identity/entity/name/aNN");
      expect(data).toMatchObject({ name: "Ann", policies: ["B", "a"], metadata: { x: "1" }, aliases: [] });
      expect(await ask("POST identity/entity/name/ann", { body: { disabled: true } })).toMatchObject({ status: 204 });
      const lookedUp = await ask("POST identity/lookup/entity", { body: { name: "ANN" } });
      expect(lookedUp.data).toMatchObject({ id: data?.["id"], name: "ann", disabled: true });
      await ask("POST identity/entity/name/Bob", { body: {} });
      const taken = await ask(`POST identity/entity/id/${data?.["id"]}`, { body: { name: "bob" } });
      expect(taken.errors).toBe("entity name is already in use");
      expect((await ask("LIST identity/entity/name")).data?.["keys"]).toEqual(expect.arrayContaining(["ann", "Bob"]));
      await ask("POST identity/entity/batch-delete", { body: { entity_ids: [data?.["id"]] } });
      expect(await ask("GET identity/entity/name/ann")).toMatchObject({ status: 404 });
      expect(await ask("DELETE identity/entity/name/BOB")).toMatchObject({ status: 204 });
    });

    it("an alias says whose an entity is, and moves from one to another", async () => {
      const written = async (path: string, body: object) => ask(`POST identity/${path}`, { body });
      const { data: one } = await written("entity", { name: "one" });
      const { data: two } = await written("entity", { name: "two" });
      const about = { name: "u1", mount_accessor: accessor };
      const { data } = await written("entity-alias", {
        ...about,
        canonical_id: one?.["id"],
        custom_metadata: { k: "v" },
      });
      expect(data).toEqual({ id: expect.any(String), canonical_id: one?.["id"] });
      const path = `entity-alias/id/${data?.["id"]}`;
      const read = async () => (await ask(`GET identity/${path}`)).data;
      expect(await read()).toMatchObject({ ...about, custom_metadata: { k: "v" }, mount_path: "auth/approle/" });
      expect((await written(path, {})).status).toBe(204);
      expect((await written("entity-alias", { ...about, name: "u2", canonical_id: one?.["id"] })).errors).toBe(
        "Alias already exists for requested entity and mount accessor",
      );
      const unnamed = await written("entity-alias", { ...about, name: "u2", custom_metadata: { "": "v" } });
      const tooShort = 'length of key "" is 0 but must be 0 < len(key) <= 128';
      expect(unnamed.errors).toBe(bare(`custom_metadata validation failed: ${tooShort}`));
      expect((await written("entity-alias", { ...about, name: "u2", canonical_id: "zz" })).errors).toBe(
        "invalid canonical ID",
      );
      expect((await written(path, { canonical_id: two?.["id"] })).data).toMatchObject({ canonical_id: two?.["id"] });
      expect((await ask("GET identity/entity/name/one")).data).toMatchObject({ aliases: [] });
      const alias = { id: data?.["id"], name: "u1", mount_accessor: accessor, mount_type: "approle" };
      expect((await ask("GET identity/entity/name/two")).data).toMatchObject({ aliases: [alias] });
      const found = await written("lookup/entity", { alias_name: "U1", alias_mount_accessor: accessor });
      expect(found.data).toMatchObject({ name: "two" });
      expect((await ask("LIST identity/entity-alias/id")).data?.["keys"]).toContain(data?.["id"]);
      const { key_info } = (await ask("LIST identity/entity/id")).data ?? {};
      expect(key_info).toMatchObject({ [String(two?.["id"])]: { name: "two", aliases: [alias] } });
      expect((await ask(`DELETE identity/${path}`)).status).toBe(204);
      expect(await ask(`GET identity/${path}`)).toMatchObject({ status: 404 });
    });
  });
}
