import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { inFlight } from "../../provider/engine/in-flight.ts";
import { faultScript } from "../../server/faults/fault-script.ts";
import { defaultPolicySet } from "../../server/serve.ts";
import { evaluatedFiles } from "../support/adopt-evaluate.ts";
import { folderOfTest } from "../support/temporary-folder.ts";
import { publicKeyPem } from "../support/valid-inputs.ts";
import { adopt, openAdoption } from "./adopt-harness.ts";
import { run } from "./drift-harness.ts";

const role = { role_type: "jwt", user_claim: "sub", bound_audiences: ["https://aud.example"] };

function namesIn(files: Readonly<Record<string, string>>): string[] {
  return evaluatedFiles(files)
    .map((made) => `${made.class} ${made.name}`)
    .sort();
}

describe("trustplane adopt", () => {
  it("reads every kind of record, and only reads", async () => {
    const { raw, adopt, server } = await openAdoption();
    server.cloud.addUser("robot");
    const secrets = raw("secrets");
    await secrets.call("POST auth/jwt/config", { jwt_validation_pubkeys: [publicKeyPem()] });
    await secrets.call("POST auth/jwt/role/ci", role);
    await secrets.call("POST cloud/config/root", { access_key: "AKIAEXAMPLE", secret_key: "not shown" });
    await secrets.call("POST cloud/static-roles/robot", { username: "robot", rotation_period: 3600 });
    await secrets.call("POST cloud/config/lease", { lease: "1h", lease_max: "2h" });
    await secrets.call("POST cloud/roles/session", { credential_type: "session_token" });
    await raw("cluster").call("POST peering/token", { PeerName: "west" });
    const attributes = { key: "limit", value: "1", category: "policy-set" };
    await raw("policy").call(`POST policy-sets/${defaultPolicySet}/parameters`, { data: { type: "vars", attributes } });
    const before = JSON.stringify(server.records());
    server.log.clear();

    const { code, err, files } = await adopt("--policy-set", defaultPolicySet);

    expect([code, err]).toEqual([0, ""]);
    expect(namesIn(files)).toEqual([
      "cloud.LeaseConfig cloud",
      "cloud.Role cloud-session",
      "cloud.StaticRole cloud-robot",
      "cluster.PeeringToken west",
      "jwt.Config jwt",
      "jwt.Role jwt-ci",
      "policy.Parameter limit",
      "sys.AuthMount jwt",
      "sys.SecretsMount cloud",
    ]);
    expect(evaluatedFiles(files, { cloudSecretKey: "given" }).map((made) => made.class)).toContain("cloud.RootConfig");
    expect(server.log.all().filter(({ method, path }) => method !== "GET" || /creds|sts|token$/.test(path))).toEqual(
      [],
    );
    expect(JSON.stringify(server.records())).toBe(before);
  });

  it("refers to a mount instead of repeating its path, and shortens alike roles to data and a loop", async () => {
    const { raw, adopt } = await openAdoption();
    await raw("secrets").call("POST sys/auth/team/jobs", { type: "jwt" });
    for (const name of ["build", "deploy", "nightly"])
      await raw("secrets").call(`POST auth/team/jobs/role/${name}`, { ...role, token_policies: [name] });

    const { files } = await adopt("--mount", "team/jobs");

    expect(Object.keys(files).filter((name) => name.endsWith(".ts"))).toEqual([
      "adopted.ts",
      "auth-team-jobs.ts",
      "index.ts",
    ]);
    expect(files["auth-team-jobs.ts"]).toBe(`import * as trustplane from "trustplane/native";
import { adopted } from "./adopted";

const teamJobs = new trustplane.sys.AuthMount(
  "team-jobs",
  { path: "team/jobs", type: "jwt" },
  adopted,
);

const roles: Record<string, Partial<trustplane.jwt.RoleArgs>> = {
  build: { tokenPolicies: ["build"] },
  deploy: { tokenPolicies: ["deploy"] },
  nightly: { tokenPolicies: ["nightly"] },
};

for (const [name, own] of Object.entries(roles)) {
  new trustplane.jwt.Role(
    \`team-jobs-\${name}\`,
    {
      mount: teamJobs.path,
      name,
      roleType: "jwt",
      boundAudiences: ["https://aud.example"],
      userClaim: "sub",
      ...own,
    },
    adopted,
  );
}
`);
  });

  it("writes every resource by itself with --no-fold, with the same values and names", async () => {
    const { raw, adopt } = await openAdoption();
    for (const name of ["build", "deploy", "nightly", "__proto__", "class"])
      await raw("secrets").call(`POST auth/jwt/role/${name}`, { ...role, token_policies: [name] });

    const [folded, plain] = [await adopt("--mount", "jwt"), await adopt("--mount", "jwt", "--no-fold")];

    expect(folded.files["auth-jwt.ts"]).toMatch(/for \(const \[name, own\] of/);
    expect(plain.files["auth-jwt.ts"]).not.toMatch(/for \(/);
    const inOrder = (files: typeof plain.files) => evaluatedFiles(files).sort((a, b) => (a.name < b.name ? -1 : 1));
    expect(inOrder(folded.files)).toEqual(inOrder(plain.files));
    expect(inOrder(plain.files).map(({ options }) => options)).toEqual(Array(6).fill({ protect: true }));
    expect(folded.files["import.json"]).toBe(plain.files["import.json"]);
  });

  it("offers a set in the place of many single resources of one mount, with what each way costs", async () => {
    const { raw, adopt } = await openAdoption();
    const names = Array.from({ length: 100 }, (_, index) => `r${index}`);
    for (const name of names) await raw("secrets").call(`POST auth/jwt/role/${name}`, role);
    const only = ["--service", "secrets", "--include", "jwt.Role *", "--language", "python", "--no-fold"];
    const readme = (await adopt(...only)).files["README.md"];
    expect(readme).toMatch(/of 1,000 each takes 98 seconds.*: 100 jwt\.Role of auth\/jwt\/role \(jwt\.RoleSet\)\./s);
    const asked = "--language python --no-fold --service 'secrets' --include 'jwt.Role *' --exclude 'auth/jwt/role/*'";
    expect(readme).toContain(`\nnpx trustplane adopt --out <a new folder> ${asked}\n`);
    expect(readme).toContain("pulumi import 'trustplane:jwt/roleSet:RoleSet' 'auth-jwt-role' 'auth/jwt/role' --out");
    const { files } = await adopt(...only, "--exclude", "auth/jwt/role/*");
    expect(Object.keys(files)).toEqual([]);
    expect((await adopt(...only, "--exclude", "jwt.Role r99")).files["README.md"]).not.toContain("Many records");
  });

  it("writes the same files when it is run again", async () => {
    const { raw, adopt } = await openAdoption();
    for (const name of ["b", "a", "c"])
      await raw("secrets").call(`POST cloud/roles/${name}`, { credential_type: "session_token" });
    expect((await adopt()).files).toEqual((await adopt()).files);
  });

  it("gives records of one name in two mounts, and names that a program cannot have, names of their own", async () => {
    const { raw, adopt } = await openAdoption();
    await raw("secrets").call("POST sys/auth/a-b", { type: "jwt" });
    await raw("secrets").call("POST sys/auth/a", { type: "jwt" });
    await raw("secrets").call("POST auth/a-b/role/c", role);
    await raw("secrets").call("POST auth/a/role/b-c", role);
    await raw("cluster").call("POST peering/token", { PeerName: "new" });
    const { files } = await adopt();
    const roles = namesIn(files).filter((name) => name.startsWith("jwt.Role"));
    expect(roles).toEqual([expect.stringMatching(/a-b-c-\w{6}$/), expect.stringMatching(/a-b-c-\w{6}$/)]);
    expect(new Set(roles).size).toBe(2);
  });

  it("takes and leaves records by pattern; a mount that is left out is a constant", async () => {
    const { raw, adopt } = await openAdoption();
    for (const name of ["ci-main", "ci-test", "admin"]) await raw("secrets").call(`POST auth/jwt/role/${name}`, role);
    const only = await adopt("--include", "jwt.Role ci-*", "--exclude", "auth/jwt/role/ci-test");
    expect(namesIn(only.files)).toEqual(["jwt.Role jwt-ci-main"]);
    const without = await adopt("--exclude", "sys.*");
    expect(without.files["auth-jwt.ts"]).toContain('const mount = "jwt";');
    expect(evaluatedFiles(without.files).map(({ args }) => args["mount"])).toEqual(["jwt", "jwt", "jwt"]);
  });

  it("leaves out a peering that its dialer cannot manage without the token, until the token is given", async () => {
    const [east, west] = [await openAdoption(), await openAdoption()];
    const issued = await east.raw("cluster").call("POST peering/token", { PeerName: "west" });
    const { PeeringToken } = issued as { PeeringToken: string };
    await west.raw("cluster").call("POST peering/establish", { PeerName: "east", PeeringToken });
    const { files } = await west.adopt("--service", "cluster");
    expect(namesIn(files)).toEqual([]);
    const [made] = evaluatedFiles(files, { eastPeeringToken: "given" });
    expect(made).toMatchObject({ class: "cluster.Peering", args: { peerName: "east", peeringToken: "given" } });
    expect(files["README.md"]).toContain("pulumi config set --secret eastPeeringToken");
  });

  it("writes no project over another, and reads nothing then", async () => {
    const { env, server } = await openAdoption();
    const folder = folderOfTest();
    mkdirSync(join(folder, "mine"));
    server.log.clear();
    const { code, err } = await run(["adopt", "--out", folder], env);
    expect([code, err]).toEqual([
      1,
      `trustplane: the folder ${folder} is not empty (mine). Name a new or empty folder with --out; nothing was read or written.\n`,
    ]);
    expect(server.log.all()).toEqual([]);
    writeFileSync(join(folder, "file"), "");
    expect((await run(["adopt", "--out", join(folder, "file")], env)).code).toBe(1);
    expect((await run(["adopt", "--out", join(folder, "mine")], env)).code).toBe(0);
  });

  it("names the project after its folder, also where YAML would take that for a number", async () => {
    const { env } = await openAdoption();
    const out = join(folderOfTest(), "2026");
    expect((await run(["adopt", "--service", "secrets", "--out", out], env)).code).toBe(0);
    expect(readFileSync(join(out, "Pulumi.yaml"), "utf8")).toMatch(/^name: "2026"\nruntime: nodejs\n/);
  });

  it("has exit code 2 for a wrong command line", async () => {
    const { adopt } = await openAdoption();
    expect((await run(["adopt"], {})).code).toBe(1);
    expect((await adopt("--service", "other")).code).toBe(1);
    expect((await adopt("--classes", "other")).code).toBe(1);
  });

  it("has exit code 1 and writes nothing where there is no server, no mount, or nothing to read", async () => {
    const { adopt: adoptHere, server } = await openAdoption();
    expect(await adopt({}, [])).toMatchObject({ code: 1, files: {}, err: expect.stringContaining("set VAULT_ADDR") });
    const missing = await adoptHere("--mount", "nowhere");
    expect(missing).toMatchObject({ code: 1, files: {}, err: expect.stringContaining("there is no mount nowhere") });
    server.faults.add(faultScript.parse("GET sys/* 403 x9"));
    expect(await adoptHere("--service", "secrets")).toMatchObject({ code: 1, files: {} });
  });

  it("says once why nothing can be read, and names the product where it is another one", async () => {
    const { env, server } = await openAdoption();
    const at = { VAULT_ADDR: `${server.secrets.address.replace("http:", "https:")}`, VAULT_TOKEN: "x" };
    const { code, err } = await adopt(at, []);
    expect(code).toBe(1);
    expect(err.match(/could not be read/g)).toHaveLength(1);
    expect(err).toMatch(
      /identity\.Group in .*, sys\.AuthMount in .* and 1 more could not be read: .* does not speak TLS/,
    );
    const other = { CONSUL_HTTP_ADDR: env["VAULT_ADDR"] ?? "", CONSUL_HTTP_TOKEN: "x" };
    expect((await adopt(other, [])).err).toContain(
      "That is an answer of Vault or OpenBao, not of Consul: check the address.",
    );
  });

  it("writes what it can read, names what it cannot, and has exit code 1", async () => {
    const { raw, adopt, server } = await openAdoption();
    for (const name of ["open", "closed"]) await raw("secrets").call(`POST auth/jwt/role/${name}`, role);
    server.faults.add(faultScript.parse("GET auth/jwt/role/closed 403 x9"));
    const { code, err, files } = await adopt("--mount", "jwt");
    expect(code).toBe(1);
    expect(err).toMatch(/jwt\.Role closed could not be read: .*403/);
    expect(namesIn(files)).toEqual(["jwt.Role jwt-open", "sys.AuthMount jwt"]);
    expect(files["README.md"]).toMatch(/## Not read[^#]*`jwt\.Role closed`/);
  });

  it("lists the logins that it does not take over, with their number", async () => {
    const { raw, adopt } = await openAdoption();
    await raw("secrets").call("POST sys/auth/machines", { type: "approle" });
    for (const name of ["a", "b"])
      await raw("secrets").call(`POST auth/machines/role/${name}`, { token_policies: ["x"] });
    const readme = (await adopt("--service", "secrets")).files["README.md"];
    expect(readme).toContain("* `2 roles of auth/machines (approle)`: `no resource of this package stands for it`");
    expect(readme).not.toContain("--protect=false");
  });

  it("reads and writes a thousand roles", async () => {
    const { raw, adopt } = await openAdoption();
    const names = Array.from({ length: 1000 }, (_, index) => `role-${index}`);
    await inFlight(names, 16, (name) =>
      raw("secrets").call(`POST auth/jwt/role/${name}`, { ...role, bound_subject: name }),
    );
    const { code, files } = await adopt("--mount", "jwt");
    expect(code).toBe(0);
    expect(evaluatedFiles(files)).toHaveLength(1001);
  });
});
