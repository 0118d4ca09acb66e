// @run test: it waits for clocks

import { describe, expect, it, onTestFinished } from "vitest";
import { faultScript } from "../../server/faults/fault-script.ts";
import { defaultPolicySet, startServers } from "../../server/serve.ts";
import { environmentOf } from "../e2e/watched-servers.ts";
import { deadOrigin } from "../support/loopback-server.ts";
import { drift, openStack, role, run } from "./drift-harness.ts";

const parameter = { policySetId: defaultPolicySet, key: "limit", value: "1" };

describe("trustplane drift ends with 1 when it cannot tell", () => {
  it("because no server answers, and never says that something is gone", async () => {
    const { driftWith, env } = await openStack([role("ci"), role("nightly")]);
    const nowhere = { ...env, VAULT_ADDR: await deadOrigin(), VAULT_MAX_RETRIES: "0" };
    const { code, report } = await driftWith(nowhere, "--json");
    expect(code).toBe(1);
    expect(report()).toMatchObject({ result: "unknown", counts: { unknown: 2, missing: 0, changed: 0 } });
    expect(report().resources[0]?.error).toMatch(
      /reading jwt.Role "ci": .*no answer from .*the connection was refused/,
    );
  });

  it("in part, and shows what it could read beside what it could not", async () => {
    const { driftWith, env, raw } = await openStack([
      role("ci"),
      { resource: "policyParameter", name: "limit", args: parameter },
    ]);
    await raw("secrets").call("DELETE auth/jwt/role/ci");
    const { code, out } = await driftWith({ ...env, TFE_TOKEN: "wrong" });
    expect(code).toBe(1);
    expect(out).toMatch(
      /^Incomplete, drift cannot be ruled out in lab\/dev: 2 resources, 1 missing, 1 could not be read/,
    );
    expect(out).toMatch(/missing +jwt\.Role ci +auth\/jwt\/role\/ci/);
    expect(out).toMatch(/could not tell +policy\.Parameter limit +reading policy\.Parameter "limit": 401/);
  });

  it.each([
    ["403", "403 forbidden"],
    ["500", "500"],
    ["sealed", "503 Vault is sealed"],
  ])("because the server answers %s", async (action, reason) => {
    const { driftWith, env, server } = await openStack([role("ci")]);
    server.faults.add(faultScript.parse(`GET auth/jwt/role/* ${action}`));
    const { code, report } = await driftWith({ ...env, VAULT_MAX_RETRIES: "0" }, "--json");
    expect(code).toBe(1);
    expect(report().resources).toMatchObject([{ status: "unknown", error: expect.stringContaining(reason) }]);
  });

  it("because it is another server than the one that the state was written to, whether the record is there or not", async () => {
    const other = await startServers();
    onTestFinished(() => other.close());
    const { driftWith } = await openStack([role("ci"), role("nightly")]);
    const headers = { "x-vault-token": other.secrets.token };
    const body = JSON.stringify({ role_type: "jwt", user_claim: "sub", bound_audiences: ["https://aud.example"] });
    await fetch(`${other.secrets.address}/v1/auth/jwt/role/ci`, { method: "POST", headers, body });
    const { code, report } = await driftWith(environmentOf(other), "--json");
    expect(code).toBe(1);
    expect(report().resources.map(({ status, error }) => [status, error])).toEqual([
      ["unknown", expect.stringContaining("written to another server")],
      ["unknown", expect.stringContaining("written to another server")],
    ]);
  });

  it("because a class of the state is of a later release", async () => {
    const { resources, env } = await openStack([role("ci")]);
    const later = resources.map((each) => ({ ...each, type: each.type.replace("jwt:Role", "jwt:Newer") }));
    const { code, out } = await drift({ version: 3, deployment: { resources: later } }, env, []);
    expect(code).toBe(1);
    expect(out).toMatch(/could not tell +jwt\.Newer ci +this release of trustplane does not know jwt\.Newer/);
  });

  it.each([
    ["no state at all", "hello", /this is no state of a stack/],
    ["another JSON", "{}", /this is no state of a stack/],
  ])("because it was given %s", async (_, input, reason) => {
    const { code, err, out } = await run(["drift", "--state", "-"], {}, input);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toMatch(reason);
  });

  it.each([
    [["--parallel", "0"], /from 1 to 64/],
    [["--fix-with", "magic"], /Allowed choices are up, refresh/],
    [["--stack", "dev"], /cannot be used with option '--stack/],
    [["--json", "--html"], /only one report can go to the standard output/],
    [["--ignore", "/nowhere.yaml"], /the ignore file \/nowhere.yaml cannot be read/],
  ])("because the command line is wrong: %j", async (flags, reason) => {
    const { code, err, out } = await run(["drift", "--state", "-", ...flags], {}, "{}");
    expect([code, out]).toEqual([1, ""]);
    expect(err).toMatch(reason);
  });
});

describe("trustplane drift, asked to wait", () => {
  it("waits as long as a 429 says, and then has everything", async () => {
    const roles = Array.from({ length: 12 }, (_, index) => role(`r${index}`));
    const { driftWith, env, server } = await openStack(roles);
    server.faults.add(faultScript.parse("GET auth/jwt/role/* 429 retry-after=1 x12"));
    const { code, report } = await driftWith({ ...env, VAULT_MAX_RETRIES: "2" }, "--json");
    expect(code).toBe(0);
    expect(report().counts).toMatchObject({ resources: 12, unchanged: 12 });
  });

  it("gets through a limit of a few requests a second", async () => {
    const sets = Array.from({ length: 8 }, (_, index) => `polset-set${String(index).padStart(13, "0")}`);
    const limited = await startServers({ policyRequestsPerSecond: 5 });
    onTestFinished(() => limited.close());
    const resources = sets.map((policySetId, index) => parameterState(policySetId, `p${index}`));
    const { report } = await drift({ version: 3, deployment: { resources } }, environmentOf(limited), ["--json"]);
    // The sets are not there, which the API only says after each was asked for: none of the answers is a 429.
    expect(
      report()
        .resources.map(({ error }) => error)
        .filter((error) => error?.includes("429")),
    ).toEqual([]);
    expect(report().counts.unknown).toBe(8);
  });
});

function parameterState(policySetId: string, key: string) {
  const values = { policySetId, key, value: "1", category: "policy-set" };
  const type = "trustplane:policy/parameter:Parameter";
  return {
    urn: `urn:pulumi:dev::lab::${type}::${key}`,
    type,
    custom: true,
    id: `${policySetId}/var-1`,
    inputs: values,
    outputs: { ...values, parameterId: "var-1" },
  };
}
