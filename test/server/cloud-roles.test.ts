import { describe, expect, it } from "vitest";
import { setUpCloud, wrapped } from "./cloud-harness";

const unset = {
  credential_type: "iam_user",
  policy_arns: null,
  role_arns: null,
  iam_groups: null,
  iam_tags: null,
  session_tags: null,
  policy_document: "",
  external_id: "",
  mfa_serial_number: "",
  permissions_boundary_arn: "",
  user_path: "",
  default_sts_ttl: 0,
  max_sts_ttl: 0,
};
const boundary = "arn:aws:iam::123456789012:policy/x";

/** The one error text of a role, in which Go has quoted the list. */
const invalid = (...texts: string[]) => {
  const count = texts.length === 1 ? "1 error" : `${texts.length} errors`;
  const items = texts.map((text) => `\\t* ${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}\\n`);
  return `error(s) validating supplied role data: "${count} occurred:\\n${items.join("")}\\n"`;
};

describe("a role", () => {
  // @covers cloud: Endpoints > GET {mount}/roles/{name}
  it("shows thirteen keys, null where nothing was ever sent", async () => {
    const { write, read } = setUpCloud();
    expect(await write("roles/r", { credential_type: "iam_user", unknown: 1, name: "x" })).toEqual({ status: 204 });
    expect(await read("roles/r")).toEqual({ status: 200, data: unset, warnings: [] });
  });

  it("remembers the difference between null and empty", async () => {
    const { write, read } = setUpCloud();
    const empty = { policy_arns: [], role_arns: "", iam_groups: null, iam_tags: {}, session_tags: null };
    await write("roles/r", { credential_type: "iam_user", ...empty });
    expect((await read("roles/r")).data).toEqual({
      ...unset,
      policy_arns: [],
      role_arns: [],
      iam_groups: [],
      iam_tags: {},
      session_tags: null,
    });
  });

  it("keeps what a write leaves out, and lists keep order and duplicates", async () => {
    const { write, read } = setUpCloud();
    const full = {
      credential_type: "iam_user",
      policy_arns: "b, a,b",
      iam_tags: ["a=b", "c=d=e"],
      policy_document: ' { "z": 1, "a": "\\u003c <" } ',
      user_path: "/x/",
      permissions_boundary_arn: boundary,
    };
    await write("roles/r", full);
    await write("roles/r", { mfa_serial_number: "m", policy_document: null });
    const stored = {
      ...unset,
      ...full,
      policy_arns: ["b", "a", "b"],
      iam_tags: { a: "b", c: "d=e" },
      policy_document: "",
      mfa_serial_number: "m",
    };
    expect((await read("roles/r")).data).toEqual(stored);
    await write("roles/r", { policy_document: full.policy_document });
    expect((await read("roles/r")).data).toEqual({ ...stored, policy_document: '{"z":1,"a":"\\u003c <"}' });
  });

  it("must have the fields of its old type cleared when its type changes", async () => {
    const { write, read } = setUpCloud();
    await write("roles/r", { credential_type: "iam_user", user_path: "/", permissions_boundary_arn: boundary });
    expect(await write("roles/r", { credential_type: "assumed_role" })).toEqual({
      status: 400,
      error: invalid(
        "user_path parameter only valid for iam_user credential type",
        "cannot supply permissions_boundary_arn when credential_type isn't iam_user",
      ),
    });
    const cleared = { credential_type: "assumed_role", user_path: "", permissions_boundary_arn: "" };
    expect(await write("roles/r", cleared)).toEqual({ status: 204 });
    expect((await read("roles/r")).data).toEqual({ ...unset, credential_type: "assumed_role" });
  });

  it.each(["[]", "5", '"x"'])("takes any JSON, such as %s, for a policy document", async (policy_document) => {
    const { write, read } = setUpCloud();
    await write("roles/r", { credential_type: "iam_user", policy_document });
    expect((await read("roles/r")).data).toEqual({ ...unset, policy_document });
  });

  // @covers cloud: Role > name
  it("is listed by name, case-sensitively, and deleted without complaint", async () => {
    const { write, list, remove, read } = setUpCloud();
    expect(await list("roles")).toEqual({ status: 200, data: {}, warnings: [] });
    for (const name of ["a", "B", "a@b", "_x"]) await write(`roles/${name}`, { credential_type: "iam_user" });
    expect((await list("roles")).data).toEqual({ keys: ["B", "_x", "a", "a@b"] });
    expect(await read("roles/b")).toEqual({ status: 404 });
    for (const name of ["a", "a", "never"]) expect(await remove(`roles/${name}`)).toEqual({ status: 204 });
    expect(await read("roles/a")).toEqual({ status: 404 });
  });

  // @covers cloud: Role > name
  it.each(["roles/a-", "roles/a b", "roles/.a", "rotate-role/a"])("has no route at %s", async (path) => {
    expect(await setUpCloud().read(path)).toEqual({ status: 404, error: wrapped("unsupported path") });
  });

  it("cannot be called with two dots in its name, and the collection cannot be read", async () => {
    const { read } = setUpCloud();
    expect(await read("roles/a..b")).toEqual({ status: 400, error: wrapped("relative paths not supported") });
    expect(await read("roles")).toEqual({ status: 405, error: wrapped("unsupported operation") });
  });
});

describe("a role is refused", () => {
  const sts = "parameter only valid for assumed_role, federation_token, and session_token credential types";
  const path =
    'the specified value for user_path is invalid. It must match "^\\\\/([\\\\x21-\\\\x7F]{0,510}\\\\/)?$" regexp';
  const order = '"default_sts_ttl" value must be less than or equal to "max_sts_ttl" value';
  const noBoundary = "cannot supply permissions_boundary_arn when credential_type isn't iam_user";
  const onlyIamUser = "user_path parameter only valid for iam_user credential type";
  const onlyAssumed = (field: string) => `cannot supply ${field} when credential_type isn't assumed_role`;
  const badBoundary = (cause: string) => `invalid permissions_boundary_arn parameter: ${cause}`;
  const iam = { credential_type: "iam_user" };

  it.each<[Record<string, unknown>, string[]]>([
    [{}, ["did not supply credential_type"]],
    [{ credential_type: null }, ["unrecognized credential type: "]],
    [{ credential_type: 'x"y' }, ['unrecognized credential type: x"y']],
    [{ credential_type: "iam_user,assumed_role" }, ["unrecognized credential type: iam_user,assumed_role"]],
    [
      { ...iam, default_sts_ttl: 5, max_sts_ttl: 4, role_arns: "x", session_tags: "a=b", external_id: "e" },
      [
        `default_sts_ttl ${sts}`,
        `max_sts_ttl ${sts}`,
        order,
        onlyAssumed("role_arns"),
        onlyAssumed("session_tags"),
        onlyAssumed("external_id"),
      ],
    ],
    [
      {
        credential_type: "assumed_role",
        default_sts_ttl: 5,
        max_sts_ttl: 4,
        user_path: "x",
        permissions_boundary_arn: boundary,
      },
      [order, onlyIamUser, path, noBoundary],
    ],
    [{ ...iam, user_path: "/a b/" }, [path]],
    [{ ...iam, user_path: `/${"a".repeat(511)}/` }, [path]],
    [
      { credential_type: "session_token", policy_document: "{}", role_arns: "y" },
      ["cannot supply a policy or role when using credential_type session_token", onlyAssumed("role_arns")],
    ],
    [
      { credential_type: "session_token", policy_arns: "x" },
      ["cannot supply a policy or role when using credential_type session_token"],
    ],
    [{ ...iam, permissions_boundary_arn: "x" }, [badBoundary("arn: invalid prefix")]],
    [{ ...iam, permissions_boundary_arn: "arn:x" }, [badBoundary("arn: not enough sections")]],
    [
      { ...iam, permissions_boundary_arn: "arn:aws:s3:::policy/x" },
      [badBoundary("expected a service of iam but got s3")],
    ],
    [
      { ...iam, permissions_boundary_arn: "arn:aws:iam::1:role/x" },
      [badBoundary("expected a resource type of policy but got role/x")],
    ],
    // A bad boundary hides what is found before it, not what is found after it.
    [
      { ...iam, default_sts_ttl: 5, user_path: "x", permissions_boundary_arn: "x", role_arns: "y", external_id: "z" },
      [badBoundary("arn: invalid prefix"), onlyAssumed("role_arns"), onlyAssumed("external_id")],
    ],
  ])("for %j", async (body, texts) => {
    const { write, read } = setUpCloud();
    expect(await write("roles/r", body)).toEqual({ status: 400, error: invalid(...texts) });
    expect(await read("roles/r")).toEqual({ status: 404 });
  });

  it.each(["x", "  ", "{} {}", 'x"\ny'])("for the policy document %j", async (policy_document) => {
    expect(await setUpCloud().write("roles/r", { ...iam, policy_document })).toEqual({
      status: 400,
      error: `cannot parse policy document: ${JSON.stringify(policy_document)}`,
    });
  });

  it("for a policy document that is an object", async () => {
    expect(await setUpCloud().write("roles/r", { ...iam, policy_document: { a: 1 } })).toEqual({
      status: 400,
      error:
        "Field validation failed: error converting input for field \"policy_document\": '' expected type 'string', got unconvertible type 'map[string]interface {}', value: 'map[a:1]'",
    });
  });

  // @covers cloud: Role > role_arns
  it("not for what only the document demands", async () => {
    for (const body of [
      { credential_type: "assumed_role" },
      { credential_type: "federation_token", iam_tags: "a=b", mfa_serial_number: "m" },
      { credential_type: "session_token", default_sts_ttl: 10 },
      { credential_type: "assumed_role", role_arns: "no arn", policy_arns: "neither" },
      { credential_type: "iam_user", user_path: `/${"a".repeat(510)}/` },
    ]) {
      expect(await setUpCloud().write("roles/r", body)).toEqual({ status: 204 });
    }
  });
});

describe("a legacy role", () => {
  const warning = "Detected use of legacy role or policy parameter. Please upgrade to use the new parameters.";
  const both = { credential_type: "iam_user,federation_token" };

  it.each([
    [{ policy: ' {\n"a" : [ 1 , 2 ] }' }, { ...both, policy_document: '{"a":[1,2]}' }],
    [{ arn: '{"a": "<>&"}' }, { ...both, policy_document: '{"a":"<>&"}' }],
    [{ arn: "arn:aws:iam::1:role/x" }, { credential_type: "assumed_role", role_arns: ["arn:aws:iam::1:role/x"] }],
    [
      { policy: boundary, arn: "" },
      { credential_type: "iam_user", policy_arns: [boundary] },
    ],
    [
      { policy: "1", iam_groups: "dropped", external_id: "dropped" },
      { ...both, policy_document: "1" },
    ],
  ])("written as %j becomes a modern one and replaces what was there", async (body, shown) => {
    const { write, read } = setUpCloud();
    await write("roles/r", { credential_type: "iam_user", user_path: "/x/", iam_groups: [] });
    expect(await write("roles/r", { ...body, zz: 1 })).toEqual({
      status: 200,
      data: null,
      warnings: [warning, "Endpoint ignored these unrecognized parameters: [zz]"],
    });
    expect((await read("roles/r")).data).toEqual({ ...unset, ...shown });
  });

  it("is restricted to one path for each type until a modern write", async () => {
    const { write, storage } = setUpCloud();
    await write("roles/r", { policy: "{}" });
    expect(storage.get("role/r")).toMatchObject({ prohibit_flexible_cred_path: true });
    await write("roles/r", { policy_document: '{"a":1}' });
    expect(storage.get("role/r")).toMatchObject({
      prohibit_flexible_cred_path: false,
      credential_types: ["iam_user", "federation_token"],
    });
  });

  const withField = (field: string) => `cannot supply deprecated role or policy parameters with ${field}`;
  it.each([
    [{ policy: "{}", credential_type: null }, 400, withField("an explicit credential_type")],
    [{ policy: "{}", role_arns: "x", policy_arns: "x" }, 400, withField("role_arns")],
    [{ policy: "{}", policy_arns: "x", policy_document: "x" }, 400, withField("policy_arns")],
    [{ policy: "{}", policy_document: "x", default_sts_ttl: 1 }, 400, withField("policy_document")],
    [{ arn: "x", default_sts_ttl: 0, max_sts_ttl: 0 }, 400, withField("default_sts_ttl")],
    [{ arn: "x", max_sts_ttl: 0, user_path: "" }, 400, withField("max_sts_ttl")],
    [{ arn: "x", user_path: "", permissions_boundary_arn: "" }, 400, withField("user_path")],
    [{ arn: "x", permissions_boundary_arn: "" }, 400, withField("permissions_boundary_arn")],
    [{ arn: "abc" }, 400, 'unable to parse supplied data: "abc"'],
    [{ arn: "arn:aws:iam::1:user/x" }, 400, 'unable to parse supplied data: "arn:aws:iam::1:user/x"'],
    [{ arn: "arn:x" }, 400, 'unable to parse supplied data: "arn:x"'],
    [{ policy: "" }, 400, invalid("did not supply credential_type")],
    [
      { policy: "{}", arn: "x", credential_type: "iam_user" },
      500,
      wrapped("only one of policy or arn should be provided"),
    ],
  ])("is refused when written as %j", async (body, status, error) => {
    expect(await setUpCloud().write("roles/r", body)).toEqual({ status, error });
  });
});
