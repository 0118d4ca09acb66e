import { beforeEach, describe, expect, it } from "vitest";
import { type CloudServer, startCloud } from "./cloud-server";
import { tokenWith } from "./frame-harness";

let cloud: CloudServer;
beforeEach(async () => {
  cloud = await startCloud();
  await cloud.ok("POST cloud/roles/user", { credential_type: "iam_user" });
  await cloud.ok("POST cloud/roles/session", { credential_type: "session_token" });
});

const day = 86_400;
const issue = () => cloud.ok("GET cloud/creds/user");
const lookUp = (id: string) => cloud.call("POST sys/leases/lookup", { lease_id: id });
const lookedUp = async (id: string) => (await lookUp(id)).status;
/** The cloud loses the user, so that ending it fails. */
const loseUser = () => cloud.server.cloud.removeUser(cloud.made()[0] ?? "");
const lostText = (id: string, count: string) =>
  expect.stringMatching(
    `^failed to revoke "${id}"${count}: failed to revoke entry: resp: \\(\\*logical\\.Response\\)\\(nil\\) err: NoSuchEntity: The user with name vault-root-user-\\S+ cannot be found\\.\n\tstatus code: 404, request id: <id>$`,
  );

describe("lease configuration", () => {
  // @covers cloud: Lease configuration > lease
  // @covers beyond: Answer with credentials > lease_duration
  it("lease: a user's credentials live as long, whatever ttl is asked for", async () => {
    await cloud.ok("POST cloud/config/lease", { lease: "1h", lease_max: "2h" });
    expect(await cloud.ok("GET cloud/creds/user?ttl=5m")).toMatchObject({ lease_duration: 3600, renewable: true });
  });

  // @covers cloud: Lease configuration > lease_max
  it("lease_max: a lease is renewed no further, counted from its beginning", async () => {
    await cloud.ok("POST cloud/config/lease", { lease: "1h", lease_max: "2h" });
    const { lease_id } = await issue();
    await cloud.advance(3000);
    expect(await cloud.ok("POST sys/leases/renew", { lease_id, increment: "3h" })).toMatchObject({
      lease_duration: expect.toSatisfy((seconds) => seconds >= 4199 && seconds <= 4200),
      warnings: [expect.stringMatching(/^TTL of "3h" exceeded the effective max_ttl of "1h(10m|9m59s)"; TTL value is/)],
    });
    await cloud.advance(4201);
    expect(await lookedUp(lease_id)).toBe(400);
    expect(cloud.made()).toEqual([]);
  });

  // @covers cloud: Limits > lease not configured
  it("lease and lease_max: the values used when the lease is not configured are the mount's", async () => {
    expect(await issue()).toMatchObject({ lease_duration: 2_764_800 });
    await cloud.ok("POST sys/mounts/cloud/tune", { default_lease_ttl: "10m", max_lease_ttl: "20m" });
    const { lease_duration, lease_id } = await issue();
    expect(lease_duration).toBe(600);
    expect(await cloud.ok("POST sys/leases/renew", { lease_id, increment: "1h" })).toMatchObject({
      lease_duration: expect.toSatisfy((seconds) => seconds >= 1199 && seconds <= 1200),
    });
  });

  it("lease: a change counts from the next renewal on", async () => {
    const { lease_id } = await issue();
    await cloud.ok("POST cloud/config/lease", { lease: "90s", lease_max: "1h" });
    expect(await cloud.ok("POST sys/leases/renew", { lease_id })).toMatchObject({ lease_duration: 90 });
  });

  it("lease: past its maximum it cannot be renewed", async () => {
    await cloud.ok("POST cloud/config/lease", { lease: "1h", lease_max: "2h" });
    const { lease_id } = await issue();
    await cloud.ok("POST cloud/config/lease", { lease: "1m", lease_max: "1m" });
    await cloud.advance(120);
    expect(await cloud.call("POST sys/leases/renew", { lease_id })).toMatchObject({
      status: 400,
      errors: ["past the max TTL, cannot renew"],
    });
  });

  it("lease: without an end of its own a lease of nothing ends at once", async () => {
    await cloud.ok("POST cloud/config/lease", { lease: "100ms", lease_max: "1s" });
    expect(await issue()).toMatchObject({ lease_duration: 0 });
  });
});

describe("a lease", () => {
  it("ends by the clock, and its user with it, before the clock's move is answered", async () => {
    const { lease_id } = await issue();
    expect(cloud.made()).toHaveLength(1);
    await cloud.advance(32 * day - 60);
    expect(await lookUp(lease_id)).toMatchObject({ status: 200 });
    await cloud.advance(61);
    expect(cloud.made()).toEqual([]);
    expect(await lookUp(lease_id)).toMatchObject({ status: 400, errors: ["invalid lease"] });
  });

  it("stays as long as it is renewed", async () => {
    await cloud.ok("POST cloud/config/lease", { lease: "1h", lease_max: "24h" });
    const { lease_id } = await issue();
    for (let hour = 0; hour < 5; hour += 1) {
      await cloud.advance(3000);
      await cloud.ok("POST sys/leases/renew", { lease_id });
    }
    expect(cloud.made()).toHaveLength(1);
    await cloud.advance(3601);
    expect(cloud.made()).toEqual([]);
  });

  it("shows when it was renewed", async () => {
    const { lease_id } = await issue();
    expect((await lookUp(lease_id)).data).toMatchObject({ last_renewal: null, renewable: true });
    await cloud.advance(60);
    await cloud.ok("POST sys/leases/renew", { lease_id, increment: 120 });
    const { issue_time, last_renewal, expire_time } = (await lookUp(lease_id)).data;
    const [issued, renewed, ends] = [issue_time, last_renewal, expire_time].map((time) => Date.parse(String(time)));
    expect(Number(renewed) - Number(issued)).toBeGreaterThanOrEqual(60_000);
    expect(Number(ends) - Number(renewed)).toBe(120_000);
  });

  it("deletes the user at the cloud when it is revoked, with keys, policies and groups", async () => {
    cloud.server.cloud.addGroup({ name: "readers", attachedPolicies: [], inlinePolicies: {} });
    await cloud.ok("POST cloud/roles/user", {
      iam_groups: "readers",
      policy_document: '{"Statement":[]}',
      policy_arns: "arn:aws:iam::aws:policy/ReadOnlyAccess",
    });
    const { lease_id, data } = await issue();
    const key = { accessKeyId: String(data["access_key"]), secretKey: String(data["secret_key"]) };
    expect(cloud.server.cloud.callerIdentity(key).arn).toMatch(/user\/vault-root-user-/);
    expect((await cloud.call("POST sys/leases/revoke", { lease_id })).status).toBe(204);
    expect(cloud.made()).toEqual([]);
    expect(() => cloud.server.cloud.callerIdentity(key)).toThrow(/^InvalidClientTokenId/);
  });

  it("of temporary credentials cannot be renewed, and ends without a word at the cloud", async () => {
    const { lease_id } = await cloud.ok("GET cloud/creds/session");
    expect(await cloud.call("POST sys/leases/renew", { lease_id })).toMatchObject({
      errors: ["lease is not renewable"],
    });
    expect((await cloud.call("PUT sys/leases/revoke", { lease_id })).status).toBe(204);
    expect(cloud.server.cloud.sessions()).toHaveLength(1);
    await cloud.advance(3601);
    expect(cloud.server.cloud.sessions()).toEqual([]);
  });

  // @covers cloud: Endpoints > DELETE {mount}/roles/{name}
  it("outlives its role", async () => {
    const { lease_id } = await issue();
    await cloud.ok("DELETE cloud/roles/user");
    expect(await lookedUp(lease_id)).toBe(200);
    // The longest time counts from the issue: a second may have passed since.
    const { lease_duration } = await cloud.ok("POST sys/leases/renew", { lease_id });
    expect(lease_duration).toBeGreaterThan(2_764_800 - 60);
    expect(lease_duration).toBeLessThanOrEqual(2_764_800);
    await cloud.ok("POST sys/leases/revoke", { lease_id });
    expect(cloud.made()).toEqual([]);
  });

  it("ends with its mount", async () => {
    const { lease_id } = await issue();
    await cloud.ok("DELETE sys/mounts/cloud");
    expect([await lookedUp(lease_id), cloud.made()]).toEqual([400, []]);
  });

  // @covers cloud: What the service does > another mount
  it("ends when its mount is moved", async () => {
    const { lease_id } = await issue();
    await cloud.ok("POST sys/remount", { from: "cloud", to: "moved" });
    expect([await lookedUp(lease_id), cloud.made()]).toEqual([400, []]);
    expect((await cloud.ok("GET moved/creds/user")).lease_id).toMatch(/^moved\/creds\/user\/\w{24}$/);
  });

  it("keeps its mount when its user cannot be deleted, until it is revoked by force", async () => {
    const { lease_id } = await issue();
    loseUser();
    const text = lostText(lease_id, " \\(1 / 1\\)");
    expect(await cloud.call("DELETE sys/mounts/cloud")).toMatchObject({ status: 400, errors: [text] });
    expect(await cloud.call("GET cloud/config/root")).toMatchObject({
      status: 404,
      errors: ['no handler for route "cloud/config/root". route entry is tainted.'],
    });
    const { data } = await cloud.ok("POST sys/remount", { from: "cloud", to: "moved" });
    const { data: moved } = await cloud.ok(`GET sys/remount/status/${data["migration_id"]}`);
    expect(moved).toMatchObject({ migration_info: { status: "failure" } });
    await cloud.ok("POST sys/leases/revoke-force/cloud");
    await cloud.ok("DELETE sys/mounts/cloud");
    await cloud.ok("POST sys/mounts/cloud", { type: "aws" });
  });

  it("ends with the token that asked for it", async () => {
    const token = await tokenWith(cloud.ask, 'path "cloud/creds/*" { capabilities = ["read"] }');
    const { lease_id } = await cloud.call("GET cloud/creds/user", undefined, { token });
    expect(await lookedUp(lease_id)).toBe(200);
    await cloud.ok("POST auth/token/revoke", { token });
    expect([await lookedUp(lease_id), cloud.made()]).toEqual([400, []]);
  });

  it("ends when the time of its token does", async () => {
    const policy = 'path "cloud/creds/*" { capabilities = ["read"] }';
    const token = await tokenWith(cloud.ask, policy, { ttl: "1m", explicit_max_ttl: "1m" });
    await cloud.call("GET cloud/creds/user", undefined, { token });
    expect(cloud.made()).toHaveLength(1);
    await cloud.advance(61);
    expect(cloud.made()).toEqual([]);
  });

  it("of a batch token ends with the token, however long it is renewed for", async () => {
    const policy = 'path "cloud/creds/*" { capabilities = ["read"] }';
    const token = await tokenWith(cloud.ask, policy, { ttl: "1m", type: "batch" });
    const { lease_id, lease_duration } = await cloud.call("GET cloud/creds/user", undefined, { token });
    expect(lease_duration).toBe(60);
    expect((await cloud.ok("POST sys/leases/renew", { lease_id })).lease_duration).toBeLessThanOrEqual(60);
  });

  it("is not given to the last use of a token", async () => {
    const token = await tokenWith(cloud.ask, 'path "cloud/creds/*" { capabilities = ["read"] }', { num_uses: 1 });
    expect(await cloud.call("GET cloud/creds/user", undefined, { token })).toMatchObject({
      status: 400,
      errors: ["Secret cannot be returned; token had one use left, so leased credentials were immediately revoked."],
    });
    await cloud.admin("GET clock");
    expect(cloud.made()).toEqual([]);
  });

  it("cannot be listed or ended by the many without sudo", async () => {
    const all = 'path "*" { capabilities = ["create", "read", "update", "delete", "list"] }';
    const token = await tokenWith(cloud.ask, all);
    const { lease_id } = await issue();
    const asked = ["LIST sys/leases/lookup/cloud", "POST sys/leases/revoke-prefix/cloud", "PUT sys/revoke-force/cloud"];
    for (const request of asked) expect((await cloud.call(request, undefined, { token })).status).toBe(403);
    expect((await cloud.call("POST sys/leases/lookup", { lease_id }, { token })).status).toBe(200);
  });

  it("stays while the server is sealed, and ends after", async () => {
    await issue();
    await cloud.admin("POST seal");
    await cloud.advance(33 * day);
    expect(cloud.made()).toHaveLength(1);
    await cloud.admin("POST unseal");
    await cloud.admin("GET clock");
    expect(cloud.made()).toEqual([]);
  });
});

describe("revoking", () => {
  it("says what the cloud says about a user that it has lost just now, and lets an older one go", async () => {
    const { lease_id } = await issue();
    loseUser();
    const { status, errors } = await cloud.call("POST sys/leases/revoke", { lease_id });
    expect([status, errors?.[0]]).toEqual([400, expect.stringMatching(/^failed to revoke entry: .* NoSuchEntity: /)]);
    expect(await lookedUp(lease_id)).toBe(200);
    await cloud.advance(301);
    expect((await cloud.call("POST sys/leases/revoke", { lease_id })).status).toBe(204);
  });

  it("ends everything below a prefix, and one lease by its whole id", async () => {
    await cloud.ok("POST cloud/roles/users", { credential_type: "iam_user" });
    const [first, second] = [await issue(), await issue()];
    await cloud.ok("GET cloud/creds/users");
    await cloud.ok(`POST sys/leases/revoke-prefix/${first.lease_id}`);
    expect(await cloud.ok("LIST sys/leases/lookup/cloud/creds/user")).toMatchObject({
      data: { keys: [second.lease_id.split("/").at(-1)] },
    });
    await cloud.ok("POST sys/leases/revoke-prefix/cloud/creds/user");
    expect((await cloud.ok("LIST sys/leases/lookup/cloud/creds")).data).toEqual({ keys: ["users/"] });
    expect(cloud.made()).toHaveLength(1);
  });

  it("stops at the first lease that cannot be ended, but not by force", async () => {
    const { lease_id } = await issue();
    loseUser();
    const refused = { status: 400, errors: [lostText(lease_id, " \\(1 / 1\\)")] };
    expect(await cloud.call("POST sys/leases/revoke-prefix/cloud")).toMatchObject(refused);
    const alone = { status: 400, errors: [lostText(lease_id, "")] };
    expect(await cloud.call(`POST sys/leases/revoke-prefix/${lease_id}`)).toMatchObject(alone);
    await cloud.ok("POST sys/leases/revoke-force/cloud");
    expect(await lookedUp(lease_id)).toBe(400);
  });

  it("later is tried again, and given up after six times", async () => {
    const { lease_id } = await issue();
    const [name = ""] = cloud.made();
    // A device keeps the cloud from deleting the user.
    cloud.server.cloud.addMfaDevice({ userName: name });
    await cloud.advance(33 * day);
    expect(await lookedUp(lease_id)).toBe(200);
    for (const seconds of [11, 21, 41, 81, 161]) await cloud.advance(seconds);
    cloud.server.cloud.removeMfaDevice(`arn:aws:iam::123456789012:mfa/${name}`);
    await cloud.advance(day);
    expect(cloud.made()).toEqual([name]);
    expect(await cloud.call("POST sys/leases/renew", { lease_id })).toMatchObject({
      errors: ["lease is expired and has failed previous revocation attempts"],
    });
    await cloud.ok("POST sys/leases/revoke", { lease_id });
    expect(cloud.made()).toEqual([]);
  });

  it("later works as soon as the cloud lets it", async () => {
    await issue();
    const [name = ""] = cloud.made();
    const { serialNumber } = cloud.server.cloud.addMfaDevice({ userName: name });
    await cloud.advance(33 * day);
    cloud.server.cloud.removeMfaDevice(serialNumber);
    await cloud.advance(11);
    expect(cloud.made()).toEqual([]);
  });
});
