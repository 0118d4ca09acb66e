import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { repository } from "../../tools/steps/repository.mjs";
import { needsPulumi } from "../support/pulumi-sandbox.ts";
import { makeSecret, tracesIn } from "./needle.ts";
import { openingMs, openStory, type Story } from "./pulumi-story.ts";

const { version }: { version: string } = JSON.parse(
  readFileSync(join(repository, "node_modules/pulumi-sdk-oldest/package.json"), "utf8"),
);

/** All other stories run with the newest SDK of the range. */
describe("a program on the oldest Pulumi SDK of the range in package.json", needsPulumi(), () => {
  let story: Story;
  const secret = makeSecret();
  const tell = (command: string) =>
    story.pulumi(command, { env: { SECRET: secret, POLICY_SET: story.ours.policy.policySet } });
  const roles = () =>
    Object.keys(story.ours.records().secrets)
      .filter((path) => path.includes("/role/"))
      .sort();

  beforeAll(async () => {
    story = await openStory({ sdk: "oldest", program: { source: program("15m") } });
    return story.close;
  }, openingMs);

  test("makes records with dynamic classes and with the plugin, and asks a function of each", async () => {
    const { text } = await tell("up --yes --skip-preview");

    expect(roles()).toEqual(["auth/jwt/role/dynamic", "auth/jwt/role/native"]);
    for (const kind of kinds) expect(text).toContain(`${kind} 15m ${version}`);
  });

  test("changes the records, and reads them", async () => {
    story.rewrite(program("10m"));

    const { text } = await tell("up --refresh --yes --skip-preview");

    expect(text).toMatch(/~ 2 updated/);
    for (const kind of kinds) expect(text).toContain(`${kind} 10m ${version}`);
  });

  test("keeps its secrets out of the state", async () => {
    expect(tracesIn(JSON.stringify(story.ours.records().policy), { secret })).toEqual(["secret"]);
    expect(tracesIn(JSON.stringify(await story.sandbox.export()), { secret })).toEqual([]);
  });

  test("removes the records", async () => {
    await tell("destroy --yes --skip-preview");

    expect(roles()).toEqual([]);
  });
});

const kinds = ["dynamic", "native"];

function program(tokenTtl: string): string {
  return `const pulumi = require("@pulumi/pulumi");
const { version } = require("@pulumi/pulumi/package.json");
const secret = pulumi.secret(process.env.SECRET);
for (const [name, { jwt, policy }] of Object.entries({ dynamic: require("trustplane"), native: require("trustplane/native") })) {
  const role = new jwt.Role(name, { name, roleType: "jwt", userClaim: "sub", boundAudiences: ["a"], tokenTtl: "${tokenTtl}" });
  new policy.Parameter(name, { policySetId: process.env.POLICY_SET, key: name, value: secret, sensitive: true });
  exports[name] = jwt.getRoleOutput({ name: role.name }).apply((found) => [found.name, found.tokenTtl, version].join(" "));
}
`;
}
