import { describe, expect, it } from "vitest";
import { setUpCloud, withoutRequestId, wrapped } from "./cloud-harness";

async function setUp(options: Parameters<typeof setUpCloud>[0] = {}) {
  const cloud = setUpCloud(options);
  await cloud.configure();
  cloud.identity.addUser("app");
  const keysOf = (name: string) =>
    cloud.identity
      .users()
      .find((user) => user.name === name)
      ?.accessKeys.map((key) => key.accessKeyId);
  const keyOf = async (role: string) => (await cloud.read(`static-creds/${role}`)).data?.["access_key"];
  return { ...cloud, keysOf, keyOf };
}

const app = { username: "app", rotation_period: 60 };
const noUser = (name: string) =>
  `unable to validate username "${name}": NoSuchEntity: The user with name ${name} cannot be found.\n\tstatus code: 404, request id: <id>`;
const outOfRange = wrapped("role rotation period out of range: must be greater than 60.00 seconds");

describe("a static role", () => {
  // @covers cloud: Static role > stored record
  it("answers its creation with its record, and makes a key", async () => {
    const { write, read, identity } = await setUp({ now: () => new Date("2026-11-21T02:42:08.800Z") });
    const body = { ...app, rotation_period: "1h", assume_role_arn: "x", name: "y" };
    const user = identity.users().find(({ name }) => name === "app");
    const record = {
      name: "a@b",
      id: user?.id,
      username: "app",
      rotation_period: 3600,
      assume_role_arn: "",
      assume_role_session_name: "",
      external_id: "",
    };
    expect(await write("static-roles/a@b", body)).toEqual({
      status: 200,
      data: record,
      warnings: [
        "Endpoint ignored these unrecognized parameters: [assume_role_arn]",
        "Endpoint replaced the value of these parameters with the values captured from the endpoint's path: [name]",
      ],
    });
    expect((await read("static-roles/a@b")).data).toEqual(record);
    const [key] = identity.users().find(({ name }) => name === "app")?.accessKeys ?? [];
    expect((await read("static-creds/a@b")).data).toEqual({
      access_key: key?.accessKeyId,
      secret_key: key?.secretKey,
      expiration: "2026-11-21T03:42:08.8Z",
    });
  });

  it("takes the place of the user's oldest key when there are two", async () => {
    const { write, read, keysOf, keyOf } = await setUp();
    for (const role of ["r1", "r2", "r3"]) await write(`static-roles/${role}`, app);
    expect(keysOf("app")).toEqual([await keyOf("r2"), await keyOf("r3")]);
    // The first role goes on showing a key that no longer works.
    expect((await read("static-creds/r1")).status).toBe(200);
  });

  it("updated keeps its key and what the update leaves out", async () => {
    const { write, read, keyOf } = await setUp();
    await write("static-roles/r", app);
    const [key, shown] = [await keyOf("r"), (await read("static-roles/r")).data];
    expect((await write("static-roles/r")).data).toEqual(shown);
    const longer = { ...shown, rotation_period: 7200 };
    expect((await write("static-roles/r", { rotation_period: "2h" })).data).toEqual(longer);
    expect((await write("static-roles/r", { username: "app", rotation_period: null })).data).toEqual(longer);
    expect(await keyOf("r")).toBe(key);
  });

  it("cannot move to another user", async () => {
    const { write, identity } = await setUp();
    const other = identity.addUser("other");
    const { data } = await write("static-roles/r", app);
    expect(await write("static-roles/r", { username: "other" })).toEqual({
      status: 500,
      error: wrapped(
        `AWS GetUser returned a user, but the ID did not match: "${data?.["id"]}" was requested, but "${other.id}" was returned`,
      ),
    });
  });

  it.each([
    [{}, 400, 'missing "username" parameter'],
    [{ username: "app" }, 400, 'missing "rotation_period" parameter'],
    [{ username: "app", rotation_period: null }, 400, 'missing "rotation_period" parameter'],
    [{ username: "nope" }, 500, wrapped(noUser("nope"))],
    [{ username: "nope", rotation_period: 59 }, 500, wrapped(noUser("nope"))],
    [{ username: "app", rotation_period: 59 }, 500, outOfRange],
    [
      { username: null, rotation_period: 60 },
      500,
      wrapped(
        'unable to validate username "": InvalidParameter: 1 validation error(s) found.\n- minimum field size of 1, GetUserInput.UserName.\n',
      ),
    ],
    [
      { username: "app", rotation_period: "1w" },
      400,
      'Field validation failed: error converting input for field "rotation_period": time: unknown unit "w" in duration "1w"',
    ],
  ])("is not created from %j", async (body, status, error) => {
    const { write, read } = await setUp();
    expect(withoutRequestId(await write("static-roles/r", body))).toEqual({ status, error });
    expect(await read("static-roles/r")).toEqual({ status: 404 });
    expect(await read("static-creds/r")).toEqual({ status: 404 });
  });

  // @covers cloud: Static role > rotation_period
  it("is not updated to a period that is too short", async () => {
    const { write, read } = await setUp();
    await write("static-roles/r", app);
    expect(await write("static-roles/r", { rotation_period: 1 })).toEqual({ status: 500, error: outOfRange });
    expect((await read("static-roles/r")).data).toMatchObject({ rotation_period: 60 });
  });

  it.each([
    [
      {},
      'unable to validate username "app": NoCredentialProviders: no valid providers in chain. Deprecated.\n\tFor verbose messaging see aws.Config.CredentialsChainVerboseErrors',
    ],
    [
      { access_key: "x" },
      'unable to get client to validate username "app": static AWS client credentials haven\'t been properly configured (the access key or secret key were provided but not both)',
    ],
    [
      { access_key: "AKIAFIRST", secret_key: "wrong" },
      'unable to validate username "app": SignatureDoesNotMatch: The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details.\n\tstatus code: 403, request id: <id>',
    ],
  ])("needs root credentials that work, unlike %j", async (config, text) => {
    const { identity } = await setUp();
    identity.getUser({ accessKeyId: "AKIAFIRST", secretKey: "first-secret" });
    const { write } = setUpCloud({ identity });
    await write("config/root", config);
    expect(withoutRequestId(await write("static-roles/r", app))).toEqual({ status: 500, error: wrapped(text) });
  });

  it("without a user left at the cloud cannot get a new key, and has none", async () => {
    const { write, read, remove, identity } = await setUp();
    await write("static-roles/r", app);
    identity.removeUser("app");
    const deletion = withoutRequestId(await remove("static-roles/r"));
    expect(deletion.error).toBe(
      wrapped(
        'failed to clean credentials while deleting role "r": couldn\'t delete from IAM: NoSuchEntity: The user with name app cannot be found.\n\tstatus code: 404, request id: <id>',
      ),
    );
    expect(withoutRequestId(await write("static-roles/r", { rotation_period: 90 }))).toEqual({
      status: 500,
      error: wrapped(
        `failed to create new credentials for role "r": iam user didn't exist, or username/userid didn't match: ${noUser("app")}`,
      ),
    });
    expect(await read("static-creds/r")).toEqual({ status: 404 });
  });

  // @covers cloud: Static role > name
  it("is listed by name, and its credentials can only be read", async () => {
    const { write, list } = await setUp();
    expect((await list("static-roles")).data).toEqual({});
    for (const name of ["b", "a"]) await write(`static-roles/${name}`, app);
    expect((await list("static-roles")).data).toEqual({ keys: ["a", "b"] });
    expect(await list("static-creds")).toEqual({ status: 404, error: wrapped("unsupported path") });
    expect(await write("static-creds/a")).toEqual({ status: 405, error: wrapped("unsupported operation") });
  });

  // @covers cloud: Static role > name
  it.each<["read" | "write" | "remove", string, string]>([
    ["read", "static-roles", 'failed to read configuration for static role "a..b": '],
    ["write", "static-roles", "couldn't check storage for pre-existing role: "],
    ["remove", "static-roles", "couldn't locate role in storage due to error: "],
    ["read", "static-creds", 'failed to read credentials for role "a..b": '],
  ])("with two dots in its name is refused on %s of %s in its own words", async (verb, collection, prefix) => {
    const cloud = await setUp();
    expect(await cloud[verb](`${collection}/a..b`)).toEqual({
      status: 400,
      error: wrapped(`${prefix}relative paths not supported`),
    });
  });
});

describe("deleting a static role", () => {
  // @covers cloud: Endpoints > DELETE {mount}/static-roles/{name}
  it("deletes its key and leaves the user", async () => {
    const { write, read, remove, keysOf } = await setUp();
    await write("static-roles/r", app);
    expect(await remove("static-roles/r")).toEqual({ status: 204 });
    expect(keysOf("app")).toEqual([]);
    expect(await read("static-roles/r")).toEqual({ status: 404 });
    expect(await read("static-creds/r")).toEqual({ status: 404 });
    expect(await remove("static-roles/r")).toEqual({ status: 204 });
  });

  // @covers cloud: Endpoints > DELETE {mount}/static-roles/{name}
  it("fails when the key is gone already, and succeeds when tried again", async () => {
    const { write, read, remove, identity, keyOf } = await setUp();
    await write("static-roles/r", app);
    const accessKeyId = String(await keyOf("r"));
    const root = { accessKeyId: "AKIAFIRST", secretKey: "first-secret" };
    identity.deleteAccessKey(root, { userName: "app", accessKeyId });
    expect(withoutRequestId(await remove("static-roles/r"))).toEqual({
      status: 500,
      error: wrapped(
        `failed to clean credentials while deleting role "r": couldn't delete from IAM: NoSuchEntity: The Access Key with id ${accessKeyId} cannot be found.\n\tstatus code: 404, request id: <id>`,
      ),
    });
    expect((await read("static-roles/r")).status).toBe(200);
    expect(await read("static-creds/r")).toEqual({ status: 404 });
    expect(await write("static-roles/r", { rotation_period: 90 })).toEqual({
      status: 500,
      error: wrapped('failed to add item into the rotation queue for role "r": duplicate item'),
    });
    expect((await read("static-creds/r")).status).toBe(200);
    expect(await remove("static-roles/r")).toEqual({ status: 204 });
  });
});

describe("the cloud", () => {
  it("knows users by name and refuses a second one", () => {
    const { identity } = setUpCloud();
    const user = identity.addUser("app", { accessKeys: 1 });
    expect(user).toMatchObject({
      name: "app",
      id: expect.stringMatching(/^AIDA[A-Z2-7]{17}$/),
      accessKeys: [
        { accessKeyId: expect.stringMatching(/^AKIA[A-Z2-7]{16}$/), secretKey: expect.stringMatching(/^.{40}$/) },
      ],
    });
    expect(identity.users()).toEqual([user]);
    expect(() => identity.addUser("app")).toThrow(/^EntityAlreadyExists: User with name app already exists\./);
  });
});
