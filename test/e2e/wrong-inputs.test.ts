import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { needsPulumi } from "../support/pulumi-sandbox.ts";
import { openingMs, openStory, type Story } from "./pulumi-story.ts";

/** Pulumi ends a program at the first resource that is refused, so each case is a program of its own. */
describe("wrong inputs", needsPulumi(), () => {
  let story: Story;
  const refusal = async (type: string, args: object) => {
    story.rewrite(
      `const trustplane = require("trustplane");\nnew trustplane.${type}("wrong", ${JSON.stringify(args)});\n`,
    );
    return (await story.pulumi("preview", { code: 1 })).text;
  };

  beforeAll(async () => {
    story = await openStory({ program: { source: "" } });
    return story.close;
  }, openingMs);

  test("are refused all at once, each at its property, before anything is sent", async () => {
    const text = await refusal("jwt.Role", {
      name: "ci",
      roleType: "saml",
      boundAudiences: ["a", 1],
      tokenTtl: "soon",
      tokenBoundCidrs: ["10.0.0.0/8", "10.0.0.0/99"],
      tokenPolicys: ["deploy"],
    });

    expect(text).toMatch(/property roleType value \{saml\} has a problem: .*oidc.*jwt/);
    expect(text).toContain("boundAudiences[1] must be a string");
    expect(text).toMatch(/property tokenTtl value \{soon\} has a problem: /);
    expect(text).toContain("tokenBoundCidrs[1] must be an IP address or a block such as 10.0.0.0/8");
    expect(text).toContain("userClaim is required");
    expect(text).toMatch(/tokenPolicys is not a property of jwt\.Role; did you mean tokenPolicies\?/);
    expect(text).not.toContain("<nil>");
    expect(story.requests().filter((request) => request !== "GET sys/health")).toEqual([]);
  });

  const secret = randomBytes(12).toString("hex");
  test.each([
    ["cloud.RootConfig", { secretKey: secret }, ["accessKey and secretKey belong together"]],
    [
      "jwt.Config",
      { oidcClientSecret: [secret], providerConfig: { gsuite_service_account: [secret] } },
      ["oidcClientSecret must be", "providerConfig.gsuite_service_account must be"],
    ],
    [
      "jwt.Config",
      { oidcClientSecret: secret, providerConfig: { provider: secret, gsuite_service_account: secret } },
      ["oidcClientId", "providerConfig.provider must be"],
    ],
    ["policy.Parameter", { policySetId: "polset-1", key: "k", value: [secret], sensitive: true }, ["value must be"]],
    ["cluster.Peering", { peerName: "p", peeringToken: secret }, ["peeringToken is not a peering token"]],
  ])("of %s %# are refused without showing the secret", async (type, args, reasons) => {
    const text = await refusal(type, args);

    for (const reason of reasons) expect(text).toContain(reason);
    expect(text).not.toContain(secret);
  });
});
