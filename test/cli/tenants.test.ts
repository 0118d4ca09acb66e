import { expect, it } from "vitest";
import { rawApi } from "../support/contract-raw.ts";
import { secretsToken } from "../support/documented-policy.ts";
import { onlySecrets } from "./doctor-harness.ts";
import { drift, openStack, role, run, type Wanted } from "./drift-harness.ts";

const token = (name: string, args: Record<string, unknown>): Wanted => ({
  resource: "clusterPeeringToken",
  name,
  args,
});
const inTeam = (name: string): Wanted => {
  const { resource, args } = role(name);
  return { resource, name: `team-${name}`, args: { ...args, namespace: "team" } };
};
const body = { role_type: "jwt", user_claim: "sub", bound_audiences: ["https://aud.example"] };

/** A stack with a role of one path in the root and in the namespace `team`. */
async function openNamespaced(wanted: readonly Wanted[] = [role("ci"), inTeam("ci")]) {
  const stack = await openStack(wanted, {
    profile: "enterprise",
    async prepare({ secrets }) {
      const { call } = rawApi("secrets", secrets);
      await call("POST sys/namespaces/team");
      await call("POST team/sys/auth/jwt", { type: "jwt" });
    },
  });
  const { resources, env } = stack;
  const state = JSON.stringify({ version: 3, deployment: { resources } });
  return { ...stack, env: onlySecrets(env), state };
}

it("drift tells the records of two namespaces apart, and those beside the stack's", async () => {
  const { env, raw, state } = await openNamespaced();
  expect((await run(["drift", "--state", "-"], env, state)).code).toBe(0);
  await raw("secrets").call("DELETE team/auth/jwt/role/ci");
  await raw("secrets").call("POST auth/jwt/role/by-hand", body);
  await raw("secrets").call("POST team/auth/jwt/role/by-hand", body);

  const { code, report, out } = await run(["drift", "--state", "-", "--json", "--unmanaged"], env, state);
  expect(code).toBe(2);
  expect(out).toContain("by-hand");
  expect(report().resources.filter(({ status }) => status === "missing")).toMatchObject([
    { name: "team-ci", id: "auth/jwt/role/ci", namespace: "team" },
  ]);
  expect(report().unmanaged).toEqual([
    { type: "jwt.Role", id: "auth/jwt/role/by-hand" },
    { type: "jwt.Role", id: "auth/jwt/role/by-hand", namespace: "team" },
  ]);
  const { out: text } = await run(["drift", "--state", "-", "--unmanaged"], env, state);
  expect(text).toContain("auth/jwt/role/by-hand?namespace=team");
  expect(text).toContain("auth/jwt/role/ci?namespace=team");
});

it("permissions prints one policy for the connection's own namespace, which is enough for those below", async () => {
  const { env, raw, state } = await openNamespaced();
  const { out } = await run(["permissions", "--state", "-", "--read-only"], {}, state);
  expect(out.match(/^path .*/gm)).toEqual([
    'path "auth/jwt/role/ci" {',
    'path "sys/auth" {',
    'path "team/auth/jwt/role/ci" {',
    'path "team/sys/auth" {',
  ]);
  const codeWith = async (policy: string) => {
    const VAULT_TOKEN = await secretsToken(raw("secrets"), policy);
    return (await drift(JSON.parse(state), { ...env, VAULT_TOKEN }, [])).code;
  };
  expect(await codeWith(out)).toBe(0);
  expect(await codeWith(out.replace("team/auth", "other/auth"))).toBe(1);
});

it("a refusal names the path as a policy of the connection's own namespace has it", async () => {
  const { env, raw, state } = await openNamespaced([inTeam("ci")]);
  const VAULT_TOKEN = await secretsToken(raw("secrets"), 'path "auth/jwt/role/ci" { capabilities = ["read"] }');
  const { out } = await run(["drift", "--state", "-"], { ...env, VAULT_TOKEN }, state);
  expect(out).toMatch(/jwt\.Role "ci" in namespace "team": 403 .*path "team\/auth\/jwt\/role\/ci" \{/);
});

it("permissions prints the rules of each partition apart", async () => {
  const { resources } = await openStack(
    [token("own", { peerName: "west" }), token("team", { peerName: "west", partition: "team" })],
    { profile: "enterprise" },
  );
  const { out } = await run(["permissions", "--state", "-"], {}, JSON.stringify({ deployment: { resources } }));
  expect(out).toContain('\npeering = "write"\npartition "team" {\n  peering = "write"\n}\n');
});

it("lint --live asks for the policies of the namespace that a role is in", async () => {
  const named = { ...inTeam("ci"), args: { ...inTeam("ci").args, tokenPolicies: ["of-team", "of-root"] } };
  const { env, raw, state } = await openNamespaced([named]);
  await raw("secrets").call("POST sys/policies/acl/of-root", { policy: "# nothing" });
  await raw("secrets").call("POST team/sys/policies/acl/of-team", { policy: "# nothing" });
  const { out } = await run(["lint", "--live", "--json"], env, state);
  const { findings } = JSON.parse(out) as { findings: readonly { rule: string; what: string }[] };
  expect(findings.filter(({ rule }) => rule === "unknown-policy").map(({ what }) => what)).toEqual([
    'names a policy that neither the program nor the server has: "of-root"',
  ]);
});

it("doctor looks for the namespaces of the stack's resources, and asks what the token may do there", async () => {
  const { env, raw, state } = await openNamespaced();
  const { out, code } = await run(["doctor", "--state", "-"], env, state);
  expect(out).toMatch(/ok +namespace +"team", as far as the server says/);
  expect(code).toBe(0);
  const asks =
    'path "sys/capabilities-self" { capabilities = ["update"] } path "auth/token/lookup-self" { capabilities = ["read"] }';
  const VAULT_TOKEN = await secretsToken(raw("secrets"), asks);
  const { out: lacking } = await run(["doctor", "--state", "-"], { ...env, VAULT_TOKEN }, state);
  expect(lacking).toMatch(/team-ci: the token lacks .* on team\/auth\/jwt\/role\/ci/);
  await raw("secrets").call("DELETE sys/namespaces/team");
  const { out: gone } = await run(["doctor", "--state", "-"], env, state);
  expect(gone).toMatch(/failed +namespace +there is no namespace "team"/);
});
