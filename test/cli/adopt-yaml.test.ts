import { describe, expect, it } from "vitest";
import { parse, parseDocument } from "yaml";
import { yamlLines } from "../../cli/commands/adopt/yaml-text.ts";
import { fc } from "../support/fast-check.ts";
import { openAdoption } from "./adopt-harness.ts";

/** Texts that YAML, or Pulumi's YAML, could take for something else. */
const HOSTILE = [
  "",
  " ",
  "~",
  "no",
  "Null",
  "1e3",
  "0x1f",
  "2026-01-01",
  "a: b",
  "a #b",
  "- a",
  "*a",
  "&a",
  "!a",
  "{a}",
  "%a",
  "`a`",
  "a\nb\nc",
  "a\n\nb\n",
  "a\n b\n\tc\n\n",
  "\u0085\u2028\ufeff\u{e0001}",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: text that must stay text
  "${a.b}",
  "$${a}",
];
const text = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: "grapheme-ascii" }),
);
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof({ maxDepth: 3 }, text, fc.boolean(), fc.integer(), tie("list"), tie("map")),
  list: fc.array(tie("tree"), { maxLength: 4 }),
  map: fc.dictionary(text, tie("tree"), { maxKeys: 4 }),
}));

describe("a program in YAML", () => {
  it("reads back as what was written, whatever that is", () => {
    fc.assert(
      fc.property(fc.dictionary(text, tree), (value) => {
        const lines = yamlLines(value).join("\n");
        const document = parseDocument(lines, { version: "1.2" });
        expect(document.errors).toEqual([]);
        expect(JSON.stringify(document.toJS())).toBe(JSON.stringify(value));
        // Pulumi's parser is one of YAML 1.1 in what it takes for a boolean.
        expect(JSON.stringify(parse(lines, { version: "1.1" }))).toBe(JSON.stringify(value));
      }),
    );
  });

  it("has references, doubled dollar signs, and comments for what needs a value that no server shows", async () => {
    const { raw, adopt } = await openAdoption();
    const bound_claims = { "${ref}": "$x" };
    await raw("secrets").call("POST auth/jwt/role/ci", { role_type: "jwt", user_claim: "sub", bound_claims });
    await raw("secrets").call("POST cloud/config/root", { access_key: "AKIAEXAMPLE", secret_key: "not shown" });
    const { code, files } = await adopt("--language", "yaml");
    expect(code).toBe(0);
    expect(Object.keys(files).sort()).toEqual([
      ".gitignore",
      "Pulumi.yaml",
      "README.md",
      "import.json",
      "package.json",
    ]);
    const program = parse(files["Pulumi.yaml"] ?? "");
    expect(program.resources.jwtCiRole).toEqual({
      type: "trustplane:jwt/role:Role",
      name: "jwt-ci",
      properties: {
        // biome-ignore lint/suspicious/noTemplateCurlyInString: it is Pulumi's
        mount: "${jwtAuthMount.path}",
        name: "ci",
        roleType: "jwt",
        userClaim: "sub",
        boundClaims: { "$${ref}": "$$x" },
      },
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is Pulumi's
      options: { protect: "${protect}" },
    });
    expect(Object.keys(program.resources)).toEqual(["jwtAuthMount", "jwtCiRole", "cloudSecretsMount"]);
    const taken = parse(files["Pulumi.yaml"]?.replace(/^# (?!No server)/gm, "") ?? "");
    expect(taken.config).toEqual({
      protect: { type: "boolean", default: true },
      cloudSecretKey: { type: "string", secret: true },
    });
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is Pulumi's
    expect(taken.resources.cloudRootConfig.properties.secretKey).toBe("${cloudSecretKey}");
  });

  it("leaves out what Pulumi would take for a function", async () => {
    const { raw, adopt } = await openAdoption();
    const bound_claims = { "fn::readFile": "/etc/passwd" };
    await raw("secrets").call("POST auth/jwt/role/ci", { role_type: "jwt", user_claim: "sub", bound_claims });
    const { files, out } = await adopt("--language", "yaml", "--mount", "jwt");
    expect(out).toContain("1 left out");
    expect(files["Pulumi.yaml"]).not.toContain("fn::");
  });

  it("cannot have the dynamic classes", async () => {
    const { adopt } = await openAdoption();
    expect(await adopt("--language", "yaml", "--classes", "dynamic")).toMatchObject({ code: 1, files: {} });
  });
});
