import { beforeAll, describe, expect, it } from "vitest";
import { startLasting } from "./data-harness";
import { serving } from "./frame-harness";

const { server, ask } = serving();
beforeAll(async () => {
  await ask("POST sys/auth/approle", { type: "approle" });
});

let made = 0;

/** A role of the test's own; its role ID is its name. */
async function role(fields: Record<string, unknown> = {}): Promise<string> {
  made += 1;
  const name = `role${made}`;
  expect(await ask(`POST auth/approle/role/${name}`, { role_id: name, ...fields })).toMatchObject({ status: 204 });
  return name;
}

async function secretId(name: string, fields: Record<string, unknown> = {}) {
  const { data } = await ask(`POST auth/approle/role/${name}/secret-id`, fields);
  return { id: String(data?.["secret_id"]), accessor: String(data?.["secret_id_accessor"]), data };
}

const login = (name: string, id?: string) =>
  ask("POST auth/approle/login", { role_id: name, ...(id === undefined ? {} : { secret_id: id }) }, { token: null });
const accessors = async (name: string) => (await ask(`LIST auth/approle/role/${name}/secret-id`)).data?.["keys"] ?? [];

describe("a secret ID", () => {
  it("ends with its time, and then is in no list", async () => {
    const name = await role({ secret_id_ttl: "10m" });
    const short = await secretId(name, { ttl: "1m" });
    const long = await secretId(name);
    server().clock.advance(61_000);
    expect(await login(name, short.id)).toMatchObject({ status: 400, errors: ["invalid role or secret ID"] });
    expect(await login(name, long.id)).toMatchObject({ status: 200 });
    expect(await accessors(name)).toEqual([long.accessor]);
    const lookup = { secret_id_accessor: short.accessor };
    expect(await ask(`POST auth/approle/role/${name}/secret-id-accessor/lookup`, lookup)).toMatchObject({
      status: 404,
    });
  });

  it("lives no longer than the leases of its mount", async () => {
    await ask("POST sys/auth/capped", { type: "approle", config: { max_lease_ttl: "1h" } });
    await ask("POST auth/capped/role/ci", {});
    const { data } = await ask("POST auth/capped/role/ci/secret-id", { ttl: "2h" });
    expect(data).toMatchObject({ secret_id_ttl: 3600 });
    const lookup = { secret_id: data?.["secret_id"] };
    const { data: shown } = await ask("POST auth/capped/role/ci/secret-id/lookup", lookup);
    const lived = Date.parse(String(shown?.["expiration_time"])) - Date.parse(String(shown?.["creation_time"]));
    expect([shown?.["secret_id_ttl"], lived]).toEqual([7200, 3_600_000]);
  });

  it("counts its logins down, those that its networks refuse too", async () => {
    const name = await role();
    const { id } = await secretId(name, { num_uses: 2 });
    const elsewhere = await secretId(name, { num_uses: 1, cidr_list: "192.0.2.0/24" });
    const left = async () =>
      (await ask(`POST auth/approle/role/${name}/secret-id/lookup`, { secret_id: id })).data?.["secret_id_num_uses"];
    expect(await left()).toBe(2);
    expect((await login(name, id)).status).toBe(200);
    expect(await left()).toBe(1);
    expect((await login(name, id)).status).toBe(200);
    expect((await login(name, id)).errors).toEqual(["invalid role or secret ID"]);
    expect((await login(name, elsewhere.id)).errors).toEqual([expect.stringMatching(/^source address/)]);
    expect((await login(name, elsewhere.id)).errors).toEqual(["invalid role or secret ID"]);
  });

  it("is of one role, and ends with it", async () => {
    const [one, other] = [await role(), await role()];
    const { id } = await secretId(one);
    expect((await login(other, id)).status).toBe(400);
    await ask(`DELETE auth/approle/role/${one}`);
    await ask(`POST auth/approle/role/${one}`, { role_id: one });
    expect((await login(one, id)).status).toBe(400);
    expect(await accessors(one)).toEqual([]);
    const destroyed = await ask(`POST auth/approle/role/${other}/secret-id-accessor/destroy`, {
      secret_id_accessor: (await secretId(one)).accessor,
    });
    expect(destroyed).toMatchObject({ status: 403, errors: ["invalid secret id accessor"] });
  });

  it("must stay within the networks of its role, as they are at the login", async () => {
    const name = await role({ secret_id_bound_cidrs: ["127.0.0.0/8", "10.0.0.0/8"] });
    const { id } = await secretId(name, { cidr_list: ["127.0.0.0/16"] });
    expect((await login(name, id)).status).toBe(200);
    await ask(`POST auth/approle/role/${name}`, { secret_id_bound_cidrs: ["127.0.0.0/24"] });
    expect(await login(name, id)).toMatchObject({
      status: 500,
      errors: [expect.stringMatching(/^failed to verify subset relationship .* role \["127\.0\.0\.0\/24"\]/)],
    });
  });

  it.each([
    ['{"a":"b"}', { a: "b" }],
    [Buffer.from('{"a":"b"}').toString("base64"), { a: "b" }],
    ["A = B, c=d", { a: "b", c: "d" }],
    ["", {}],
  ])("has the metadata %j", async (metadata, expected) => {
    const name = await role();
    const { id } = await secretId(name, { metadata });
    expect((await login(name, id)).auth).toMatchObject({ metadata: { ...expected, role_name: name } });
  });

  it.each([
    ["a", "failed to parse the input: invalid <key,value> format"],
    ["a=", 'failed to parse the input: invalid <key,value> pair: key: "a" value: ""'],
    ['{"a":""}', 'invalid value for key "a"'],
  ])("cannot have the metadata %j", async (metadata, reason) => {
    const answer = await ask(`POST auth/approle/role/${await role()}/secret-id`, { metadata });
    expect(answer).toMatchObject({ status: 400, errors: [`failed to parse metadata: ${reason}`] });
  });
});

describe("a role", () => {
  it("decides on the renewal of its tokens", async () => {
    const name = await role({ token_ttl: "1m", token_max_ttl: "10m", token_policies: ["default"] });
    const { auth } = await login(name, (await secretId(name)).id);
    const token = String(auth?.["client_token"]);
    await ask(`POST auth/approle/role/${name}`, { token_ttl: "5m" });
    const renewed = await ask("POST auth/token/renew-self", {}, { token });
    expect(renewed.auth).toMatchObject({ lease_duration: 300 });
  });

  it("has one entity for all its logins", async () => {
    const name = await role({ bind_secret_id: false, token_bound_cidrs: "127.0.0.0/8" });
    const [first, second] = [await login(name), await login(name)];
    expect(first.auth?.["entity_id"]).toBe(second.auth?.["entity_id"]);
  });
});

it("logins go on after a restart, and the data have no secret ID", async () => {
  const lasting = await startLasting();
  await lasting.ok("secrets", "POST /v1/sys/auth/approle", { type: "approle" });
  await lasting.ok("secrets", "POST /v1/auth/approle/role/ci", { role_id: "ci" });
  const { data } = await lasting.ok<{ data: { secret_id: string } }>(
    "secrets",
    "POST /v1/auth/approle/role/ci/secret-id",
  );
  await lasting.restart();
  expect(JSON.stringify(lasting.running().records())).not.toContain(data.secret_id);
  const body = { role_id: "ci", secret_id: data.secret_id };
  const answer = await lasting.ok<{ auth: object }>("secrets", "POST /v1/auth/approle/login", body);
  expect(answer.auth).toMatchObject({ metadata: { role_name: "ci" } });
});
