import { randomUUID } from "node:crypto";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { terraformToken } from "../../../provider/auth/terraform-credentials";
import { findToken } from "../../../provider/auth/token";
import { folderOfSuite } from "../../support/temporary-folder";

const [token, other] = [randomUUID(), randomUUID()];
const host = "tfe.example.com";
const folder = folderOfSuite();
const fileWith = (text: string) => {
  const path = join(folder, randomUUID());
  writeFileSync(path, text);
  return path;
};
const found = (text: string, of = host) => terraformToken({ file: fileWith(text), host: of });

/** What people have in that file beside tokens. */
const rest = `
plugin_cache_dir   = "$HOME/.terraform.d/plugin-cache" // shared
disable_checkpoint = true
provider_installation {
  filesystem_mirror {
    path    = "/usr/share/terraform/providers"
    include = ["example.com/*/*"]
  }
  direct {}
}
credentials_helper "store" { args = ["--mine"] }
host "tfe.example.com" { services = { "tfe.v2" = "https://tfe.example.com/api/v2/" } }
/* credentials "tfe.example.com" { token = "old" } */
`;

describe("a file of Terraform's command", () => {
  it.each([
    ["a block", `credentials "tfe.example.com" {\n  token = "${token}"\n}`],
    [
      "blocks among others",
      `${rest}credentials "other.example" { token = "${other}" }\ncredentials "tfe.example.com" { token = "${token}" }`,
    ],
    ["a block in another spelling of the host", `credentials "TFE.Example.com" { token = " ${token}" }`],
    ["blocks in one", `credentials { "tfe.example.com" { token = "${token}" } }`],
    [
      "JSON of terraform login",
      JSON.stringify({ credentials: { "tfe.example.com": { token }, "a.example": { token: other } } }),
    ],
    [
      "JSON of other hands",
      JSON.stringify({ disable_checkpoint: true, credentials: [{ "tfe.example.com": [{ token }] }] }),
    ],
    ["lines of Windows", `credentials "tfe.example.com" {\r\n  token = "${token}"\r\n}\r\n`],
  ])("has the token of the very host: %s", async (_, text) => {
    expect(await found(text)).toBe(token);
    expect(await found(text, "app.terraform.io")).toBeUndefined();
  });

  it("has tokens for hosts with a port, and for names of other alphabets in either form", async () => {
    const text = `credentials "TFE:8443" { token = "${token}" }\ncredentials "bücher.example" { token = "${other}" }`;
    expect(await found(text, "tfe:8443")).toBe(token);
    expect(await found(text, "tfe")).toBeUndefined();
    expect(await found(text, "xn--bcher-kva.example")).toBe(other);
  });

  it.each(["", "{}", rest, 'credentials "tfe.example.com" {}', 'credentials "tfe.example.com" { token = "" }'])(
    "has none: %j",
    async (text) => {
      expect(await found(text)).toBeUndefined();
    },
  );

  it.each([
    ["{", 1],
    ["[]", 1],
    [`\ncredentials "tfe.example.com" { token "${token}" = }`, 2],
    [`\n\ncredentials "tfe.example.com" { token = "${token}"`, 3],
    [`credentials "tfe.example.com" { token = ${token} }`, 1],
  ])("that is not well-formed is named with the line, and never quoted: %s", async (text, line) => {
    const file = fileWith(text);
    const failure = terraformToken({ file, host });
    await expect(failure).rejects.toMatchObject({
      code: "ConfigError",
      message: `${file} cannot be read as a file of Terraform's command (line ${line}). Repair it, or name a token.`,
    });
  });

  it.each([`credentials "tfe.example.com" { token = 5 }`, '{"credentials":{"tfe.example.com":"x"}}'])(
    "whose credentials are something else is refused: %s",
    async (text) => {
      await expect(found(text)).rejects.toThrow(
        /credentials "tfe\.example\.com" of .* holds? no token as a text\. Repair it/,
      );
    },
  );

  it("that is missing has none; one that cannot be read is an error", async () => {
    expect(await terraformToken({ file: join(folder, "missing"), host })).toBeUndefined();
    expect(await terraformToken({ file: join(fileWith(""), "below-a-file"), host })).toBeUndefined();
    const directory = join(folder, "directory");
    mkdirSync(directory);
    await expect(terraformToken({ file: directory, host })).rejects.toThrow(
      `${directory}, where Terraform's command has tokens, cannot be read (EISDIR). Make it readable for this user, or name a token.`,
    );
  });

  it("that others own is an error", async ({ skip }) => {
    skip(process.getuid?.() === 0, "root reads every file");
    skip(process.platform === "win32", "Windows has no modes of files");
    const file = fileWith("");
    chmodSync(file, 0);
    await expect(terraformToken({ file, host })).rejects.toThrow(
      `${file}, where Terraform's command has tokens, cannot be read (EACCES)`,
    );
  });
});

describe("a variable of Terraform's command", () => {
  const places = (of: string) => [{ variable: "TF_TOKEN_…", prefix: "TF_TOKEN_", forHost: of }];

  it.each([
    ["my-tfe.example.com", "TF_TOKEN_my__tfe_example_com"],
    ["my-tfe.example.com", "TF_TOKEN_my-tfe_example_com"],
    ["my-tfe.example.com", "TF_TOKEN_my-tfe.example.com"],
    ["my-tfe.example.com", "TF_TOKEN_MY__TFE_EXAMPLE_COM"],
    ["xn--bcher-kva.example", "TF_TOKEN_xn____bcher__kva_example"],
    ["xn--bcher-kva.example", "TF_TOKEN_bücher_example"],
  ])("is for %s: %s", async (of, name) => {
    const env = { TF_TOKEN_other_example: other, [name]: ` ${token}` };
    expect(await findToken({ places: places(of), advice: "" }, env)).toEqual({
      token,
      from: "environment",
      place: name,
    });
    expect(await findToken({ places: places("app.terraform.io"), advice: "" }, env)).toBeUndefined();
  });
});
