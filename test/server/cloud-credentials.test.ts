import { beforeEach, describe, expect, it } from "vitest";
import { type CloudServer, cloudError, documentText, failed, roleArn, startCloud } from "./cloud-server";

let cloud: CloudServer;
beforeEach(async () => {
  cloud = await startCloud();
});

const role = (name: string, fields: Record<string, unknown>) => cloud.ok(`POST cloud/roles/${name}`, fields);
const madeUser = () => cloud.server.cloud.users().find(({ name }) => /^vault-/.test(name));
const lastSession = () => cloud.server.cloud.sessions().at(-1);

describe("roles: credential_type", () => {
  // @covers cloud: What the service does > four types of credentials
  // @covers beyond: Answer with credentials > secret_key
  it("iam_user: a new user with a key of its own, whose lease can be renewed", async () => {
    await role("r", { credential_type: "iam_user" });
    const answer = await cloud.ok("GET cloud/creds/r");
    const [key] = madeUser()?.accessKeys ?? [];
    expect(answer).toMatchObject({
      data: { access_key: key?.accessKeyId, secret_key: key?.secretKey, session_token: null },
      lease_id: expect.stringMatching(/^cloud\/creds\/r\/\w{24}$/),
      lease_duration: 2_764_800,
      renewable: true,
    });
    expect(Object.keys(answer.data)).toEqual(["access_key", "secret_key", "session_token"]);
    expect(madeUser()?.name).toMatch(/^vault-root-r-\d{10}-\w{20}$/);
  });

  // @covers cloud: What the service does > four types of credentials
  it.each([
    [
      "assumed_role",
      { role_arns: roleArn },
      ["access_key", "arn", "secret_key", "security_token", "session_token", "ttl"],
    ],
    [
      "federation_token",
      { policy_document: documentText },
      ["access_key", "secret_key", "security_token", "session_token", "ttl"],
    ],
    ["session_token", {}, ["access_key", "secret_key", "session_token", "ttl"]],
  ])(
    "%s: temporary credentials that work, with a lease that cannot be renewed",
    async (credential_type, fields, keys) => {
      await role("r", { credential_type, ...fields });
      const { data, renewable, lease_duration, lease_id } = await cloud.ok("POST cloud/sts/r", {});
      expect(Object.keys(data).sort()).toEqual(keys);
      expect([renewable, lease_id]).toEqual([false, expect.stringMatching(/^cloud\/sts\/r\/\w{24}$/)]);
      expect(lease_duration).toBeOneOf([3599, 3600]);
      expect(Number(data["ttl"])).toBeOneOf([3598, 3599, 3600]);
      if ("security_token" in data) expect(data["security_token"]).toBe(data["session_token"]);
      const key = { accessKeyId: String(data["access_key"]), secretKey: String(data["secret_key"]) };
      const identity = { ...key, sessionToken: String(data["session_token"]) };
      expect(await cloud.admin("POST cloud/caller-identity", identity)).toEqual({
        status: 200,
        body: { arn: lastSession()?.arn },
      });
      expect(lastSession()).toMatchObject({ kind: credential_type, issuedTo: "arn:aws:iam::123456789012:user/root" });
      await cloud.advance(3601);
      expect(await cloud.admin("POST cloud/caller-identity", identity)).toMatchObject({ status: 403 });
    },
  );

  // @covers beyond: Answer with credentials > arn
  it("the arn of an assumed role names the role and the session", async () => {
    await role("r", { credential_type: "assumed_role", role_arns: roleArn });
    const { data } = await cloud.ok("POST cloud/sts/r", { role_session_name: "ci" });
    expect(data["arn"]).toBe("arn:aws:sts::123456789012:assumed-role/deployer/ci");
  });
});

describe("roles: fields that decide over the cloud's records", () => {
  // @covers cloud: Role > policy_arns
  it("policy_arns of an iam_user are attached to the user", async () => {
    const own = cloud.server.cloud.addPolicy({ arn: "arn:aws:iam::123456789012:policy/p", document: documentText }).arn;
    const arns = [own, "arn:aws:iam::aws:policy/ReadOnlyAccess"];
    await role("r", { credential_type: "iam_user", policy_arns: arns });
    await cloud.ok("GET cloud/creds/r");
    expect(madeUser()?.attachedPolicies).toEqual(arns);
  });

  // @covers cloud: Role > policy_document
  it("policy_document of an iam_user becomes a policy of the user, under the role's name", async () => {
    await role("r", { credential_type: "iam_user", policy_document: documentText });
    await cloud.ok("GET cloud/creds/r");
    expect(madeUser()?.inlinePolicies).toEqual({ r: documentText });
  });

  // @covers cloud: Role > policy_arns
  it.each([
    ["assumed_role", { role_arns: roleArn }],
    ["federation_token", {}],
  ])("policy_document and policy_arns of %s go along with the session", async (credential_type, fields) => {
    const policy_arns = ["arn:aws:iam::123456789012:policy/anything"];
    await role("r", { credential_type, policy_document: documentText, policy_arns, ...fields });
    await cloud.ok("GET cloud/creds/r");
    expect(lastSession()).toMatchObject({ policy: documentText, policyArns: policy_arns });
  });

  // @covers cloud: Role > iam_groups
  it("iam_groups of an iam_user take the user in", async () => {
    cloud.server.cloud.addGroup({ name: "readers", attachedPolicies: [], inlinePolicies: {} });
    await role("r", { credential_type: "iam_user", iam_groups: ["readers"] });
    await cloud.ok("GET cloud/creds/r");
    expect(madeUser()?.groups).toEqual(["readers"]);
  });

  // @covers cloud: Role > iam_groups
  it.each([
    ["assumed_role", { role_arns: roleArn }],
    ["federation_token", {}],
  ])(
    "iam_groups of %s: the policies of each group are combined with the role's own",
    async (credential_type, fields) => {
      const [one, two] = ["a", "b"].map((action) => ({ Effect: "Allow", Action: action, Resource: "*" }));
      cloud.server.cloud.addGroup({
        name: "first",
        attachedPolicies: ["arn:aws:iam::aws:policy/First"],
        // A statement may stand alone.
        inlinePolicies: { p: JSON.stringify({ Statement: one }) },
      });
      cloud.server.cloud.addGroup({
        name: "second",
        attachedPolicies: ["arn:aws:iam::aws:policy/Second"],
        inlinePolicies: { p: JSON.stringify({ Statement: [two] }) },
      });
      const policy_arns = ["arn:aws:iam::aws:policy/Own"];
      await role("r", {
        credential_type,
        iam_groups: "first,second",
        policy_document: documentText,
        policy_arns,
        ...fields,
      });
      await cloud.ok("GET cloud/creds/r");
      expect(JSON.parse(lastSession()?.policy ?? "")).toEqual({
        Version: "2012-10-17",
        Statement: [one, two, ...JSON.parse(documentText).Statement],
      });
      expect(lastSession()?.policyArns).toEqual(
        ["Own", "First", "Second"].map((name) => `arn:aws:iam::aws:policy/${name}`),
      );
    },
  );

  it("iam_groups alone are policy enough for a federation_token", async () => {
    cloud.server.cloud.addGroup({ name: "g", attachedPolicies: ["arn:aws:iam::aws:policy/P"], inlinePolicies: {} });
    await role("r", { credential_type: "federation_token", iam_groups: "g" });
    await cloud.ok("GET cloud/creds/r");
    expect(lastSession()).toMatchObject({ policy: null, policyArns: ["arn:aws:iam::aws:policy/P"] });
  });

  // @covers cloud: Role > iam_tags
  it("iam_tags are the user's tags", async () => {
    await role("r", { credential_type: "iam_user", iam_tags: ["team=a", "empty="] });
    await cloud.ok("GET cloud/creds/r");
    expect(madeUser()?.tags).toEqual({ team: "a", empty: "" });
  });

  // @covers cloud: Role > session_tags
  it("session_tags are the session's tags", async () => {
    await role("r", { credential_type: "assumed_role", role_arns: roleArn, session_tags: ["team=a"] });
    await cloud.ok("GET cloud/creds/r");
    expect(lastSession()?.tags).toEqual({ team: "a" });
  });

  // @covers cloud: Role > external_id
  it("external_id lets into a role that wants it, and nothing else does", async () => {
    await cloud.admin("PUT cloud/roles", { arn: roleArn, externalId: "partner" });
    await role("r", { credential_type: "assumed_role", role_arns: roleArn });
    const who = "User: arn:aws:iam::123456789012:user/root is not authorized to perform";
    const denied = `Error assuming role: ${cloudError("AccessDenied", `${who}: sts:AssumeRole on resource: ${roleArn}`, 403)}`;
    expect(await cloud.call("GET cloud/creds/r")).toMatchObject(failed(denied));
    await role("r", { external_id: "another" });
    expect(await cloud.call("GET cloud/creds/r")).toMatchObject(failed(denied));
    await role("r", { external_id: "partner" });
    await cloud.ok("GET cloud/creds/r");
    expect(lastSession()?.externalId).toBe("partner");
  });

  // @covers cloud: Role > user_path
  it.each([
    ["/apps/", "/apps/"],
    [undefined, "/"],
  ])("user_path %s: the user's path is %s", async (user_path, path) => {
    await role("r", { credential_type: "iam_user", ...(user_path === undefined ? {} : { user_path }) });
    await cloud.ok("GET cloud/creds/r");
    expect(madeUser()).toMatchObject({ path, arn: `arn:aws:iam::123456789012:user${path}${madeUser()?.name}` });
  });

  // @covers cloud: Role > permissions_boundary_arn
  it("permissions_boundary_arn: none when unset, else the user's, which must exist", async () => {
    await role("r", { credential_type: "iam_user" });
    await cloud.ok("GET cloud/creds/r");
    expect(madeUser()?.permissionsBoundary).toBeNull();
    const boundary = "arn:aws:iam::123456789012:policy/edge";
    await role("r", { permissions_boundary_arn: boundary });
    const missing = cloudError("NoSuchEntity", `Scope ARN: ${boundary} does not exist or is not attachable.`, 404);
    expect(await cloud.call("GET cloud/creds/r")).toMatchObject(failed(`Error creating IAM user: ${missing}`));
    await cloud.admin("POST cloud/policies", { name: "edge" });
    await cloud.ok("GET cloud/creds/r");
    expect(cloud.server.cloud.users().map((user) => user.permissionsBoundary)).toContain(boundary);
  });
});
