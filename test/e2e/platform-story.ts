import { randomBytes } from "node:crypto";
import { beforeAll, expect, test, vi } from "vitest";
import type { Definition } from "../../provider/core/definition.ts";
import { typeToken } from "../../provider/core/type-token.ts";
import { definitions } from "../../provider/resources/index.ts";
import { serviceNames } from "../support/contract-raw.ts";
import type { ContractServers } from "../support/contract-servers.ts";
import type { ExportedResource } from "../support/pulumi-sandbox.ts";
import { startDiscoveryServer } from "./discovery-server.ts";
import { inventoryOf } from "./inventory.ts";
import { tracesIn } from "./needle.ts";
import { asNative, sources, withAnotherName, withForce } from "./platform-program.ts";
import { changesFound, openingMs, openStackStory, pluginStanza, type StackStory } from "./stack-story.ts";
import { type WatchedServers, watch } from "./watched-servers.ts";

interface PlatformOptions {
  readonly classes?: "dynamic" | "native";
  /** Whether the secrets server can say which static roles there are. */
  readonly listsStaticRoles?: boolean;
}

/**
 * The program of the demo on servers of any kind; each test goes on where the one before it ended. With the native
 * classes it begins as a stack of the dynamic ones, which then moves.
 */
export function tellPlatform(
  start: () => Promise<ContractServers>,
  { classes = "dynamic", listsStaticRoles = true }: PlatformOptions = {},
): void {
  const isNative = classes === "native";
  let servers: ContractServers;
  let watched: WatchedServers;
  let story: StackStory;
  let secrets: Readonly<Record<string, string>>;
  let untouched: readonly string[];
  let complete: readonly string[];
  const inventory = () => inventoryOf(watched.raw);
  const parameters = async () => {
    const set = (await story.resources()).find(({ urn }) => urn.endsWith("::guardrails"));
    return `policy-sets/${String(set?.outputs?.["policySetId"])}/parameters`;
  };
  const read = (service: "secrets" | "policy", path: string) => watched.raw(service).call(`GET ${path}`);

  beforeAll(async () => {
    const discovery = await startDiscoveryServer();
    servers = await start();
    watched = await watch(servers);
    const root = await servers.cloudUser("platform");
    await servers.cloudUser("billing-export");
    secrets = {
      cloudSecretKey: root.secret_key,
      costApiToken: randomBytes(20).toString("hex"),
      oidcClientSecret: randomBytes(20).toString("hex"),
    };
    story = await openStackStory({
      program: { files: { ...sources(), "Pulumi.yaml": sources()["Pulumi.yaml"] + pluginStanza } },
      env: watched.env,
      config: {
        organization: "demo",
        cloudAccessKey: root.access_key,
        issuer: discovery.issuer,
        "trustplane:connections": JSON.stringify({ partner: watched.partner }),
        ...(root["iam_endpoint"] === undefined ? {} : { cloudEndpoint: String(root["iam_endpoint"]) }),
        ...Object.fromEntries(Object.entries(secrets).map(([name, secret]) => [name, { secret }])),
      },
    });
    untouched = await inventory();
    return async () => {
      await story.close();
      await watched.close();
      await Promise.all([servers.close(), discovery.close()]);
    };
  }, openingMs);

  // Sets make the same records as single resources: they have a story of their own.
  test("creates every resource of a record that there is, from TypeScript, and is warned of nothing", async () => {
    const { text } = await story.pulumi("up --yes --skip-preview");
    expect(text).not.toContain("warning");

    const tokens = (await story.resources()).map(tokenOf);
    const single = Object.values<Definition>(definitions).filter(({ members }) => members === undefined);
    expect(tokens).toEqual(expect.arrayContaining(single.map(({ token }) => token)));
    complete = await inventory();
  });

  if (isNative) {
    test("moves to the native classes with nothing to do, and every reference intact", async () => {
      const before = await story.resources();
      for (const [path, text] of Object.entries(sources())) {
        if (path.endsWith(".ts")) story.sandbox.write(path, asNative(text));
      }
      watched.writes();

      const { text } = await story.pulumi("up --yes --skip-preview");

      const after = await story.resources();
      expect(text).toMatch(new RegExp(`Resources:\\n\\s+${before.length + 1} unchanged\\n`));
      expect(watched.writes()).toEqual([]);
      expect(after.map(({ id }) => id).sort()).toEqual(before.map(({ id }) => id).sort());
      expect(after.filter(({ type }) => type.startsWith("pulumi-nodejs:"))).toEqual([]);
    });
  }

  test("has nothing to do afterwards and writes nothing, and no drift is found, although a key was rotated", async () => {
    watched.writes();
    await story.pulumi("preview --expect-no-changes");
    await story.pulumi("refresh --preview-only --expect-no-changes");
    await story.pulumi("preview --refresh --expect-no-changes");

    expect(watched.writes()).toEqual([]);
  });

  if (!isNative) {
    test("keeps little in the state for each resource: 300 bytes of provider at most", async () => {
      const providers = (await story.resources()).map(({ outputs }) => String(outputs?.["__provider"] ?? ""));

      expect(providers.filter((text) => text !== "").length).toBeGreaterThan(Object.keys(definitions).length);
      expect(Math.max(...providers.map((text) => Buffer.byteLength(text)))).toBeLessThanOrEqual(300);
    });
  }

  test("keeps no secret in the state as plain text, neither the program's nor the servers'", async () => {
    const state = JSON.stringify(await story.sandbox.export());
    const { cloudSecretKey = "", ...ours } = secrets;
    const tokens = serviceNames.map((service) => [`token of ${service}`, servers[service].token]);

    expect(tracesIn(state, { ...ours, ...Object.fromEntries(tokens) })).toEqual([]);
    // The cloud makes it up: it may have no run of letters long enough for the search above.
    expect(state).not.toContain(cloudSecretKey);
    // Peering tokens are JSON in base64.
    expect(state).not.toMatch(/"eyJ[\w+/=]{40}/);
    expect(state).toContain("ciphertext");
  });

  test("keeps every record that is replaced by force, although nothing about it changed", async () => {
    const urns = (await story.resources())
      .filter((resource) => replaced.includes(`${tokenOf(resource)}::${resource.urn.split("::").at(-1)}`))
      .map(({ urn }) => urn);

    const { text } = await story.pulumi(
      `up --yes --skip-preview ${urns.map((urn) => `--target-replace ${urn}`).join(" ")}`,
    );

    expect(text).toMatch(new RegExp(`${replaced.length} replaced`));
    expect(await inventory()).toEqual(complete);
  });

  test("shows what somebody has changed by hand on every service", async () => {
    const limit = (await story.resources()).find(({ urn }) => urn.endsWith(":Parameter::monthly-limit"));
    const parameter = `${await parameters()}/${String(limit?.outputs?.["parameterId"])}`;
    await watched.raw("policy").call(`PATCH ${parameter}`, { data: { type: "vars", attributes: { value: "9000" } } });
    await watched.raw("secrets").call("POST auth/jobs/role/deploy", { role_type: "jwt", token_ttl: 1_800 });
    await watched.raw("secrets").call("POST platform-cloud/config/lease", { lease: "2h", lease_max: "24h" });
    await watched.raw("secrets").call("DELETE platform-cloud/roles/whoami");
    await watched.raw("cluster").call("DELETE peering/partner-dr");
    const isGone = async () => (await watched.raw("cluster").ask("GET peering/partner-dr")).status === 404;
    await vi.waitUntil(isGone, { timeout: 30_000 });

    const { text } = await story.pulumi("refresh --preview-only --diff --expect-no-changes", { code: changesFound });

    expect(text).toMatch(/value\s*: "5000" => "9000"/);
    expect(text).toMatch(/tokenTtl\s*: "15m" => "30m"/);
    expect(text).toMatch(/lease\s*: "1h" => "2h"/);
    expect(text).toMatch(/:PeeredClusters::disaster-recovery/);
    expect(text).toMatch(/:Role::whoami/);
    expect(text).toMatch(/4 to update\n\s+- 1 to delete/);
  });

  test("repairs it, and nothing else", async () => {
    const { text } = await story.pulumi("up --refresh --yes --skip-preview");

    expect(text).toMatch(/\+ 1 created\n\s+~ 4 updated/);
    expect(await inventory()).toEqual(complete);
    expect(await read("secrets", "auth/jobs/role/deploy")).toMatchObject({ data: { token_ttl: 900 } });
    expect(await read("secrets", "platform-cloud/config/lease")).toMatchObject({ data: { lease: "1h0m0s" } });
    expect(JSON.stringify(await read("policy", await parameters()))).toContain('"value":"5000"');
    await story.pulumi("preview --refresh --expect-no-changes");
  });

  test("moves a record whose name has changed", async () => {
    const renamed = withAnotherName(String(sources()["logins.ts"]));
    story.sandbox.write("logins.ts", isNative ? asNative(renamed) : renamed);
    watched.writes();

    const { text } = await story.pulumi("up --yes --skip-preview");

    expect(text).toMatch(/1 replaced/);
    expect(watched.writes()).toEqual(["DELETE /v1/auth/jobs/role/merge-request", "POST /v1/auth/jobs/role/review"]);
    expect(await inventory()).toEqual(complete.map((path) => path.replace("role/merge-request", "role/review")).sort());
  });

  if (isNative) {
    test("is imported whole by its ids into another stack, which then differs in what no server shows", async () => {
      const resources = (await story.resources()).filter(({ type }) => !type.startsWith("pulumi:"));
      const imports = resources.map((resource) => ({
        type: resource.type,
        name: resource.urn.split("::").at(-1),
        id: importIdOf(resource),
      }));
      story.sandbox.write("import.json", JSON.stringify({ resources: imports }));
      await story.pulumi("stack init imported");
      await story.pulumi("config cp --stack dev --dest imported");
      watched.writes();

      const { text } = await story.pulumi("import --file import.json --yes --protect=false --generate-code=false");
      expect(text).toMatch(new RegExp(`= ${imports.length} imported`));
      const preview = await story.pulumi("preview --diff");
      await story.pulumi("stack select dev");

      expect(watched.writes()).toEqual([]);
      expect(preview.text).toMatch(new RegExp(`~ ${unseen.length} to update\\n`));
      expect(preview.text).not.toMatch(/to (replace|create|delete)/);
      for (const name of unseen) expect(preview.text).toMatch(new RegExp(`urn:pulumi:imported::\\S*${name}\\]`));
    });
  }

  if (isNative) {
    test("moves back to the dynamic classes: nothing is made, deleted or written, and a refresh finds it whole", async () => {
      const before = await story.resources();
      for (const [path, text] of Object.entries(sources())) {
        if (path.endsWith(".ts")) story.sandbox.write(path, path === "logins.ts" ? withAnotherName(text) : text);
      }
      watched.writes();

      const { text } = await story.pulumi("up --yes --skip-preview");
      await story.pulumi("refresh --yes --skip-preview");
      await story.pulumi("preview --refresh --expect-no-changes");

      const after = (await story.resources()).filter(({ type }) => !type.startsWith("pulumi:"));
      expect(text).not.toMatch(/created|deleted|replaced/);
      expect(watched.writes()).toEqual([]);
      expect(after.map(({ id }) => id).sort()).toEqual(idsOf(before));
      for (const { urn, outputs } of after) expect(outputs?.["__provider"], urn).toMatch(/trustplane\/dynamic/);
    });
  }

  test("is gone from the servers after destroy", async () => {
    if (!listsStaticRoles) {
      // Static roles of others would be lost with the mount: only the user can know that there are none.
      story.sandbox.write("cloud-credentials.ts", withForce(String(sources()["cloud-credentials.ts"])));
      await story.pulumi("up --yes --skip-preview");
    }
    await story.pulumi("destroy --yes --skip-preview");

    expect(await inventory()).toEqual(untouched);
    expect(await story.resources()).toEqual([]);
  });
}

function idsOf(resources: readonly ExportedResource[]): unknown[] {
  return resources
    .filter(({ type }) => !type.startsWith("pulumi:"))
    .map(({ id }) => id)
    .sort();
}

/** The definition's name of a resource, whichever class has made it. */
function tokenOf({ type }: ExportedResource): string {
  const dynamic = "pulumi-nodejs:dynamic/trustplane/";
  const definition = Object.values(definitions).find(({ token }) => [dynamic + token, typeToken(token)].includes(type));
  return definition?.token ?? type;
}

/** An id as a person writes it for an import: the key of a parameter, and the connection where it is not the usual one. */
function importIdOf({ id = "", type, outputs = {} }: ExportedResource): string {
  const natural = type.includes("Parameter") ? `${String(outputs["policySetId"])}/${String(outputs["key"])}` : id;
  const more = ["connection", "dialerConnection"].filter((name) => outputs[name] !== undefined);
  const query = more.map((name) => `${name}=${String(outputs[name])}`).join("&");
  return query === "" ? natural : `${natural}?${query}`;
}

/** Resources with a property that the servers keep to themselves. */
const unseen = [
  "RootConfig::cloud",
  "RootRotation::cloud",
  "Config::people",
  "Parameter::cost-api-token",
  "Peering::platform",
];

/** Records whose replacement would collide with the live one: same id, same key in a set, same peer name. */
const replaced = [
  "cloud:Role::backup",
  "cloud:LeaseConfig::cloud",
  "cloud:StaticRole::billing-export",
  "cluster:PeeredClusters::disaster-recovery",
  "jwt:Config::jobs",
  "jwt:Role::engineer",
  "policy:Parameter::allowed-regions",
  "policy:Parameter::cost-api-token",
];
