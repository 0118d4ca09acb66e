import { describe, expect, it } from "vitest";
import { faultScript } from "../../server/faults/fault-script.ts";
import { defaultPolicySet } from "../../server/serve.ts";
import { serve } from "../support/loopback-server.ts";
import { drift as driftOf, openStack, role } from "./drift-harness.ts";

const parameter = (key: string) => ({
  resource: "policyParameter" as const,
  name: key,
  args: { policySetId: defaultPolicySet, key, value: "1" },
});
const peering = (peerName: string) => ({
  resource: "clusterPeeringToken" as const,
  name: peerName,
  args: { peerName },
});

describe.each(["dynamic", "plugin"] as const)("trustplane drift on a state of the %s host", (host) => {
  it("ends with 0 when nothing differs", async () => {
    const { drift } = await openStack([role("ci"), parameter("limit"), peering("west")], { host });
    const { code, report } = await drift("--json");
    expect(code).toBe(0);
    expect(report()).toMatchObject({ result: "none", stack: "lab/dev", counts: { resources: 3, unchanged: 3 } });
  });

  it("ends with 2 and names each property of a record that was changed by hand", async () => {
    const { drift, raw } = await openStack([role("ci", { tokenTtl: "15m" }), role("nightly")], { host });
    await raw("secrets").call("POST auth/jwt/role/ci", {
      role_type: "jwt",
      token_ttl: 43_200,
      token_policies: ["admin"],
    });
    const { code, report } = await drift("--json");
    expect(code).toBe(2);
    expect(report()).toMatchObject({ result: "drift", counts: { resources: 2, changed: 1, unchanged: 1, missing: 0 } });
    expect(report().resources).toEqual([
      {
        urn: expect.stringMatching(/::ci$/),
        type: "jwt.Role",
        name: "ci",
        id: "auth/jwt/role/ci",
        status: "changed",
        declaredAt: { file: "index.ts", line: 7 },
        writeOnly: [],
        properties: [
          {
            property: "tokenTtl",
            kind: "input",
            expected: "15m",
            actual: "12h",
            changes: [{ path: "tokenTtl", before: "15m", after: "12h" }],
          },
          {
            property: "tokenPolicies",
            kind: "input",
            actual: ["admin"],
            changes: [{ path: "tokenPolicies", after: ["admin"] }],
          },
        ],
      },
    ]);
  });

  it("ends with 2 when a record is gone", async () => {
    const { drift, raw } = await openStack([role("ci")], { host });
    await raw("secrets").call("DELETE auth/jwt/role/ci");
    const { code, report } = await drift("--json");
    expect(code).toBe(2);
    expect(report().resources).toMatchObject([{ name: "ci", status: "missing" }]);
  });
});

describe("what differs beside the program's own properties", () => {
  it("is not a mount that was made anew, which has another accessor: the stack's is missing", async () => {
    const mount = { resource: "sysAuthMount" as const, name: "team", args: { path: "team", type: "jwt" } };
    const { drift, raw } = await openStack([mount]);
    await raw("secrets").call("DELETE sys/auth/team");
    await raw("secrets").call("POST sys/auth/team", { type: "jwt" });
    const { code, report } = await drift("--json");
    expect(code).toBe(2);
    expect(report().resources[0]).toMatchObject({ status: "missing", properties: [] });
  });

  it("is not what an earlier version did not record", async () => {
    const { drift, resources } = await openStack([peering("west")]);
    for (const each of resources) Reflect.deleteProperty(each.outputs, "peeringId");
    const { code, report } = await drift("--json");
    expect([code, report().resources[0]?.properties]).toEqual([0, []]);
  });

  it("is what an update left incomplete", async () => {
    const { drift, resources, env } = await openStack([role("ci")]);
    expect((await drift()).code).toBe(0);
    const incomplete = resources.map((each) => ({ ...each, outputs: { ...each.outputs, incomplete: true } }));
    const { code, report } = await driftOf({ deployment: { resources: incomplete } }, env, ["--json"]);
    expect(code).toBe(2);
    expect(report().resources[0]?.properties).toMatchObject([{ property: "incomplete", kind: "repair" }]);
  });

  it("is the replacement that the repair takes", async () => {
    const { drift, raw, resources } = await openStack([parameter("k")]);
    const path = String(resources.at(-1)?.id).replace("/", "/parameters/");
    const body = { data: { type: "vars", attributes: { sensitive: true } } };
    await raw("policy").call(`PATCH policy-sets/${path}`, body);
    const { report } = await drift("--json");
    expect(report().resources[0]?.properties).toMatchObject([
      { property: "value", secret: true },
      { property: "sensitive", replaces: true },
    ]);
  });

  it("is not what another hand has made under the same name: the stack's peering is missing", async () => {
    const { drift, raw } = await openStack([peering("west")]);
    await raw("cluster").call("DELETE peering/west");
    // It goes away in the background.
    await expect
      .poll(() =>
        raw("cluster")
          .ask("GET peering/west")
          .then(({ status }) => status),
      )
      .toBe(404);
    await raw("cluster").call("POST peering/token", { PeerName: "west", Meta: { by: "hand" } });
    const { report } = await drift("--json");
    expect(report().resources[0]).toMatchObject({ status: "missing", properties: [] });
  });
});

it("what is only looked up, waits for its deletion, or is of others is not compared", async () => {
  const { drift, resources, env } = await openStack([role("ci")]);
  expect((await drift("--json")).report().counts.resources).toBe(1);
  const [provider, ci] = resources;
  const others = [
    { ...ci, external: true },
    { ...ci, delete: true },
    { urn: "urn:pulumi:dev::lab::aws:s3/bucket:Bucket::b", type: "aws:s3/bucket:Bucket", custom: true, id: "b" },
    { urn: "urn:pulumi:dev::lab::trustplane:x::c", type: "acme:component:Thing" },
  ];
  const { code, report } = await driftOf({ deployment: { resources: [provider, ci, ...others] } }, env, ["--json"]);
  const { counts, notLookedAt } = report();
  expect([code, counts.resources, notLookedAt?.[0]]).toEqual([0, 1, "1 resource of aws is not compared"]);
});

it("the state as the file backend keeps it is read, too", async () => {
  const { resources, env } = await openStack([role("ci")]);
  const { code, out } = await driftOf({ version: 3, checkpoint: { latest: { resources } } }, env, []);
  expect([code, out]).toEqual([
    0,
    "No drift in lab/dev: 1 resource; the configurations of mounts that the stack does not manage are looked for with --unmanaged only\n",
  ]);
});

it("takes no role of a database, which another hand has mounted there, for a cloud role", async () => {
  const { resources } = await openStack([
    { resource: "cloudRole", name: "r", args: { name: "r", credentialType: "iam_user", policyArns: [] } },
  ]);
  const { server: _, ...outputs } = { ...resources[1]?.outputs };
  const { origin } = await serve((request, response) => {
    const url = String(request.url);
    const shown = url.startsWith("/v1/sys/mounts") ? { "cloud/": { type: "database" } } : { db_name: "main" };
    const keys = url.includes("/roles?") ? ["r", "x", "y"] : [];
    response.end(JSON.stringify({ data: url.includes("list=true") ? { keys } : shown }));
  });
  const state = { version: 3, deployment: { resources: [resources[0], { ...resources[1], outputs }] } };
  const { report } = await driftOf(state, { VAULT_ADDR: origin, VAULT_TOKEN: "t" }, ["--json"]);
  expect(report().resources).toMatchObject([{ id: "cloud/roles/r", status: "missing" }]);
  expect(report().unmanaged).toEqual([]);
  expect(report().notLookedAt).toContain(
    "not looked at: cloud/roles/x, cloud/roles/y (another type is mounted there now)",
  );
});

it("finds the configurations of its own secrets engine, asks once for each, and says which it may not read", async () => {
  const { drift, raw, server } = await openStack([
    { resource: "sysSecretsMount", name: "m", args: { path: "own", type: "aws" } },
    { resource: "cloudRole", name: "r", args: { mount: "own", name: "r", credentialType: "iam_user", policyArns: [] } },
  ]);
  server.log.clear();
  expect((await drift()).code).toBe(0);
  const asked = server.log.all().map(({ path }) => path.replace(/^\/v1\//, ""));
  expect(asked.filter((path) => path.includes("config")).sort()).toEqual(["own/config/lease", "own/config/root"]);
  await raw("secrets").call("POST own/config/root", { access_key: "AKIAOTHER", secret_key: "theirs" });
  await raw("secrets").call("POST own/config/lease", { lease: "1h", lease_max: "9000h" });
  expect((await drift("--json")).report().unmanaged).toEqual([
    { type: "cloud.LeaseConfig", id: "own/config/lease" },
    { type: "cloud.RootConfig", id: "own/config/root" },
  ]);
  // As a destroy with `onDelete: "blank"` leaves it.
  await raw("secrets").call("POST own/config/root", { access_key: "", secret_key: "" });
  server.faults.add(faultScript.parse("GET own/config/lease 403 x9"));
  const { code, report } = await drift("--json");
  expect([code, report().unmanaged]).toEqual([0, []]);
  expect(report().notLookedAt).toEqual(["not read: own/config/lease (the token may not see it)"]);
  expect((await drift("--unmanaged")).out).toMatch(/^could not tell +a record +own\/config\/lease: reading .*403/m);
});
