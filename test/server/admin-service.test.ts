import { describe, expect, it } from "vitest";
import { serving } from "./frame-harness";

const { server, ask } = serving({ cloudUsers: ["ci"] });

async function admin(request: string, body?: unknown, token = server().admin.token) {
  const [method = "", path = ""] = request.split(" ");
  const response = await fetch(`${server().admin.address}/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
}

describe("the admin interface", () => {
  it.each(["GET faults", "GET records", "GET requests", "POST seal", "GET nope"])(
    "%s needs the admin token",
    async (request) => {
      for (const token of ["", "x", server().secrets.token])
        expect((await admin(request, undefined, token)).status).toBe(401);
      const [method = "", path = ""] = request.split(" ");
      expect((await fetch(`${server().admin.address}/${path}`, { method })).status).toBe(401);
    },
  );

  it("answers 404 elsewhere", async () => {
    expect(await admin("GET nope")).toEqual({ status: 404, body: { errors: ["no GET /nope here"] } });
  });

  it("places, shows and removes faults", async () => {
    const { status, body } = await admin("POST faults", { specs: ["GET sys/mounts 503 x2", "* * 500"] });
    expect([status, body.faults.length]).toEqual([201, 2]);
    const [first, second] = body.faults;
    expect(await admin(`DELETE faults/${second.id}`)).toMatchObject({ status: 204 });
    expect(await admin(`DELETE faults/${second.id}`)).toMatchObject({ status: 404 });
    expect((await ask("GET sys/mounts")).status).toBe(503);
    expect((await admin("GET faults")).body).toEqual({ faults: [{ ...first, times: 1 }] });
    expect((await admin("DELETE faults")).status).toBe(204);
    expect((await ask("GET sys/mounts")).status).toBe(200);
  });

  it.each([
    ["no JSON", "x"],
    ["nothing of use", {}],
    ["a bad script", { spec: "GET x 200" }],
    ["another member", { spec: "GET x 500", more: 1 }],
  ])("refuses %s as faults", async (_name, body) => {
    expect((await admin("POST faults", body)).status).toBe(400);
    expect((await admin("GET faults")).body).toEqual({ faults: [] });
  });

  it("shows and forgets the requests, of all services or of one", async () => {
    await admin("DELETE requests");
    await ask("GET sys/mounts");
    await fetch(`${server().cluster.address}/v1/peerings?token=secret-in-query`);
    const { body } = await admin("GET requests");
    expect(body.requests).toMatchObject([
      { service: "secrets", method: "GET", path: "/v1/sys/mounts", status: 200 },
      { service: "cluster", method: "GET", path: "/v1/peerings", parameters: ["token"] },
    ]);
    expect(JSON.stringify(body)).not.toContain("secret-in-query");
    expect((await admin("GET requests?service=cluster")).body.requests).toHaveLength(1);
    expect((await admin("GET requests?service=zz")).status).toBe(400);
    expect((await admin("DELETE requests")).status).toBe(204);
    expect((await admin("GET requests")).body).toEqual({ requests: [] });
  });

  it("shows the stored records by service and storage path, write-only values and number texts included", async () => {
    await ask("POST cloud/config/root", { access_key: "AKIAX", secret_key: "the-secret-key" });
    await ask("POST auth/jwt/role/a", '{"role_type":"jwt","user_claim":"sub","bound_claims":{"n":1.50}}');
    await ask("POST sys/policies/acl/p", { policy: 'path "a" {}' });
    const response = await fetch(`${server().admin.address}/records`, {
      headers: { authorization: `Bearer ${server().admin.token}` },
    });
    const text = await response.text();
    expect(text).toContain('"n":1.50');
    const records = JSON.parse(text);
    expect(Object.keys(records)).toEqual(["secrets", "cluster", "policy"]);
    expect(JSON.stringify(records.secrets["cloud/config/root"])).toContain("the-secret-key");
    expect(records.secrets["auth/jwt/role/a"]).toMatchObject({ user_claim: "sub", token_type: "default" });
    expect(records.secrets["sys/policies/acl/p"]).toBe('path "a" {}');
    expect(records.secrets["sys/auth/jwt/"]).toMatchObject({ type: "jwt", description: "" });
    expect(text).not.toContain(server().secrets.token);
  });

  it("seals and unseals", async () => {
    expect((await admin("POST seal")).status).toBe(204);
    expect((await ask("GET sys/mounts")).status).toBe(503);
    expect((await admin("POST unseal")).status).toBe(204);
    expect((await ask("GET sys/mounts")).status).toBe(200);
  });

  it("moves the clock of every service ahead", async () => {
    const { now } = (await admin("GET clock")).body;
    const { status, body } = await admin("POST clock", { advanceSeconds: 86_400.5 });
    expect([status, Date.parse(body.now) - Date.parse(now) >= 86_400_500]).toEqual([200, true]);
    expect(JSON.parse((await ask("GET sys/health")).text).server_time_utc * 1000).toBeGreaterThan(
      Date.now() + 86_000_000,
    );
    for (const wrong of [{}, { advanceSeconds: -1 }, { advanceSeconds: "1" }, { advanceSeconds: 1e11 }]) {
      expect((await admin("POST clock", wrong)).status).toBe(400);
    }
  });

  it("prepares users of the cloud", async () => {
    expect((await admin("GET cloud/users")).body.users).toMatchObject([{ name: "ci" }]);
    expect(await admin("POST cloud/users", { name: "deploy", accessKeys: 2 })).toMatchObject({
      status: 201,
      body: { name: "deploy" },
    });
    expect((await admin("POST cloud/users", { name: "deploy" })).status).toBe(409);
    expect((await admin("POST cloud/users", { name: "" })).status).toBe(400);
    expect((await admin("DELETE cloud/users/deploy")).status).toBe(204);
    expect((await admin("DELETE cloud/users/deploy")).status).toBe(409);
  });
});
