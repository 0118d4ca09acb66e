// @servers embedded: through the engine alone it has no test
// @run test: it is about Terraform's host
// @without-terraform: it asks for lists by the protocol, and has no part that the CLI could run

import { describe, expect, it, onTestFinished } from "vitest";
import type { Values } from "../../provider/core/definition.ts";
import { renamed } from "../../provider/hosts/terraform/shape.ts";
import { messageOf, type RawRecord, rawOf, recordIn } from "../../provider/hosts/terraform/value.ts";
import { definitionOf, serviceOf } from "../support/contract-case.ts";
import type { ResourceName } from "../support/contract-host.ts";
import type { TerraformHost } from "../support/contract-host-terraform.ts";
import type { ServiceName } from "../support/contract-raw.ts";
import { isEmbedded, servicesUnderTest } from "../support/contract-servers.ts";
import { startEmbedded } from "../support/contract-servers-embedded.ts";
import { forEveryPairing, isOtherProfile } from "../support/contract-suite.ts";
import { type ConnectionSettings, openWorld, type World } from "../support/contract-world.ts";
import { clusterToken, secretsToken } from "../support/documented-policy.ts";
import { type ListEvent, terraformTables } from "../support/terraform-client.ts";
import { wrongInType } from "../support/terraform-values.ts";
import { listsStaticRoles } from "./cases/mounts.ts";

const [ERROR, WARNING] = [1, 2];

function listOf(resource: ResourceName) {
  const found = [...terraformTables().resources.values()].find(
    ({ definition }) => definition === definitionOf(resource),
  );
  return found && terraformTables().lists.get(found.typeName);
}

/** The host by its protocol: the projects that have the CLI in its place leave this file out. */
function terraformHost(world: World, resource: ResourceName, settings?: ConnectionSettings): TerraformHost {
  return world.host("terraform", resource, settings) as TerraformHost;
}

/** The block `config` of a list, with all of its attributes. */
function configOf(resource: ResourceName, values: Values) {
  const rows = listOf(resource)?.inputs ?? [];
  const entries = rows.map(({ name, property, type, shape }) => {
    return [name, rawOf(type, renamed(shape, values[property], "attribute"))] as const;
  });
  return messageOf(Object.fromEntries(entries));
}

function identityIn({ identity }: ListEvent): RawRecord | undefined {
  return recordIn(identity?.identityData.msgpack);
}

/** What a refusal says that the token needs. */
const NEEDED: Readonly<Record<ServiceName, RegExp>> = {
  secrets: /A policy grants it by: path .* \{ capabilities = \["(list|read)"/,
  // Consul leaves out of a list what the token may not see.
  cluster: /policy needs: |needs read on all of it/,
  peer: /^$/,
  policy: /The token is missing or no longer valid/,
};

/** A token that may do nothing. The rights of HCP Terraform have no policy text: there it is one that nobody has. */
async function tokenForNothing({ raw }: World, resource: ResourceName): Promise<string> {
  const service = serviceOf(resource);
  if (service === "cluster") return clusterToken(raw("cluster"), 'key "none" { policy = "read" }');
  return service === "secrets" ? secretsToken(raw("secrets"), 'path "none" { capabilities = ["read"] }') : "nobody";
}

/** That a token stands in the configuration is warned of. */
function expectOnlyWarnings(events: readonly ListEvent[]): void {
  const said = {
    identity: null,
    diagnostic: [expect.objectContaining({ severity: WARNING, detail: expect.stringContaining("Prefer") })],
  };
  expect(events).toEqual(events.map(() => expect.objectContaining(said)));
}

async function imported(host: TerraformHost, { identity }: ListEvent) {
  const { importedResources } = await host.ask("ImportResourceState", { id: "", identity });
  return recordIn(importedResources[0]?.state.msgpack);
}

forEveryPairing(
  "a list of Terraform",
  ({ resource, open }) => {
    if (listOf(resource) === undefined) {
      it("is refused, because no server has such records", async () => {
        const host = terraformHost(await openWorld(), resource);
        const [event, ...more] = await host.list({ config: messageOf({}) });
        expect(event?.diagnostic).toMatchObject([{ severity: ERROR, detail: expect.stringContaining("cannot list") }]);
        expect(more).toEqual([]);
      });
      return;
    }

    it("has the record, with the identity by which it is imported", async () => {
      const { world, ground, stack } = await open();
      await stack.up(ground.full);
      const { id = "", outputs = {} } = stack.entry() ?? {};
      const host = terraformHost(world, resource);
      const config = configOf(resource, outputs);
      expect((await host.ask("ValidateListResourceConfig", { config })).diagnostics).toEqual([]);

      const plain = await host.list({ config });
      if (resource === "cloudStaticRole" && !listsStaticRoles) {
        const detail = expect.stringContaining("that the server is new enough for this");
        expect(plain.flatMap(({ diagnostic }) => diagnostic)).toMatchObject([{ severity: ERROR, detail }]);
        return;
      }
      const whole = await host.list({ config, includeResourceObject: true });
      expect(plain.flatMap(({ diagnostic }) => diagnostic)).toEqual([]);
      expect(plain.every(({ resourceObject }) => resourceObject === null)).toBe(true);
      expect(whole.map(identityIn)).toEqual(plain.map(identityIn));
      const found = whole.find((each) => recordIn(each.resourceObject?.msgpack)?.["id"] === id);
      if (!found) throw new Error(`no event has ${id}`);
      const record = recordIn(found.resourceObject?.msgpack) ?? {};
      const { definition } = host.table;
      expect(found.displayName).toBe(String(outputs[definition.label] ?? id));

      expect(wrongInType(host.table, record)).toEqual([]);
      expect(record).toEqual(await imported(host, found));
      const hidden = host.table.inputs.filter(({ isWriteOnly }) => isWriteOnly);
      for (const { name } of hidden) expect(record[name]).toBeNull();
    });

    it("that is refused is one error, which says what is needed", async () => {
      const { world, ground } = await open();
      const token = await tokenForNothing(world, resource);
      const host = terraformHost(world, resource, { token });
      const config = configOf(resource, ground.minimal);
      const [event, ...more] = await host.list({ config, includeResourceObject: true });
      expectOnlyWarnings(more);
      expect(event?.identity).toBeNull();
      expect(event?.diagnostic).toEqual([expect.objectContaining({ severity: ERROR })]);
      const { detail = "" } = event?.diagnostic[0] ?? {};
      expect(detail).toMatch(/^(listing|reading) trustplane_/);
      expect(detail).toMatch(NEEDED[serviceOf(resource)]);
    });
  },
  { hosts: ["terraform"] },
);

const hasSecrets = servicesUnderTest.includes("secrets");

/** A server's mount with some roles. */
async function withRoles(world: World, names: readonly string[]) {
  const mount = world.fresh("jwt");
  const { call } = world.raw("secrets");
  await call(`POST sys/auth/${mount}`, { type: "jwt" });
  const role = { role_type: "jwt", user_claim: "sub", bound_audiences: ["x"] };
  for (const name of names) await call(`POST auth/${mount}/role/${name}`, role);
  return mount;
}

describe.runIf(hasSecrets)("a list of Terraform", () => {
  const names = Array.from({ length: 20 }, (_, at) => `role-${String(at + 10)}`);

  it("ends at its limit, and reads no more records than that", async () => {
    const world = await openWorld();
    const mount = await withRoles(world, names);
    const host = terraformHost(world, "jwtRole");
    const request = { config: configOf("jwtRole", { mount }), limit: 3, includeResourceObject: true };
    const events = await host.list(request);
    expect(events.map(({ displayName }) => displayName)).toEqual(names.slice(0, 3));
    const reads = world.traffic.seen().filter(({ url }) => url.includes(`auth/${mount}/role/`));
    expect(reads).toHaveLength(3);
    expect(await host.list({ ...request, limit: 0 })).toHaveLength(names.length);
  });

  it("asks nothing more of the server once Terraform has cancelled it", async () => {
    const world = await openWorld();
    const mount = await withRoles(world, names);
    const host = terraformHost(world, "jwtRole");
    await host.list({ config: configOf("jwtRole", { mount }), includeResourceObject: true }, 1);
    // What was sent is answered; nothing is sent after it.
    await new Promise((resolve) => setTimeout(resolve, 300));
    const reads = world.traffic.seen().filter(({ url }) => url.includes(`auth/${mount}/role/`));
    expect(reads.length).toBeLessThan(names.length);
  });

  it("goes on after a record that cannot be read, and says so", async () => {
    const world = await openWorld();
    const mount = await withRoles(world, ["a", "b", "c"]);
    const policy = [
      `path "auth/${mount}/role" { capabilities = ["list"] }`,
      ...["a", "c"].map((name) => `path "auth/${mount}/role/${name}" { capabilities = ["read"] }`),
    ].join("\n");
    const token = await secretsToken(world.raw("secrets"), policy);
    const host = terraformHost(world, "jwtRole", { token });
    const request = { config: configOf("jwtRole", { mount }), includeResourceObject: true };
    const [a, b, c, ...more] = await host.list(request);
    expectOnlyWarnings(more);
    for (const each of [a, c]) expect(recordIn(each?.resourceObject?.msgpack)).toMatchObject({ role_type: "jwt" });
    expect(b && identityIn(b)).toMatchObject({ mount, name: "b" });
    expect(b?.resourceObject).toBeNull();
    const detail = expect.stringContaining(`The token needs "read" on auth/${mount}/role/b`);
    expect(b?.diagnostic).toMatchObject([{ severity: WARNING, detail }]);
  });

  it("is empty where nothing is configured, and an error where nothing is mounted", async () => {
    const world = await openWorld();
    const mount = await withRoles(world, []);
    for (const resource of ["jwtRole", "jwtConfig"] as const) {
      const host = terraformHost(world, resource);
      expect(await host.list({ config: configOf(resource, { mount }) })).toEqual([]);
      const none = await host.list({ config: configOf(resource, { mount: world.fresh("none") }) });
      const detail = expect.stringMatching(/Nothing is mounted there/);
      expect(none).toMatchObject([{ identity: null, diagnostic: [{ severity: ERROR, detail }] }]);
    }
  });

  it("takes defaults and spellings as the resource does, and refuses what the resource refuses", async () => {
    const world = await openWorld();
    const mount = await withRoles(world, ["a"]);
    const host = terraformHost(world, "jwtRole");
    const [event] = await host.list({ config: configOf("jwtRole", { mount: `/${mount}/` }) });
    expect(event && identityIn(event)).toEqual({ mount, name: "a", connection_name: null, namespace: null });
    const config = configOf("jwtRole", { mount: "a b/../c", namespace: "sys" });
    const { diagnostics } = await host.ask("ValidateListResourceConfig", { config }, { mayFail: true });
    expect(diagnostics.map(({ attribute }) => attribute?.steps[0]?.attributeName)).toContain("namespace");
    await host.list({ config: configOf("jwtRole", {}) });
    expect(world.traffic.seen().map(({ url }) => url)).toContain("/v1/auth/jwt/role?list=true");
  });
});

describe.runIf(isEmbedded && !isOtherProfile)("a list of Terraform in a namespace or a connection", () => {
  it("has records of that namespace, whose identity has it", async () => {
    const servers = await startEmbedded({ profile: "enterprise" });
    onTestFinished(() => servers.close());
    const world = await openWorld({ servers });
    const { call } = world.raw("secrets");
    await call("POST sys/namespaces/team");
    for (const within of ["", "team/"]) {
      await call(`POST ${within}sys/policies/acl/of-${within === "" ? "root" : "team"}`, { policy: 'path "x" {}' });
    }
    const host = terraformHost(world, "sysPolicy");
    const config = configOf("sysPolicy", { namespace: "/team/" });
    const [plain] = await host.list({ config });
    const [event, ...more] = await host.list({ config, includeResourceObject: true });
    expect(more).toEqual([]);
    for (const each of [plain, event])
      expect(each && identityIn(each)).toEqual({ name: "of-team", connection_name: null, namespace: "team" });
    expect(recordIn(event?.resourceObject?.msgpack)).toEqual(event && (await imported(host, event)));
  });

  it("has records of the named connection, whose identity has it", async () => {
    const world = await openWorld();
    await world.raw("peer").call("PUT config", {
      Kind: "service-intentions",
      Name: "of-west",
      Sources: [{ Name: "api", Action: "allow" }],
    });
    const host = terraformHost(world, "clusterIntention");
    const events = await host.list({ config: configOf("clusterIntention", { connection: "west" }) });
    const found = events.find(({ displayName }) => displayName === "of-west");
    expect(found && identityIn(found)).toMatchObject({ destination: "of-west", connection_name: "west" });
    expect(found && (await imported(host, found))).toMatchObject({ destination: "of-west", connection_name: "west" });
  });
});
