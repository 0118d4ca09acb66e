import { beforeAll, describe, expect, test } from "vitest";
import { needsPulumi } from "../support/pulumi-sandbox.ts";
import { openingMs, openStory, type Story } from "./pulumi-story.ts";
import { runDrift } from "./run-drift.ts";

/** A server that was rebuilt, with a stack of both hosts on it: refresh replays the configuration, so the environment says it. */
describe("after a server was rebuilt", needsPulumi(), () => {
  let story: Story;
  let rebuilt: Readonly<Record<string, string>>;
  const isKnown = { TRUSTPLANE_REBUILT: "secrets" };

  beforeAll(async () => {
    story = await openStory({ program: { source: program } });
    const { address, token } = story.partner.secrets;
    rebuilt = { VAULT_ADDR: address, VAULT_TOKEN: token };
    await story.pulumi("up --yes --skip-preview");
    return story.close;
  }, openingMs);

  test("a refresh takes nothing for gone, and neither does drift detection", async () => {
    const { text } = await story.pulumi("refresh --yes --skip-preview", { code: 1, env: rebuilt });
    expect(text).toContain("written to another server");
    const { code, out } = await runDrift(story, "", { env: rebuilt });
    expect([code, out]).toEqual([1, expect.stringContaining("2 could not be read")]);
  });

  test("both do when TRUSTPLANE_REBUILT names the connection, and the next update makes everything again", async () => {
    const env = { ...rebuilt, ...isKnown };
    const { code, out } = await runDrift(story, "", { env });
    expect([code, out]).toEqual([2, expect.stringContaining("2 missing")]);

    await story.pulumi("refresh --yes --skip-preview", { env });
    await story.pulumi("up --yes --skip-preview", { env: rebuilt });

    const paths = Object.keys(story.partner.records().secrets).filter((path) => path.startsWith("auth/jwt/role/"));
    expect(paths.sort()).toEqual(["auth/jwt/role/dynamic", "auth/jwt/role/native"]);
  });
});

const program = `
const common = { roleType: "jwt", userClaim: "sub", boundAudiences: ["https://secrets.example.com"] };
new (require("trustplane").jwt.Role)("dynamic", { ...common, name: "dynamic" });
new (require("trustplane/native").jwt.Role)("native", { ...common, name: "native" });
`;
