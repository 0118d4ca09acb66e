// @servers embedded vault
// @run test: it waits for clocks

import { describe, expect, it } from "vitest";
import type { Definition, Values } from "../../provider/core/definition.ts";
import { messageOf } from "../../provider/engine/operation.ts";
import { definitions } from "../../provider/resources/index.ts";
import { hostNames } from "../support/contract-host.ts";
import { engineWithLog } from "../support/contract-host-engine.ts";
import { closeServersAfterwards, servicesUnderTest } from "../support/contract-servers.ts";
import { openWorld } from "../support/contract-world.ts";
import { secretsToken } from "../support/documented-policy.ts";
import { serve } from "../support/loopback-server.ts";
import { jwtMount } from "./cases/mounts.ts";

// A replacement deletes first. What could not be made then is not begun.

closeServersAfterwards();

const role = { roleType: "jwt", userClaim: "sub", boundAudiences: ["a"], tokenPolicies: ["deploy"] };
const theirs = { role_type: "jwt", user_claim: "sub", bound_audiences: ["theirs"] };
const set = (mount: string, ...names: string[]) => ({
  mount,
  defaults: role,
  roles: Object.fromEntries(names.map((name) => [name, {}])),
});
const hasVault = servicesUnderTest.includes("secrets");

async function open() {
  const world = await openWorld();
  const raw = world.raw("secrets");
  const [mount, other] = [await jwtMount(world), await jwtMount(world)];
  await raw.call(`POST auth/${other}/role/theirs`, theirs);
  const expectNothingDeleted = async (...names: string[]) => {
    expect(world.traffic.seen().filter(({ method }) => method === "DELETE")).toEqual([]);
    const listed = (await raw.call(`LIST auth/${mount}/role`)) as { data: { keys: string[] } };
    expect(listed.data.keys).toEqual(names);
  };
  return { world, raw, mount, other, expectNothingDeleted };
}

const missing = (mount: string) => new RegExp(`nothing is mounted at mount "${mount}"; jwt mounts of this server: `);
const taken = /"theirs": it exists already with other content/;

describe.each(hasVault ? hostNames.filter((host) => host === "plugin" || host === "terraform") : [])(
  "the preview of a replacement through the %s host",
  (host) => {
    it("is refused where somebody else has the record, and says that there is no such mount", async () => {
      const { world, mount, other, expectNothingDeleted } = await open();
      const [role1, roles] = [world.host(host, "jwtRole"), world.host(host, "jwtRoleSet")];
      const [one, many] = [role1.stack(), roles.stack()];
      await one.up({ mount, name: "ci", ...role });
      await many.up(set(mount, "a", "b"));
      world.traffic.forget();
      const nowhere = `${mount}x`;
      const previews = [one.preview({ mount: nowhere, name: "ci", ...role }), many.preview(set(nowhere, "a", "b"))];
      const refusals = await Promise.all(previews.map((preview) => preview.then(() => "", messageOf)));
      // Terraform deletes in a process of its own, which does not know what comes after it.
      const said = host === "terraform" ? refusals : [role1, roles].map((each) => each.log().join("\n"));
      expect(said).toEqual([expect.stringMatching(missing(nowhere)), expect.stringMatching(missing(nowhere))]);
      await Promise.all([
        expect(one.preview({ mount: other, name: "theirs", ...role })).rejects.toThrow(taken),
        expect(many.preview(set(other, "a", "theirs"))).rejects.toThrow(taken),
      ]);
      await expectNothingDeleted("a", "b", "ci");
      expect(await one.up({ mount: other, name: "free", ...role })).toBe("replace");
    });
  },
);

describe.runIf(hasVault)("the deletion that begins a replacement", () => {
  const { jwtRole, jwtRoleSet, sysAuthMount } = definitions;

  /** A record that a program has, and what its deletion says once it was compared with another one. */
  async function begun(definition: Definition, olds: Values, news: Values, more: Values = {}) {
    const opened = await open();
    const { world, raw, mount, other } = opened;
    const at = (values: Values): Values =>
      JSON.parse(JSON.stringify(values).replaceAll("MOUNT", mount).replaceAll("OTHER", other));
    const token = await secretsToken(
      raw,
      `path "auth/${mount}/role/*" { capabilities = ["create", "read", "update", "delete"] }
      path "auth/${mount}/role" { capabilities = ["list"] }
      path "sys/auth" { capabilities = ["read"] }`,
    );
    const engine = engineWithLog(world.config(more["isPoor"] ? { token } : {}), []);
    const inputs = async (values: Values) => (await engine.check(definition, at(values))).inputs;
    const made = await engine.create(definition, await inputs(olds));
    engine.startRun();
    world.traffic.forget();
    await engine.diff(definition, made.state, await inputs(news));
    return { ...opened, engine, made, deleted: () => engine.delete(definition, made.id, made.state) };
  }

  it.each([
    ["there is no such mount", { mount: "MOUNTx" }, /^replacing jwt\.Role "ci": nothing is mounted at mount "team/, {}],
    ["somebody else has it", { mount: "OTHER", name: "theirs" }, taken, {}],
    [
      "the token may not look",
      { mount: "OTHER" },
      /^replacing jwt\.Role "ci": 403 permission denied/,
      { isPoor: true },
    ],
  ])("is refused where %s", async (_, changes, why, more) => {
    const old = { mount: "MOUNT", name: "ci", ...role };
    const { deleted, expectNothingDeleted } = await begun(jwtRole, old, { ...old, ...changes }, more);
    await expect(deleted()).rejects.toThrow(why);
    await expectNothingDeleted("ci");
  });

  it("of a set is refused as a whole", async () => {
    const { deleted, expectNothingDeleted } = await begun(
      jwtRoleSet,
      set("MOUNT", "a", "b"),
      set("OTHER", "a", "theirs"),
    );
    await expect(deleted()).rejects.toThrow(taken);
    await expectNothingDeleted("a", "b");
  });

  it("goes on where the new one can be made, also beside the old one", async () => {
    const old = { mount: "MOUNT", name: "ci", ...role };
    const news = { ...old, mount: "OTHER", takeOver: "never" };
    const { deleted, engine, other } = await begun(jwtRole, old, news);
    await engine.create(jwtRole, (await engine.check(jwtRole, { ...news, mount: other })).inputs);
    await deleted();
  });

  it("of a mount is refused where the server has no plugin of the type", async () => {
    // As a real Vault 1.21 answers, in short.
    const health = {
      initialized: true,
      sealed: false,
      standby: false,
      version: "1.21.1",
      cluster_id: "c",
      cluster_name: "n",
    };
    const detailed = ["jwt", "userpass"].map((name) => ({ name, type: "auth", builtin: true, version: "v1" }));
    const answers: Record<string, unknown> = {
      "/v1/sys/seal-status": health,
      "/v1/sys/plugins/catalog": { data: { auth: ["jwt", "userpass"], detailed } },
    };
    const { origin } = await serve(({ url = "" }, response) => {
      const answer = answers[url];
      const [status, body] = answer ? [200, answer] : [403, { errors: ["permission denied"] }];
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
    const engine = engineWithLog({ secrets: JSON.stringify({ address: origin, token: "t", maxRetries: 0 }) }, []);
    const inputs = async (type: string) => (await engine.check(sysAuthMount, { path: "team", type })).inputs;
    const state = { ...(await inputs("jwt")), accessor: "auth_jwt_1" };
    await engine.diff(sysAuthMount, state, await inputs("jtw"));
    const why = /^replacing sys\.AuthMount "team": this server has no plugin "jtw"/;
    await expect(engine.delete(sysAuthMount, "sys/auth/team", state)).rejects.toThrow(why);
    await expect(engine.delete(jwtRole, "auth/team/role/ci", { mount: "team", name: "ci", ...role })).rejects.toThrow(
      why,
    );
  });
});

it.runIf(hasVault)("a preview warns of a mount that is not there, unless the program makes it", async () => {
  const world = await openWorld();
  const lines: string[] = [];
  const engine = engineWithLog(world.config(), lines);
  const [made, nowhere] = [world.fresh("made"), world.fresh("nowhere")];
  await engine.check(definitions.sysAuthMount, { path: made, type: "jwt" });
  for (const mount of [made, nowhere])
    await engine.foresee(
      definitions.jwtRole,
      (await engine.check(definitions.jwtRole, { mount, name: "ci", ...role })).inputs,
    );
  const warned = lines.filter((line) => line.includes("nothing is mounted"));
  expect(warned).toEqual([expect.stringMatching(new RegExp(`this update will be refused.*${nowhere}`))]);
});
