import { describe, expect, it } from "vitest";
import { UNKNOWN } from "../../provider/core/unknowns.ts";
import { secretsToken } from "../support/documented-policy.ts";
import { onlySecrets } from "./doctor-harness.ts";
import { drift, openStack, role, run, type Wanted } from "./drift-harness.ts";
import { previewJson } from "./preview-text.ts";

const set = (args: object = {}): Wanted => ({
  resource: "jwtRoleSet",
  name: "roles",
  args: {
    defaults: { roleType: "jwt", userClaim: "sub", boundAudiences: ["a"] },
    roles: { ci: {}, "deploy-web": {} },
    ...args,
  },
});
const granted = (out: string) =>
  [...out.matchAll(/^path "(.*)" \{\n {2}capabilities = \[(.*)\]/gm)].map(([, path, words]) => `${path}: ${words}`);

async function printed(input: string, ...words: string[]) {
  const { out, code, err } = await run(["permissions", ...words], {}, input);
  expect([code, err]).toEqual([0, ""]);
  return granted(out);
}
const stateOf = (resources: readonly object[]) => JSON.stringify({ deployment: { resources } });
const all = '"create", "read", "update", "delete"';

describe("trustplane permissions for a set", () => {
  it("prints what each of its records needs, and one list", async () => {
    const { resources } = await openStack([set(), role("nightly")]);
    expect(await printed(stateOf(resources), "--state", "-")).toEqual([
      'auth/jwt/role: "list"',
      `auth/jwt/role/ci: ${all}`,
      `auth/jwt/role/deploy-web: ${all}`,
      `auth/jwt/role/nightly: ${all}`,
      'sys/auth: "read"',
    ]);
  });

  it("that is exclusive allows any name, as it removes what the program does not name", async () => {
    const { resources } = await openStack([set({ exclusive: true })]);
    expect(await printed(stateOf(resources), "--state", "-")).toEqual([
      'auth/jwt/role: "list"',
      `auth/jwt/role/+: ${all}`,
      'sys/auth: "read"',
    ]);
  });

  it.each([
    ["as it will be", { mount: "jwt", roles: { ci: { boundSubject: UNKNOWN } } }, "auth/jwt/role/ci"],
    ["whose roles are not known yet", { mount: "jwt", roles: UNKNOWN }, "auth/jwt/role/+"],
    ["whose roles are secret", { mount: "jwt", roles: "[secret]" }, "auth/jwt/role/+"],
    ["on a mount that is not known yet", { mount: UNKNOWN, roles: { ci: {} } }, "auth/+/role/ci"],
  ])("of a preview, %s, is printed with wild cards for what is not known", async (_, after, path) => {
    const text = previewJson({ steps: [{ op: "create", token: "jwt:RoleSet", name: "roles", after }] });
    expect(await printed(text, "--preview", "-")).toContain(`${path}: ${all}`);
  });

  it("refuses a name that would allow other paths, too", async () => {
    const after = { mount: "jwt", roles: { "team-*": {} } };
    const text = previewJson({ steps: [{ op: "create", token: "jwt:RoleSet", name: "roles", after }] });
    const { code, err } = await run(["permissions", "--preview", "-"], {}, text);
    expect([code, err]).toEqual([1, expect.stringMatching(/name of jwt\.RoleSet roles is "team-\*"/)]);
  });

  it.each([
    ["a set", {}, 2],
    ["an exclusive set", { exclusive: true }, 2],
  ])("prints enough for trustplane drift of %s, and the same without a line is too little", async (_, args, lines) => {
    const { env, raw, resources } = await openStack([set(args)]);
    const { out } = await run(["permissions", "--state", "-", "--read-only"], {}, stateOf(resources));
    const codeWith = async (policy: string) => {
      const VAULT_TOKEN = await secretsToken(raw("secrets"), policy);
      return (await drift({ deployment: { resources } }, { ...onlySecrets(env), VAULT_TOKEN }, [])).code;
    };
    expect(await codeWith(out)).toBe(0);
    // The list of mounts is read only when something is gone.
    const blocks = out.split(/\n\n/).filter((block) => block.includes('path "auth/'));
    expect(blocks).toHaveLength(lines);
    for (const block of blocks) expect(await codeWith(out.replace(block, ""))).toBe(1);
  });
});

describe("trustplane doctor", () => {
  const policy = (paths: Readonly<Record<string, string>>) =>
    Object.entries(paths)
      .map(([path, words]) => `path "${path}" { capabilities = [${words}] }`)
      .join("\n");
  const reads = { "auth/jwt/role/+": '"read"', "sys/auth": '"read"' };
  it.each([
    ["an exclusive set lacks its list", { exclusive: true }, reads, 'path "auth/jwt/role" { capabilities = ["list"] }'],
    ["an exclusive set may list and read", { exclusive: true }, { ...reads, "auth/jwt/role": '"list"' }, undefined],
    ["a set may read", {}, reads, undefined],
    ["a set lacks a record", {}, { ...reads, "auth/jwt/role/+": '"list"' }, 'path "auth/jwt/role/ci"'],
  ])("says of a token to read with whether %s", async (_, args, paths, fix) => {
    const { env, raw, resources } = await openStack([set(args)]);
    const VAULT_TOKEN = await secretsToken(raw("secrets"), `${policy(paths)}\n${SELF}`);
    const words = ["doctor", "--state", "-", "--read-only", "--json"];
    const { out } = await run(words, { ...onlySecrets(env), VAULT_TOKEN }, stateOf(resources));
    const [check] = JSON.parse(out)
      .connections.flatMap(({ checks }: { checks: { check: string }[] }) => checks)
      .filter(({ check }: { check: string }) => check === "resource");
    expect(check).toMatchObject({ resource: "jwt.RoleSet roles", status: fix === undefined ? "ok" : "failed" });
    if (fix !== undefined) expect(check.fix).toContain(fix);
  });
});

/** A token may look itself up. */
const SELF = `path "auth/token/lookup-self" { capabilities = ["read"] }
path "sys/capabilities-self" { capabilities = ["update"] }`;
