import { describe, expect, it } from "vitest";
import { evaluatedFiles } from "../support/adopt-evaluate.ts";
import { openAdoption } from "./adopt-harness.ts";

const role = { role_type: "jwt", user_claim: "sub", bound_audiences: ["https://aud.example"] };

function namesIn(files: Readonly<Record<string, string>>): string[] {
  return evaluatedFiles(files)
    .map((made) => `${made.class} ${made.name}`)
    .sort();
}

describe("what trustplane adopt writes, and what it leaves out", () => {
  it("leaves out a record with what only Enterprise has, where the configuration could not be validated", async () => {
    const { raw, adopt } = await openAdoption();
    const config = { allowed_managed_keys: ["hsm"] };
    await raw("secrets").call("POST sys/mounts/keys", { type: "aws", config });
    const flags = ["--service", "secrets", "--include", "sys.SecretsMount *"];
    const { code, files } = await adopt(...flags, "--language", "hcl");
    expect(code).toBe(0);
    expect(namesIn((await adopt(...flags)).files)).toEqual(["sys.SecretsMount cloud", "sys.SecretsMount keys"]);
    expect(files["README.md"]).toMatch(/`sys\.SecretsMount keys`: `.*allowedManagedKeys needs Vault Enterprise/);
  });

  it.each(["typescript", "python", "go", "yaml", "hcl"])(
    "leaves out what has a member that gets lost, or that breaks its program: %s",
    async (language) => {
      const { raw, adopt } = await openAdoption();
      const claims = (name: string) => ({ bound_claims: { [name]: "x" } });
      for (const name of ["toString", "__proto__", "plain"])
        await raw("secrets").call(`POST auth/jwt/role/${name}`, { ...role, ...claims(name) });
      const document = '{"Version":"2012-10-17","__proto__":[]}';
      await raw("secrets").call("POST cloud/roles/keys", { credential_type: "iam_user", policy_document: document });
      const { files } = await adopt("--service", "secrets", "--language", language, "--include", "*.Role *");
      const ids = (files["import.json"] ?? files["imports.tf"])?.match(/auth\/jwt\/role\/\w+|cloud\/roles\/keys/g);
      // Pulumi's SDK for Node.js makes a text of every object.
      expect(ids).toEqual(
        ["plain", ...(language === "typescript" ? [] : ["tostring"])].map((name) => `auth/jwt/role/${name}`),
      );
      expect(files["README.md"]).toContain(
        "* `jwt.Role __proto__`: `a member of boundClaims is called __proto__, which gets lost on the way`",
      );
      expect(files["README.md"]).toContain("* `cloud.Role keys`: `a member of policyDocument is called __proto__");
    },
  );

  it("names what it did not look at apart from what it leaves out, and the variables of the services that are there", async () => {
    const { raw, adopt } = await openAdoption();
    await raw("secrets").call("POST identity/entity", { name: "person" });
    const { files, out } = await adopt("--service", "secrets");
    const readme = files["README.md"] ?? "";
    expect(readme).toMatch(/## Not looked at\n\n[^#]*`1 entity`/);
    expect(out).toContain("1 not looked at");
    expect(readme).not.toContain("## Left out");
    expect(readme).toContain("export VAULT_ADDR=… VAULT_TOKEN=… # and VAULT_NAMESPACE, where they are in one\n");
    expect(readme).not.toMatch(/CONSUL_HTTP_ADDR|TFE_TOKEN|other services/);
    const both = (await adopt("--organization", "demo", "--language", "hcl")).files["README.md"];
    expect(both).toContain("export TFE_TOKEN=…");
  });

  it("writes sets sorted: the order of a server is random", async () => {
    const { raw, adopt } = await openAdoption();
    const claims = { bound_claims: { team: ["z", "a"] } };
    await raw("secrets").call("POST auth/jwt/role/ci", { ...role, ...claims, token_policies: ["z", "b", "a"] });
    await raw("secrets").call("POST sys/policies/acl/b", { policy: 'path "b" { capabilities = ["read"] }' });
    const { files } = await adopt("--service", "secrets");
    expect(files["auth-jwt.ts"]).toContain('tokenPolicies: ["a", policies.b.name, "z"]');
    expect(files["auth-jwt.ts"]).toContain('boundClaims: { team: ["a", "z"] }');
  });

  it("leaves out a number that it cannot keep exactly, and rounds none", async () => {
    const { server, adopt, raw } = await openAdoption();
    for (const name of ["a", "b"])
      await raw("secrets").call(`POST auth/jwt/role/${name}`, { ...role, bound_claims: { id: name === "a" ? 4 : 5 } });
    const text = JSON.stringify({ ...role, bound_claims: { id: 0 } }).replace("0", "9007199254740993");
    await fetch(`${server.secrets.address}/v1/auth/jwt/role/b`, {
      method: "POST",
      headers: { "x-vault-token": server.secrets.token },
      body: text,
    });
    const { files } = await adopt("--service", "secrets", "--include", "jwt.Role *");
    expect(namesIn(files)).toEqual(["jwt.Role jwt-a"]);
    expect(files["README.md"]).toMatch(/`jwt\.Role b`: `boundClaims has a number above 2\^53/);
  });
});
