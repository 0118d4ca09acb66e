import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { startServers } from "../../server/serve.ts";
import { repository } from "../../tools/steps/repository.mjs";
import { environmentOf } from "../e2e/watched-servers.ts";
import { doSteps, stepsOf } from "../support/page-steps.ts";
import { createPulumiSandbox, needsPulumi } from "../support/pulumi-sandbox.ts";

const guides = join(repository, "docs/guides");
const pageOf = (name: string) => readFileSync(join(guides, name), "utf8");
const pages = readdirSync(guides).filter((name) => name !== "index.md");

describe("a guide", needsPulumi({ timeout: 600_000 }), () => {
  test.each(pages)("%s works as it stands", async (name) => {
    const [server, east] = await Promise.all([startServers({ issuer: true }), startServers({ datacenter: "east" })]);
    onTestFinished(async () => void (await Promise.all([server.close(), east.close()])));
    const issuer = server.issuer;
    if (issuer === undefined) throw new Error("the embedded server has no issuer");
    const sandbox = await createPulumiSandbox({
      program: { "Pulumi.yaml": "name: trust\nruntime: nodejs\n" },
      stack: "unused",
      env: {
        ...environmentOf(server),
        TRUSTPLANE_ISSUER: issuer.address,
        TRUSTPLANE_CLIENT_ID: issuer.clientId,
        TRUSTPLANE_CLIENT_SECRET: issuer.clientSecret,
        TRUSTPLANE_ADMIN: server.admin.address,
        TRUSTPLANE_ADMIN_TOKEN: server.admin.token,
        EAST_ADDR: east.cluster.address,
        EAST_TOKEN: east.cluster.token,
      },
    });
    onTestFinished(sandbox.close);
    renameSync(sandbox.programFolder, join(sandbox.folder, "trust"));
    const clone = join(sandbox.folder, "clone");
    mkdirSync(clone);
    const browser = join(sandbox.folder, "browser");
    mkdirSync(browser);
    for (const opener of ["xdg-open", "open"]) {
      writeFileSync(join(browser, opener), alice);
      chmodSync(join(browser, opener), 0o755);
    }
    const env = { ...sandbox.env, PATH: [browser, sandbox.env["PATH"]].join(delimiter) };
    const steps = stepsOf(pageOf(name));
    expect(steps.filter(({ output }) => output.length > 0)).not.toHaveLength(0);

    await doSteps([...stepsOf(pageOf("index.md")), ...steps], { ...sandbox, folder: clone, env });
  });

  test.each(pages)("%s is in the list of guides", (name) => {
    expect(pageOf("index.md")).toContain(`](${name})`);
  });
});

/** What opens the page of a login, and chooses alice there. */
const alice = `#!/usr/bin/env bash
page=$(curl --silent "$1")
ticket=$(grep --only-matching 'name="ticket" value="[^"]*"' <<<"$page" | cut -d'"' -f4)
curl --silent --location --output /dev/null --data-urlencode "ticket=$ticket" --data-urlencode user=alice \
  --data-urlencode "action=log in" "$(cut -d/ -f1-3 <<<"$1")/authorize"
`;
