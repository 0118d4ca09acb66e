import { beforeEach, describe, expect, it } from "vitest";
import { type CloudServer, startCloud } from "./cloud-server";

let cloud: CloudServer;
const keysOf = (name: string) =>
  cloud.server.cloud
    .users()
    .find((user) => user.name === name)
    ?.accessKeys.map(({ accessKeyId }) => accessKeyId);
const shownKey = async (role: string) => (await cloud.ok(`GET cloud/static-creds/${role}`)).data["access_key"];
const adopt = (name: string, rotation_period: string | number = "1h") =>
  cloud.ok(`POST cloud/static-roles/${name}`, { username: name, rotation_period });

describe("rotation rules of static roles", () => {
  beforeEach(async () => {
    cloud = await startCloud();
  });

  // @covers cloud: Rotation of static roles > 1: a new key
  it("1: creating a static role makes a new key", async () => {
    cloud.server.cloud.addUser("app");
    await adopt("app");
    expect(keysOf("app")).toEqual([await shownKey("app")]);
  });

  // @covers cloud: Rotation of static roles > 1: a new key
  it("1: when the most keys are there already, the oldest is rotated", async () => {
    const [, second] = cloud.server.cloud.addUser("app", { accessKeys: 2 }).accessKeys;
    await adopt("app");
    expect(keysOf("app")).toEqual([second?.accessKeyId, await shownKey("app")]);
  });

  // @covers cloud: Rotation of static roles > 2: the oldest key
  it("2: a user without keys has the first from creation, the second from the first rotation, and loses the first at the next", async () => {
    cloud.server.cloud.addUser("app");
    await adopt("app");
    const first = await shownKey("app");
    await cloud.advance(3599);
    expect(await shownKey("app")).toBe(first);
    await cloud.advance(1);
    const second = await shownKey("app");
    expect([first !== second, keysOf("app")]).toEqual([true, [first, second]]);
    await cloud.advance(3600);
    const third = await shownKey("app");
    expect(keysOf("app")).toEqual([second, third]);
    const expiration = (await cloud.ok("GET cloud/static-creds/app")).data["expiration"];
    const left = Date.parse(String(expiration)) - cloud.server.clock.now();
    expect(left).toBeGreaterThan(3_598_000);
    expect(left).toBeLessThanOrEqual(3_600_000);
  });

  // @covers cloud: What the service does > static roles adopt a user
  // @covers cloud: Rotation of static roles > 2: the oldest key
  it("2: every rotation that the clock has passed over is made", async () => {
    cloud.server.cloud.addUser("app");
    await adopt("app", 60);
    const first = await shownKey("app");
    await cloud.advance(121);
    expect(keysOf("app")).not.toContain(first);
    await cloud.advance(365 * 86_400);
    expect(keysOf("app")).toEqual([expect.any(String), await shownKey("app")]);
  });

  // @covers cloud: Rotation of static roles > 3: another period
  // @covers beyond: Answer with credentials > expiration
  it("3: an update of rotation_period puts the next rotation a whole period ahead, unseen", async () => {
    cloud.server.cloud.addUser("app");
    await adopt("app");
    const { data: before } = await cloud.ok("GET cloud/static-creds/app");
    await cloud.advance(3000);
    await cloud.ok("POST cloud/static-roles/app", { rotation_period: "2h" });
    expect((await cloud.ok("GET cloud/static-creds/app")).data).toEqual(before);
    await cloud.advance(7199);
    expect((await cloud.ok("GET cloud/static-creds/app")).data).toEqual(before);
    await cloud.advance(1);
    expect(await shownKey("app")).not.toBe(before["access_key"]);
  });

  it("the rotated key works, and one that was rotated away does not", async () => {
    cloud.server.cloud.addUser("app");
    await adopt("app");
    const { data: first } = await cloud.ok("GET cloud/static-creds/app");
    await cloud.advance(7200);
    const { data: second } = await cloud.ok("GET cloud/static-creds/app");
    const identify = (data: typeof first) =>
      cloud.admin("POST cloud/caller-identity", { accessKeyId: data["access_key"], secretKey: data["secret_key"] });
    expect(await identify(second)).toEqual({ status: 200, body: { arn: "arn:aws:iam::123456789012:user/app" } });
    expect(await identify(first)).toMatchObject({ status: 403 });
  });

  it("a rotation that the cloud refuses is tried again in ten seconds, with the old key in place", async () => {
    const { id } = cloud.server.cloud.addUser("app");
    await adopt("app");
    const first = await shownKey("app");
    cloud.server.cloud.removeUser("app");
    await cloud.advance(3600);
    expect(await shownKey("app")).toBe(first);
    expect(cloud.server.cloud.addUser("app").id).not.toBe(id);
    await cloud.advance(10);
    // Another user of the same name is not the one that was adopted.
    expect([await shownKey("app"), keysOf("app")]).toEqual([first, []]);
  });

  // @covers cloud: Rules of generation > 3: the user stays
  it("rules of generation, 3: deleting a static role ends its rotation and leaves the user", async () => {
    cloud.server.cloud.addUser("app");
    await adopt("app");
    await cloud.ok("DELETE cloud/static-roles/app");
    await cloud.advance(7200);
    expect(keysOf("app")).toEqual([]);
    expect((await cloud.call("GET cloud/static-creds/app")).status).toBe(404);
  });

  // @covers cloud: Endpoints > GET {mount}/static-creds/{name}
  it("static credentials have no lease", async () => {
    cloud.server.cloud.addUser("app");
    await adopt("app");
    expect(await cloud.ok("GET cloud/static-creds/app")).toMatchObject({ lease_id: "", lease_duration: 0 });
    expect((await cloud.call("LIST sys/leases/lookup/cloud")).status).toBe(404);
  });

  it("nothing rotates while the server is sealed", async () => {
    cloud.server.cloud.addUser("app");
    await adopt("app");
    const before = keysOf("app");
    await cloud.admin("POST seal");
    await cloud.advance(3600);
    expect(keysOf("app")).toEqual(before);
    await cloud.admin("POST unseal");
    await cloud.admin("GET clock");
    expect(keysOf("app")).toHaveLength(2);
  });
});

describe("rotating the root credentials", () => {
  beforeEach(async () => {
    cloud = await startCloud();
    await cloud.ok("POST cloud/roles/s", { credential_type: "session_token" });
    await cloud.ok("POST cloud/roles/u", { credential_type: "iam_user" });
  });

  it("makes a new key of the user and deletes the configured one; the engine goes on with the new one", async () => {
    const before = keysOf("root");
    const { data } = await cloud.ok("POST cloud/config/rotate-root");
    expect([keysOf("root"), before?.includes(String(data["access_key"]))]).toEqual([[data["access_key"]], false]);
    expect((await cloud.ok("GET cloud/config/root")).data["access_key"]).toBe(data["access_key"]);
    await cloud.ok("GET cloud/creds/s");
    await cloud.ok("GET cloud/creds/u");
  });

  // @covers cloud: Rules of generation > 4: rotating the root key
  it("rule 4: fails when the user holds another key", async () => {
    cloud.server.cloud.createAccessKey(rootKey(), "root");
    const text =
      "error calling CreateAccessKey: LimitExceeded: Cannot exceed quota for AccessKeysPerUser: 2\n\tstatus code: 409, request id: <id>";
    expect(await cloud.call("POST cloud/config/rotate-root")).toMatchObject({
      status: 500,
      errors: [`1 error occurred:\n\t* ${text}\n\n`],
    });
  });

  // @covers cloud: Rules of generation > 4: rotating the root key
  // @covers cloud: Errors > calls after a rotation
  it("rule 4: calls may fail for a few seconds afterwards, until the cloud knows the new key", async () => {
    await cloud.ok("GET cloud/creds/s");
    await cloud.admin("PUT cloud/key-delay", { seconds: 5 });
    await cloud.ok("POST cloud/config/rotate-root");
    expect(await cloud.call("GET cloud/creds/s")).toMatchObject({
      status: 400,
      errors: ["could not obtain sts client"],
    });
    expect(await cloud.call("GET cloud/creds/u")).toMatchObject({
      status: 400,
      errors: [expect.stringMatching(/^Error creating IAM user: InvalidClientTokenId: /)],
    });
    await cloud.advance(5);
    await cloud.ok("GET cloud/creds/s");
    await cloud.ok("GET cloud/creds/u");
  });

  function rootKey() {
    const key = cloud.server.cloud.users().find(({ name }) => name === "root")?.accessKeys[0];
    if (key === undefined) throw new Error("the root user has no key");
    return key;
  }
});
