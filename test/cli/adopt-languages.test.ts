import { describe, expect, it } from "vitest";
import { adoptable } from "../../cli/commands/adopt/adoptable.ts";
import { definitions } from "../../provider/resources/index.ts";
import { recordOf } from "../support/adopt-seeds.ts";
import { openAdoption } from "./adopt-harness.ts";

const role = { role_type: "jwt", user_claim: "sub", bound_audiences: ["https://aud.example"] };

async function adoptedIn(language: string) {
  const { raw, adopt } = await openAdoption();
  for (const name of ["build", "deploy", "nightly"])
    await raw("secrets").call(`POST auth/jwt/role/${name}`, { ...role, token_ttl: 900, token_policies: [name] });
  await raw("secrets").call("POST cloud/config/root", { access_key: "AKIAEXAMPLE", secret_key: "hidden" });
  return adopt("--service", "secrets", "--language", language);
}

describe("trustplane adopt --language", () => {
  it("python writes a project of modules, with references, loops and values of the configuration", async () => {
    const { code, err, files } = await adoptedIn("python");
    expect([code, err]).toEqual([0, ""]);
    expect(files["Pulumi.yaml"]).toMatch(
      /^name: trust\nruntime:\n {2}name: python\n {2}options:\n {4}virtualenv: venv\n/,
    );
    expect(files["__main__.py"]).toContain("import resources.auth_jwt ");
    expect(files["resources/auth_jwt.py"]).toBe(`from trustplane import jwt, sys

from .adopted import adopted

jwt_auth_mount = sys.AuthMount("jwt", path="jwt", type="jwt", opts=adopted)

roles: dict[str, dict] = {
    "build": {"token_policies": ["build"]},
    "deploy": {"token_policies": ["deploy"]},
    "nightly": {"token_policies": ["nightly"]},
}

for name, own in roles.items():
    jwt.Role(
        f"jwt-{name}",
        name=name,
        mount=jwt_auth_mount.path,
        role_type="jwt",
        bound_audiences=["https://aud.example"],
        user_claim="sub",
        token_ttl="15m",
        **own,
        opts=adopted,
    )
`);
    expect(files["resources/secrets_cloud.py"]).toContain(
      'cloud_secret_key_secret = config.get_secret("cloudSecretKey")\nif cloud_secret_key_secret is not None:\n',
    );
    expect(files["README.md"]).toContain("pip install -r requirements.txt <checkout>/sdk/python");
  });

  it("go writes one package, with a function for each file", async () => {
    const { code, err, files } = await adoptedIn("go");
    expect([code, err]).toEqual([0, ""]);
    expect(files["main.go"]).toContain("\tif err := declareAuthJwt(ctx); err != nil {\n\t\treturn err\n\t}\n");
    expect(files["authJwt.go"]).toContain('\tjwtAuthMount, err := sys.NewAuthMount(ctx, "jwt", &sys.AuthMountArgs{\n');
    expect(files["authJwt.go"]).toContain("\t\targs.Mount = jwtAuthMount.Path\n");
    expect(files["secretsCloud.go"]).toContain(
      '\tcloudSecretKeySecret, cloudSecretKeyErr := conf.TrySecret("cloudSecretKey")\n\tif cloudSecretKeyErr == nil {\n',
    );
    expect(files["README.md"]).toContain("-replace trustplane/sdk/go=<checkout>/sdk/go");
  });

  it.each(["python", "go", "yaml"])("%s has only the plugin's classes", async (language) => {
    const { adopt } = await openAdoption();
    const { code, err } = await adopt("--language", language, "--classes", "dynamic");
    expect([code, err]).toEqual([1, `trustplane: --language ${language} needs --classes plugin.\n`]);
  });

  it.each(["python", "go"] as const)("%s leaves out what has half of a character", (language) => {
    const records = ["whole 🔑", "\ud83d"].map((boundSubject) =>
      recordOf(definitions.jwtRole, { mount: "jwt", name: "ci", boundSubject }),
    );
    const found = adoptable({ records, leftOut: [], unread: [] }, { classes: "plugin", language });
    expect(found.records).toEqual(records.slice(0, 1));
    expect(found.leftOut).toMatchObject([{ what: "jwt.Role ci", reason: "a text of it is no valid Unicode" }]);
  });
});
