import { truncateSync, writeFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { readState } from "../../cli/sources/read-stack.ts";
import type { StateStep, StateValues } from "../../cli/stack/state.ts";
import { UNKNOWN } from "../../provider/core/unknowns.ts";
import { startServers } from "../../server/serve.ts";
import { environmentOf } from "../e2e/watched-servers.ts";
import { rawApi } from "../support/contract-raw.ts";
import { HIDDEN_SUBJECT } from "../support/terraform-program.ts";
import { run } from "./drift-harness.ts";
import { type Recording, recording, stateWith } from "./terraform-harness.ts";

const REFUSED: readonly (readonly [what: string, text: string, todo: RegExp])[] = [
  [
    "an encrypted state of OpenTofu",
    '{"version":4,"lineage":"x","encrypted_data":"AA==","meta":{}}',
    /tofu state pull/,
  ],
  ["a state of Terraform 0.11", '{"version":3,"lineage":"x","modules":[]}', /version 3.*terraform state pull/],
  ["JSON of an early Terraform", '{"format_version":"0.2","values":{}}', /format "0\.2".*Terraform 1\.11/],
  ["JSON of a Terraform to come", '{"format_version":"2.0","values":{}}', /format "2\.0"/],
  ["another output of Terraform", '{"format_version":"1.0","provider_schemas":{}}', /terraform show -json/],
  ["a log", '{"@level":"info","@message":"a"}\n{"@level":"info","@message":"b"}\n', /-out/],
  ["a saved plan", "PK\u0003\u0004\u0000", /terraform show -json <plan file>/],
  ["a plan", recording("change"), /a state is needed/],
];

describe("a state of Terraform", () => {
  const resources = (text: string) => readState(text).same.map((step) => ({ ...step, ...step.values() }));
  const plain = ({ urn, id, class: type, desired, secret, encrypted, provider }: StateStep & StateValues) => ({
    ...{ urn, id, type, desired, provider },
    secret: [...secret].sort(),
    encrypted: [...encrypted].sort(),
  });
  const roleIn = (text: string, urn: string) => resources(text).find((each) => each.urn === urn);

  it("has the resources of this package, by their addresses, with the values of the tables", () => {
    expect(resources(recording("state")).map(({ urn, class: type, id }) => [urn, type, id])).toEqual([
      ["trustplane_cloud_root_config.root", "cloud.RootConfig", "cloud/config/root"],
      ["trustplane_jwt_config.jwt", "jwt.Config", "auth/jwt/config"],
      ["trustplane_jwt_role.deploy[0]", "jwt.Role", "auth/jwt/role/deploy"],
      ["trustplane_jwt_role_set.jobs", "jwt.RoleSet", "auth/jobs/role"],
      ["trustplane_policy_parameter.plain", "policy.Parameter", expect.stringContaining("/var-")],
      ["trustplane_policy_parameter.secret", "policy.Parameter", expect.stringContaining("/var-")],
      ["trustplane_sys_auth_mount.jobs", "sys.AuthMount", "sys/auth/jobs"],
      ["trustplane_sys_policy.deploy", "sys.Policy", "sys/policies/acl/deploy"],
      ['module.teams.trustplane_jwt_role.ci["a b"]', "jwt.Role", "auth/jwt/role/ci-a_b"],
      ['module.teams.trustplane_jwt_role.ci["c.d"]', "jwt.Role", "auth/jwt/role/ci-c.d"],
    ]);
    expect(roleIn(recording("state"), 'module.teams.trustplane_jwt_role.ci["a b"]')).toMatchObject({
      name: 'module.teams.trustplane_jwt_role.ci["a b"]',
      desired: {
        mount: "jwt",
        boundClaims: { number: 1, ref: ["x", "y"], team: "a b", yes: true },
        tokenTtl: "1h",
      },
    });
  });

  it("says the same as `terraform show -json` of it", () => {
    expect(resources(recording("shown-state")).map(plain)).toEqual(resources(recording("state")).map(plain));
  });

  it("has of a secret only that it is one, and of what the program keeps secret the value, marked", () => {
    const secret = roleIn(recording("state"), "trustplane_policy_parameter.secret");
    expect([...(secret?.encrypted ?? [])]).toEqual(["value"]);
    const role = roleIn(recording("state"), "trustplane_jwt_role.deploy[0]");
    expect(role?.desired["boundSubject"]).toBe(HIDDEN_SUBJECT);
    expect([...(role?.secret ?? [])]).toEqual(["boundSubject"]);
  });

  it("lacks what Terraform does not manage any more, looks up, or has from another provider", () => {
    const text = stateWith((all) => {
      for (const each of all) {
        if (each.name === "deploy" && each.type === "trustplane_jwt_role") each.mode = "data";
        if (each.module) each.instances = each.instances.slice(0, 1).map((one) => ({ ...one, deposed: "12ab" }));
      }
    });
    expect(resources(text)).toHaveLength(7);
  });

  it.each(REFUSED)("is not taken for %s, which is refused with what to do", async (_, text, todo) => {
    const refusal = await run(["drift", "--state", "-"], {}, text);
    expect(refusal).toMatchObject({ code: 1, out: "" });
    expect(refusal.err).toMatch(todo);
    expect(refusal.err.trimEnd()).not.toContain("\n");
  });

  it("is refused where it is larger than what can be read", async () => {
    const folder = await mkdtemp(join(tmpdir(), "trustplane-"));
    const file = join(folder, "terraform.tfstate");
    writeFileSync(file, "");
    truncateSync(file, 2 ** 30);
    expect(await run(["drift", "--state", file], {})).toMatchObject({
      code: 1,
      err: expect.stringContaining("511 MiB"),
    });
  });

  it("that somebody has written by hand is refused by the address of what is wrong", async () => {
    const text = stateWith((all) => {
      for (const each of all)
        for (const one of each.instances) one["attributes"] = { ...(one["attributes"] as object), token_policies: 5 };
    });
    const { code, err } = await run(["permissions", "--state", "-"], {}, text);
    expect({ code, lines: err.trimEnd().split("\n").length }).toEqual({ code: 1, lines: 1 });
    expect(err).toContain("the values of trustplane_jwt_role.deploy[0] in the state cannot be read");
  });
});

describe("trustplane drift on a state of Terraform", () => {
  async function servers() {
    const server = await startServers({});
    onTestFinished(() => server.close());
    return environmentOf(server);
  }

  it("declares nothing gone on a server that is not the one of the state", async () => {
    const { code, out } = await run(["drift", "--state", "-"], await servers(), recording("state"));
    expect(code).toBe(1);
    expect(out).toMatch(/^Incomplete, drift cannot be ruled out: 10 resources, 10 could not be read/);
    expect(out).not.toContain("trustplane:");
  });

  it("says that `terraform show -json` does not know the servers", async () => {
    const { err } = await run(["drift", "--state", "-"], await servers(), recording("shown-state"));
    expect(err).toContain("give the state as `terraform state pull` prints it");
  });

  it("asks the server of a provider with an alias only as --connection says", async () => {
    const text = stateWith((all) => {
      for (const each of all) each.provider = `${each.provider}.east`;
    });
    const env = await servers();
    const flag = `east.secrets=${env["VAULT_ADDR"]},tokenEnv=EAST_TOKEN`;
    const unknown = await run(["drift", "--state", "-", "--connection", "west.secrets=http://127.0.0.1:1"], env, text);
    expect(unknown).toMatchObject({ code: 1, err: expect.stringContaining("east.secrets") });
    const told = await run(["drift", "--state", "-", "--connection", flag], { EAST_TOKEN: "wrong" }, text);
    expect(told.out).toContain(`than the one at ${env["VAULT_ADDR"]}`);
  });

  it("asks that of a provider that OpenTofu repeats by its key", async () => {
    const text = stateWith((all) => {
      for (const each of all) {
        for (const one of each.instances) one["provider"] = `${each.provider}.by["east"]`;
        Reflect.deleteProperty(each, "provider");
      }
    });
    const env = await servers();
    const flag = `by["east"].secrets=${env["VAULT_ADDR"]},tokenEnv=EAST_TOKEN`;
    const told = await run(["drift", "--state", "-", "--connection", flag], { EAST_TOKEN: "wrong" }, text);
    expect(told.out).toContain(`than the one at ${env["VAULT_ADDR"]}`);
  });

  it("names attributes as the program does, in reports and in the ignore file, and prints Terraform's commands", async () => {
    const server = await startServers({});
    onTestFinished(() => server.close());
    const role = {
      role_type: "jwt",
      user_claim: "sub",
      bound_audiences: ["a", "b"],
      token_policies: ["deploy"],
      token_ttl: 60,
    };
    await rawApi("secrets", server.secrets).call("POST auth/jwt/role/ci-a_b", { ...role, bound_claims: { team: "z" } });
    const folder = await mkdtemp(join(tmpdir(), "trustplane-"));
    const ignore = join(folder, "trustplane.yml");
    const entry = (property: string) => ({
      resource: "module.teams.*",
      property,
      reason: "OPS-1",
      expires: "2999-01-01",
    });
    writeFileSync(ignore, JSON.stringify({ ignore: [entry("token_ttl"), entry("bound_claims.team")] }));
    const words = ["drift", "--state", "-", "--json", "--ignore", ignore, "--fix-with", "refresh"];
    const found = await run(words, environmentOf(server), recording("shown-state"));
    const report = found.report();
    const name = 'module.teams.trustplane_jwt_role.ci["a b"]';
    const changed = report.resources.find(({ urn }) => urn === name);
    expect(changed?.properties.map(({ property, ignored }) => [property, ignored?.reason])).toEqual([
      ["bound_claims", undefined],
      ["token_ttl", "OPS-1"],
    ]);
    expect(report.commands?.[0]).toMatch(/^terraform apply -refresh-only \\\n/);
    expect(report.commands?.[0]).toContain(`-target '${name}'`);
    expect(report.stack).toBeUndefined();
  });

  it("finds a named connection where --connection describes it", async () => {
    const text = stateWith((all) => {
      for (const each of all)
        for (const one of each.instances)
          one["attributes"] = { ...(one["attributes"] as object), connection_name: "east" };
    });
    const env = await servers();
    const flags = ["drift", "--state", "-", "--connection"];
    const told = await run([...flags, `east=${env["VAULT_ADDR"]},service=secrets,tokenEnv=EAST`], { EAST: "x" }, text);
    expect(told.out).toContain(`than the one at ${env["VAULT_ADDR"]}`);
    const unsaid = await run([...flags, `east=${env["VAULT_ADDR"]}`], {}, text);
    expect(unsaid).toMatchObject({ code: 1, err: expect.stringContaining("add service=<service>") });
  });

  it("shows names with markup as text, in every format", async () => {
    const text = stateWith((all) => {
      for (const each of all) if (each.module) each.instances = [{ ...each.instances[0], index_key: "<b>`x`\u202e|" }];
    });
    for (const format of ["--html", "--markdown"]) {
      const { out } = await run(["drift", "--state", "-", format], await servers(), text);
      expect(out).toContain("trustplane");
      expect(out).not.toContain("\u202e");
      if (format === "--html") expect(out).not.toContain("<b>`x`");
    }
  });
});

describe("every command that reads a state", () => {
  it.each<Recording>(["state", "shown-state"])("reads the %s, with the words of Terraform", async (name) => {
    const text = recording(name);
    const lint = await run(["lint"], {}, text);
    expect(lint).toMatchObject({ code: 2, out: expect.stringContaining("roles.test.bound_subject binds nobody") });
    const who = await run(["explain", "who", "--policy", "deploy", "--state", "-"], {}, text);
    expect(who).toMatchObject({ code: 0, out: expect.stringContaining("ci-a_b") });
    const map = await run(["map", "--json"], {}, text);
    expect(JSON.parse(map.out).stack).toBeUndefined();
    expect(map.out).toContain("module.teams.trustplane_jwt_role.ci");
    const policy = await run(["permissions", "--only", "secrets", "--state", "-"], {}, text);
    expect(policy.out).toContain('path "auth/jwt/role/ci-a_b"');
    for (const { out } of [lint, who, map, policy]) {
      expect(out).not.toContain(HIDDEN_SUBJECT);
      expect(out).not.toContain(`"${UNKNOWN}":`);
    }
  });
});
