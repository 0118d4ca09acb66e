import { beforeAll, describe, expect, it } from "vitest";
import { errorOf, serving } from "./frame-harness";

const { ask } = serving();

describe("what is mounted at start", () => {
  const { ask } = serving();

  it("secrets engines as Vault shows them", async () => {
    const { data } = await ask("GET sys/mounts");
    expect(Object.keys(data ?? {})).toEqual(["cloud/", "cubbyhole/", "identity/", "sys/"]);
    expect(data?.["cloud/"]).toEqual({
      accessor: expect.stringMatching(/^cloud_[0-9a-f]{8}$/),
      config: { default_lease_ttl: 0, force_no_cache: false, max_lease_ttl: 0 },
      deprecation_status: "supported",
      description: "",
      external_entropy_access: false,
      local: false,
      options: {},
      plugin_version: "",
      running_plugin_version: "v1.21.1+builtin.vault",
      running_sha256: "",
      seal_wrap: false,
      type: "cloud",
      uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(data?.["sys/"]).toMatchObject({ type: "system", options: null });
  });

  it("auth methods, without the auth/ of their paths", async () => {
    const { data } = await ask("GET sys/auth");
    expect(Object.keys(data ?? {})).toEqual(["jwt/", "token/"]);
    expect(data?.["jwt/"]).toMatchObject({ type: "jwt", config: { token_type: "default-service" } });
  });
});

describe("enabling", () => {
  const badConfig = "unable to convert given mount config information";
  it.each([
    ["mounts/a", {}, "backend type must be specified as a string"],
    ["mounts/a", { type: "zz" }, "plugin not found in the catalog: zz"],
    ["mounts/a", { type: "jwt" }, "plugin not found in the catalog: jwt"],
    ["mounts/a", { type: "cubbyhole" }, 'mount type of "cubbyhole" is not mountable'],
    ["mounts/a", { type: "aws", config: { default_lease_ttl: true } }, badConfig],
    ["mounts/a", { type: "aws", config: { force_no_cache: "zz" } }, badConfig],
    [
      "mounts/a",
      { type: "aws", config: { default_lease_ttl: "abc" } },
      'unable to parse default TTL of abc: time: invalid duration "abc"',
    ],
    [
      "mounts/a",
      { type: "aws", config: { max_lease_ttl: "abc" } },
      'unable to parse max TTL of abc: time: invalid duration "abc"',
    ],
    [
      "mounts/a",
      { type: "aws", config: { default_lease_ttl: "2h", max_lease_ttl: "1h" } },
      "given default lease TTL greater than given max lease TTL",
    ],
    [
      "mounts/a",
      { type: "aws", config: { default_lease_ttl: "800h" } },
      "given default lease TTL greater than system max lease TTL of 2764800",
    ],
    ["mounts/a", { type: "aws", config: { listing_visibility: "zz" } }, "invalid listing_visibility zz"],
    ["mounts/a", { type: "aws", options: { version: "2" } }, 'secrets engine "aws" does not allow setting a version'],
    ["mounts/cloud", { type: "aws" }, "path is already in use at cloud/"],
    ["mounts/cloud/x", { type: "aws" }, "path is already in use at cloud/"],
    ["mounts/sys", { type: "aws" }, 'cannot mount "sys/"'],
    ["mounts/auth/x", { type: "aws" }, 'cannot mount "auth/x/"'],
    ["mounts/identity", { type: "aws" }, 'cannot mount "identity/"'],
    ["auth/a", { type: "token" }, "token credential backend cannot be instantiated"],
    ["auth/a", { type: "cloud" }, "plugin not found in the catalog: cloud"],
    ["auth/a", { type: "jwt", config: { token_type: "x" } }, "invalid value for 'token_type'"],
    ["auth/a", { type: "jwt", config: { max_lease_ttl: [] } }, "unable to convert given auth config information"],
    ["auth/token", { type: "jwt" }, "path is already in use at token/"],
  ])("sys/%s %j is refused: %s", async (path, body, text) => {
    expect(errorOf(await ask(`POST sys/${path}`, body))).toEqual([400, text]);
    expect((await ask(`GET sys/mounts/a`)).status).toBe(400);
  });

  // @covers cloud: What the service does > another mount
  it("takes aws and cloud for the same engine and reports the type as given", async () => {
    for (const type of ["aws", "cloud"]) {
      expect((await ask(`POST sys/mounts/e-${type}`, { type })).status).toBe(204);
      expect((await ask(`GET sys/mounts/e-${type}`)).data).toMatchObject({ type });
      expect((await ask(`POST e-${type}/config/lease`, { lease: "1h", lease_max: "2h" })).status).toBe(204);
    }
  });

  it("refuses a path that would swallow another, naming the other", async () => {
    await ask("POST sys/auth/p/q", { type: "jwt" });
    expect(errorOf(await ask("POST sys/auth/p", { type: "jwt" }))).toEqual([400, "path is already in use at p/q/"]);
    expect((await ask("GET auth/p/q/config")).status).toBe(404);
  });

  it("keeps settings and ignores unknown ones in silence", async () => {
    const config = {
      default_lease_ttl: "1h",
      max_lease_ttl: 7200,
      listing_visibility: "unauth",
      force_no_cache: true,
      audit_non_hmac_request_keys: ["a"],
      passthrough_request_headers: "x,y",
      zz: 1,
    };
    expect(
      (await ask("POST sys/mounts/set", { type: "aws", description: "d", config, options: { a: "b" } })).status,
    ).toBe(204);
    const { data } = await ask("GET sys/mounts/set");
    expect(data).toMatchObject({ description: "d", options: { a: "b" } });
    expect(data?.["config"]).toEqual({
      default_lease_ttl: 3600,
      max_lease_ttl: 7200,
      listing_visibility: "unauth",
      force_no_cache: true,
      audit_non_hmac_request_keys: ["a"],
      passthrough_request_headers: ["x", "y"],
    });
  });
});

describe("reading and disabling", () => {
  it("a missing mount is 400, not 404", async () => {
    expect(errorOf(await ask("GET sys/mounts/nope"))).toEqual([400, "No secret engine mount at nope/"]);
    expect(errorOf(await ask("GET sys/auth/nope"))).toEqual([400, "No auth engine at nope/"]);
  });

  it("a path below a mount reads as the mount, but not among auth methods", async () => {
    expect((await ask("GET sys/mounts/cloud/roles")).data).toEqual((await ask("GET sys/mounts/cloud")).data);
    expect(errorOf(await ask("GET sys/auth/jwt/role"))).toEqual([400, "No auth engine at jwt/role/"]);
  });

  it("an auth method reads among all mounts too, under its full path, as Vault's own client asks for it", async () => {
    expect((await ask("GET sys/mounts/auth/jwt")).data).toEqual((await ask("GET sys/auth/jwt")).data);
    expect(errorOf(await ask("GET sys/mounts/auth/nope"))).toEqual([400, "No secret engine mount at auth/nope/"]);
  });

  it("disabling loses all data, and disabling nothing is success", async () => {
    await ask("POST sys/auth/gone", { type: "jwt" });
    await ask("POST auth/gone/role/a", { role_type: "jwt", user_claim: "sub", bound_subject: "x" });
    for (let round = 0; round < 2; round += 1) expect((await ask("DELETE sys/auth/gone")).status).toBe(204);
    await ask("POST sys/auth/gone", { type: "jwt" });
    expect((await ask("GET auth/gone/role/a")).status).toBe(404);
  });

  it.each([
    ["sys/mounts/sys", 'cannot unmount "sys/"'],
    ["sys/mounts/cubbyhole", 'cannot unmount "cubbyhole/"'],
    ["sys/mounts/auth/jwt", 'cannot unmount "auth/jwt/"'],
    ["sys/auth/token", "token credential backend cannot be disabled"],
  ])("%s must stay", async (path, text) => {
    expect(errorOf(await ask(`DELETE ${path}`))).toEqual([400, text]);
  });
});

describe("tuning", () => {
  beforeAll(async () => {
    await ask("POST sys/mounts/t", { type: "aws", config: { default_lease_ttl: "1h", max_lease_ttl: "2h" } });
  });

  it.each([
    ["mounts/nope/tune", { description: "x" }, 'tune of path "nope/" failed: no mount entry found'],
    ["auth/nope/tune", { description: "x" }, 'tune of path "auth/nope/" failed: no mount entry found'],
    ["mounts/t/tune", { default_lease_ttl: "abc" }, 'time: invalid duration "abc"'],
    ["mounts/t/tune", { listing_visibility: "x" }, "invalid listing_visibility x"],
    ["mounts/t/tune", { token_type: "service" }, "'token_type' can only be modified on auth mounts"],
    ["auth/jwt/tune", { token_type: "zz" }, "invalid value for 'token_type'"],
    [
      "mounts/t/tune",
      { default_lease_ttl: "3h" },
      "backend max lease TTL of 7200 would be less than backend default lease TTL of 10800",
    ],
  ])("sys/%s %j is refused: %s", async (path, body, text) => {
    expect(errorOf(await ask(`POST sys/${path}`, body))).toEqual([400, text]);
  });

  it.each([
    ["mounts/auth/tuned/tune", "under its full path"],
    ["mounts/auth/tuned/role/tune", "by a path below it"],
    ["auth/tuned/role/tune", "by a path below it among auth methods"],
  ])("sys/%s tunes an auth method, %s", async (path, description) => {
    await ask("POST sys/auth/tuned", { type: "jwt" });
    expect((await ask(`POST sys/${path}`, { description, token_type: "batch" })).status).toBe(204);
    expect((await ask("GET sys/auth/tuned")).data).toMatchObject({ description, config: { token_type: "batch" } });
    expect((await ask(`GET sys/${path}`)).data).toMatchObject({ description, max_lease_ttl: 2_764_800 });
  });

  it("a missing mount has no tuning to read", async () => {
    expect(errorOf(await ask("GET sys/mounts/nope/tune"))).toEqual([400, 'cannot fetch sysview for path "nope/"']);
    expect(errorOf(await ask("GET sys/auth/nope/tune"))).toEqual([400, 'cannot fetch sysview for path "auth/nope/"']);
  });

  it("shows lifetimes as they take effect, where the mount itself shows 0", async () => {
    expect((await ask("GET sys/auth/jwt/tune")).data).toEqual({
      default_lease_ttl: 2_764_800,
      description: "",
      force_no_cache: false,
      max_lease_ttl: 2_764_800,
      token_type: "default-service",
    });
  });

  // @covers beyond: Mounts > description
  it("changes only what is given; empty text keeps a lifetime, system resets it, and clears a description", async () => {
    const tune = async (body: unknown) => {
      expect((await ask("POST sys/mounts/t/tune", body)).status).toBe(204);
      return (await ask("GET sys/mounts/t")).data;
    };
    expect(await tune({ description: "d", default_lease_ttl: 900 })).toMatchObject({ description: "d" });
    expect(await tune({ default_lease_ttl: "" })).toMatchObject({
      description: "d",
      config: { default_lease_ttl: 900, max_lease_ttl: 7200 },
    });
    expect(await tune({ default_lease_ttl: "system", description: "" })).toMatchObject({
      description: "",
      config: { default_lease_ttl: 0 },
    });
    expect(await tune({ listing_visibility: "hidden" })).toMatchObject({ config: { listing_visibility: "hidden" } });
    expect((await tune({ listing_visibility: "" }))?.["config"]).not.toHaveProperty("listing_visibility");
    expect(await tune({ options: { x: "y" } })).toMatchObject({ options: { x: "y" } });
  });
});

describe("moving a mount", () => {
  it("takes its records along and tells the migration", async () => {
    await ask("POST sys/auth/from", { type: "jwt" });
    await ask("POST auth/from/role/a", { role_type: "jwt", user_claim: "sub", bound_subject: "x" });
    const { status, data, warnings } = await ask("POST sys/remount", { from: "auth/from", to: "auth/to" });
    expect([status, warnings?.[0]]).toEqual([200, expect.stringMatching(/^Mount move has been queued\./)]);
    expect((await ask("GET auth/to/role/a")).status).toBe(200);
    expect((await ask("GET auth/from/role/a")).status).toBe(404);
    const { data: migration } = await ask(`GET sys/remount/status/${data?.["migration_id"]}`);
    expect(migration?.["migration_info"]).toEqual({
      source_mount: "auth/from/",
      target_mount: "auth/to/",
      status: "success",
    });
  });

  it.each([
    [{}, "both 'from' and 'to' path must be specified as a string"],
    [{ from: "nope", to: "c" }, 'no matching mount at "nope/"'],
    [{ from: "cloud", to: "cloud" }, 'path already in use at "cloud/"'],
    [{ from: "sys", to: "z" }, 'cannot remount "sys/"'],
    [{ from: "auth/token", to: "auth/x" }, 'cannot remount "auth/token/"'],
    [{ from: "cloud", to: "auth/b" }, "cannot remount to destination auth/b/"],
    [{ from: "auth/jwt", to: "x" }, 'cannot remount auth mount to non-auth mount "x/"'],
  ])("%j is refused: %s", async (body, text) => {
    expect(errorOf(await ask("POST sys/remount", body))).toEqual([400, text]);
  });
});
