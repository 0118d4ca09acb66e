import { beforeAll, describe, expect, test } from "vitest";
import { rawApi } from "../support/contract-raw.ts";
import { needsPulumi } from "../support/pulumi-sandbox.ts";
import { libraries } from "./libraries.ts";
import { openingMs, openStory, type Story } from "./pulumi-story.ts";

describe.each(libraries)("a look-up by id, with %s", needsPulumi(), (library) => {
  let story: Story;

  beforeAll(async () => {
    story = await openStory({ program: { source: program(library, "auth/jwt/role/ci") } });
    const { call } = rawApi("secrets", story.ours.secrets);
    await call("POST auth/jwt/role/ci", { role_type: "jwt", user_claim: "sub", bound_subject: "x", token_ttl: "15m" });
    return story.close;
  }, openingMs);

  test("answers what the server has, also in a preview, and owns nothing", async () => {
    expect((await story.pulumi("preview")).text).toMatch(/ttl\s*: "15m"/);

    const { text } = await story.pulumi("up --yes --skip-preview");
    expect(text).toMatch(/boundSubject\s*: "x"/);
    expect(text).toMatch(/ttl\s*: "15m"/);

    await story.pulumi("destroy --yes --skip-preview");
    expect(story.ours.records().secrets["auth/jwt/role/ci"]).toMatchObject({ token_ttl: 900 });
  });

  test("of what is not there fails, and says what is missing", async () => {
    story.rewrite(program(library, "auth/jwt/role/nobody"));

    const { text } = await story.pulumi("up --yes --skip-preview", { code: 1 });

    expect(text).toContain("reading jwt.Role: there is no auth/jwt/role/nobody");
  });
});

function program(library: string, id: string): string {
  return `
const trustplane = require("${library}");
const role = trustplane.jwt.Role.get("found", "${id}");
exports.boundSubject = role.boundSubject;
exports.ttl = role.tokenTtl;
`;
}
