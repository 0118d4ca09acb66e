import { beforeAll, describe, expect, test } from "vitest";
import { needsPulumi } from "../support/pulumi-sandbox.ts";
import { libraries } from "./libraries.ts";
import { openingMs, openStory, type Story } from "./pulumi-story.ts";
import { runDrift } from "./run-drift.ts";

/** Servers that are named in the stack's configuration only: nothing in the environment tells where they are. */
describe.each(libraries)("connections configured, with %s", needsPulumi(), (library) => {
  let story: Story;
  const names = ({ records }: Story["ours"]) =>
    Object.keys(records().secrets)
      .filter((path) => path.startsWith("auth/jwt/role/"))
      .map((path) => path.replace("auth/jwt/role/", ""))
      .sort();

  beforeAll(async () => {
    story = await openStory({
      program: { source: programWith(library) },
      env: ({ partner }) => ({ VAULT_ADDR: "", VAULT_TOKEN: "", PARTNER_TOKEN: partner.secrets.token }),
      config: ({ ours, partner }) => ({
        "trustplane:secrets": { secret: JSON.stringify({ address: ours.secrets.address, token: ours.secrets.token }) },
        "trustplane:connections": JSON.stringify({
          partner: { service: "secrets", address: partner.secrets.address, tokenEnv: "PARTNER_TOKEN" },
          unused: { service: "cluster", address: "http://127.0.0.1:9" },
        }),
      }),
    });
    return story.close;
  }, openingMs);

  test("twenty resources at once all find their server, and those of a named connection the other one", async () => {
    const { text } = await story.pulumi("up --yes --skip-preview --parallel 32");

    const expected = Array.from({ length: 20 }, (_, index) => `r${index}`).sort();
    expect(names(story.ours)).toEqual(expected);
    expect(names(story.partner)).toEqual(["r0"]);
    expect(text).toMatch(/warning: the token of connection "secrets" comes from the stack's configuration/);
    await story.pulumi("preview --refresh --expect-no-changes");
  });

  test("the state holds the name of a connection, and neither its address nor its token", async () => {
    const { resources = [] } = (await story.sandbox.export()).deployment;

    const roles = JSON.stringify(resources.filter(({ type }) => type.endsWith(":Role")));
    expect(roles).toContain('"connection":"partner"');
    expect(roles).not.toContain(story.partner.secrets.address);
    expect(JSON.stringify(resources)).not.toContain(story.partner.secrets.token);
    expect(JSON.stringify(resources)).not.toContain(story.ours.secrets.token);
  });

  test("drift detection finds both in the stack's configuration, with the tokens that it names", async () => {
    const { code, out, err } = await runDrift(story, "--decrypt");
    expect([code, out]).toEqual([0, expect.stringMatching(/^No drift in story\/dev: 21 resources;/)]);
    expect(err).toMatch(/the token of connection "secrets" comes from the stack's configuration/);
  });

  test("a connection that nobody configured is refused by name", async () => {
    story.rewrite(
      `${programWith(library)}\nnew trustplane.jwt.Role("lost", { ...common, name: "lost", connection: "partnr" });\n`,
    );

    const { text } = await story.pulumi("preview", { code: 1 });

    expect(text).toContain('connection "partnr" is not in trustplane:connections; known are partner, unused');
  });
});

const programWith = (library: string) => `
const trustplane = require("${library}");
const common = { roleType: "jwt", userClaim: "sub", boundAudiences: ["https://secrets.example.com"] };
for (let index = 0; index < 20; index += 1) new trustplane.jwt.Role("r" + index, { ...common, name: "r" + index });
new trustplane.jwt.Role("partner", { ...common, name: "r0", connection: "partner" });
`;
