import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AskingVault, asker, type VaultAsk } from "./vault-ask.ts";

interface Release {
  /** Whether it has the capability `recover`, refuses a key that is assigned twice, and compares the members of a list. */
  readonly isCurrent: boolean;
}

const denied = "1 error occurred:\n\t* permission denied\n\n";
const role = "auth/approle/role/app";
const rule = (path: string, ...settings: string[]) => `path "${path}" {\n${settings.join("\n")}\n}\n`;
const can = (...capabilities: string[]) => `capabilities = ${JSON.stringify(capabilities)}`;
const write = can("create", "update");

type Allowance = readonly [
  request: string,
  policy: string,
  isAllowed: boolean,
  body?: object | undefined,
  headers?: Readonly<Record<string, string>>,
];

interface Judgement {
  readonly request: string;
  readonly policy: string;
  readonly isAllowed: boolean;
  readonly body: object | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;
}

const judgements = (rows: readonly Allowance[]): Judgement[] =>
  rows.map(([request, policy, isAllowed, body, headers]) => ({ request, policy, isAllowed, body, headers }));

/** Which requests policies allow. */
const allowances: readonly Allowance[] = [
  // Lists are judged by their folder.
  ["LIST auth/approle/role", rule("auth/approle/role", can("list")), true],
  ["LIST auth/approle/role", rule("auth/approle/role/", can("list")), true],
  ["LIST auth/approle/role", rule("auth/approle/role/*", can("list")), true],
  ["LIST auth/approle/role", rule("auth/approle/role*", can("list")), true],
  ["LIST auth/approle/role", rule("auth/approle/+", can("list")), true],
  ["LIST auth/approle/role", rule("auth/approle/+/", can("list")), true],
  ["LIST auth/approle/role", rule("auth/approle/+", can("read")) + rule("auth/approle/role/*", can("list")), false],
  ["LIST auth/approle/role", rule("auth/approle/*", can("list")) + rule("auth/approle/role/*", can("deny")), true],
  ["LIST auth/approle/role", rule("auth/approle/role", can("deny")) + rule("auth/approle/role/", can("list")), true],
  ["LIST auth/approle/role", rule("auth/approle/role", can("read")), false],
  [`GET ${role}`, rule("auth/approle/role/", can("read")), false],
  [`GET ${role}`, rule("/auth/approle/role/app", can("read")), true],
  [`GET ${role}`, rule("auth/+/role/app", can("read")), true],
  [`GET ${role}`, rule("auth/+/+/a*", can("read")) + rule("auth/approle/*", can("list")), false],
  [`GET ${role}`, rule("auth/+/+/*", can("list")) + rule("auth/+/role/+", can("read")), true],
  [`GET ${role}`, rule("auth/approle/role/a*", can("read")) + rule("auth/approle/role/+", can("list")), true],
  [`GET ${role}`, rule("auth/approle/role/app{{identity.entity.id}}", can("read")), false],
  // Parameters of a write.
  [`POST ${role}`, rule(role, write, 'allowed_parameters = { "token_ttl" = [] }'), true, { token_ttl: "1h" }],
  [`POST ${role}`, rule(role, write, 'allowed_parameters = { "token_ttl" = [] }'), false, { period: "1h" }],
  [`POST ${role}`, rule(role, write, 'allowed_parameters = { "token_ttl" = ["1h"] }'), true, { token_ttl: "1h" }],
  [`POST ${role}`, rule(role, write, 'allowed_parameters = { "token_ttl" = ["1h"] }'), false, { token_ttl: "2h" }],
  [`POST ${role}`, rule(role, write, 'allowed_parameters = { "TOKEN_TTL" = ["1*"] }'), true, { token_ttl: "1h" }],
  [`POST ${role}`, rule(role, write, 'allowed_parameters = { "token_ttl" = ["*h"] }'), true, { Token_TTL: "1h" }],
  [`POST ${role}`, rule(role, write, 'allowed_parameters = { "token_ttl" = [3600] }'), false, { token_ttl: 3600 }],
  [`POST ${role}`, rule(role, write, 'allowed_parameters = { "token_ttl" = ["3600"] }'), false, { token_ttl: 3600 }],
  [
    `POST ${role}`,
    rule(role, write, 'allowed_parameters = { "bind_secret_id" = [true] }'),
    true,
    { bind_secret_id: true },
  ],
  [
    `POST ${role}`,
    rule(role, write, 'allowed_parameters = { "bind_secret_id" = [true] }'),
    false,
    { bind_secret_id: "true" },
  ],
  [
    `POST ${role}`,
    rule(role, write, 'allowed_parameters = { "*" = [], "token_ttl" = ["1h"] }'),
    false,
    { token_ttl: "2h" },
  ],
  [
    `POST ${role}`,
    rule(role, write, 'allowed_parameters = { "*" = [], "token_ttl" = ["1h"] }'),
    true,
    { period: "2h" },
  ],
  [`POST ${role}`, rule(role, write, 'allowed_parameters = { "*" = ["x"] }'), true, { period: "2h" }],
  [`POST ${role}`, rule(role, write, 'allowed_parameters = { "token_ttl" = [] }'), true],
  [
    `POST ${role}`,
    rule(role, write, 'allowed_parameters = { "policies" = [["a", "b"]] }'),
    true,
    { policies: ["a", "b"] },
  ],
  [`POST ${role}`, rule(role, write, 'denied_parameters = { "token_ttl" = [] }'), false, { token_ttl: "1h" }],
  [`POST ${role}`, rule(role, write, 'denied_parameters = { "token_ttl" = ["1h"] }'), true, { token_ttl: "2h" }],
  [`POST ${role}`, rule(role, write, 'denied_parameters = { "token_ttl" = ["1*"] }'), false, { token_ttl: "1h" }],
  [`POST ${role}`, rule(role, write, 'denied_parameters = { "*" = [] }'), false, { token_ttl: "1h" }],
  [`POST ${role}`, rule(role, write, 'denied_parameters = { "*" = [] }'), true],
  [`POST ${role}`, rule(role, write, 'required_parameters = ["token_ttl"]'), false, { period: "1h" }],
  [`POST ${role}`, rule(role, write, 'required_parameters = ["TOKEN_TTL"]'), true, { token_ttl: "1h" }],
  [`POST ${role}`, rule(role, write, 'required_parameters = ["token_ttl"]'), false],
  [`GET ${role}?x=1`, rule(role, can("read"), 'denied_parameters = { "x" = [] }'), false],
  [`GET ${role}`, rule(role, can("read"), 'required_parameters = ["x"]'), false],
  ["LIST auth/approle/role?x=1", rule("auth/approle/role", can("list"), 'denied_parameters = { "x" = [] }'), true],
  [`DELETE ${role}-x`, rule(`${role}-x`, can("delete"), 'required_parameters = ["x"]'), true],
  // What several policies say of a path adds up, and an empty list of values wins.
  [
    `POST ${role}`,
    rule(role, write, 'allowed_parameters = { "token_ttl" = ["1h"] }') +
      rule(role, write, 'allowed_parameters = { "token_ttl" = ["2h"], "period" = [] }'),
    true,
    { token_ttl: "2h", period: "1h" },
  ],
  [
    `POST ${role}`,
    rule(role, write, 'denied_parameters = { "token_ttl" = ["1h"] }') +
      rule(role, write, 'denied_parameters = { "token_ttl" = [] }'),
    false,
    { token_ttl: "2h" },
  ],
  // Wrapping.
  [`GET ${role}`, rule(role, can("read"), 'min_wrapping_ttl = "60s"'), false],
  [`GET ${role}`, rule(role, can("read"), 'min_wrapping_ttl = "60s"'), false, undefined, { "x-vault-wrap-ttl": "59s" }],
  [`GET ${role}`, rule(role, can("read"), 'min_wrapping_ttl = "60s"'), true, undefined, { "x-vault-wrap-ttl": "60s" }],
  [`GET ${role}`, rule(role, can("read"), "max_wrapping_ttl = 60"), false],
  [`GET ${role}`, rule(role, can("read"), "max_wrapping_ttl = 60"), true, undefined, { "x-vault-wrap-ttl": "60s" }],
  [`GET ${role}`, rule(role, can("read"), "max_wrapping_ttl = 60"), false, undefined, { "x-vault-wrap-ttl": "61s" }],
  // What the Community Edition reads and does not enforce.
  [`GET ${role}`, rule(role, can("read"), 'mfa_methods = ["x"]', 'comment = "why"'), true],
  [
    `GET ${role}`,
    rule(role, can("read"), 'control_group = { factor "a" { identity { group_names = ["managers"] approvals = 1 } } }'),
    true,
  ],
  ["LIST auth/token/accessors", rule("auth/token/accessors", can("list")), false],
  ["LIST auth/token/accessors", rule("auth/token/accessors", can("list", "sudo")), true],
];

/** Where 1.21 compares a list one by one, and older releases as a whole. */
const memberAllowances: readonly Allowance[] = [
  [`POST ${role}`, rule(role, write, 'allowed_parameters = { "policies" = ["a", "b"] }'), true, { policies: ["b"] }],
  [`POST ${role}`, rule(role, write, 'allowed_parameters = { "policies" = ["a", "b"] }'), true, { policies: "a, b" }],
  [`POST ${role}`, rule(role, write, 'allowed_parameters = { "policies" = ["a"] }'), true, { policies: "" }],
];

const parsing = "failed to parse policy: ";
const only = (text: string) => `${parsing}1 error occurred:\n\t* ${text}\n\n`;

/** Policy texts, and what a write of each answers; `""` is a success. */
const texts: readonly (readonly [text: string, error: string])[] = [
  [rule("a", 'comment = "x"', can("subscribe"), 'subscribe_event_types = ["*"]'), ""],
  [rule("a", 'policy = "read"', can("sudo")), ""],
  ['name = "x"', ""],
  ['path "a" {} , path "b" {}', ""],
  ['path "a" {\n # c\n capabilities = ["read", # d\n "list" ] /* e */ }', ""],
  ['path "a" { capabilities = ["read"] "capabilities" = ["list"] }', ""],
  ['{"path":[{"a":{"capabilities":["read"]}}]}', ""],
  ['{"path":{"a":{"capabilities":["read",]}}}', ""],
  ["#only", ""],
  ['path "a+*" {}', `${parsing}path "a+*": invalid use of wildcards ('+*' is forbidden)`],
  ['path "a{{" {}', `${parsing}failed to validate policy templating: unbalanced templating characters`],
  ['path = { "a" = { capabilities = ["read"] } }', only('path "path": invalid key "a" on line 1')],
  [
    'path "a" { x { } y = 1 }',
    `${parsing}2 errors occurred:\n\t* path "a": invalid key "x" on line 0\n\t* path "a": invalid key "y" on line 1\n\n`,
  ],
  ['{\n "zz":1}', only('invalid key "zz" on line 2')],
  ['{"path":{"a":{"zz":1}}}', only('path "a": invalid key "zz" on line 1')],
  ['{"path":{"a":1}}', only('path "path": invalid key "a" on line 1')],
  ['path "a" { capabilities = ["scan"] }', `${parsing}path "a": invalid capability "scan"`],
  [
    'path "a" { capabilities = [true] }',
    `${parsing}path "a": At 1:28: root.Capabilities[0]: unknown type for string *ast.LiteralType`,
  ],
  [
    'path "a" { allowed_parameters = { x = "a" } }',
    `${parsing}path "a": At 1:39: unknown slice type: *ast.LiteralType`,
  ],
  [
    'path "a" { allowed_parameters = "a" }',
    `${parsing}path "a": At 1:33: root.allowed_parameters: not an object type for map (*ast.LiteralType)`,
  ],
  ['path "a" { min_wrapping_ttl = "zz" }', `${parsing}error parsing min_wrapping_ttl: time: invalid duration "zz"`],
  [
    'path "a" { min_wrapping_ttl = true }',
    `${parsing}error parsing min_wrapping_ttl: could not parse duration from input`,
  ],
  [
    'path "a" { min_wrapping_ttl = 10 max_wrapping_ttl = "5s" }',
    `${parsing}max_wrapping_ttl cannot be less than min_wrapping_ttl`,
  ],
  ['path "a" { control_group = { } }', `${parsing}no control group factors provided`],
  ['path "a" { control_group { factor "x" { } } }', `${parsing}no control_group factor provided`],
  [
    'path "a" { control_group { factor "x" { identity { group_names = ["a"] } } } }',
    `${parsing}must provide more than one identity group and approvals > 0`,
  ],
  ['path "a" = {}', `${parsing}At 1:10: nested object expected: LBRACE got: ASSIGN`],
  ['path "a" []', `${parsing}At 1:10: expected: IDENT | STRING | ASSIGN | LBRACE got: LBRACK`],
  ['path "a" { capabilities = [read] }', `${parsing}At 1:28: unexpected token while parsing list: IDENT`],
  ['path "a" { capabilities = ["read"', `${parsing}At 1:34: error parsing list, expected comma or list end, got: EOF`],
  ['path "a" { capabilities =', `${parsing}At 1:27: object expected closing RBRACE got: EOF`],
  ['path "a\\q" {}', `${parsing}At 1:9: illegal char escape`],
  ['"a', `${parsing}At 1:3: literal not terminated`],
  ["<<X\n", `${parsing}At 2:1: heredoc not terminated`],
  ["/x", `${parsing}At 1:1: expected '/' for comment`],
];

const currentTexts: typeof texts = [
  [rule("a", can("recover")), ""],
  [
    'path "a" { capabilities = ["read"] capabilities = ["list"] }',
    `${parsing}The argument "capabilities" at 1:36 was already set. Each argument can only be defined once`,
  ],
];
const olderTexts: typeof texts = [
  [rule("a", can("recover")), `${parsing}path "a": invalid capability "recover"`],
  ['path "a" { capabilities = ["read"] capabilities = ["list"] }', ""],
];

/** What policies say and allow, in the words of every Vault. */
export function describePolicies(product: string, { isCurrent }: Release, open: () => Promise<AskingVault>): void {
  describe(`policies on ${product}`, () => {
    let vault: AskingVault;
    let ask: VaultAsk;
    beforeAll(async () => {
      vault = await open();
      ask = asker(vault);
      await ask("POST sys/auth/approle", { body: { type: "approle" } });
      await ask(`POST ${role}`, { body: { token_policies: "app" } });
    });
    afterAll(() => vault.close());

    const judged = async ({ request, policy, body, headers = {} }: Judgement) => {
      await ask("POST sys/policies/acl/judged", { body: { policy } });
      const { auth } = await ask("POST auth/token/create", { body: { policies: ["judged"], ttl: "5m" } });
      return ask(request, { body, headers, as: String(auth?.["client_token"]) });
    };
    it.each(judgements(isCurrent ? [...allowances, ...memberAllowances] : allowances))(
      "$request is judged by\n$policy: $isAllowed, $body $headers",
      async (judgement) => {
        const answer = await judged(judgement);
        expect(answer.status === 403 && answer.errors).toBe(judgement.isAllowed ? false : denied);
      },
    );
    it.each(judgements(isCurrent ? [] : memberAllowances))(
      "$request is refused, by its whole list, by\n$policy",
      async (judgement) => expect(await judged(judgement)).toMatchObject({ status: 403 }),
    );

    it.each([...texts, ...(isCurrent ? currentTexts : olderTexts)])(
      "the text\n%s\nanswers %j",
      async (policy, error) => {
        const answer = await ask("POST sys/policies/acl/text", { body: { policy } });
        expect([answer.status, answer.errors]).toEqual(error === "" ? [204, ""] : [400, error]);
      },
    );

    it("there are two policies that nobody can be given, change or delete", async () => {
      for (const name of ["response-wrapping", "control-group"]) {
        const path = `sys/policies/acl/${name}`;
        expect((await ask(`GET ${path}`)).data).toMatchObject({ name, policy: expect.stringContaining("cubbyhole/") });
        expect(await ask(`DELETE ${path}`)).toMatchObject({ status: 400, errors: `cannot delete "${name}" policy` });
        const changed = await ask(`POST ${path}`, { body: { policy: rule("a") } });
        expect(changed).toMatchObject({ status: 400, errors: `cannot update "${name}" policy` });
      }
      const { keys } = (await ask("LIST sys/policies/acl")).data ?? {};
      expect(keys).toEqual(["default", "judged", "text", "root"]);
    });

    it("the rules of the policy default", async () => {
      const { policy } = (await ask("GET sys/policies/acl/default")).data ?? {};
      const paths = String(policy).match(/(?<=path ")[^"]*/g);
      expect(paths).toEqual([
        "auth/token/lookup-self",
        "auth/token/renew-self",
        "auth/token/revoke-self",
        "sys/capabilities-self",
        "identity/entity/id/{{identity.entity.id}}",
        "identity/entity/name/{{identity.entity.name}}",
        "sys/internal/ui/resultant-acl",
        "sys/renew",
        "sys/leases/renew",
        "sys/leases/lookup",
        "cubbyhole/*",
        "sys/wrapping/wrap",
        "sys/wrapping/lookup",
        "sys/wrapping/unwrap",
        "sys/tools/hash",
        "sys/tools/hash/*",
        "sys/control-group/request",
        "identity/oidc/provider/+/authorize",
      ]);
    });
  });
}
