import { describe, expect, it } from "vitest";
import { fileOfTest } from "../support/temporary-folder.ts";
import { previewJson } from "./preview-text.ts";
import { runCli } from "./run-cli.ts";

const scratch = (content: unknown) => {
  return fileOfTest("exceptions.json", typeof content === "string" ? content : JSON.stringify(content));
};
const open = { name: "open", roleType: "jwt", boundAudiences: ["a"], tokenTtl: "48h" };
const input = previewJson({ steps: [{ op: "create", token: "jwt:Role", name: "open", after: open }] });
const expires = "2999-12-31";
const known = { resource: "jwt.Role open", rule: "long-ttl", reason: "OPS-12", expires };
const fresh = { resource: "*", rule: "any-*", reason: "trust `me`", expires };
const textWith = async (now: unknown, base?: unknown) => {
  const more = base === undefined ? [] : ["--base-ignore", scratch(base)];
  const { code, out, err } = await runCli(["comment", "--dry-run", "--ignore", scratch(now), ...more], input);
  expect([code, err]).toEqual([0, ""]);
  return out;
};

describe("a comment on a change whose notes are silenced", () => {
  it("says how many, by what, why and until when, and marks what the change itself adds", async () => {
    const text = await textWith({ silence: [known, fresh] }, { silence: [known] });
    expect(text).not.toContain("**Review notes**");
    expect(text).toContain(
      [
        "**Silenced notes**: 2, by 2 exceptions",
        "",
        `* 1 by \`any-*\` for \`*\`: \`\` trust \`me\` \`\`, until ${expires}. **This change adds the exception.**`,
        `* 1 by \`long-ttl\` for \`jwt.Role open\`: \`OPS-12\`, until ${expires}`,
        "",
      ].join("\n"),
    );
  });

  it.each([
    ["a wider resource", { resource: "jwt.Role *" }],
    ["another rule", { rule: "*-ttl" }],
    ["a later day", { expires: "2998-12-31" }],
    ["another reason", { reason: "OPS-13" }],
  ])("takes an exception that was altered (%s) for one that it adds", async (_what, before) => {
    const text = await textWith({ silence: [known] }, { silence: [{ ...known, ...before }] });
    expect(text).toMatch(/\* 1 by `long-ttl` .*\*\*This change adds the exception\.\*\*/);
  });

  it.each([
    ["no base is given", undefined],
    ["that of the base cannot be read", "{ silences"],
  ])("says that nothing was compared when %s", async (_what, base) => {
    const text = await textWith({ silence: [known] }, base);
    expect(text).toContain("**Silenced notes**: 1, by 1 exception, not compared with the base branch");
    expect(text).not.toContain("This change adds");
  });

  it("shows what drift detection is to ignore from now on", async () => {
    const ignored = { resource: "jwt.Role deploy", property: "tokenTtl", reason: "OPS-14", expires };
    const text = await textWith({ ignore: [ignored, { ...ignored, property: "name" }] }, { ignore: [ignored] });
    expect(text).toContain(
      `**Exceptions of drift detection that this change adds**\n\n* \`jwt.Role deploy name\`: \`OPS-14\`, until ${expires}\n`,
    );
    expect(text).not.toContain("tokenTtl`: `OPS");
  });

  it("counts a note that two exceptions silence once", async () => {
    const { out } = await runCli(["lint", "--ignore", scratch({ silence: [known, { ...fresh, rule: "*" }] })], input);
    expect(out).toMatch(/long-ttl for jwt\.Role open silences 1 until .*: OPS-12\n.*\* for \* silences 1 /);
    expect(out).toMatch(/0 notes, 2 silenced\n$/);
  });
});
