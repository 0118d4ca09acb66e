// Where people keep addresses, tokens and proxies: reports of other tools, and what is right here.
import { copyFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { createEngine } from "../../provider/engine/engine.ts";
import { definitions } from "../../provider/resources/index.ts";
import { fileWith, health, inspected, open, trusted } from "../cli/doctor-harness.ts";
import { rawApi } from "../support/contract-raw.ts";
import { jobKeyPem, jobToken } from "../support/jwt-logins.ts";
import { deadOrigin, serve } from "../support/loopback-server.ts";

describe("NO_PROXY with a network", () => {
  // https://github.com/hashicorp/vault/issues/31954, https://github.com/oven-sh/bun/issues/39352
  it("keeps the proxy from being asked for an address in it, for every check of doctor", async () => {
    const { origin } = await serve((_, response) => response.end(JSON.stringify(health)));
    // An address of this machine that is not one of those that are never asked for through a proxy.
    const VAULT_ADDR = origin.replace("127.0.0.1", "0.0.0.0");
    const env = { VAULT_ADDR, VAULT_TOKEN: "t", HTTP_PROXY: await deadOrigin(), NO_PROXY: "10.0.0.0/8,0.0.0.0/8" };
    const { checks } = await inspected(env);
    expect(checks).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ check: "proxy", finding: 'none: "0.0.0.0/8" in NO_PROXY keeps it from being used' }),
        expect.objectContaining({ check: "tcp", status: "ok" }),
        expect.objectContaining({ check: "api", status: "ok" }),
      ]),
    );
  });
});

describe("a login in the namespace above that of the work", () => {
  // https://github.com/hashicorp/vault-action/issues/559, https://github.com/rajanadar/VaultSharp/issues/387
  const roles = (way: string) =>
    [`${way}auth/jwt/*`, `${way}sys/*`]
      .map((path) => `path "${path}" { capabilities = ["create", "read", "update", "delete", "list", "sudo"] }`)
      .join(" ");

  /** The work is in `parent/child`; the auth method in the namespace of this path. */
  async function openParent(above = "parent/") {
    const { server, env } = await open({ profile: "enterprise" });
    const { call } = rawApi("secrets", server.secrets);
    await call("POST sys/namespaces/parent");
    await call("POST parent/sys/namespaces/child");
    await call("POST parent/child/sys/auth/jwt", { type: "jwt" });
    await call(`POST ${above}sys/auth/ci`, { type: "jwt" });
    await call(`POST ${above}auth/ci/config`, { jwt_validation_pubkeys: [jobKeyPem] });
    await call(`POST ${above}sys/policies/acl/work`, { policy: roles("parent/child/".slice(above.length)) });
    const role = { role_type: "jwt", user_claim: "sub", bound_audiences: ["trustplane"], token_policies: ["work"] };
    await call(`POST ${above}auth/ci/role/ci`, role);
    const { VAULT_ADDR = "" } = env;
    return { call, VAULT_ADDR, VAULT_ID_TOKEN: await jobToken() };
  }

  it("works by a variable, and doctor knows what the token may", async () => {
    const { VAULT_ADDR, VAULT_ID_TOKEN } = await openParent();
    const login = { TRUSTPLANE_LOGIN_ROLE: "ci", TRUSTPLANE_LOGIN_MOUNT: "ci", TRUSTPLANE_LOGIN_NAMESPACE: "/parent/" };
    const { checks, code } = await inspected({ VAULT_ADDR, VAULT_ID_TOKEN, VAULT_NAMESPACE: "parent/child", ...login });
    const token = checks.find(({ check }) => check === "token");
    expect(token?.finding).toMatch(/the login of connection "secrets" by jwt; policies default, work; /);
    expect(code).toBe(0);
  });

  it.each([
    ["parent", "parent/"],
    ["root", ""],
  ])(
    "works by the configuration: the record is in the child, and the token is revoked in %s",
    async (namespace, above) => {
      const { call, VAULT_ADDR: address, VAULT_ID_TOKEN } = await openParent(above);
      const login = { method: "jwt", mount: "ci", role: "ci", namespace, jwtEnv: "VAULT_ID_TOKEN" };
      const config = JSON.stringify({ address, namespace: "parent/child", login });
      const lines: string[] = [];
      const engine = createEngine({
        config: (key) => (key === "secrets" ? config : undefined),
        env: { VAULT_ID_TOKEN },
        log: (level, message) => void lines.push(`${level}: ${message}`),
      });
      await engine.create(definitions.jwtRole, {
        mount: "jwt",
        name: "app",
        roleType: "jwt",
        userClaim: "sub",
        boundSubject: "app",
      });
      const tokens = async () => (await call("LIST auth/token/accessors")) as { data: { keys: string[] } };
      const during = (await tokens()).data.keys.length;
      await engine.end();
      expect((await tokens()).data.keys.length).toBe(during - 1);
      expect(lines.filter((line) => line.startsWith("warning"))).toEqual([]);
      expect(await call("GET parent/child/auth/jwt/role/app")).toMatchObject({ data: { bound_subject: "app" } });
    },
  );

  it("is no login of a server without namespaces: it would log in elsewhere", async () => {
    const { env } = await open();
    const login = { method: "jwt", namespace: "parent", jwtEnv: "JOB" };
    const config = { secrets: { address: env["VAULT_ADDR"], login }, cluster: { login } };
    const engine = createEngine({
      config: (key) => JSON.stringify((config as Record<string, unknown>)[key]),
      env: { JOB: await jobToken() },
      log: () => {},
    });
    await expect(
      engine.create(definitions.jwtRole, { mount: "jwt", name: "app", roleType: "jwt", userClaim: "sub" }),
    ).rejects.toThrow(/namespace cannot be "parent" at /);
    expect(() => engine.create(definitions.clusterPeeringToken, { peerName: "west" })).toThrow(
      "login in trustplane:cluster: cluster has no namespaces; leave out namespace",
    );
  });
});

describe("the address of a Unix socket", () => {
  // https://github.com/hashicorp/terraform-provider-vault/issues/1879
  it.each(["VAULT_ADDR", "CONSUL_HTTP_ADDR"])("in %s is refused with what works instead", async (name) => {
    const { checks } = await inspected({ [name]: "unix:///run/agent.sock" });
    expect(checks.find(({ check }) => check === "address")).toMatchObject({
      status: "failed",
      finding: expect.stringMatching(
        /is a Unix socket, which is not supported: let the server or its agent listen on a port of this machine too, such as 127\.0\.0\.1:8100, and give http:\/\/127\.0\.0\.1:8100$/,
      ),
      fix: `correct ${name}`,
    });
  });
});

describe("the tokens of Terraform's command", () => {
  // https://github.com/hashicorp/terraform-provider-tfe/issues/631, https://github.com/hashicorp/terraform-provider-tfe/issues/111
  async function openTfe() {
    const seen: (string | undefined)[] = [];
    const { origin } = await serve(
      ({ headers }, response) => {
        if (headers.authorization !== undefined) seen.push(headers.authorization);
        response.writeHead(200, { "tfp-api-version": "2.6", "content-type": "application/json" }).end("{}");
      },
      { cert: trusted.certificate, key: trusted.key },
    );
    const { host } = new URL(origin);
    const file = fileWith(`disable_checkpoint = true\ncredentials "${host}" {\n  token = "of-terraform"\n}\n`);
    return { seen, host, file, env: { TFE_ADDRESS: origin, TFE_SSL_SKIP_VERIFY: "1", HOME: "/nowhere" } };
  }

  it("are found in the file that TF_CLI_CONFIG_FILE names, and doctor says where", async () => {
    const { seen, file, env } = await openTfe();
    const { checks } = await inspected({ ...env, TF_CLI_CONFIG_FILE: file });
    expect(checks.find(({ check }) => check === "token")?.finding).toContain(`from ${file}`);
    expect(new Set(seen)).toEqual(new Set(["Bearer of-terraform"]));
  });

  // https://github.com/opentofu/opentofu/blob/main/internal/command/cliconfig/config_unix.go
  it("are found in OpenTofu's file, which is in a folder of the environment", async () => {
    const { seen, file, env } = await openTfe();
    const folder = dirname(file);
    mkdirSync(join(folder, "opentofu"));
    copyFileSync(file, join(folder, "opentofu", "tofurc"));
    const { checks } = await inspected({ ...env, TF_CLI_CONFIG_FILE: "", XDG_CONFIG_HOME: folder });
    expect(checks.find(({ check }) => check === "token")?.finding).toContain(`from ${join(folder, "opentofu/tofurc")}`);
    expect(new Set(seen)).toEqual(new Set(["Bearer of-terraform"]));
  });

  it("are looked for in places that doctor names, with what is not read", async () => {
    const { seen, env } = await openTfe();
    const { checks } = await inspected({ ...env, TF_CLI_CONFIG_FILE: "/ci/a.tfrc" });
    expect(checks.find(({ check }) => check === "token")).toMatchObject({
      status: "failed",
      finding: "none was found in TFE_TOKEN, /ci/a.tfrc, ~/.terraform.d/credentials.tfrc.json",
      fix: expect.stringMatching(
        /^put one there, as `terraform login` does, .* A `credentials_helper` .* is not asked$/,
      ),
    });
    expect(seen).toEqual([]);
  });
});
