import { beforeEach, describe, expect, it } from "vitest";
import { type CloudServer, documentText, roleArn, startCloud } from "./cloud-server";

let cloud: CloudServer;
beforeEach(async () => {
  cloud = await startCloud();
});

const edge = "arn:aws:iam::123456789012:policy/edge";

describe("the admin interface of the cloud", () => {
  it("seeds, lists and removes users with a path and keys", async () => {
    const { status, body } = await cloud.admin("POST cloud/users", { name: "ci", path: "/apps/", accessKeys: 2 });
    expect([status, body]).toEqual([
      201,
      {
        name: "ci",
        id: expect.stringMatching(/^AIDA/),
        arn: "arn:aws:iam::123456789012:user/apps/ci",
        path: "/apps/",
        accessKeys: [expect.anything(), expect.anything()],
        groups: [],
        attachedPolicies: [],
        inlinePolicies: {},
        permissionsBoundary: null,
        tags: {},
      },
    ]);
    expect((await cloud.admin("GET cloud/users")).body).toMatchObject({ users: [{ name: "root" }, body] });
    expect((await cloud.admin("DELETE cloud/users/ci")).status).toBe(204);
    expect((await cloud.admin("DELETE cloud/users/ci")).status).toBe(409);
  });

  it("seeds, lists and removes groups", async () => {
    const group = { name: "g", attachedPolicies: ["arn:aws:iam::aws:policy/P"], inlinePolicies: { p: documentText } };
    expect(await cloud.admin("POST cloud/groups", group)).toEqual({ status: 201, body: group });
    expect(await cloud.admin("POST cloud/groups", group)).toMatchObject({ status: 409 });
    expect((await cloud.admin("GET cloud/groups")).body).toEqual({ groups: [group] });
    expect((await cloud.admin("DELETE cloud/groups/g")).status).toBe(204);
    expect((await cloud.admin("GET cloud/groups")).body).toEqual({ groups: [] });
    expect((await cloud.admin("POST cloud/groups", { name: "h", attachedPolicies: [edge] })).body).toMatchObject({
      errors: [expect.stringMatching(/^NoSuchEntity: Policy arn:\S+ does not exist or is not attachable\./)],
    });
  });

  it("seeds, lists and removes policies, of a text or of an object", async () => {
    const policy = { arn: edge, document: documentText };
    const given = { name: "edge", document: JSON.parse(documentText) };
    expect(await cloud.admin("POST cloud/policies", given)).toEqual({ status: 201, body: policy });
    expect((await cloud.admin("GET cloud/policies")).body).toEqual({ policies: [policy] });
    expect((await cloud.admin("POST cloud/policies", { name: "bad", document: "x" })).status).toBe(409);
    expect((await cloud.admin(`DELETE cloud/policies/${edge}`)).status).toBe(204);
    expect((await cloud.admin(`DELETE cloud/policies/${edge}`)).status).toBe(409);
  });

  it("seeds, lists and removes roles to assume", async () => {
    const role = { arn: roleArn, externalId: null, maxSessionSeconds: 3600 };
    expect(await cloud.admin("PUT cloud/roles", { arn: roleArn })).toEqual({ status: 200, body: role });
    expect((await cloud.admin("GET cloud/roles")).body).toEqual({ roles: [role] });
    expect((await cloud.admin(`DELETE cloud/roles/${roleArn}`)).status).toBe(204);
    expect((await cloud.admin("GET cloud/roles")).body).toEqual({ roles: [] });
  });

  it("seeds, lists and removes MFA devices, whose codes follow RFC 6238", async () => {
    // Base 32 of the RFC's own secret.
    const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
    const { status, body } = await cloud.admin("POST cloud/mfa-devices", { userName: "root", secret });
    const serialNumber = "arn:aws:iam::123456789012:mfa/root";
    expect([status, body]).toEqual([
      201,
      { userName: "root", serialNumber, secret, code: expect.stringMatching(/^\d{6}$/) },
    ]);
    expect(await cloud.admin("POST cloud/mfa-devices", { userName: "root" })).toMatchObject({ status: 409 });
    expect(await cloud.admin("POST cloud/mfa-devices", { userName: "nobody" })).toMatchObject({ status: 409 });
    expect((await cloud.admin("GET cloud/mfa-devices")).body).toMatchObject({ mfaDevices: [{ serialNumber }] });
    expect((await cloud.admin(`DELETE cloud/mfa-devices/${serialNumber}`)).status).toBe(204);
    expect((await cloud.admin("GET cloud/mfa-devices")).body).toEqual({ mfaDevices: [] });
  });

  it("shows sessions, and whose credentials are", async () => {
    await cloud.ok("POST cloud/roles/s", { credential_type: "session_token" });
    const { data } = await cloud.ok("GET cloud/creds/s");
    const { body } = await cloud.admin("GET cloud/sessions");
    expect(body).toMatchObject({ sessions: [{ accessKeyId: data["access_key"], kind: "session_token" }] });
    const key = { accessKeyId: data["access_key"], secretKey: data["secret_key"] };
    expect(await cloud.admin("POST cloud/caller-identity", key)).toMatchObject({
      status: 403,
      body: { errors: [expect.stringMatching(/^InvalidClientTokenId: /)] },
    });
    expect(await cloud.admin("POST cloud/caller-identity", { ...key, sessionToken: data["session_token"] })).toEqual({
      status: 200,
      body: { arn: "arn:aws:iam::123456789012:user/root" },
    });
  });

  it("shows the role that the machine was assigned, and takes it away", async () => {
    await cloud.admin("PUT cloud/assigned-role", { arn: roleArn });
    expect((await cloud.admin("GET cloud/assigned-role")).body).toEqual({ arn: roleArn });
    await cloud.admin("PUT cloud/assigned-role", { arn: null });
    expect((await cloud.admin("GET cloud/assigned-role")).body).toEqual({ arn: null });
  });

  it.each([
    ["POST cloud/users", { name: "" }],
    ["POST cloud/users", { name: "a", accessKeys: 3 }],
    ["POST cloud/users", { name: "a", path: "apps" }],
    ["POST cloud/groups", { name: "a", more: 1 }],
    ["POST cloud/policies", {}],
    ["PUT cloud/roles", { arn: "x" }],
    ["PUT cloud/roles", { arn: roleArn, maxSessionSeconds: 60 }],
    ["POST cloud/mfa-devices", { userName: "root", secret: "no base 32" }],
    ["POST cloud/caller-identity", { accessKeyId: "a" }],
    ["PUT cloud/key-delay", { seconds: -1 }],
    ["PUT cloud/throttle", { calls: 0.5 }],
    ["PUT cloud/assigned-role", {}],
  ])("refuses %s of %j", async (request, body) => {
    expect((await cloud.admin(request, body)).status).toBe(400);
  });
});

describe("the cloud", () => {
  it("lets a user have at most two keys", () => {
    const { cloud: identity } = cloud.server;
    const [caller] = identity.addUser("a", { accessKeys: 2 }).accessKeys;
    expect(() => identity.createAccessKey(caller, "a")).toThrow(
      /^LimitExceeded: Cannot exceed quota for AccessKeysPerUser: 2/,
    );
  });

  it("deletes no user that something is attached to", () => {
    const { cloud: identity } = cloud.server;
    const [caller] = identity.addUser("a", { accessKeys: 1 }).accessKeys;
    identity.createUser(caller, { name: "b" });
    identity.putUserPolicy(caller, "b", { name: "p", document: documentText });
    expect(() => identity.deleteUser(caller, "b")).toThrow(/^DeleteConflict: /);
    identity.deleteUserPolicy(caller, "b", "p");
    identity.deleteUser(caller, "b");
    expect(() => identity.getUser(caller, "b")).toThrow(/^NoSuchEntity: /);
  });

  it.each(["", "a b", "a/b", "x".repeat(65)])("has no user of the name %j", async (name) => {
    expect(() => cloud.server.cloud.addUser(name)).toThrow(
      /^ValidationError: The specified value for userName is invalid\./,
    );
  });
});
