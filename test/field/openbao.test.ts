// What OpenBao has beside Vault. None is at hand: what it answers here is from its source.
import { describe, expect, it, onTestFinished } from "vitest";
import { createEngine } from "../../provider/engine/engine.ts";
import { definitions } from "../../provider/resources/index.ts";
import type { ProfileName } from "../../server/profiles/profiles.ts";
import { startServers } from "../../server/serve.ts";
import { run } from "../cli/drift-harness.ts";
import { environmentOf } from "../e2e/watched-servers.ts";
import { rawApi } from "../support/contract-raw.ts";
import { passOn, serve } from "../support/loopback-server.ts";

/** Secrets server with a mount for JWTs, and answers of this test in front of it. */
async function opened(profile: ProfileName, answers: Readonly<Record<string, unknown>>) {
  const servers = await startServers({ profile });
  onTestFinished(() => servers.close());
  const { origin } = await serve(async (incoming, outgoing) => {
    const answer = answers[`${incoming.method} ${incoming.url?.replace("/v1/", "")}`];
    if (answer === undefined) await passOn(servers.secrets.address, incoming, outgoing);
    else outgoing.end(JSON.stringify(answer));
  });
  const env = { ...environmentOf(servers), VAULT_ADDR: origin };
  const inRun = () => createEngine({ config: () => undefined, env, log: () => {} });
  const { id, state } = await inRun().create(definitions.sysAuthMount, { path: "jobs", type: "jwt" });
  return { env, remove: () => inRun().delete(definitions.sysAuthMount, id, state) };
}

// https://github.com/openbao/openbao/pull/869
const CEL_ROLES = { "GET auth/jobs/cel/role?list=true": { data: { keys: ["x"] } } };

it("roles in CEL live in a mount, too: it is not deleted with them", async () => {
  const { remove } = await opened("openbao", CEL_ROLES);
  await expect(remove()).rejects.toThrow("1 record is still in auth/jobs/cel/role (x) and would be lost");
});

it("roles in CEL may give any policy: who has one says that they were not looked at", async () => {
  const { env } = await opened("openbao", CEL_ROLES);
  const { err } = await run(["explain", "who", "--policy", "deploy", "--live"], env);
  expect(err).toContain("not looked at: 1 CEL role of auth/jobs (jwt): a program of their own gives the policies.\n");
});

// https://github.com/openbao/openbao/issues/3502, and `handlePoliciesSet` in internal/vault/logical_system.go of the same
describe("the expiration and the check-and-set of a policy", () => {
  const policy = (path: string) => ({ name: "deploy", policy: `path "${path}" { capabilities = ["read"] }` });
  const expiration = new Date(Date.now() + 3_600_000).toISOString();
  const others = { cas_required: true, expiration, allow_slashes_in_identity_templates: true };
  const kept = { ...others, expiration: expiration.replace(/\.?0*Z$/, "Z") };

  /** A server whose policy somebody else has written with all of them. */
  async function openPolicy() {
    const servers = await startServers({ profile: "openbao" });
    onTestFinished(() => servers.close());
    const { call, ask } = rawApi("secrets", servers.secrets);
    await call("POST sys/policies/acl/deploy", { ...policy("a"), ...others, cas: 0 });
    const inRun = (env = environmentOf(servers)) =>
      createEngine({
        config: (key) => (key === "secrets" ? '{"takeOver":"always"}' : undefined),
        env,
        log: () => {},
      });
    return { servers, call, ask, inRun };
  }

  it("survive that a program takes the policy over, and an update of its text", async () => {
    const { call, ask, inRun } = await openPolicy();
    const { id, state } = await inRun().create(definitions.sysPolicy, policy("b"));
    expect(await call("GET sys/policies/acl/deploy")).toMatchObject({ data: { ...policy("b"), ...kept, version: 2 } });
    await inRun().update(definitions.sysPolicy, id, state, policy("c"));
    expect(await call("GET sys/policies/acl/deploy")).toMatchObject({ data: { ...policy("c"), ...kept, version: 3 } });
    const refused = expect.objectContaining({ status: 400 });
    expect(await ask("POST sys/policies/acl/deploy", policy("d"))).toEqual(refused);
    expect(await ask("POST sys/policies/acl/deploy", { ...policy("d"), cas: 2 })).toEqual(refused);
  });

  it("refuse a write that somebody else was before, which is said, and the next run goes on", async () => {
    const { servers, call, inRun } = await openPolicy();
    const { id, state } = await inRun().create(definitions.sysPolicy, policy("b"));
    const { origin } = await serve(async (incoming, outgoing) => {
      if (incoming.method === "POST") await call("POST sys/policies/acl/deploy", { ...policy("x"), ...others, cas: 2 });
      await passOn(servers.secrets.address, incoming, outgoing);
    });
    const late = inRun({ ...environmentOf(servers), VAULT_ADDR: origin });
    await expect(late.update(definitions.sysPolicy, id, state, policy("c"))).rejects.toThrow(
      /did not match the current version .*Somebody else has written it since it was looked at: run again\.$/,
    );
    await inRun().update(definitions.sysPolicy, id, state, policy("c"));
    expect(await call("GET sys/policies/acl/deploy")).toMatchObject({ data: { ...policy("c"), ...kept } });
  });
});

it.each(["vault", "openbao"] as const)("a mount of %s without them is empty", async (profile) => {
  const { env, remove } = await opened(profile, {});
  expect((await run(["explain", "who", "--policy", "deploy", "--live"], env)).err).not.toContain("CEL");
  await remove();
});
