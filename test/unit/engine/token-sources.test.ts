import { homedir } from "node:os";
import { basename, join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import type { TokenSources } from "../../../provider/auth/token";
import { serviceDefaults } from "../../../provider/core/connection-entry";
import { hostTokenFiles } from "../../../provider/engine/host-token-files";
import { type Configuration, type Environment, type Service, settingsOf } from "../../../provider/engine/settings";

const config =
  (entries: Record<string, unknown> = {}) =>
  (key: string) =>
    entries[key] === undefined ? undefined : JSON.stringify(entries[key]);
const from = (service: Service, env: Environment, entry?: unknown) =>
  settingsOf(service, undefined, config(entry === undefined ? {} : { [service]: entry }), env);
type Case = [entry: object, places: readonly object[]];

describe("where a token is looked for", () => {
  const variables = (...names: string[]) => names.map((variable) => ({ variable }));

  it.each([["cluster", ["CONSUL_HTTP_TOKEN"]]] as const)("for %s: in %j", (service, names) => {
    expect(from(service, {}).token.places).toEqual(variables(...names));
  });

  it("for secrets in two variables, and in the file of the vault command", () => {
    const home = join("/", "home", "somebody");
    vi.stubEnv("HOME", home);
    vi.stubEnv("USERPROFILE", home);
    expect(from("secrets", {}).token).toEqual({
      places: [...variables("BAO_TOKEN", "VAULT_TOKEN"), { file: join(home, ".vault-token"), mustExist: false }],
      advice:
        "No token was found in BAO_TOKEN, VAULT_TOKEN, ~/.vault-token: put one there, as `trustplane login` does, or give `tokenEnv` or `tokenFile` in trustplane:secrets. A `token_helper` of Vault's command is not asked.",
    });
    vi.unstubAllEnvs();
  });

  it.each([
    ["https://app.terraform.io", "TF_TOKEN_app_terraform_io", "app.terraform.io"],
    ["https://my-tfe.example.com/", "TF_TOKEN_my__tfe_example_com", "my-tfe.example.com"],
    ["https://TFE.bücher.example", "TF_TOKEN_tfe_xn____bcher__kva_example", "tfe.xn--bcher-kva.example"],
  ])("for policy at %s: in TFE_TOKEN, in %s, and in what terraform login wrote", (address, variable, host) => {
    vi.stubEnv("HOME", "/home");
    const ofHost = { variable, prefix: "TF_TOKEN_", forHost: host };
    const files = ["/home/.terraformrc", "/home/.tofurc", "/home/.terraform.d/credentials.tfrc.json"];
    const { token } = from("policy", { TFE_ADDRESS: address });
    expect(token.places).toEqual([...variables("TFE_TOKEN"), ofHost, ...files.map((file) => ({ file, host }))]);
    expect(token.advice).toBe(
      `No token was found in TFE_TOKEN, ${variable}, ~/.terraformrc, ~/.tofurc, ~/.terraform.d/credentials.tfrc.json: put one there, as \`terraform login\` does, or give \`tokenEnv\` or \`tokenFile\` in trustplane:policy. A \`credentials_helper\` of Terraform's command is not asked.`,
    );
    vi.unstubAllEnvs();
  });

  it("for policy in the file that TF_CLI_CONFIG_FILE or TERRAFORM_CONFIG names, in place of ~/.terraformrc", () => {
    const files = (env: Environment) =>
      from("policy", env).token.places.flatMap((place) => ("file" in place ? [basename(place.file)] : []));
    const names = { TF_CLI_CONFIG_FILE: "/ci/a.tfrc", TERRAFORM_CONFIG: "/ci/b.tfrc" };
    expect(files(names)).toEqual(["a.tfrc", "credentials.tfrc.json"]);
    expect(files({ ...names, TF_CLI_CONFIG_FILE: "" })).toEqual(["b.tfrc", "credentials.tfrc.json"]);
  });

  it("for policy in OpenTofu's files, too, and on Windows in the folder of programs' data", () => {
    const files = (env: Environment, platform: string) =>
      hostTokenFiles(serviceDefaults.policy.hostTokens, { env, platform });
    expect(files({ XDG_CONFIG_HOME: "/xdg" }, "linux")).toEqual([
      join(homedir(), ".terraformrc"),
      join(homedir(), ".tofurc"),
      join("/xdg", "opentofu/tofurc"),
      join(homedir(), ".terraform.d/credentials.tfrc.json"),
      join("/xdg", "opentofu/credentials.tfrc.json"),
    ]);
    const ofWindows = ["terraform.rc", "tofu.rc", "terraform.d/credentials.tfrc.json"];
    const inFolder = (folder: string) => ofWindows.map((file) => join(folder, file));
    expect(files({ APPDATA: "/data", XDG_CONFIG_HOME: "/xdg" }, "win32")).toEqual(inFolder("/data"));
    expect(files({}, "win32")).toEqual(inFolder(join(homedir(), "AppData", "Roaming")));
    expect(files({ TF_CLI_CONFIG_FILE: "/ci/a.tfrc", APPDATA: "/data" }, "win32")).toEqual([
      "/ci/a.tfrc",
      ...inFolder("/data").slice(2),
    ]);
  });

  it("for policy by plain http in no place that has tokens by host, and the advice says so", () => {
    const { places, advice } = from("policy", { TFE_ADDRESS: "http://tfe" }).token;
    expect(places).toEqual(variables("TFE_TOKEN"));
    expect(advice).toBe(
      "No token was found in TFE_TOKEN: put one there, or give `tokenEnv` or `tokenFile` in trustplane:policy. The tokens of Terraform's command are sent by https only.",
    );
  });

  it("for policy at an address with a port: a variable cannot name it", () => {
    expect(from("policy", { TFE_ADDRESS: "tfe:8443" }).token.places).toEqual([
      { variable: "TFE_TOKEN" },
      { file: expect.any(String), host: "tfe:8443" },
      { file: expect.any(String), host: "tfe:8443" },
      { file: expect.any(String), host: "tfe:8443" },
    ]);
  });

  it("for cluster in the file that CONSUL_HTTP_TOKEN_FILE names, rather than in CONSUL_HTTP_TOKEN, as Consul's own tools do", () => {
    const { token } = from("cluster", { CONSUL_HTTP_TOKEN_FILE: "/t", CONSUL_HTTP_TOKEN: "variable" });
    expect(token.places).toEqual([{ file: "/t", mustExist: true }]);
  });
});

describe("where a token is looked for before a login", () => {
  const login = { method: "jwt", role: "ci" };

  it("in the environment's own variables, and in no file of another tool", () => {
    const { token, login: found } = from("secrets", {}, { login });
    expect(token.places).toEqual([{ variable: "BAO_TOKEN" }, { variable: "VAULT_TOKEN" }]);
    expect(found).toEqual(login);
    expect(from("secrets", { VAULT_TOKEN_FILE: "/t" }, { login }).token.places).toEqual([
      { file: "/t", mustExist: true },
    ]);
  });

  it("nowhere for a connection by name, and for a provider of the program", () => {
    const connections = config({ connections: { east: { service: "secrets", address: "https://east", login } } });
    expect(settingsOf("secrets", "east", connections, { VAULT_TOKEN: "ambient" }).token.places).toEqual([]);
    const program = Object.assign(config({ secrets: { address: "https://east", login } }), { of: "program" } as const);
    expect(settingsOf("secrets", undefined, program, { VAULT_TOKEN: "ambient" }).token.places).toEqual([]);
  });

  it.each(["token", "tokenEnv", "tokenFile"])(
    "never beside %s, which would be two answers to one question",
    (field) => {
      expect(() => from("secrets", {}, { login, [field]: "MINE" })).toThrow(
        `trustplane:secrets has both login and ${field}: remove one of them`,
      );
    },
  );
});

describe("a login that the job asks for", () => {
  const job = { VAULT_ADDR: "https://vault", VAULT_TOKEN: "of-the-runner", TRUSTPLANE_LOGIN_ROLE: "review" };
  const login = { method: "jwt", role: "review" };
  const program = (entry: object) =>
    settingsOf("secrets", undefined, Object.assign(config({ secrets: entry }), { of: "program" } as const), job);

  it("comes before the tokens of its environment, and before the login of a stack", () => {
    for (const entry of [undefined, { login: { method: "jwt", role: "deploy" } }]) {
      const settings = from("secrets", job, entry);
      expect([settings.login, settings.token.places]).toEqual([login, []]);
    }
  });

  it("has a mount, an audience and a namespace", () => {
    const more = {
      TRUSTPLANE_LOGIN_MOUNT: "github",
      TRUSTPLANE_LOGIN_AUDIENCE: "https://vault",
      TRUSTPLANE_LOGIN_NAMESPACE: "admin",
    };
    expect(from("secrets", { ...job, ...more }).login).toEqual({
      ...login,
      mount: "github",
      audience: "https://vault",
      namespace: "admin",
    });
    expect(() => from("secrets", { ...job, TRUSTPLANE_LOGIN_MOUNT: "a/../sys" })).toThrow(
      "the environment variable TRUSTPLANE_LOGIN_MOUNT must be the path of an auth method",
    );
  });

  it.each([{ tokenEnv: "MINE" }, { tokenFile: "/mine" }, { token: "mine" }])("does not replace %j", (entry) => {
    const settings = from("secrets", job, entry);
    expect(settings.login).toBeUndefined();
    expect(settings.token.places).not.toEqual([]);
  });

  it("is for the server of the environment alone", () => {
    const connections = config({ connections: { east: { service: "secrets", address: "https://east" } } });
    expect(settingsOf("secrets", "east", connections, job).login).toBeUndefined();
    expect(program({ address: "https://east" }).login).toBeUndefined();
    expect(program({ address: "https://vault" }).login).toEqual(login);
    expect(program({ address: "https://vault", login: { method: "cert" } }).login).toEqual({ method: "cert" });
    expect(from("cluster", job).login).toBeUndefined();
  });
});

/** What a server is sent is what is meant for it: an entry that names something keeps out everything else. */
describe("whose token it is", () => {
  const addresses = { VAULT_ADDR: "https://vault", CONSUL_HTTP_ADDR: "consul:8500" };
  const ambient = { ...addresses, VAULT_TOKEN: "ambient", CONSUL_HTTP_TOKEN_FILE: "/ambient" };
  const variable = { variable: "WEST" };
  const file = { file: "/west", mustExist: true };
  const configured = { configured: "configured" };
  const named: Case[] = [
    [{ tokenEnv: "WEST" }, [variable]],
    [{ tokenFile: "/west" }, [file]],
    [{ tokenEnv: "WEST", tokenFile: "/west", token: "configured" }, [variable, file, configured]],
    [{ tokenFile: "/west", token: "configured" }, [file, configured]],
  ];
  const ofProgram = (service: Service, entry: unknown, of: Configuration["of"] = "program") => {
    const texts = config({ [service]: entry });
    return settingsOf(
      service,
      undefined,
      Object.assign((key: string) => texts(key), { of }),
      ambient,
    ).token;
  };
  const isAmbient = ({ places }: TokenSources) => /VAULT_TOKEN|ambient/.test(JSON.stringify(places));

  it.each(named)("in a stack's configuration, %j: only what is named there", (entry, places) => {
    expect(from("secrets", ambient, entry).token).toMatchObject({ places, namedBy: "trustplane:secrets" });
    expect(from("cluster", ambient, entry).token).toMatchObject({ places, namedBy: "trustplane:cluster" });
  });

  it("in a stack's configuration, `token`: the variables first, as it may be that of an earlier run", () => {
    vi.stubEnv("HOME", "/home");
    const entry = { token: "configured" };
    expect(from("secrets", ambient, entry).token.places).toEqual([
      { variable: "BAO_TOKEN" },
      { variable: "VAULT_TOKEN" },
      configured,
      { file: "/home/.vault-token", mustExist: false },
    ]);
    expect(from("cluster", ambient, entry).token.places).toEqual([{ file: "/ambient", mustExist: true }, configured]);
    vi.unstubAllEnvs();
  });

  it("in a stack's configuration, an address: the environment's", () => {
    expect(isAmbient(from("secrets", ambient, { address: "https://other" }).token)).toBe(true);
  });

  it.each<Case>([
    ...named,
    [{ token: "configured" }, [configured]],
    [{ address: "https://vault", token: "configured" }, [configured]],
    [{ address: "https://other" }, []],
    [{ address: "https://vault.evil" }, []],
  ])("of a program's provider, %j: only what is named there", (entry, places) => {
    expect(ofProgram("secrets", entry).places).toEqual(places);
    expect(ofProgram("cluster", entry).places).toEqual(places);
  });

  it.each([
    ["secrets", { namespace: "team" }],
    ["secrets", { address: "https://vault/" }],
    ["cluster", { address: "http://consul:8500" }],
  ] as const)("of a program's provider of %s, %j: the environment's, as it is its server", (service, entry) => {
    expect(isAmbient(ofProgram(service, entry))).toBe(true);
  });

  it("of a provider that may be the program's: its token, and without one the environment's", () => {
    expect(ofProgram("secrets", { token: "configured" }, "either").places).toEqual([configured]);
    expect(isAmbient(ofProgram("secrets", { address: "https://other" }, "either"))).toBe(true);
  });

  it.each([...named, [{ token: "configured" }, [configured]], [{}, []]])(
    "of a connection by name, %j: only what is named there",
    (entry, places) => {
      const connections = { west: { service: "cluster", address: "consul:8500", ...entry } };
      const { token } = settingsOf("cluster", "west", config({ connections }), ambient);
      expect(token.places).toEqual(places);
    },
  );

  it("is the host's own for any connection of policy that names none", () => {
    const file = { file: expect.any(String), host: "tfe" };
    const host = [{ variable: "TF_TOKEN_tfe", prefix: "TF_TOKEN_", forHost: "tfe" }, file, file, file];
    const connections = { west: { service: "policy", address: "https://tfe" } };
    expect(settingsOf("policy", "west", config({ connections }), { TFE_TOKEN: "x" }).token.places).toEqual(host);
    expect(ofProgram("policy", { address: "https://tfe" }).places).toEqual(host);
    expect(ofProgram("policy", { address: "http://tfe" }).places).toEqual([]);
    expect(ofProgram("policy", { address: "https://tfe", tokenEnv: "WEST" }).places).toEqual([variable]);
    expect(ofProgram("policy", { address: "https://tfe", token: "configured" }).places).toEqual([configured]);
  });

  it("is nobody's for a connection by name that names none, and the advice says so", () => {
    const connections = { west: { service: "cluster", address: "consul:8500" } };
    expect(settingsOf("cluster", "west", config({ connections }), ambient).token.advice).toBe(
      "No token was found: give `tokenEnv` or `tokenFile` in trustplane:connections.west; the environment's own is for another server.",
    );
  });
});
