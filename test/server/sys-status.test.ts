import { describe, expect, it } from "vitest";
import { createTokenStore } from "../../server/secrets/token-store";
import { startServers } from "../../server/serve";
import { askSecrets, errorOf, serving } from "./frame-harness";

const { server, ask } = serving();

const document = async (path: string) => {
  const { status, text } = await ask(`GET ${path}`, undefined, { token: null });
  return { status, body: JSON.parse(text) };
};

describe("sys/health", () => {
  it("needs no token and comes in no envelope", async () => {
    const { status, body } = await document("sys/health");
    expect(status).toBe(200);
    expect(body).toEqual({
      initialized: true,
      sealed: false,
      standby: false,
      performance_standby: false,
      replication_performance_mode: "disabled",
      replication_dr_mode: "disabled",
      server_time_utc: expect.any(Number),
      version: "1.21.1",
      enterprise: false,
      cluster_name: expect.stringMatching(/^vault-cluster-[0-9a-f]{8}$/),
      cluster_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      echo_duration_ms: 0,
      clock_skew_ms: 0,
      replication_primary_canary_age_ms: 0,
    });
  });

  it.each([
    ["activecode=299", 299],
    ["standbyok=true&activecode=", 400],
    ["sealedcode=abc", 400],
    ["standbyok=zz", 400],
    ["standbyok", 200],
  ])("with %s is %i", async (query, status) => {
    expect((await document(`sys/health?${query}`)).status).toBe(status);
  });

  it("names another cluster in another server", async () => {
    const other = await startServers();
    const { body } = await document("sys/health");
    const otherBody = JSON.parse((await askSecrets(other)("GET sys/health")).text);
    await other.close();
    expect(otherBody.cluster_id).not.toBe(body.cluster_id);
  });

  it("is read only", async () => {
    expect(errorOf(await ask("POST sys/health", {}))).toEqual([405, ""]);
    expect((await ask("HEAD sys/health")).status).toBe(200);
  });
});

describe("a sealed server", () => {
  it("answers 503 on every path, with or without a token, and the status documents tell it", async () => {
    server().seal();
    try {
      for (const token of [null, server().secrets.token, "zz"]) {
        for (const request of ["GET sys/mounts", "GET nope", "DELETE auth/jwt/role/x"]) {
          expect(errorOf(await ask(request, undefined, { token }))).toEqual([503, "Vault is sealed"]);
        }
      }
      const { status, body } = await document("sys/health");
      expect([status, body.sealed, body.standby, body.replication_dr_mode]).toEqual([503, true, true, "unknown"]);
      expect(body).not.toHaveProperty("cluster_id");
      expect((await document("sys/health?sealedcode=298")).status).toBe(298);
      expect((await document("sys/seal-status")).body).toMatchObject({ sealed: true, type: "shamir", t: 1, n: 1 });
    } finally {
      server().unseal();
    }
    expect((await ask("GET sys/mounts")).status).toBe(200);
  });
});

describe("time", () => {
  it("ends a token", () => {
    let time = 0;
    const tokens = createTokenStore({ now: () => new Date(time), prefixes: { service: "s.", batch: "b." } });
    const entry = {
      accessor: "a",
      policies: [],
      path: "",
      meta: null,
      displayName: "",
      usesLeft: 0,
      parent: undefined,
      entityId: "",
      boundAddresses: [],
      loginRole: undefined,
    };
    const lifetime = { createdMs: 0, creationTtlSeconds: 1, ttlSeconds: 1, explicitMaxSeconds: 0, periodSeconds: 0 };
    tokens.put({
      ...entry,
      ...lifetime,
      id: "t",
      expiresMs: 1000,
      renewedMs: undefined,
      renewable: true,
      type: "service",
    });
    expect(tokens.find("t")).toBeDefined();
    time = 1000;
    expect([tokens.find("t"), tokens.findByAccessor("a"), tokens.accessors()]).toEqual([undefined, undefined, []]);
  });
});
