// What OpenBao has beside Vault. None is at hand: what it answers here is from its source.
import { expect, it, onTestFinished } from "vitest";
import { createEngine } from "../../provider/engine/engine.ts";
import { definitions } from "../../provider/resources/index.ts";
import type { ProfileName } from "../../server/profiles/profiles.ts";
import { startServers } from "../../server/serve.ts";
import { run } from "../cli/drift-harness.ts";
import { environmentOf } from "../e2e/watched-servers.ts";
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
  await expect(remove()).rejects.toThrow("1 record still lives in auth/jobs/cel/role (x) and would be lost");
});

it("roles in CEL may give any policy: who has one says that they were not looked at", async () => {
  const { env } = await opened("openbao", CEL_ROLES);
  const { err } = await run(["explain", "who", "--policy", "deploy", "--live"], env);
  expect(err).toContain("not looked at: 1 CEL role of auth/jobs (jwt): a program of their own gives the policies.\n");
});

// https://github.com/openbao/openbao/issues/3502, https://openbao.org/docs/api/system/policies/
it("the expiration and the check-and-set of a policy survive an update of its text", async () => {
  const servers = await startServers({ profile: "openbao" });
  onTestFinished(() => servers.close());
  let settings: Record<string, unknown> = {};
  let version = 0;
  // By its documentation: a write resets what it does not name, and a required check-and-set wants the present version.
  const { origin } = await serve(async (incoming, outgoing) => {
    const isOurs = incoming.url === "/v1/sys/policies/acl/deploy";
    if (!isOurs || incoming.method === "DELETE") return passOn(servers.secrets.address, incoming, outgoing);
    if (incoming.method === "GET" && version === 0) return void outgoing.writeHead(404).end('{"errors":[]}');
    if (incoming.method === "GET") return void outgoing.end(JSON.stringify({ data: { ...settings, version } }));
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const { cas, ...body } = JSON.parse(Buffer.concat(chunks).toString());
    const isRefused = settings["cas_required"] === true && cas !== version;
    if (isRefused) return void outgoing.writeHead(400).end('{"errors":["check-and-set mismatch"]}');
    settings = { name: "deploy", cas_required: false, expiration: "0001-01-01T00:00:00Z", ...body };
    version += 1;
    outgoing.writeHead(204).end();
  });
  const env = { ...environmentOf(servers), VAULT_ADDR: origin };
  const inRun = () => createEngine({ config: () => undefined, env, log: () => {} });
  const policy = (path: string) => ({ name: "deploy", policy: `path "${path}" { capabilities = ["read"] }` });
  const { id, state } = await inRun().create(definitions.sysPolicy, policy("a"));
  const others = { cas_required: true, expiration: "2031-01-01T00:00:00Z", allow_in_identity_templates: true };
  settings = { ...settings, ...others };

  await inRun().update(definitions.sysPolicy, id, state, policy("b"));
  expect(settings).toEqual({ ...policy("b"), ...others });
  expect(version).toBe(2);
});

it.each(["vault", "openbao"] as const)("a mount of %s without them is empty", async (profile) => {
  const { env, remove } = await opened(profile, {});
  expect((await run(["explain", "who", "--policy", "deploy", "--live"], env)).err).not.toContain("CEL");
  await remove();
});
