import { describe, expect, it } from "vitest";
import { readOnly } from "../../cli/sources/read-only.ts";
import type { Definition } from "../../provider/core/definition.ts";
import { removalOf } from "../../provider/core/removal.ts";
import type { Settings } from "../../provider/engine/settings.ts";
import { createTransport, type HttpRequest } from "../../provider/http/transport.ts";
import { definitions } from "../../provider/resources/index.ts";
import { serve } from "../support/loopback-server.ts";
import { openStack, role, run } from "./drift-harness.ts";

type Service = Settings["service"];

/** Asks for a request to be sent; answers whether it was. */
async function isSent(service: Service, line: string, address = "https://host"): Promise<boolean> {
  const [method = "", path = ""] = line.split(" ");
  let sent = false;
  // Of the settings only these two count.
  const around = readOnly({ service, address: new URL(address) } as Settings);
  const send = around(async () => {
    sent = true;
    return { status: 200, headers: {}, text: "" };
  });
  const request = { method, url: new URL(address + path), headers: {} } as HttpRequest;
  await send(request).catch((error: Error) => expect(error.message).toMatch(/only reads: .* was not sent/));
  return sent;
}

describe("the client of trustplane drift", () => {
  it.each<[Service, string]>([
    ["secrets", "GET /v1/auth/jwt/role/ci"],
    ["secrets", "GET /v1/auth/team/jwt/role/creds"],
    ["secrets", "GET /v1/auth/jwt/role?list=true"],
    ["secrets", "GET /v1/auth/jwt/config"],
    ["secrets", "GET /v1/cloud/config/root"],
    ["secrets", "GET /v1/cloud/config/lease"],
    ["secrets", "GET /v1/cloud/roles/rotate"],
    ["secrets", "GET /v1/cloud/roles?list=true"],
    ["secrets", "GET /v1/sts/static-roles/ci"],
    ["secrets", "GET /v1/sys/auth"],
    ["secrets", "GET /v1/sys/mounts"],
    ["secrets", "GET /v1/sys/health?standbyok=true&perfstandbyok=true"],
    ["secrets", "POST /v1/auth/jwt/login"],
    ["cluster", "GET /v1/peerings?partition=east"],
    ["cluster", "GET /v1/connect/ca/roots"],
    ["cluster", "GET /v1/config/exported-services/default"],
    ["cluster", "GET /v1/config/service-intentions/web?partition=a&ns=b"],
    ["cluster", "GET /v1/config/service-intentions"],
    ["policy", "GET /api/v2/policy-sets/polset-1/parameters?page%5Bnumber%5D=2"],
    ["policy", "GET /api/v2/policy-sets/polset-1"],
  ])("may ask the %s service %s", async (service, line) => {
    expect(await isSent(service, line)).toBe(true);
  });

  it.each<[Service, string]>([
    ["secrets", "GET /v1/cloud/creds/ci"],
    ["secrets", "GET /v1/cloud/creds/ci?ttl=1h"],
    ["secrets", "POST /v1/cloud/creds/ci"],
    ["secrets", "GET /v1/cloud/sts/ci"],
    ["secrets", "POST /v1/cloud/sts/ci"],
    ["secrets", "PUT /v1/cloud/sts/ci"],
    ["cluster", "PUT /v1/config"],
    ["cluster", "DELETE /v1/config/exported-services/default"],
    ["secrets", "GET /v1/cloud/static-creds/ci"],
    ["secrets", "GET /v1/cloud/creds/roles"],
    ["secrets", "GET /v1/cloud/creds/roles/../ci"],
    ["secrets", "GET /v1/cloud/roles/../creds/ci"],
    ["secrets", "GET /v1/cloud/roles/%2e%2e/creds/ci"],
    ["secrets", "GET /v1/cloud/roles/..%2Fcreds%2Fci"],
    ["secrets", "GET /v1/cloud/roles/x%2F..%2F..%2Fcreds/roles/x"],
    ["secrets", "GET /v1/cloud/config/rotate-root"],
    ["secrets", "POST /v1/cloud/config/rotate-root"],
    ["secrets", "POST /v1/cloud/rotate-role/ci"],
    ["secrets", "GET /v1/sys/rotate"],
    ["secrets", "POST /v1/auth/jwt/oidc/auth_url"],
    ["secrets", "GET /v1/auth/jwt/oidc/callback"],
    ["secrets", "POST /v1/auth/token/create"],
    ["secrets", "POST /v1/sys/leases/revoke"],
    ["secrets", "GET /v1/peerings"],
    ["cluster", "GET /v1/peering/other"],
    ["cluster", "GET /v1/kv/x"],
    ["policy", "POST /api/v2/policy-sets/polset-1/parameters"],
  ])("may not ask the %s service %s", async (service, line) => {
    expect(await isSent(service, line)).toBe(false);
  });

  const writes = Object.values<Definition>(definitions).flatMap((definition) => {
    const { token, dialect, create, update } = definition;
    const service: Service = ({ vault: "secrets", consul: "cluster", tfe: "policy" } as const)[dialect];
    const prefix = dialect === "tfe" ? "/api/v2/" : dialect === "consul" ? "/" : "/v1/";
    const all = [create, update, removalOf(definition, { onDelete: "blank" })].filter((each) => each !== undefined);
    const filled = (path: string) => prefix + path.replace(/\[.*?\]/g, "").replace(/\{\w+\}/g, "x");
    return all.map(({ method, path }) => [token, service, `${method} ${filled(path)}`] as const);
  });
  it.each(writes)("may not write a %s: %s %s", async (_, service, line) => {
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
      expect(await isSent(service, line.replace(/^\w+/, method))).toBe(false);
    }
    expect(writes.length).toBeGreaterThan(25);
  });

  it("knows the folder in which an address puts the API", async () => {
    expect(await isSent("secrets", "GET /v1/auth/jwt/role/ci", "https://host/vault")).toBe(true);
    expect(await isSent("secrets", "GET /v1/cloud/creds/ci", "https://host/vault")).toBe(false);
  });

  it("does not follow a redirect to what issues something", async () => {
    const asked: string[] = [];
    const { origin } = await serve(({ url }, answer) => {
      asked.push(url ?? "");
      answer.writeHead(302, { location: "/v1/cloud/creds/ci" }).end();
    });
    const around = readOnly({ service: "secrets", address: new URL(origin) } as Settings);
    const transport = createTransport({ timeoutMs: 1000, around });
    const request = { method: "GET", url: new URL(`${origin}/v1/cloud/roles/ci`), headers: {} } as const;
    await expect(transport(request)).rejects.toThrow(/GET \/v1\/cloud\/creds\/ci is not on its list/);
    expect(asked).toEqual(["/v1/cloud/roles/ci"]);
  });

  it("sends nothing but reads for a whole stack, and issues nothing", async () => {
    const { drift, server } = await openStack([
      role("ci"),
      { resource: "cloudRole", name: "deploy", args: { name: "deploy", credentialType: "session_token" } },
      { resource: "cloudRootConfig", name: "root", args: { accessKey: "AKIAEXAMPLE", secretKey: "s3cret" } },
      { resource: "sysAuthMount", name: "mount", args: { path: "team", type: "jwt" } },
      { resource: "clusterPeeringToken", name: "west", args: { peerName: "west" } },
    ]);
    server.log.clear();
    await drift("--unmanaged");
    const methods = new Set(server.log.all().map(({ method }) => method));
    expect([...methods].sort()).toEqual(["GET", "LIST"].filter((method) => methods.has(method)));
    expect(
      server.log
        .all()
        .map(({ path }) => path)
        .filter((path) => /creds|sts|rotate/.test(path)),
    ).toEqual([]);
  });
});

it("says what to do when there is no state to read", async () => {
  expect(await run(["drift", "--state", "/nowhere/state.json"], {})).toMatchObject({
    code: 1,
    err: "trustplane: the file /nowhere/state.json cannot be read.\n",
  });
});
