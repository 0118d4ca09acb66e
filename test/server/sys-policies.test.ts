import { describe, expect, it } from "vitest";
import { vault } from "../../server/profiles/vault";
import { type AccessList, createAccessList } from "../../server/secrets/access-list";
import { readPolicy } from "../../server/secrets/policy-text";
import { askSecrets, errorOf, serving, startForTests, tokenWith, wrapped } from "./frame-harness";

const { ask } = serving();

const rule = (path: string, ...capabilities: string[]) =>
  `path "${path}" { capabilities = ${JSON.stringify(capabilities)} }`;

describe("writing a policy", () => {
  const failed = "failed to parse policy: ";
  it.each([
    ["", "'policy' parameter not supplied or empty"],
    ["path a", `${failed}At 1:8: key 'path a' expected start of object ('{') or assignment ('=')`],
    ['path "b" {', `${failed}At 1:12: object expected closing RBRACE got: EOF`],
    ['path "a" { capabilities = ["zz"] }', `${failed}path "a": invalid capability "zz"`],
    ['path "b" { capabilities = "read" }', `${failed}path "b": At 1:27: unknown slice type: *ast.LiteralType`],
    ['path "b" { policy = "zz" }', `${failed}path "b": invalid policy "zz"`],
    ['foo "a" {}', `${failed}1 error occurred:\n\t* invalid key "foo" on line 0\n\n`],
    ['path "a" { zz = 1 }', `${failed}1 error occurred:\n\t* path "a": invalid key "zz" on line 1\n\n`],
    ['{"path":"x"}', `${failed}path "path": cannot check HCL keys of type *ast.LiteralType`],
  ])("%j is refused: %s", async (policy, text) => {
    expect(errorOf(await ask("POST sys/policies/acl/p", { policy }))).toEqual([400, text]);
  });

  it.each(["[", "{ x ="])("its nesting has a limit: %s", async (opening) => {
    const deep = (levels: number) => `path "a" { x = ${opening.repeat(levels)}`;
    const [status, text] = errorOf(await ask("POST sys/policies/acl/p", { policy: deep(100_000) }));
    expect([status, text]).toEqual([400, expect.stringContaining("nested deeper than the 100 levels")]);
    const [, shallow] = errorOf(await ask("POST sys/policies/acl/p", { policy: deep(90) }));
    expect(shallow).not.toContain("nested deeper");
  });

  it.each(["__proto__", "constructor", "hasOwnProperty"])("%s is a name like any other", async (name) => {
    expect((await ask("POST sys/policies/acl/p", { policy: rule(name, "read") })).status).toBe(204);
    for (const policy of [`${name} "a" {}`, `{"${name}":{}}`]) {
      const [, text] = errorOf(await ask("POST sys/policies/acl/p", { policy }));
      expect(text).toContain(`invalid key "${name}" on line`);
    }
    const parameters = `path "sys/mounts" { capabilities = ["read"] required_parameters = ["${name}"] }`;
    const token = await tokenWith(ask, parameters);
    expect((await ask("GET sys/mounts", undefined, { token })).status).toBe(403);
    expect((await ask(`GET sys/mounts?${name.toLowerCase()}=1`, undefined, { token })).status).toBe(200);
  });

  it.each([
    ["openbao", 'path "a" { pagination_limit = 1 }'],
    ["openbao", 'path "a" { expiration = "1h" }'],
    ["enterprise", 'path "a" { mfa_methods = ["x"] }'],
    ["enterprise", 'path "a" { control_group = {} }'],
  ] as const)("what %s enforces and this server does not is refused: %s", async (profile, policy) => {
    const of = askSecrets(await startForTests({ profile }));
    const [status, text] = errorOf(await of("POST sys/policies/acl/p", { policy }));
    expect([status, text]).toEqual([400, expect.stringMatching(/" is not supported by the embedded server$/)]);
  });

  it.each([
    ["DELETE sys/policies/acl/root", undefined, 'cannot delete "root" policy'],
    ["DELETE sys/policies/acl/default", undefined, "cannot delete default policy"],
    ["DELETE sys/policies/acl/response-wrapping", undefined, 'cannot delete "response-wrapping" policy'],
    ["DELETE sys/policies/acl/a..b", undefined, "failed to delete policy: relative paths not supported"],
    ["POST sys/policies/acl/root", { policy: rule("a") }, 'cannot update "root" policy'],
    ["POST sys/policies/acl/Control-Group", { policy: rule("a") }, 'cannot update "control-group" policy'],
    [
      "POST sys/policies/acl/a..b",
      { policy: rule("a") },
      "failed looking up conflicting policy: relative paths not supported",
    ],
  ])("%s is refused", async (request, body, text) => {
    expect(errorOf(await ask(request, body))).toEqual([400, text]);
  });

  it("keeps names in lower case and says so", async () => {
    const answer = await ask("POST sys/policies/acl/MyPolicy", { policy: rule("a", "read") });
    expect([answer.status, answer.warnings]).toEqual([200, ["policy name was converted to mypolicy"]]);
    expect((await ask("GET sys/policies/acl/MYPOLICY")).data).toEqual({ name: "mypolicy", policy: rule("a", "read") });
    expect((await ask("DELETE sys/policies/acl/mypolicy")).status).toBe(204);
    expect((await ask("GET sys/policies/acl/mypolicy")).status).toBe(404);
  });

  it("has an older form that calls the text rules and lists on a plain read", async () => {
    const ask = askSecrets(await startForTests());
    const answer = await ask("POST sys/policy/old", { rules: rule("a", "read") });
    expect(answer.warnings).toEqual(["'rules' is deprecated, please use 'policy' instead"]);
    expect((await ask("GET sys/policy/old")).data).toEqual({ name: "old", rules: rule("a", "read") });
    const names = ["default", "old", "root"];
    expect((await ask("GET sys/policy")).data).toEqual({ keys: names, policies: names });
    expect((await ask("LIST sys/policies/acl")).data).toEqual({ keys: names });
    expect((await ask("GET sys/policies/acl")).status).toBe(405);
  });

  it("lists names with slashes after the others, the last folder first, and root at the end", async () => {
    const own = askSecrets(await startForTests());
    for (const name of ["zz", "team/ci", "a/x", "b/c/d", "b/a"])
      await own(`POST sys/policies/acl/${name}`, { policy: rule("a") });
    const keys = ["default", "zz", "team/ci", "b/a", "b/c/d", "a/x", "root"];
    expect((await own("LIST sys/policies/acl")).data).toEqual({ keys });
  });

  it("shows its own policies, which no list has", async () => {
    const { data } = await ask("GET sys/policies/acl/Response-Wrapping");
    expect(data).toMatchObject({ name: "response-wrapping", policy: expect.stringContaining("cubbyhole/response") });
  });

  it("takes base64 and JSON", async () => {
    await ask("POST sys/policies/acl/b64", { policy: Buffer.from(rule("abc", "read")).toString("base64") });
    expect((await ask("GET sys/policies/acl/b64")).data).toMatchObject({ policy: rule("abc", "read") });
    const json = '{"path":{"a":{"capabilities":["read"]}}}';
    expect((await ask("POST sys/policies/acl/json", { policy: json })).status).toBe(204);
  });
});

const rulesOf = (text: string) => readPolicy(text, vault.policies);
const capabilitiesOn = (access: AccessList, path: string) =>
  [...(access.grantOn(path, { isList: true })?.capabilities ?? [])].sort();

describe("what a path is allowed", () => {
  const text = `
    # comments of
    // all three
    /* kinds */
    ${rule("x/+/y", "read")}
    ${rule("x/a/*", "list")}
    ${rule("x/a/y", "deny", "read")}
    ${rule("w/*", "read")}
    ${rule("w/ab*", "delete")}
    ${rule("w/+/c", "sudo", "patch")}
    ${rule("/slash", "read")}
    ${rule("role", "list")}
    path "old/*" { policy = "write" }
    path "star*mid" { capabilities = ["read",] }
  `;
  const access = createAccessList(rulesOf(text));

  it.each([
    ["x/b/y", ["read"]],
    ["x/a/y", ["deny"]],
    ["x/a/z", ["list"]],
    ["x/b", []],
    ["w/a", ["read"]],
    ["w/ab", ["delete"]],
    ["w/abc", ["delete"]],
    ["w/q/c", ["patch", "sudo"]],
    ["w/q/d", ["read"]],
    ["slash", ["read"]],
    ["role/", ["list"]],
    ["old/x", ["create", "delete", "list", "read", "update"]],
    ["star*mid", ["read"]],
    ["starXmid", []],
    ["nothing", []],
  ])("%s: %j", (path, capabilities) => {
    expect(capabilitiesOn(access, path)).toEqual(capabilities);
  });

  it("adds up over policies, and a deny of any of them wins", () => {
    const merged = createAccessList([
      ...rulesOf(rule("a", "read") + rule("b", "read")),
      ...rulesOf(rule("a", "list") + rule("b", "deny")),
    ]);
    expect(capabilitiesOn(merged, "a")).toEqual(["list", "read"]);
    expect(capabilitiesOn(merged, "b")).toEqual(["deny"]);
  });
});

describe("a token with a policy", () => {
  const denied = wrapped("permission denied");
  const role = { role_type: "jwt", user_claim: "sub", bound_subject: "x" };

  // @covers jwt: Authentication > callers of configuration and roles
  it("needs create for a new role and update for one that exists", async () => {
    const create = await tokenWith(ask, rule("auth/jwt/role/*", "create"));
    const update = await tokenWith(ask, rule("auth/jwt/role/*", "update"));
    expect(errorOf(await ask("POST auth/jwt/role/cu", role, { token: update }))).toEqual([403, denied]);
    expect((await ask("POST auth/jwt/role/cu", role, { token: create })).status).toBe(204);
    expect(errorOf(await ask("POST auth/jwt/role/cu", role, { token: create }))).toEqual([403, denied]);
    expect((await ask("POST auth/jwt/role/cu", role, { token: update })).status).toBe(204);
  });

  it("is told about a value that does not fit a role before it is refused, but not for the configuration", async () => {
    const token = await tokenWith(ask, rule("nothing", "read"));
    expect(errorOf(await ask("POST auth/jwt/role/x", { token_ttl: "zz" }, { token }))).toEqual([
      400,
      'error converting input for field "token_ttl": time: invalid duration "zz"',
    ]);
    expect(errorOf(await ask("POST auth/jwt/config", { namespace_in_state: "zz" }, { token }))).toEqual([403, denied]);
    expect(errorOf(await ask("POST auth/jwt/config", { namespace_in_state: "zz" }))).toEqual([
      400,
      `Field validation failed: error converting input for field "namespace_in_state": cannot parse '' as bool: strconv.ParseBool: parsing "zz": invalid syntax`,
    ]);
  });

  it("is refused for what is missing as for what is there", async () => {
    const token = await tokenWith(ask, rule("nope/z", "read"));
    expect(errorOf(await ask("GET nope/y", undefined, { token }))).toEqual([403, denied]);
    expect((await ask("GET nope/z", undefined, { token })).status).toBe(404);
  });

  it("needs sudo for auth mounts and moves", async () => {
    const paths = ["sys/auth/*", "sys/remount"];
    const without = await tokenWith(ask, paths.map((path) => rule(path, "create", "read", "update")).join("\n"));
    const sudo = await tokenWith(ask, paths.map((path) => rule(path, "create", "read", "update", "sudo")).join("\n"));
    for (const request of ["GET sys/auth/jwt", "GET sys/auth/jwt/tune"]) {
      expect(errorOf(await ask(request, undefined, { token: without }))).toEqual([403, denied]);
      expect((await ask(request, undefined, { token: sudo })).status).toBe(200);
    }
    expect((await ask("POST sys/remount", {}, { token: without })).status).toBe(403);
    expect((await ask("POST sys/remount", {}, { token: sudo })).status).toBe(400);
  });

  it("can ask for its capabilities", async () => {
    const token = await tokenWith(ask, rule("auth/jwt/role/*", "update", "list"));
    const paths = ["auth/jwt/role", "auth/jwt/role/", "auth/jwt/role/a", "sys/mounts"];
    const { data } = await ask("POST sys/capabilities-self", { paths }, { token });
    expect(data).toEqual({
      "auth/jwt/role": ["deny"],
      "auth/jwt/role/": ["list", "update"],
      "auth/jwt/role/a": ["list", "update"],
      "sys/mounts": ["deny"],
    });
    expect((await ask("POST sys/capabilities-self", { path: "x" })).data).toEqual({
      x: ["root"],
      capabilities: ["root"],
    });
    expect(errorOf(await ask("POST sys/capabilities-self", {}))).toEqual([400, "paths must be supplied"]);
  });
});
