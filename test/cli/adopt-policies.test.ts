import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { evaluatedFiles } from "../support/adopt-evaluate.ts";
import { openAdoption } from "./adopt-harness.ts";

const role = { role_type: "jwt", user_claim: "sub", bound_audiences: ["https://aud.example"] };

/** Names that are hard to tell apart in a program, words of a language, and the name of the file itself. */
const hard = ["a-b", "ab", "class", "cloud", "cloud-policy", "policies", "print", "select"];

interface Listed {
  readonly policies: readonly string[];
  /** Roles of the mount `policies` with the policies of each. */
  readonly roles: Readonly<Record<string, readonly string[]>>;
}

async function adoptedWith({ policies, roles }: Listed, ...flags: string[]) {
  const { raw, adopt } = await openAdoption();
  const secrets = raw("secrets");
  for (const name of policies)
    await secrets.call(`POST sys/policies/acl/${name}`, { policy: `path "${name}" { capabilities = ["read"] }` });
  await secrets.call("POST sys/auth/policies", { type: "jwt" });
  for (const [name, token_policies] of Object.entries(roles))
    await secrets.call(`POST auth/policies/role/${name}`, { ...role, token_policies });
  await secrets.call("POST identity/group", { name: "builders", policies: policies.slice(0, 2) });
  const { code, err, files } = await adopt("--service", "secrets", ...flags);
  expect([code, err]).toEqual([0, ""]);
  return files;
}

const few: Listed = {
  policies: ["build", "deploy", "unused"],
  roles: { build: ["build", "default"], deploy: ["deploy"], other: ["elsewhere"] },
};
const many: Listed = { policies: hard, roles: Object.fromEntries(hard.map((name) => [name, [name, "default"]])) };

describe("policies that an adopted program declares", () => {
  it("are referred to by roles in a loop and by groups, from a file that comes first", async () => {
    const files = await adoptedWith(few);
    expect(files["policies.ts"]).toMatch(/^export const build = new trustplane\.sys\.Policy\(\n {2}"build",$/m);
    expect(files["policies.ts"]).toMatch(/^new trustplane\.sys\.Policy\(\n {2}"unused",$/m);
    expect(files["auth-policies.ts"]).toContain(`import * as trustplane from "trustplane/native";
import * as policies from "./policies";
import { adopted } from "./adopted";
`);
    expect(files["auth-policies.ts"]).toContain(`= {
  build: { tokenPolicies: [policies.build.name, "default"] },
  deploy: { tokenPolicies: [policies.deploy.name] },
  other: { tokenPolicies: ["elsewhere"] },
};
`);
    expect(files["identity.ts"]).toContain("policies: [policies.build.name, policies.deploy.name] }");
    expect(files["index.ts"]).toMatch(/^import "\.\/policies";\nimport "\.\/auth-jwt";\n/);
  });

  it.each([[], ["--no-fold"]])("are those of each record, whatever their names are %s", async (...flags) => {
    const made = evaluatedFiles(await adoptedWith(many, ...flags));
    const listed = made.filter(({ class: name }) => name === "jwt.Role");
    expect(listed.map(({ args }) => args["tokenPolicies"])).toEqual(
      [...hard].sort().map((name) => expect.arrayContaining([name, "default"])),
    );
    expect(made.find(({ class: name }) => name === "identity.Group")?.args["policies"]).toEqual(hard.slice(0, 2));
  });

  it("stay texts where the program does not declare them", async () => {
    const files = await adoptedWith(few, "--exclude", "sys.Policy *");
    expect(files["policies.ts"]).toBeUndefined();
    expect(files["auth-policies.ts"]).toContain('  deploy: { tokenPolicies: ["deploy"] },\n');
  });

  it("are attributes of a module in Python", async () => {
    const files = await adoptedWith(few, "--language", "python");
    expect(files["__main__.py"]).toMatch(/^import resources\.policies /);
    expect(files["resources/policies.py"]).toMatch(/^build = sys\.Policy\($/m);
    expect(files["resources/auth_policies.py"]).toContain(
      "from trustplane import jwt, sys\n\nfrom . import policies\n",
    );
    expect(files["resources/auth_policies.py"]).toContain(
      '    "build": {"token_policies": [policies.build.name, "default"]},\n',
    );
  });

  it("have variables of their own in Python, whatever their names are", async () => {
    const text = (await adoptedWith(many, "--language", "python"))["resources/policies.py"] ?? "";
    const variables = [...text.matchAll(/^(\w+) = sys\.Policy/gm)].map(([, name]) => name);
    expect(new Set(variables).size).toBe(hard.length);
  });

  it("are fields of a struct in Go, which main gives to every function that needs it", async () => {
    const files = await adoptedWith(few, "--language", "go");
    expect(files["main.go"]).toContain(`	policies := &declaredPolicies{}
	if err := declarePolicies(ctx, policies); err != nil {
		return err
	}
	if err := declareAuthJwt(ctx); err != nil {
`);
    expect(files["main.go"]).toContain("\tif err := declareAuthPolicies(ctx, policies); err != nil {\n");
    expect(files["policies.go"]).toContain("\tbuild  *sys.Policy\n\tdeploy *sys.Policy\n}\n");
    expect(files["policies.go"]).toContain('\tvar err error\n\tpolicies.build, err = sys.NewPolicy(ctx, "build", ');
    expect(files["authPolicies.go"]).toContain(
      'TokenPolicies: pulumi.StringArray{policies.build.Name, pulumi.String("default")}',
    );
  });

  it("are references in YAML", async () => {
    const { resources } = parse((await adoptedWith(few, "--language", "yaml"))["Pulumi.yaml"] ?? "");
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is Pulumi's
    expect(resources.policiesBuildRole.properties.tokenPolicies).toEqual(["${buildPolicy.name}", "default"]);
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is Pulumi's
    expect(resources.buildersGroup.properties.policies).toEqual(["${buildPolicy.name}", "${deployPolicy.name}"]);
    expect(resources.buildPolicy.type).toBe("trustplane:sys/policy:Policy");
  });
});
