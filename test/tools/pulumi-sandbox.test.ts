// @run live: it runs the Pulumi CLI

import { existsSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPulumiSandbox, needsPulumi, type PulumiSandbox } from "../support/pulumi-sandbox.ts";

const program = {
  "Pulumi.yaml": "name: sandboxed\nruntime:\n  name: nodejs\n  options:\n    nodeargs: --title='sandboxed program'\n",
  "package.json": '{ "name": "sandboxed", "main": "index.js" }',
  "index.js": `
    const pulumi = require("@pulumi/pulumi");
    const config = new pulumi.Config();
    if (config.get("fail")) throw new Error("asked to fail");
    exports.plain = config.get("plain");
    exports.hush = config.requireSecret("hush");
    exports.title = process.title;
    exports.home = process.env.HOME;
    exports.leaked = process.env.VAULT_TOKEN ?? "nothing";
    exports.given = process.env.CONSUL_HTTP_ADDR;
  `,
};

describe("a sandbox of the real CLI", needsPulumi(), () => {
  let sandbox: PulumiSandbox;
  beforeAll(async () => {
    process.env.VAULT_TOKEN = "of-the-user";
    sandbox = await createPulumiSandbox({
      program,
      config: { plain: "two words", hush: { secret: "not to be seen" } },
      env: { CONSUL_HTTP_ADDR: "http://127.0.0.1:1" },
    });
  });
  afterAll(async () => {
    delete process.env.VAULT_TOKEN;
    await sandbox?.close();
  });

  it("runs a program with its configuration and its environment, and nothing of the user's", async () => {
    const { code, stdout, stderr } = await sandbox.run(["up", "--yes", "--skip-preview"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).not.toContain("not to be seen");
    const outputs = await sandbox.run(["stack", "output", "--json"]);
    expect(JSON.parse(outputs.stdout)).toEqual({
      plain: "two words",
      hush: "[secret]",
      title: "sandboxed program",
      home: `${sandbox.folder}/home`,
      leaked: "nothing",
      given: "http://127.0.0.1:1",
    });
  });

  it("exports the stack with secrets encrypted", async () => {
    const stack = await sandbox.export();
    expect(stack.deployment.resources?.map(({ type }) => type)).toEqual(["pulumi:pulumi:Stack"]);
    expect(JSON.stringify(stack)).not.toContain("not to be seen");
  });

  it("records the engine's events when asked", async () => {
    const { events } = await sandbox.run(["preview"], { events: true });
    expect(events.some((event) => "summaryEvent" in event)).toBe(true);
  });

  it("answers the CLI's exit code when the program fails, and shows its error once", async () => {
    await sandbox.run(["config", "set", "fail", "yes"]);
    const { code, stdout } = await sandbox.run(["preview"]);
    expect(code).not.toBe(0);
    expect(stdout).toContain("asked to fail");
    expect(stdout).not.toContain("the program ended with code");
  });

  it("is gone when it is closed", async () => {
    await sandbox.close();
    expect(existsSync(sandbox.folder)).toBe(false);
  });
});
